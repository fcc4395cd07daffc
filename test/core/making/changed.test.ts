/** What a client changes of a task after its create (U52): who drives it, where it reports, its labels and its title. */
import { describe, expect, it } from 'vitest'
import { MODE_NAMES } from '../../../src/core/terms/mode-names.ts'
import type { TaskChange } from '../../../src/core/protocol/change.ts'
import { EQUAL, expectFold, forkOf, replayOf, storedRows } from '../../support/forks.ts'
import { benchOfMode, briefOf, driveOnce, dueIn, HOOK, make, seen } from '../../support/making.ts'
import { CALLER, NONE, step, taken, type Bench } from '../../support/scripted.ts'

const change = async (bench: Bench, id: string, what: TaskChange, versions: number[] | null = null) =>
  taken(await bench.service.changeTask(CALLER, id, what, versions))
const everything = { drive: 'background', callback_url: HOOK, metadata: { team: 'red' }, title: 'Milk' } as const

describe.each(MODE_NAMES)('a task of mode %s', (mode) => {
  it('U52 shows what was changed, and replay and fork see the same, but for drive and callback in a fork', async () => {
    const { bench } = benchOfMode()
    const { id } = await make(bench, briefOf(mode), NONE)
    const { version } = await change(bench, id, everything)
    expect(await seen(bench, id)).toMatchObject(everything)
    expectFold(bench, id)
    expect(await replayOf(bench, id)).toEqual(EQUAL(version))
    const fork = await forkOf(bench, id, { at: version })
    expect(fork).toMatchObject({ ...everything, drive: 'manual', callback_url: null })
    expect(dueIn(bench, fork.id).drive).toBeNull()
    expectFold(bench, fork.id)
    expect(await replayOf(bench, fork.id)).toMatchObject({ equal: true })
  })

  it('U52 is driven from the change to background on, and no more after the change to manual', async () => {
    const { bench, requests } = benchOfMode()
    const { id } = await make(bench, briefOf(mode), { ...NONE, hold: true })
    await bench.service.tellTask(CALLER, id, { kind: 'resume' })
    expect(dueIn(bench, id).drive).toBeNull()
    expect(await change(bench, id, { drive: 'background' })).toMatchObject({ status: 'queued', drive: 'background' })
    expect(dueIn(bench, id).drive).toBe(bench.clock.now)
    expect(await change(bench, id, { drive: 'manual' })).toMatchObject({ status: 'running', drive: 'manual' })
    expect(dueIn(bench, id).drive).toBeNull()
    await driveOnce(bench, id)
    expect(requests).toEqual([])
  })
})

it('U52 a change that changes nothing writes no row, and each is made once under its key', async () => {
  const { bench } = benchOfMode()
  const { id, version } = await make(bench, briefOf('session', { metadata: { a: 'b' }, title: 'T' }), NONE)
  expect(await change(bench, id, { metadata: { a: 'b' }, title: 'T', drive: 'manual' })).toMatchObject({ version })
  const caller = { ...CALLER, key: { scope: `PATCH /tasks/${id}`, key: 'k', digest: 'd' } }
  for (const _ of [1, 2]) await bench.service.changeTask(caller, id, { title: 'U' }, null)
  expect(await seen(bench, id)).toMatchObject({ title: 'U', metadata: { a: 'b' }, version: version + 1 })
})

it('U52 a change of another version is refused', async () => {
  const { bench } = benchOfMode()
  const { id, version } = await make(bench, briefOf('session'), NONE)
  expect(await bench.service.changeTask(CALLER, id, { title: 'U' }, [version + 1])).toMatchObject({
    refusal: { code: 'precondition_failed', version },
  })
  expect(await change(bench, id, { title: 'U' }, [version])).toMatchObject({ title: 'U' })
})

it('U52 changes during an effect follow when it is over, the later over the earlier', async () => {
  const { bench } = benchOfMode()
  const { id } = await make(bench, briefOf('session'), { ...NONE, hold: true })
  await bench.service.tellTask(CALLER, id, { kind: 'resume' })
  const store = bench.store.of(CALLER.tenant, id)
  const ticket = { slice: 's', boot: 'boot', more: 'new_round' as const, rounds: 9, wall_ms: 0, key: null }
  expect(await store.begin(ticket)).toMatchObject({ ok: true })
  expect(await change(bench, id, { title: 'one', metadata: { a: 'b' } })).toMatchObject({ title: null })
  await change(bench, id, { title: 'two' })
  await store.commit(storedRows(bench, id).pending()?.seq ?? 0, { kind: 'abandoned', by: 'holder' }, ticket)
  expect(await seen(bench, id)).toMatchObject({ title: 'two', metadata: { a: 'b' } })
  expectFold(bench, id)
})

it('U52 what was not told yet goes to the new callback, and to nobody where there is none', async () => {
  const { bench } = benchOfMode()
  const store = (id: string) => bench.store.of(CALLER.tenant, id)
  const paused = async () => {
    const { id } = await make(bench, briefOf('session', { callback_url: HOOK }), { ...NONE, hold: true })
    return id
  }
  const moved = await paused()
  await change(bench, moved, { callback_url: `${HOOK}/new` })
  expect(await store(moved).upkeep({ kind: 'begin_delivery' })).toMatchObject({
    value: { url: `${HOOK}/new`, gone: false },
  })
  const silent = await paused()
  await change(bench, silent, { callback_url: null })
  expect(await store(silent).upkeep({ kind: 'begin_delivery' })).toEqual({ ok: true, value: null })
  expect(storedRows(bench, silent).deliveries()).toMatchObject([{ state: 'failed', detail: expect.any(String) }])
  await bench.service.tellTask(CALLER, silent, { kind: 'cancel' })
  expect(storedRows(bench, silent).deliveries()).toHaveLength(1)
})

it('U52 a new receiver is told, although an earlier one has refused', async () => {
  const { bench } = benchOfMode()
  const { id } = await make(bench, briefOf('session', { callback_url: HOOK }), { ...NONE, hold: true })
  const store = bench.store.of(CALLER.tenant, id)
  const begun = await store.upkeep({ kind: 'begin_delivery' })
  const { seq, attempts } = begun.ok && begun.value !== null ? begun.value.delivery : { seq: 0, attempts: 0 }
  await store.upkeep({ kind: 'settle_delivery', seq, attempt: attempts, sent: { kind: 'gone', detail: '410' } })
  await change(bench, id, { callback_url: `${HOOK}/new` })
  await change(bench, id, { title: 'and a title' })
  await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
  expect(await store.upkeep({ kind: 'begin_delivery' })).toMatchObject({ value: { gone: false, url: `${HOOK}/new` } })
})

it('U52 lists find a task by its new labels, and its retention counts from a change after its end', async () => {
  const { bench } = benchOfMode()
  const { id } = await make(bench, briefOf('session', { metadata: { team: 'blue' } }), NONE)
  await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
  await change(bench, id, { metadata: { team: 'red' } })
  const find = async (team: string) => {
    const filter = { status: null, mode: null, metadata: { team }, q: null, outcome: null }
    const page = await bench.service.listTasks(CALLER, filter, { limit: 9, after: 0 })
    return page.ok && page.value.data.map((task) => task.id)
  }
  expect([await find('red'), await find('blue')]).toEqual([[id], []])
  expect(await step(bench, id)).toMatchObject({ status: 'canceled', metadata: { team: 'red' } })
})
