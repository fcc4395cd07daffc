/** Lists and searches of `npm start` by an index database, also after kill -9 and after its file was lost. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import { call, callTask, newPlace, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

const WITH_INDEX = { INDEX_DATABASE: 'true' }
const Page = z.object({
  data: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  as_of: z.string(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
})
const pageOf = async (service: Service, query: string) => Page.parse(await call(service, 'GET', `/tasks?${query}`))

/** The ids of all pages. */
async function idsOf(service: Service, query: string): Promise<string[]> {
  const found: string[] = []
  for (let after = ''; ;) {
    const page = await pageOf(service, `limit=7&${query}${after}`)
    found.push(...page.data.map(({ id }) => id))
    if (page.next_cursor === null) return found
    after = `&after=${page.next_cursor}`
  }
}
const QUERIES = [
  '',
  'q=milk',
  'q=bread%203',
  'metadata.shop=west',
  'status=completed',
  'status=running',
  'q=milk&metadata.shop=west',
]
const answersOf = async (service: Service) =>
  Object.fromEntries(await Promise.all(QUERIES.map(async (query) => [query, await idsOf(service, query)] as const)))

it('OPS-18 lists and searches are those of the tasks after kill -9, and after the database was lost', async () => {
  place = newPlace()
  const first = await place.start(WITH_INDEX)
  const made: { id: string; goal: string; shop: string; rounds: number }[] = []
  for (let at = 0; at < 20; at++) {
    const wish = {
      goal: `buy ${at % 2 ? 'milk' : 'bread'} ${at}`,
      shop: at % 3 ? 'east' : 'west',
      rounds: at % 4 ? 0 : 20,
    }
    const { goal, shop, rounds } = wish
    const { id } = await callTask(first, 'POST', '/tasks', { goal, rounds, metadata: { shop } })
    made.unshift({ id, ...wish })
  }
  const [gone, ...kept] = made
  await call(first, 'DELETE', `/tasks/${gone?.id}`)
  const having = (test: (task: (typeof made)[number]) => boolean) => kept.filter(test).map(({ id }) => id)
  const expected = {
    '': having(() => true),
    'q=milk': having(({ goal }) => goal.includes('milk')),
    'q=bread%203': having(({ goal }) => goal.includes('bread 3')),
    'metadata.shop=west': having(({ shop }) => shop === 'west'),
    'status=completed': having(({ rounds }) => rounds > 0),
    'status=running': having(({ rounds }) => rounds === 0),
    'q=milk&metadata.shop=west': having(({ goal, shop }) => goal.includes('milk') && shop === 'west'),
  }
  expect(await answersOf(first)).toEqual(expected)
  await first.kill()

  const second = await place.start(WITH_INDEX)
  expect(await answersOf(second)).toEqual(expected)
  const begun = Date.now()
  // All that was answered before is fed within seconds, and `as_of` says so.
  await expect
    .poll(async () => Date.parse((await pageOf(second, 'limit=1')).as_of), { timeout: 10_000 })
    .toBeGreaterThanOrEqual(begun)
  await second.kill()

  const database = join(place.dataDir, 'd1')
  expect(existsSync(database)).toBe(true)
  rmSync(database, { recursive: true })
  const third = await place.start(WITH_INDEX)
  expect(await answersOf(third)).toEqual(expected)
  const late = await callTask(third, 'POST', '/tasks', { goal: 'buy milk at last', rounds: 0 })
  expect((await idsOf(third, 'q=milk'))[0]).toBe(late.id)
  await expect.poll(async () => existsSync(database), { timeout: 10_000 }).toBe(true)
  await third.kill()

  // Without the database the workspace has them all, too.
  const fourth = await place.start()
  expect((await answersOf(fourth))['']).toEqual([late.id, ...expected['']])
}, 60_000)
