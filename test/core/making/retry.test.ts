/** An ended task is made again (`POST /tasks/{id}/retry`, U52): anew, with what its client gave it, and with nothing that it found. */
import { describe, expect, it } from 'vitest'
import { MODE_NAMES } from '../../../src/core/terms/mode-names.ts'
import { EQUAL, expectFold, forkOf, refusedFork, replayOf } from '../../support/forks.ts'
import { benchOfMode, briefOf, dueIn, HOOK, make, seen } from '../../support/making.ts'
import { CALLER, NONE, step, taken } from '../../support/scripted.ts'

const AGAIN = { at: 1, again: true }

describe.each(MODE_NAMES)('a task of mode %s', (mode) => {
  it('U52 is made again when it has ended, with its labels, drive and callback of today, and with a budget of its own', async () => {
    const { bench } = benchOfMode()
    const { id } = await make(bench, briefOf(mode, { metadata: { team: 'blue' } }), NONE)
    await step(bench, id)
    const told = { drive: 'background', callback_url: HOOK, metadata: { team: 'red' }, title: 'Milk' } as const
    taken(await bench.service.changeTask(CALLER, id, told, null))
    taken(await bench.service.tellTask(CALLER, id, { kind: 'cancel' }))
    const ended = await seen(bench, id)
    bench.clock.now += 3_600_000
    const again = await forkOf(bench, id, AGAIN)
    expect(again).toMatchObject({ ...told, mode, status: 'queued', step_count: 0, forked_from: { id, at: 1 } })
    expect(again.budget.tokens.used).toBe(0)
    expect(Date.parse(again.created_at)).toBe(bench.clock.now)
    expect(dueIn(bench, again.id).drive).toBe(bench.clock.now)
    expectFold(bench, again.id)
    expect(await replayOf(bench, again.id)).toEqual(EQUAL(1))
    expect(await seen(bench, id)).toEqual(ended)
  })
})

it('U52 a task that has not ended is not made again, and the refusal names its status', async () => {
  const { bench } = benchOfMode()
  const { id } = await make(bench, briefOf('session'), NONE)
  expect(await refusedFork(bench, id, AGAIN)).toEqual({ code: 'task_not_ended', status: 'running' })
  expect(await refusedFork(bench, 'task_unknown', AGAIN)).toEqual({ code: 'task_not_found' })
})

it('U52 what a retry names takes the place of what the task had', async () => {
  const { bench } = benchOfMode()
  const { id } = await make(bench, briefOf('session', { drive: 'background', callback_url: HOOK }), NONE)
  taken(await bench.service.tellTask(CALLER, id, { kind: 'cancel' }))
  const wish = { ...AGAIN, drive: 'manual', callback_url: null, settings: { max_iterations: 3 } } as const
  expect(await forkOf(bench, id, wish)).toMatchObject({
    drive: 'manual',
    callback_url: null,
    status: 'running',
    budget: { used: 0, max: 3 },
  })
})

it('U52 a retry under one key makes one task', async () => {
  const { bench } = benchOfMode()
  const { id } = await make(bench, briefOf('session'), NONE)
  taken(await bench.service.tellTask(CALLER, id, { kind: 'cancel' }))
  const caller = { ...CALLER, key: { scope: `POST /tasks/${id}/retry`, key: 'k', digest: 'd' } }
  const [one, other] = [await forkOf(bench, id, AGAIN, caller), await forkOf(bench, id, AGAIN, caller)]
  expect(other.id).toBe(one.id)
})
