/** What costs a step and when it is charged; how a task is cut into slices changes neither. */
import { describe, expect, it } from 'vitest'
import {
  act,
  ALL,
  ask,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  journalOf,
  MANY,
  NONE,
  ONE,
  planned,
  replanned,
  say,
  step,
} from '../../support/scripted.ts'

describe('accounting', () => {
  it.each([
    ['S0-28 every thought attempt costs one', { thought: [done()] }, 1],
    ['S0-30 every executed action costs one', { thought: [act()] }, 2],
    ['S0-31 S0-32 planning, asking and waiting are free', { thought: [ask()] }, 1],
    ['S0-06 S0-89 an unparsable thought costs one', { thought: ['garbage'] }, 1],
    ['S0-06 S0-89 a field-invalid thought costs one', { thought: [{ ...act(), question: 'why?' }] }, 1],
    [
      'S0-23 an action of a tool that is not offered is a failed action and costs one',
      { thought: [act('x', 'rocket')] },
      2,
    ],
  ] as const)('%s', async (_name, script, steps) => {
    const bench = benchOf({ plan: [planned('A')], thought: [...script.thought] })
    const task = await createTask(bench, {}, ONE)
    expect(task.step_count).toBe(steps)
    expect(task.budget.used).toBe(steps)
    bench.spent()
  })

  it('S0-29 S0-86 every replan attempt costs one, a broken one too', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: ['{}', closed()] })
    const task = await createTask(bench, {}, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 3 })
    bench.spent()
  })

  it('S0-26 step_count is one budget for thoughts, replans and actions together, and equals budget.used', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), done(), done()],
      replan: [replanned('B'), closed()],
    })
    const task = await createTask(bench, {}, ALL)
    expect(task.step_count).toBe(6)
    expect(task.budget).toMatchObject({ used: 6, max: 20, remaining: 14 })
    expect(task.counters).toEqual({
      model_calls: 6,
      actions: 1,
      successful_actions: 1,
      failed_actions: 0,
      replans: 2,
      iterations: 0,
    })
  })

  it('how a task is cut into slices never changes its accounting or its result', async () => {
    const script = () => ({
      plan: [planned('A', 'B')],
      thought: [act(), 'bad', done('a'), ask(), act(), done()],
      replan: [replanned('B'), replanned('B'), closed()],
    })
    const ends = []
    for (const rounds of [1, 2, 3, 50]) {
      const bench = benchOf(script())
      let task = await createTask(bench, {}, NONE)
      for (let i = 0; i < 30 && task.status !== 'completed'; i++) {
        const bounds = { rounds, max_ms: 25_000 }
        task =
          task.status === 'input_required' ? await say(bench, task.id, 'x', bounds) : await step(bench, task.id, bounds)
      }
      const { slice: _slice, id: _id, ...end } = task
      ends.push(end)
      bench.spent()
    }
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1)
    expect(ends[0]).toMatchObject({ status: 'completed', step_count: 11 })
  })
})

describe('levels and states', () => {
  it('S0-05 counted are thought, replan and tool runs, broken ones too; not the plan, its retries, question and waiting', async () => {
    const bench = benchOf({ ...MANY, plan: ['no plan', planned('A', 'B')] })
    const { id } = await createTask(bench, {}, ALL)
    const task = await say(bench, id, 'tomorrow', ALL)
    const counted = new Map<string, Set<boolean>>()
    const rows = await journalOf(bench, id)
    for (const row of rows) {
      const name = row.phase ?? row.kind
      counted.set(name, (counted.get(name) ?? new Set()).add(row.counted))
    }
    const yes = new Set([true])
    const no = new Set([false])
    expect(Object.fromEntries(counted)).toEqual({
      task_created: no,
      plan: no,
      thought: yes,
      act: yes,
      replan: yes,
      user_answered: no,
    })
    expect(task.step_count).toBe(rows.filter((row) => row.counted).length)
    expect(task.step_count).toBe(12)
  })
})

describe('routing and accounting', () => {
  it('D2 a lost thought costs its attempt: orphaned, +1, and the next attempt is a new row', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()] })
    const { id } = await createTask(bench)
    const lost = {
      slice: 'lost',
      boot: 'boot',
      more: 'new_round' as const,
      wall_ms: bench.clock.now,
      rounds: 9,
      key: null,
    }
    expect((await bench.ports.store.of(CALLER.tenant, id).begin(lost)).ok).toBe(true)
    bench.clock.now += 10 * 60_000
    const task = await step(bench, id)
    expect(task.step_count).toBe(2)
    const thoughts = (await journalOf(bench, id)).filter((row) => row.phase === 'thought')
    expect(thoughts.map((row) => [row.outcome, row.counted])).toEqual([
      ['orphaned', true],
      ['ok', true],
    ])
  })

  it('U3 while a thought is under way step_count does not include it', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()] })
    const { id } = await createTask(bench)
    const begun = {
      slice: 'slow',
      boot: 'boot',
      more: 'new_round' as const,
      wall_ms: bench.clock.now,
      rounds: 9,
      key: null,
    }
    await bench.ports.store.of(CALLER.tenant, id).begin(begun)
    const seen = await bench.service.getTask(CALLER, id)
    expect(seen.ok && seen.value.task.step_count).toBe(0)
    expect((await journalOf(bench, id)).at(-1)).toMatchObject({ phase: 'thought', counted: false, outcome: null })
  })
})
