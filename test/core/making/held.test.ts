/** A task that is made and held (U52): nothing begins before it is resumed, and what it is told meanwhile waits. */
import { describe, expect, it } from 'vitest'
import { MODE_NAMES } from '../../../src/core/terms/mode-names.ts'
import { taskLines } from '../../../src/core/shown/progress.ts'
import { EQUAL, expectFold, replayOf, storedRows } from '../../support/forks.ts'
import { benchOfMode, briefOf, driveOnce, dueIn, HOOK, make, seen } from '../../support/making.ts'
import { ALL, CALLER, say, step } from '../../support/scripted.ts'

const HELD = { status: 'paused', stop_reason: 'held', pending: { kind: 'resume' } }
const kindsOf = (bench: Parameters<typeof storedRows>[0], id: string) => {
  const rows = storedRows(bench, id)
  return Array.from({ length: rows.last()?.seq ?? 0 }, (_, index) => rows.closed(index + 1)?.kind)
}

describe.each(MODE_NAMES)('a held task of mode %s', (mode) => {
  it('U52 begins nothing in its create, by a step, by its alarm or by a text, and begins when it is resumed', async () => {
    const { bench, requests } = benchOfMode()
    const { id, ...made } = await make(bench, briefOf(mode, { drive: 'background' }), { hold: true })
    expect(made).toMatchObject({ ...HELD, step_count: 0, slice: { rounds: 0 } })
    expect(dueIn(bench, id)).toEqual({ tend: null, drive: null, deliver: null, export: null, retire: null })
    await driveOnce(bench, id)
    expect(await step(bench, id, ALL)).toMatchObject({ ...HELD, slice: { advanced: false } })
    expect(await say(bench, id, 'mind the milk', ALL)).toMatchObject(HELD)
    expect([requests, kindsOf(bench, id)]).toEqual([[], ['task_created', 'paused', 'user_remarked']])
    await bench.service.tellTask(CALLER, id, { kind: 'resume' })
    expect(requests).toEqual([])
    expect(dueIn(bench, id).drive).toBe(bench.clock.now)
    await driveOnce(bench, id)
    expect(JSON.stringify(requests[0]?.messages)).toContain('mind the milk')
    expectFold(bench, id)
    expect(await replayOf(bench, id)).toEqual(EQUAL(storedRows(bench, id).last()?.seq ?? 0))
  })

  it('U52 begins by a text that says to continue, which is heard as a whole', async () => {
    const { bench, requests } = benchOfMode()
    const { id } = await make(bench, briefOf(mode), { hold: true })
    const begun = await say(bench, id, 'continue, and mind the milk')
    expect(begun.stop_reason).not.toBe('held')
    expect(JSON.stringify(requests[0]?.messages)).toContain('mind the milk')
  })

  it('U52 is canceled, topped up and paused as a paused one is', async () => {
    const { bench, requests } = benchOfMode()
    const { id } = await make(bench, briefOf(mode, { callback_url: HOOK }), { hold: true })
    await bench.service.tellTask(CALLER, id, { kind: 'top_up', add: { tokens: 5 } })
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    expect(await seen(bench, id)).toMatchObject(HELD)
    await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
    expect(await seen(bench, id)).toMatchObject({ status: 'canceled' })
    expect(storedRows(bench, id).deliveries()).toMatchObject([{ status: 'paused' }, { status: 'canceled' }])
    expect(requests).toEqual([])
  })
})

it('U52 a held task says in words what it waits for, in both languages', async () => {
  const { bench } = benchOfMode()
  const english = await make(bench, briefOf('plan_execute'), { hold: true })
  expect(english.handover).toMatchObject({ unfinished_reason: 'It was made to begin only when it is resumed.' })
  expect(taskLines(english).join('\n')).toContain('resume')
  const chinese = await make(bench, briefOf('plan_execute', { locale: 'zh' }), { hold: true })
  expect(taskLines(chinese).join('\n')).toMatch(/恢复/)
})

it('U52 U6 a held task is made once under its key', async () => {
  const { bench } = benchOfMode()
  const caller = { ...CALLER, key: { scope: 'POST /tasks', key: 'k', digest: 'd' } }
  const both = [1, 2].map(() => bench.service.createTask(caller, briefOf('session'), { ...ALL, hold: true }))
  const [first, again] = await Promise.all(both)
  expect(first).toMatchObject({ ok: true, value: { task: HELD } })
  expect(again?.ok === true && first?.ok === true && again.value.task).toEqual(first?.ok === true && first.value.task)
  expect(bench.store.rows.size).toBe(1)
})
