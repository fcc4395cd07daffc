/** The plan is only a start (S3-02): what decisions may add and remove, when, where, and how often. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { benchOf, context, NONE, ONE, say, step as advance, titles } from '../../support/scripted.ts'
import {
  action,
  acts,
  complete,
  dynamicTask,
  eventsOf,
  goOn,
  played,
  steps,
  stateOf,
  thought,
  told,
  type Changes,
} from './support.ts'

const letters = (count: number) => Array.from({ length: count }, (_, index) => `s${index + 1}`)
const guards = (events: { type: string; payload: Record<string, unknown> }[]) =>
  events.filter(({ type }) => type === 'loop_guard').map(({ payload }) => [payload['guard'], payload['count']])

/** The titles after a first decision with these changes; B is being worked on, A has ended. */
async function after(changes: Changes, settings = {}) {
  const rounds = told([steps('A', 'B', 'C', 'D')], [[complete('a')], [goOn(changes), action()]])
  const { bench, task } = await played(rounds, settings, { rounds: 2, max_ms: 25_000 })
  bench.spent()
  return { bench, task, titles: titles(task) }
}

describe('R18 adjustments', () => {
  it.each<[string, Changes, string[]]>([
    [
      'added steps come directly behind the current one, in their order',
      { add: ['x', 'y'] },
      ['A', 'B', 'x', 'y', 'C', 'D'],
    ],
    ['a named later step is removed', { remove: ['D'] }, ['A', 'B', 'C']],
    [
      'removed and added in one decision is a change',
      { add: ['C, but other'], remove: ['C'] },
      ['A', 'B', 'C, but other', 'D'],
    ],
    ['the name may be that of the step it replaces', { add: ['D'], remove: ['D'] }, ['A', 'B', 'D', 'C']],
    ['unknown names are ignored', { remove: ['nobody', 'C'] }, ['A', 'B', 'D']],
    ['a step is named by its id, or by its title in another case', { remove: [' step_3 ', 'd'] }, ['A', 'B']],
    ['neither the current nor a finished step can be removed', { remove: ['A', 'B'] }, ['A', 'B', 'C', 'D']],
  ])('R18 S3-08 S3-29 %s', async (_, changes, expected) => {
    expect((await after(changes)).titles).toEqual(expected)
  })

  it('R18 S3-04 S3-10 a decision that goes on changes the plan before an action is chosen', async () => {
    const { bench, task } = await after({ add: ['x'] })
    const { plan, current_item } = context(bench.requests.findLast(({ metadata }) => metadata.phase === 'action'))
    expect(plan.map(({ title }: { title: string }) => title)).toEqual(['B', 'x', 'C', 'D'])
    expect(current_item.title).toBe('B')
    expect(task.plan).toMatchObject({ revision: 2, cursor: 1, source: 'step_decision' })
  })

  it('R18 the next prompts tell which names no later step has, until the next decision', async () => {
    const rounds = told(
      [steps('A', 'B')],
      [[goOn({ remove: ['nobody', 'B', 'A'] }), action()], [goOn(), action('/todo add 2')], [complete()]],
    )
    const { bench } = await played(rounds)
    const warnings = bench.requests.map((request): string => context(request).warning ?? '')
    expect(warnings.slice(3, 6)).toEqual([
      ...Array<unknown>(3).fill(expect.stringContaining('remove_steps named no later step of plan: "nobody", "A".')),
    ])
    expect(warnings.slice(6)).toEqual(['', '', ''])
    bench.spent()
  })

  it('R18 S3-03 every round may change it anew, also the one that completes the step', async () => {
    const rounds = told(
      [steps('A')],
      [[goOn({ add: ['x'] }), action()], [complete('a', { add: ['y'], remove: ['x'] })], [complete('y')]],
    )
    const { bench, task } = await played(rounds)
    expect([titles(task), task.plan.revision, task.status]).toEqual([['A', 'y'], 3, 'completed'])
    bench.spent()
  })

  it('S3-22 ids are never used again, a removed step leaves the list, and each change is told', async () => {
    const rounds = told(
      [steps('A', 'B')],
      [[goOn({ add: ['x'], remove: ['B'] }), action()], [complete('a', { add: ['z'], remove: ['x'] })]],
    )
    const { bench, task } = await played(rounds, {}, { rounds: 2, max_ms: 25_000 })
    expect(task.plan.items.map(({ id, title }) => [id, title])).toEqual([
      ['step_1', 'A'],
      ['step_4', 'z'],
    ])
    const told_of = (await eventsOf(bench, task.id)).filter(({ type }) => type === 'plan_adjusted')
    expect(told_of.map(({ payload }) => payload)).toMatchObject([
      { items: [{ id: 'step_1' }, { id: 'step_3', title: 'x' }], cursor: 0, revision: 2 },
      { items: [{ id: 'step_1' }, { id: 'step_4', title: 'z' }], cursor: 0, revision: 3 },
    ])
  })

  it('R19 add_steps and remove_steps are the names on the wire; other names change nothing', async () => {
    const named = { ...complete('a'), suggested_next_steps: steps('x').steps, steps_to_remove: ['B'] }
    const { bench, task } = await played({
      plan: [steps('A', 'B')],
      think: [thought(), thought()],
      step_decision: [named, complete('b')],
    })
    expect(titles(task)).toEqual(['A', 'B'])
    bench.spent()
  })

  it('S3-26 without dynamic_planning the plan stays as it is, and the model is told', async () => {
    const { bench, task, titles: kept } = await after({ add: ['x'], remove: ['C'] }, { dynamic_planning: false })
    expect([kept, task.plan.revision]).toEqual([['A', 'B', 'C', 'D'], 1])
    const asked = bench.requests.find(({ metadata }) => metadata.phase === 'step_decision')
    expect(asked?.messages[0]?.content).toContain('The plan cannot be changed')
    expect(guards(await eventsOf(bench, task.id))).toEqual([])
  })
})

describe('S3-38 limits', () => {
  it('S3-38 U19 later decisions that would change the plan are ignored, with a guard', async () => {
    const rounds = told(
      [steps('A', 'B')],
      [
        [goOn({ add: ['x'] }), action('/todo add 1')],
        [goOn({ remove: ['nobody'] }), action('/todo add 2')],
        [goOn({ remove: ['x'] }), action('/todo add 3')],
        [goOn({ add: ['y'] }), action('/todo add 4')],
        [goOn(), action('/todo add 5')],
      ],
    )
    const { bench, task, state } = await played(rounds, { max_adjustments: 2 }, { rounds: 5, max_ms: 25_000 })
    expect([titles(task), task.plan.revision, state.plan.adjustments]).toEqual([['A', 'B'], 3, 2])
    const events = await eventsOf(bench, task.id)
    expect(events.filter(({ type }) => type === 'loop_guard').map(({ payload }) => payload)).toMatchObject([
      { guard: 'max_adjustments', count: 2, evidence: 'y' },
    ])
    bench.spent()
  })

  it('S3-38 U19 steps that were not added save no failed step', async () => {
    const rounds = told([steps('A')], [...acts(1), [goOn({ add: ['repair'] })]])
    const { task } = await played(rounds, { max_adjustments: 0, max_actions_per_step: 1 })
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'step_failed' })
  })

  it('S3-38 U24 a plan has at most 100 steps; further ones are left out, with a guard', async () => {
    const rounds = told([steps(...letters(98))], [[goOn({ add: ['x', 'y', 'z'] }), action()]])
    const { bench, task } = await played(rounds, {}, ONE)
    expect(task.plan.items).toHaveLength(100)
    expect(titles(task).slice(0, 4)).toEqual(['s1', 'x', 'y', 's2'])
    expect(guards(await eventsOf(bench, task.id))).toEqual([['plan_full', 100]])
  })

  it('S3-02 S3-22 any decision leaves order, ids and finished steps as they were', async () => {
    const names = fc.array(fc.constantFrom('A', 'B', 'C', 'x', 'y'), { maxLength: 3 })
    const change = fc.record({ add: names, remove: names, done: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 6, maxLength: 6 }), async (changes) => {
        const decided = changes.map(({ done, ...one }) => (done ? complete('ok', one) : goOn(one)))
        const bench = benchOf({
          plan: [steps('A', 'B', 'C')],
          think: changes.map(() => thought()),
          step_decision: decided,
          action: changes.map((_, index) => action(`/todo add ${index}`)),
        })
        let task = await dynamicTask(bench, {}, NONE)
        const seen = new Map<string, string>()
        for (let round = 0; round < changes.length && task.status === 'running'; round++) {
          const before = task.plan
          task = await advance(bench, task.id, ONE)
          const { items, cursor } = task.plan
          // What was begun stays where it is.
          expect(items.slice(0, before.cursor + 1).map(({ id }) => id)).toEqual(
            before.items.slice(0, before.cursor + 1).map(({ id }) => id),
          )
          expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
          for (const { id, title } of items) expect(seen.get(id) ?? title).toBe(title)
          for (const { id, title } of items) seen.set(id, title)
          expect(cursor - before.cursor).toBe(changes[round]?.done === true ? 1 : 0)
          expect(stateOf(bench, task.id).plan.ends).toHaveLength(cursor)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('S3-03 what the user says meanwhile leads back to a thought that knows it', async () => {
    const bench = benchOf(told([steps('A')], [[goOn(), action()], [complete()]]))
    const { id } = await dynamicTask(bench, {}, NONE)
    await say(bench, id, 'use the other list', NONE)
    const task = await say(bench, id, 'and hurry', { rounds: 5, max_ms: 25_000 })
    expect(task.status).toBe('completed')
    expect(context(bench.requests.find(({ metadata }) => metadata.phase === 'think')).remarks).toEqual([
      'use the other list',
      'and hurry',
    ])
    expect(context(bench.requests.at(-1)).remarks).toHaveLength(2)
    bench.spent()
  })
})
