/** The worked step_count traces T1 to T10, word for word: [n] is step_count after the event, c the cursor. */
import { describe, expect, it } from 'vitest'
import type { TaskView } from '../../../src/core/terms/view.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  closed,
  createTask,
  done,
  planned,
  replanned,
  say,
  step,
} from '../../support/scripted.ts'

const at = (task: TaskView) => [task.step_count, task.plan.cursor]
const END = (task: TaskView) => ({ status: task.status, steps: task.step_count, ...task.counters })

describe('worked step_count traces', () => {
  it('T1 two items, one tool: completed, 6, actions 1', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), done(), done()],
      replan: [replanned('B'), closed()],
    })
    let task = await createTask(bench)
    expect(at(task)).toEqual([0, 0])
    task = await step(bench, task.id)
    expect(at(task)).toEqual([2, 0]) // thought [1], tool [2]
    task = await step(bench, task.id)
    expect(at(task)).toEqual([3, 1])
    task = await step(bench, task.id)
    expect(at(task)).toEqual([4, 0])
    expect(task.plan.items.map((item) => item.title)).toEqual(['B'])
    task = await step(bench, task.id)
    expect(at(task)).toEqual([5, 1])
    task = await step(bench, task.id)
    expect(END(task)).toMatchObject({ status: 'completed', steps: 6, actions: 1 })
    expect(task.result).toEqual({ text: 'the answer', artifacts: [], outcome: 'done', unmet: [] })
    bench.spent()
  })

  it('T2 clarification with a slash command in between: completed, 6', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask(), act(), done()], replan: [replanned('A'), closed()] })
    let task = await createTask(bench, {}, { rounds: 1, max_ms: 25_000 })
    expect(task).toMatchObject({ status: 'input_required', stop_reason: 'question', step_count: 1 })
    expect(task.pending).toMatchObject({ kind: 'question', question: 'When?', prompt: 'Please confirm: When?' })
    const waiting = { ...task, slice: null }
    task = await say(bench, task.id, '/todo list')
    expect({ ...task, slice: null }).toEqual(waiting)
    task = await say(bench, task.id, 'tomorrow', { rounds: 0, max_ms: 25_000 })
    expect(task).toMatchObject({ status: 'running', step_count: 1 })
    task = await step(bench, task.id)
    expect(at(task)).toEqual([2, 0])
    task = await step(bench, task.id)
    expect(at(task)).toEqual([4, 0])
    task = await step(bench, task.id)
    expect(at(task)).toEqual([5, 1])
    task = await step(bench, task.id)
    expect(END(task)).toMatchObject({ status: 'completed', steps: 6 })
    bench.spent()
  })

  it.each([
    [1, 2],
    [2, 2],
    [3, 4],
    [4, 4],
    [20, 20],
  ])('T3 odd budget, max %i, model always continues: limit at %i, remaining 0', async (max_steps, steps) => {
    const rounds = Math.ceil(max_steps / 2)
    const bench = benchOf({
      plan: [planned('A')],
      thought: Array.from({ length: rounds }, (_, at) => act(`/todo add ${at}`)),
    })
    const task = await createTask(bench, { max_steps }, ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: steps })
    expect(task.budget).toMatchObject({ unit: 'steps', used: steps, max: max_steps, remaining: 0 })
    expect(task.slice).toMatchObject({ advanced: true, rounds })
    expect(task.handover?.completed).toContain(`todo: /todo add ${rounds - 1}`)
    expect(task.handover?.remaining).toEqual(['A'])
    expect(task.handover?.next_steps).toHaveLength(2)
    bench.spent()
  })

  it('T4 broken replies, max 2, failure limit high: fallback at 2 after 3 model calls', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: ['not-json', 'still-not-json'] })
    const task = await createTask(bench, { max_steps: 2, failure_limit: 100 }, ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 2 })
    expect(task.counters.model_calls).toBe(3)
    bench.spent()
  })

  it('T4 variant replan: ask [1], answer, replan "not-json" [2], check → fallback', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()], replan: ['not-json'] })
    let task = await createTask(bench, { max_steps: 2, failure_limit: 100 }, ALL)
    expect(task).toMatchObject({ status: 'input_required', step_count: 1 })
    task = await say(bench, task.id, 'tomorrow', ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 2 })
    bench.spent()
  })

  it('T4 variant failure limit 2 and max 20: two bad thoughts in a row end the task as failed at 2', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: ['bad', 'bad'] })
    const task = await createTask(bench, {}, ALL)
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'contract_failures', step_count: 2 })
    expect(task.error?.code).toBe('contract_failures')
    bench.spent()
  })

  it('T4 variant bad, good: bad [1], done [2], replan done [3]', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: ['bad', done()], replan: [closed()] })
    const task = await createTask(bench, {}, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 3 })
    bench.spent()
  })

  it('T5 done near the limit, max 1: thought done [1] c1, fallback, replan not called', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()] })
    const task = await createTask(bench, { max_steps: 1 }, ALL)
    expect(task).toMatchObject({ status: 'paused', step_count: 1 })
    expect(task.plan.cursor).toBe(1)
    bench.spent()
  })

  it('T5 max 2: thought done [1], replan done [2], completed with 2', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: [closed()] })
    const task = await createTask(bench, { max_steps: 2 }, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 2 })
    bench.spent()
  })

  it('T5 max 2, replan continues: replanned [2] c0, check before thought → fallback', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: [replanned('B')] })
    const task = await createTask(bench, { max_steps: 2 }, ALL)
    expect(task).toMatchObject({ status: 'paused', step_count: 2 })
    expect(task.plan.cursor).toBe(0)
    bench.spent()
  })

  it('T6 failing tool, then repaired: completed, 6, success 1, failed 1', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [act(), act(), done()],
      replan: [closed()],
      tools: [{ ok: false }, { ok: true }],
    })
    let task = await createTask(bench, {}, { rounds: 1, max_ms: 25_000 })
    expect(at(task)).toEqual([2, 0]) // recorded, no replan
    task = await step(bench, task.id, ALL)
    expect(END(task)).toMatchObject({
      status: 'completed',
      steps: 6,
      successful_actions: 1,
      failed_actions: 1,
      replans: 1,
    })
    bench.spent()
  })

  it('T7 empty plan: thought done [1] c0, replan done [2]', async () => {
    const bench = benchOf({ plan: [planned()], thought: [done('nothing to do')], replan: [closed()] })
    let task = await createTask(bench)
    expect(at(task)).toEqual([0, 0])
    task = await step(bench, task.id)
    expect(at(task)).toEqual([1, 0])
    task = await step(bench, task.id)
    expect(task).toMatchObject({ status: 'completed', step_count: 2 })
    bench.spent()
  })

  it('T7 with a question: ask [1], answer, replan gives 1 item [2], continue [3], tool [4], done [5], replan done [6]', async () => {
    const bench = benchOf({ plan: [planned()], thought: [ask(), act(), done()], replan: [replanned('A'), closed()] })
    let task = await createTask(bench, {}, ALL)
    expect(at(task)).toEqual([1, 0])
    task = await say(bench, task.id, 'this')
    expect(at(task)).toEqual([2, 0])
    task = await step(bench, task.id, ALL)
    expect(END(task)).toMatchObject({ status: 'completed', steps: 6, actions: 1 })
    bench.spent()
  })

  it('T8 unchanged plan: done [1] c1, replan A, B again [2] c1 kept, thought sees B, done [3] c2, replan done [4]', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [done(), done()],
      replan: [replanned('A', 'B'), closed()],
    })
    let task = await createTask(bench, {}, { rounds: 1, max_ms: 25_000 })
    expect(at(task)).toEqual([1, 1])
    task = await step(bench, task.id)
    expect(at(task)).toEqual([2, 1])
    expect(task.plan.items.map((item) => item.status)).toEqual(['completed', 'running'])
    task = await step(bench, task.id)
    expect(at(task)).toEqual([3, 2])
    expect(JSON.parse(bench.requests.at(-1)?.messages[1]?.content ?? '').current_item.title).toBe('B')
    task = await step(bench, task.id)
    expect(task).toMatchObject({ status: 'completed', step_count: 4 })
    bench.spent()
  })

  it('T9 budget used while waiting, max 1: ask [1], answer, check → fallback, no replan, [1]', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    let task = await createTask(bench, { max_steps: 1 }, ALL)
    expect(task).toMatchObject({ status: 'input_required', step_count: 1 })
    task = await say(bench, task.id, 'tomorrow')
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 1 })
    expect(task.slice).toMatchObject({ advanced: true, rounds: 0 })
    bench.spent()
  })

  it('T10 repeated question: same question again [3] not shown, thought continue [4], tool [5]', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [ask('When is it?'), ask('when is it'), act(), done()],
      replan: [replanned('A'), closed()],
    })
    let task = await createTask(bench, {}, ALL)
    task = await say(bench, task.id, 'tomorrow', { rounds: 2, max_ms: 25_000 })
    expect(task).toMatchObject({ status: 'running', step_count: 3, pending: null })
    task = await step(bench, task.id)
    expect(task.step_count).toBe(5)
    task = await step(bench, task.id, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 7 })
    bench.spent()
  })

  it('T10 a second repeat in a row [4] hands over to replan [5]', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [ask('When is it?'), ask('when is it'), ask('WHEN is it, please?')],
      replan: [replanned('A'), closed()],
    })
    let task = await createTask(bench, {}, ALL)
    task = await say(bench, task.id, 'tomorrow', { rounds: 3, max_ms: 25_000 })
    expect(task.step_count).toBe(4)
    task = await step(bench, task.id)
    expect(task).toMatchObject({ status: 'completed', step_count: 5 })
    expect(JSON.parse(bench.requests.at(-1)?.messages[1]?.content ?? '').note).toContain('asked again')
    bench.spent()
  })
})
