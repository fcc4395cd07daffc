/**
 * Whether what one item found reaches the item that needs it. The model is honest: it reads nothing but its request, so that a code
 * which a request does not have is a code that it does not know.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { play, type Played } from './bench.ts'
import { bookingOf, namesIn, type Deed, type Job } from './goal.ts'
import { VARIANTS, type Variant } from './variants.ts'

const check = (count: number): Job[] =>
  Array.from({ length: count }, (_, index) => ({ deed: 'check', name: `shelf${index + 1}` }))
const job = (deed: Deed, name = 'alpha'): Job => ({ deed, name })

/** Where a code comes from. */
const SOURCES: [from: string, deed: Deed][] = [
  ['the result of an action', 'find'],
  ['a result that the conclusion repeats', 'note'],
  ['a conclusion', 'choose'],
  ['an answer of the user', 'ask'],
]
const WAYS: [way: string, goal: (deed: Deed) => Job[], pauses: number[]][] = [
  ['the next item', (deed) => [job(deed), job('book')], []],
  ['the final text alone', (deed) => [job(deed), ...check(2)], []],
  ['an item three steps later', (deed) => [job(deed), ...check(3), job('book'), ...check(1)], []],
  ['an item behind pauses', (deed) => [job(deed), ...check(1), job('book')], [1, 2, 3, 4, 5, 6, 7, 8]],
  ['an item thirty steps later', (deed) => [job(deed), ...check(30), job('book')], []],
]

function expectReached({ task, codes, booked, lacks }: Played, jobs: readonly Job[]): void {
  const codeOf = (name: string) => codes.get(name) ?? `no ${name}`
  expect(lacks).toEqual([])
  expect(booked).toEqual(jobs.flatMap(({ deed, name }) => (deed === 'book' ? [bookingOf(name, codeOf(name))] : [])))
  expect(task).toMatchObject({ status: 'completed', result: { outcome: 'done' } })
  for (const name of namesIn(jobs)) expect(task.result?.text).toContain(codeOf(name))
}

const figures = new Map<string, { needed: number; reached: number }>()
async function playCounted(variant: Variant, jobs: Job[], seed: number, pauses: number[] = []): Promise<Played> {
  const [name, mode, settings] = variant
  const played = await play({ mode, jobs, seed, settings, pauses })
  const { needed, reached } = figures.get(name) ?? { needed: 0, reached: 0 }
  figures.set(name, { needed: needed + played.needed, reached: reached + played.needed - played.lacks.length })
  return played
}

describe.each(VARIANTS)('%s', (...variant) => {
  describe.each(SOURCES)('a code from %s', (_from, deed) => {
    it.each(WAYS)('reaches %s', async (_way, goal, pauses) => {
      const jobs = goal(deed)
      expectReached(await playCounted(variant, jobs, 7, pauses), jobs)
    })
  })

  it('every code of a random goal reaches each item that needs it, and the final text', async () => {
    await fc.assert(
      fc.asyncProperty(goals, fc.nat(), fc.uniqueArray(fc.nat(40), { maxLength: 3 }), async (jobs, seed, pauses) => {
        expectReached(await playCounted(variant, jobs, seed, pauses), jobs)
      }),
      { numRuns: 12 },
    )
  })
})

it('the share of needed codes that stood in the request', () => {
  console.log(JSON.stringify({ codes_reached: Object.fromEntries(figures) }))
  for (const { needed, reached } of figures.values()) expect(reached).toBe(needed)
})

/** Goals in which a code is booked only behind the item that it comes from. */
const NAMES = ['alpha', 'beta', 'gamma', 'delta']
const goals: fc.Arbitrary<Job[]> = fc
  .array(
    fc.record({
      deed: fc.constantFrom<Deed>('find', 'note', 'choose', 'ask'),
      waits: fc.nat(4),
      books: fc.boolean(),
    }),
    { minLength: 1, maxLength: NAMES.length },
  )
  .map((sources) => {
    const books = sources.flatMap(({ books }, index) => (books ? [job('book', NAMES[index])] : []))
    const begins = sources.flatMap(({ deed, waits }, index) => [
      job(deed, NAMES[index]),
      ...check(waits).map(({ name }) => job('check', `${name}of${index}`)),
    ])
    return [...begins, ...books]
  })
