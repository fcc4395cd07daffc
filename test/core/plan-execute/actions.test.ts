/** Actions: what a tool run records and costs, and what a failed one leads to. */
import { describe, expect, it } from 'vitest'
import { modeOf } from '../../../src/core/modes/index.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  closed,
  context,
  createTask,
  done,
  ONE,
  phases,
  planned,
  replanned,
  rowsOf,
  step,
  types,
} from '../../support/scripted.ts'

describe('flow', () => {
  it('S0-85 R4 a failed tool is recorded, stays in the inner loop, replan only after the sub-task', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [act(), act(), done()],
      replan: [closed()],
      tools: [{ ok: false, text: 'broken' }, { ok: true }],
    })
    const task = await createTask(bench, {}, ALL)
    expect(phases(bench)).toEqual(['plan', 'thought', 'thought', 'thought', 'replan'])
    const [failure] = context(bench.requests[2]).observations
    expect(failure).toMatchObject({ tool: 'todo', ok: false, result: 'broken', item_id: 'step_1' })
    expect(task.counters).toMatchObject({ actions: 2, successful_actions: 1, failed_actions: 1 })
    bench.spent()
  })

  it('S0-24 R10 after two failed actions in a row a further continue is refused, counts one and runs nothing', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [act(), act(), act(), done()],
      replan: [closed()],
      tools: [{ ok: false }, { ok: false }],
    })
    let task = await createTask(bench, {}, { rounds: 3, max_ms: 25_000 })
    expect(task.step_count).toBe(5)
    expect(bench.calls).toHaveLength(2)
    expect(types(task)).toContain('contract_failed')
    expect(context(bench.requests.at(-1)).must_not_act).toBe(true)
    task = await step(bench, task.id, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 7 })
    bench.spent()
  })

  it.each([
    ['a success', [{ ok: false }, { ok: true }, { ok: false }], [act(), act(), act(), act()], 4],
    ['a new item', [{ ok: false }, { ok: false }, { ok: true }], [act(), act(), done(), act()], 3],
  ])('R10 %s resets the count of failed actions', async (_name, tools, thought, calls) => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought,
      replan: [replanned('A', 'B')],
      tools: [...tools, { ok: true }],
    })
    await createTask(bench, {}, { rounds: thought.length + (calls === 3 ? 1 : 0), max_ms: 25_000 })
    expect(bench.calls).toHaveLength(calls)
  })
})

describe('levels and states', () => {
  it.each([
    ['a success', { ok: true, text: 'added #1' }],
    ['a failure', { ok: false, text: 'no such list' }],
  ])(
    'S0-15 S0-65 acting runs the tool: +1, its observation appended, its counter raised (%s)',
    async (_name, result) => {
      const bench = benchOf({ plan: [planned('A')], thought: [act('/todo add milk')], tools: [result] })
      const { id } = await createTask(bench, {}, ONE)
      expect(bench.calls).toEqual([{ tool: 'todo', input: '/todo add milk', key: `${id}:4` }])
      const [before, after] = rowsOf(bench, id).slice(-2)
      expect(before?.head).toMatchObject({ budget: { steps: { used: 1 } }, counters: { actions: 0 } })
      expect(after?.head).toMatchObject({
        budget: { steps: { used: 2 } },
        counters: { actions: 1, successful_actions: result.ok ? 1 : 0, failed_actions: result.ok ? 0 : 1 },
      })
      expect([before?.state.observations, after?.state.observations]).toEqual([[], [4]])
      expect(after?.event).toMatchObject({ kind: 'tool_returned', ...result })
    },
  )

  it.each(modeOf('plan_execute').tools)('S0-23 an action of %s counts, a question does not', async (tool) => {
    const bench = benchOf({ plan: [planned('A')], thought: [act('x', tool), ask()] })
    const acted = await createTask(bench, {}, ONE)
    expect([acted.step_count, bench.calls[0]?.tool]).toEqual([2, tool])
    const asked = await step(bench, acted.id)
    expect([asked.status, asked.step_count]).toEqual(['input_required', 3]) // its thought counts, asking does not
  })
})
