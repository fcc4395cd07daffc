/** Tasks that the service drives by itself: nothing is asked of it after the create, a kill -9 in the middle included. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TaskView } from '../../src/core/terms/view.ts'
import type { Service } from '../../scripts/lib/service.mjs'
import { call, callTask, journalOf, newPlace, sharedService, until, type Place } from './support.ts'

const shared = sharedService()
let place: Place
beforeEach(() => {
  place = newPlace()
})
afterEach(() => place.leave())

const ended = ({ status }: TaskView) => status === 'completed' || status === 'failed' || status === 'canceled'
const create = (service: Service, goal: string, more: object = {}) =>
  callTask(service, 'POST', '/tasks', { goal, drive: 'background', ...more })

describe('drive: background', () => {
  it('U20 a task is queued at once, and then completed without a further request', async () => {
    const service = await shared()
    const task = await create(service, 'buy milk and buy bread', { rounds: 9 })
    expect(task).toMatchObject({ status: 'queued', drive: 'background', step_count: 0, plan: { items: [] } })
    expect(task.counters.model_calls).toBe(0)
    const done = await until(service, task.id, ended)
    expect(done).toMatchObject({ status: 'completed', stop_reason: 'done' })
  })

  it('U20 the ledger equals that of a manual task with the same replies', async () => {
    const service = await shared()
    const manual = await callTask(service, 'POST', '/tasks', { goal: 'buy milk and buy bread', rounds: 50 })
    const driven = await until(service, (await create(service, 'buy milk and buy bread')).id, ended)
    const ledger = async ({ id }: TaskView) =>
      (await journalOf(service, id)).map(({ seq, kind, phase, counted, outcome }) => [
        seq,
        kind,
        phase,
        counted,
        outcome,
      ])
    expect(manual.status).toBe('completed')
    expect(await ledger(driven)).toEqual(await ledger(manual))
  })

  it('a task waits for an answer, continues with it, and is paused and resumed by request', async () => {
    const service = await shared()
    const { id } = await create(service, 'book the dentist on Friday at 3pm')
    const asking = await until(service, id, ({ status }) => status === 'input_required')
    expect(asking.pending).toMatchObject({ kind: 'question', expires_at: expect.any(String) })
    expect(await callTask(service, 'POST', `/tasks/${id}/pause`)).toMatchObject({
      status: 'paused',
      stop_reason: 'paused_by_user',
      pending: { kind: 'resume' },
    })
    expect(await callTask(service, 'POST', `/tasks/${id}/resume`)).toMatchObject({ status: 'input_required' })
    await call(service, 'POST', `/tasks/${id}/input`, { input: '45 minutes', rounds: 0 })
    expect(await until(service, id, ended)).toMatchObject({ status: 'completed' })
  })

  it('U42 ten tasks, more than the tenant has run slots, are driven to their ends in spite of a kill -9', async () => {
    const first = await place.start({ MAX_DRIVEN_TASKS: '3' })
    const tasks = await Promise.all(
      Array.from({ length: 10 }, (_, at) => create(first, `buy milk and buy bread ${at}`)),
    )
    await first.kill()
    const second = await place.start({ MAX_DRIVEN_TASKS: '3' })
    for (const { id } of tasks) {
      const done = await until(second, id, ended)
      expect(done.status).toBe('completed')
      const counted = (await journalOf(second, id)).filter((row) => row['counted'] === true)
      expect(done.step_count).toBe(counted.length)
    }
  })
})
