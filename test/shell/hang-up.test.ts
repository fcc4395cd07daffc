/** Callers that hang up (U10): the running effect is finished, no new one begins, and the task goes on later. */
import { describe, expect, it } from 'vitest'
import { act, ALL, benchOf, CALLER, closed, createTask, done, planned, step } from '../support/scripted.ts'

describe('a caller that hangs up', () => {
  it('U10 during a thought: it is committed, its action does not begin, the next request finishes it', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const made = await createTask(bench)
    let gone = false
    const { model } = bench.ports
    bench.ports.model = {
      complete(request, call) {
        gone = true
        return model?.complete(request, call) ?? Promise.reject(new Error('no model'))
      },
    }
    const left = await bench.service.stepTask({ ...CALLER, gone: () => gone }, made.id, ALL)
    expect(left.ok && left.value.task).toMatchObject({ status: 'running', step_count: 1 })
    expect(bench.calls).toEqual([])
    const task = await step(bench, made.id, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 4 })
    expect(bench.calls).toHaveLength(1)
    bench.spent()
  })
})
