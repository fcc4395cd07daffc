/** Failed calls and broken replies: attempts at a plan, the streak, back-off, pause and end. */
import { describe, expect, it } from 'vitest'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  closed,
  context,
  createTask,
  done,
  NONE,
  ONE,
  planned,
  say,
  step,
  taken,
} from '../../support/scripted.ts'

describe('accounting', () => {
  it('R8 plan attempts are 1 + plan_retries, free, back to back; then the task fails with step_count 0', async () => {
    const bench = benchOf({ plan: ['no', '[]', '{"status":"planned"}'] })
    const task = await createTask(bench)
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'contract_failures', step_count: 0 })
    expect(task.counters.model_calls).toBe(3)
    bench.spent()
  })

  it('U8 plan attempts that end in a model failure pause the task; planning starts anew on resume', async () => {
    const bench = benchOf({ plan: ['no', new Error('down'), new Error('down'), planned('A')] })
    const paused = await createTask(bench)
    expect(paused).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable', step_count: 0 })
    const task = await say(bench, paused.id, 'continue', NONE)
    expect(task).toMatchObject({ status: 'running', step_count: 0, stop_reason: null })
    expect(task.plan.items).toHaveLength(1)
    bench.spent()
  })

  it('U9 failed model calls in a row pause the task at failure_limit, each counted once', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [new Error('down'), new Error('down'), done()],
      replan: [closed()],
    })
    let task = await createTask(bench, {}, ONE)
    expect(task).toMatchObject({ status: 'running', step_count: 1 })
    task = await step(bench, task.id)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable', step_count: 2 })
    expect(task.pending).toMatchObject({ kind: 'resume' })
    expect(task.handover?.unfinished_reason).toContain('down')
    task = await say(bench, task.id, '继续', ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 4 })
    bench.spent()
  })

  it('U9 a failed call ends the slice with retry_after_ms; an earlier step is not advanced and calls nothing', async () => {
    const bench = benchOf({})
    bench.ports.model = {
      complete: (request) =>
        Promise.resolve(
          request.metadata.phase === 'plan'
            ? { kind: 'model_replied', text: JSON.stringify(planned('A')), usage: null, model: 'm', form: 'text' }
            : { kind: 'model_failed', reason: 'busy', status: 429, retry_after_ms: 90_000 },
        ),
    }
    const limited = await createTask(bench, {}, ALL)
    expect(limited).toMatchObject({ status: 'running', step_count: 1, retry_after_ms: 90_000 })
    bench.clock.now += 89_000
    const early = taken(await bench.service.stepTask(CALLER, limited.id, ALL))
    expect(early).toMatchObject({ step_count: 1, retry_after_ms: 1_000 })
    expect(early.slice?.advanced).toBe(false)
    bench.clock.now += 1_000
    const later = await step(bench, limited.id, ALL)
    expect(later).toMatchObject({ status: 'paused', step_count: 2, retry_after_ms: null })
  })

  it('U9 one streak for model and contract failures; the last kind decides', async () => {
    const one = benchOf({ plan: [planned('A')], thought: [new Error('down'), 'bad'] })
    let task = await createTask(one, {}, ONE)
    task = await step(one, task.id)
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'contract_failures', step_count: 2 })
    const other = benchOf({ plan: [planned('A')], thought: ['bad', new Error('down')] })
    task = await createTask(other, {}, ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable', step_count: 2 })
  })
})

describe('routing and accounting', () => {
  it.each([0, 1, 2, 4])('D3 failed plan calls are free but bounded by 1 + plan_retries (%i)', async (plan_retries) => {
    const bench = benchOf({ plan: Array.from({ length: 1 + plan_retries }, () => 'no plan') })
    const task = await createTask(bench, { plan_retries }, ALL)
    expect(task).toMatchObject({ status: 'failed', step_count: 0, counters: { model_calls: 1 + plan_retries } })
    bench.spent()
  })

  it.each([
    ['en', 'unavailable'],
    ['zh', '不可用'],
  ] as const)(
    'O0-06 planning without a service stops with a text that says so, step_count 0 (%s)',
    async (locale, word) => {
      const bench = benchOf({ plan: [new Error('down'), new Error('down'), new Error('down')] })
      const task = await createTask(bench, {}, ALL, { locale })
      expect(task).toMatchObject({ stop_reason: 'model_unavailable', step_count: 0 })
      expect(task.handover?.text).toContain(word)
      bench.spent()
    },
  )

  it('O0-07 a broken round costs 1, and the next prompt is told of it; a good reply begins the count anew', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: ['bad', act(), 'bad', done()], replan: ['bad', closed()] })
    const task = await createTask(bench, { failure_limit: 2 }, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 7 })
    const told = bench.requests.map((request) => context(request).correction?.your_reply ?? null)
    expect(told).toEqual([null, null, 'bad', null, 'bad', null, 'bad'])
    bench.spent()
  })
})
