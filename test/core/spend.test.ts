/** What the tenant's index keeps of the cost of a completed task, mode by mode: all its runs, and all it has finished. */
import { describe, expect, it } from 'vitest'
import { acts, complete, dynamicTask, goOn, steps as plan, told } from './dynamic/support.ts'
import { begin, rounds, steps, use } from './session/support.ts'
import {
  act,
  ALL,
  benchOf,
  closed,
  createTask,
  done,
  planned,
  replanned,
  say,
  step,
  type Bench,
} from '../support/scripted.ts'

const kept = (bench: Bench) => bench.store.workspace('acme').ask({ kind: 'finished', limit: 9 })

describe('what a completed task has cost', () => {
  it('plan_execute: its items are those of all its lists', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [act(), done(), act(), done()],
      replan: [replanned('B'), closed()],
    })
    await createTask(bench, {}, ALL)
    expect(await kept(bench)).toMatchObject([{ steps: 8, items: 2, tokens: 7 * 15 }])
  })

  it('dynamic: a step that failed while the task went on was worked on, too', async () => {
    const last = complete('done at last')
    const script = told([plan('A')], [...acts(1), [goOn({ add: ['B'] })], [last]])
    const bench = benchOf(script)
    const task = await dynamicTask(bench, { max_actions_per_step: 1 })
    expect(task.plan.items.map(({ status }) => status)).toEqual(['failed', 'completed'])
    expect(await kept(bench)).toMatchObject([{ steps: 1, items: 2 }])
  })

  it('session: the steps of all its plans, after each run, whether it took one request or several', async () => {
    const bench = benchOf({
      turn: [use(steps('A', 'B')), use('[Done]'), use('[Done]'), 'one', use(steps('C')), use('[Done]'), 'two', 'three'],
    })
    const { id } = await begin(bench, {}, rounds(9))
    expect(await kept(bench)).toMatchObject([{ steps: 4, items: 2 }])
    await say(bench, id, 'go on')
    await step(bench, id, rounds(9))
    expect(await kept(bench)).toMatchObject([{ steps: 7, items: 3, tokens: 7 * 15 }])
    await say(bench, id, 'and on')
    expect(await kept(bench)).toMatchObject([{ steps: 8, items: 3, tokens: 8 * 15 }])
    bench.spent()
  })

  it('is not told to clients, and nothing is kept of one that failed', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: ['broken', 'broken'] })
    const task = await createTask(bench, {}, ALL)
    expect([task.status, 'spend' in task, await kept(bench)]).toEqual(['failed', false, []])
    const other = benchOf({ plan: [planned('A')], thought: [done()], replan: [closed()] })
    const ended = await createTask(other, {}, ALL)
    expect([ended.status, 'spend' in ended]).toEqual(['completed', false])
  })
})
