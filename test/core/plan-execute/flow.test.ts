/** The flow of a task: planning once, the items in order, a replan after each sub-task and each answer. */
import { describe, expect, it } from 'vitest'
import {
  act,
  ALL,
  ask,
  benchOf,
  closed,
  context,
  createTask,
  done,
  NONE,
  phases,
  planned,
  replanned,
  rowsOf,
  say,
  types,
} from '../../support/scripted.ts'

describe('flow', () => {
  it('S0-01 S0-12 the main flow is plan, thought, act, observe, replan', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const task = await createTask(bench, {}, ALL)
    expect(phases(bench)).toEqual(['plan', 'thought', 'thought', 'replan'])
    expect(types(task)).toEqual([
      'task_created',
      'plan_created',
      'item_started',
      'thought_decided',
      'action_started',
      'action_finished',
      'thought_decided',
      'item_completed',
      'task_completed',
    ])
    bench.spent()
  })

  it('S0-02 S0-13 S0-22 S0-81 plan runs once per new task, on its first input, never again', async () => {
    const bench = benchOf({
      plan: [planned('A'), planned('X')],
      thought: [ask(), done(), done()],
      replan: [replanned('A'), closed(), closed()],
    })
    const first = await createTask(bench, {}, ALL)
    await say(bench, first.id, 'an answer', ALL)
    expect(phases(bench).filter((phase) => phase === 'plan')).toHaveLength(1)
    await createTask(bench, {}, ALL)
    expect(phases(bench).filter((phase) => phase === 'plan')).toHaveLength(2)
    bench.spent()
  })

  it('S0-04 S0-14 S0-21 S0-84 thought works the items in order, several rounds inside one item', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), act(), done(), act('/todo list'), done()],
      replan: [replanned('A', 'B'), closed()],
    })
    await createTask(bench, {}, ALL)
    const items = bench.requests.filter((r) => r.metadata.phase === 'thought').map((r) => context(r).current_item.title)
    expect(items).toEqual(['A', 'A', 'A', 'B', 'B'])
    bench.spent()
  })

  it('S0-10 S0-16 S0-38 S0-82 a finished sub-task without clarification triggers one replan', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [done(), done()], replan: [replanned('B'), closed()] })
    await createTask(bench, {}, ALL)
    expect(phases(bench)).toEqual(['plan', 'thought', 'replan', 'thought', 'replan'])
    bench.spent()
  })

  it('S0-11 S0-17 S0-83 R1 an answer triggers replan before the next thought', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask(), done()], replan: [replanned('A'), closed()] })
    const task = await createTask(bench, {}, ALL)
    await say(bench, task.id, 'tomorrow', ALL)
    expect(phases(bench)).toEqual(['plan', 'thought', 'replan', 'thought', 'replan'])
    expect(context(bench.requests[2]).clarifications).toEqual([{ question: 'When?', answer: 'tomorrow' }])
    bench.spent()
  })

  it('S0-20 plan and replan deliver complete lists: all of a list is shown', async () => {
    const titles = Array.from({ length: 100 }, (_, index) => `item ${index + 1}`)
    const bench = benchOf({ plan: [planned(...titles)] })
    const task = await createTask(bench, {}, NONE)
    expect(task.plan.items.map((item) => item.title)).toEqual(titles)
  })
})

describe('levels and states', () => {
  it('S0-08 two levels: outside plan, then item or done by replan; inside thought, act, observe', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), act(), done(), done(), act(), done()],
      replan: [replanned('B'), replanned('C'), closed()],
    })
    const { id } = await createTask(bench, {}, ALL)
    const run = rowsOf(bench, id).flatMap((row) => row.phase ?? [])
    expect(run.join(' ')).toMatch(/^plan(?: (?:thought act )*thought replan)+$/)
    expect(run.filter((phase) => phase === 'replan')).toHaveLength(3)
    bench.spent()
  })

  it('S0-09 R1 R27 the later revision wins: without any question every finished sub-task has its replan, changed or not', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B', 'C')],
      thought: [done(), done(), done()],
      replan: [replanned('A', 'B', 'C'), replanned('A', 'B', 'C'), closed()],
    })
    await createTask(bench, {}, ALL)
    expect(phases(bench).join(' ')).toBe('plan thought replan thought replan thought replan')
    bench.spent()
  })
})
