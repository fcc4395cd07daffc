/** Holds of blobs that no row is known to name, in both stores: renewed, settled, taken for a sweep; and the alarm of a real workspace. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Job } from '../../src/core/protocol/alarm-times.ts'
import { SWEEP_AGAIN_MS, SWEEP_BATCH, UPLOAD_SILENCE_MS } from '../../src/core/workspace/unfinished-blobs.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import { FREE, MANUAL, NO_TOTAL, UNBOUNDED } from '../support/scripted.ts'
import { Settings } from '../../src/core/terms/settings.ts'

/** Far enough ahead that no alarm of the real clock goes off by itself. */
const NOW = Date.parse('2090-03-18T10:00:00Z')
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

const stores: [string, () => TaskStore][] = [
  ['memory', () => memoryStore(() => ({ now_ms: Date.now(), boot: 'boot', prices: FREE, daily: UNBOUNDED }))],
  ['durable objects', () => durableStore(env.TASKS, env.WORKSPACES)],
]
const ADMITTED = { mode: 'session', status: 'running' as const, metadata: {}, goal: '', slice: 's' }
const FIXED = { goal: 'g', mode: 'session', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
const BRIEF = { ...FIXED, settings: Settings.parse({}) }
const TICKET = { slice: 's', boot: 'b', more: 'nothing' as const, wall_ms: 0, rounds: 0, key: null }
const SWEPT = { ok: false, refusal: { code: 'lease_lost' } }

describe.each(stores)('unfinished blobs: %s', (_name, open) => {
  async function desk() {
    const tenant = crypto.randomUUID()
    const store = open()
    const workspace = store.workspace(tenant)
    await workspace.tell({ kind: 'admit', entry: { ...ADMITTED, id: 'task_1' }, open_max: 9, daily: NO_TOTAL })
    const hold = (blob: string, bytes = 10) =>
      workspace.tell({ kind: 'hold_bytes', task: 'task_1', blob, bytes, max: 1e9 })
    const taken = async () => (await workspace.tell({ kind: 'take_overdue_blobs' })).map(({ blob }) => blob).toSorted()
    return { tenant, store, workspace, hold, taken }
  }

  it('a hold is taken for a sweep when it was not renewed for the bounded time, and not a moment earlier', async () => {
    const { hold, taken } = await desk()
    await hold('a')
    pass(UPLOAD_SILENCE_MS - 1)
    expect(await taken()).toEqual([])
    pass(1)
    expect(await taken()).toEqual(['a'])
  })

  it('an upload that is slow but alive is never taken: it renews its hold while bytes come', async () => {
    const { workspace, hold, taken } = await desk()
    await hold('grows')
    await hold('comes')
    for (let hours = 0; hours < 5; hours++) {
      pass(UPLOAD_SILENCE_MS - 1)
      expect(await taken()).toEqual([])
      await hold('grows', 20 + hours)
      expect(await workspace.tell({ kind: 'renew_holds', task: 'task_1', blobs: ['comes'] })).toBe(true)
    }
  })

  it('a hold that was taken cannot be renewed any more, nor one that was settled', async () => {
    const { workspace, hold, taken } = await desk()
    await hold('a')
    pass(UPLOAD_SILENCE_MS)
    await taken()
    expect(await hold('a', 20)).toEqual(SWEPT)
    expect(await workspace.tell({ kind: 'renew_holds', task: 'task_1', blobs: ['a'] })).toBe(false)
    await hold('b')
    expect(await workspace.tell({ kind: 'renew_holds', task: 'task_1', blobs: ['b', 'a'] })).toBe(false)
    await workspace.tell({ kind: 'settle_blobs', task: 'task_1', named: ['b'], removed: [] })
    expect(await workspace.tell({ kind: 'renew_holds', task: 'task_1', blobs: ['b'] })).toBe(false)
  })

  it('what a row names stays counted and is not taken; what is removed is free again', async () => {
    const { workspace, hold, taken } = await desk()
    await workspace.tell({ kind: 'hold_bytes', task: 'task_1', blob: 'restored', bytes: 5, named: true, max: 1e9 })
    await hold('named')
    await hold('gone', 7)
    const before = await workspace.ask({ kind: 'used_bytes' })
    await workspace.tell({ kind: 'settle_blobs', task: 'task_1', named: ['named'], removed: ['gone'] })
    expect(before - (await workspace.ask({ kind: 'used_bytes' }))).toBe(7)
    pass(UPLOAD_SILENCE_MS)
    expect(await taken()).toEqual([])
  })

  it('the hold of a blob outlives its task, though nothing is counted for it', async () => {
    const { workspace, hold, taken } = await desk()
    for (const blob of ['a', 'b']) await hold(blob)
    await workspace.tell({ kind: 'release_bytes', task: 'task_1', blobs: ['a'] })
    await workspace.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })
    const before = await workspace.ask({ kind: 'used_bytes' })
    pass(UPLOAD_SILENCE_MS)
    expect(await taken()).toEqual(['a', 'b'])
    await workspace.tell({ kind: 'settle_blobs', task: 'task_1', named: [], removed: ['a', 'b'] })
    expect(await workspace.ask({ kind: 'used_bytes' })).toBe(before)
  })

  it('a sweep takes a bounded number, the next one the others, and unsettled ones again', async () => {
    const { workspace, hold, taken } = await desk()
    const names = Array.from({ length: SWEEP_BATCH + 5 }, (_, at) => `b${String(at).padStart(2, '0')}`)
    for (const blob of names) {
      await hold(blob)
      pass(1)
    }
    pass(UPLOAD_SILENCE_MS)
    expect(await taken()).toEqual(names.slice(0, SWEEP_BATCH))
    expect(await taken()).toEqual(names.slice(SWEEP_BATCH))
    expect(await taken()).toEqual([])
    await workspace.tell({ kind: 'settle_blobs', task: 'task_1', named: [], removed: names.slice(1) })
    pass(SWEEP_AGAIN_MS)
    expect(await taken()).toEqual(names.slice(0, 1))
  })

  it('a task refuses for good the blobs that no row of it names, and a write that comes after that names nothing', async () => {
    const { tenant, store } = await desk()
    const task = store.of(tenant, 'task_1')
    expect(await task.upkeep({ kind: 'refuse_blobs', blobs: ['a'] })).toMatchObject({
      refusal: { code: 'task_not_found' },
    })
    await task.create({ id: 'task_1', tenant, brief: BRIEF }, TICKET)
    const write = (blob: string) =>
      task.upkeep({ kind: 'write_file', file: { name: `${blob}.csv`, seq: null, blob: `life_s.${blob}`, bytes: 1 } })
    expect(await write('kept')).toMatchObject({ value: { outcome: 'written' } })
    for (let time = 0; time < 2; time++) {
      expect(await task.upkeep({ kind: 'refuse_blobs', blobs: ['life_s.kept', 'life_s.late'] })).toEqual({
        ok: true,
        value: ['life_s.kept'],
      })
      expect(await write('late')).toEqual(SWEPT)
      expect(await write('kept')).toMatchObject({ value: { outcome: 'written' } })
    }
    expect(await task.ask({ kind: 'files' })).toMatchObject({ value: [{ name: 'kept.csv' }] })
  })
})

describe('the alarm of a workspace', () => {
  function workspace() {
    const tenant = crypto.randomUUID()
    const stub = env.WORKSPACES.getByName(JSON.stringify([tenant]))
    const asked: Job[] = []
    const bound = { ...env, JOBS: { send: async (job: Job) => void asked.push(job) } }
    const within = <T>(body: (object: WorkspaceObject, state: DurableObjectState) => T | Promise<T>) =>
      runInDurableObject(stub, (object: WorkspaceObject, state) => {
        Object.defineProperty(object, 'env', { value: bound, configurable: true })
        return body(object, state)
      })
    const alarmIn = () => within(async (_object, { storage }) => ((await storage.getAlarm()) ?? Infinity) - Date.now())
    const ring = () => within(() => undefined).then(() => runDurableObjectAlarm(stub))
    const hold = (blob: string) =>
      within((object) =>
        object.tell({ kind: 'hold_bytes', task: 'task_1', blob, bytes: 1, max: Number.MAX_SAFE_INTEGER }),
      )
    const admit = () =>
      within((object) =>
        object.tell({ kind: 'admit', entry: { ...ADMITTED, id: 'task_1' }, open_max: 9, daily: NO_TOTAL }),
      )
    return { tenant, stub, asked, within, alarmIn, ring, hold, admit }
  }

  it('asks for a sweep when a hold is overdue, also after a restart, and rests when none is left', async () => {
    const { tenant, stub, asked, within, alarmIn, ring, hold, admit } = workspace()
    await admit()
    expect(await alarmIn()).toBe(Infinity)
    await hold('a')
    expect(await alarmIn()).toBe(UPLOAD_SILENCE_MS)
    await evictDurableObject(stub)
    pass(UPLOAD_SILENCE_MS)
    await ring()
    expect(asked).toEqual([{ kind: 'sweep', tenant, due_ms: expect.any(Number) }])
    expect(await alarmIn()).toBeLessThan(UPLOAD_SILENCE_MS)
    expect(await within((object) => object.tell({ kind: 'take_overdue_blobs' }))).toEqual([
      { task: 'task_1', blob: 'a' },
    ])
    await within((object) => object.tell({ kind: 'settle_blobs', task: 'task_1', named: [], removed: ['a'] }))
    pass(UPLOAD_SILENCE_MS)
    await ring()
    expect(await alarmIn()).toBe(Infinity)
    expect(asked).toHaveLength(1)
  })

  it('D6 blobs of an earlier release count as begun when the workspace is next called', async () => {
    const { stub, asked, within, alarmIn, ring, hold, admit } = workspace()
    await admit()
    for (const blob of ['a', 'b']) await hold(blob)
    await within((_object, { storage }) => {
      storage.sql.exec('DROP TABLE unfinished')
      return storage.deleteAlarm()
    })
    await evictDurableObject(stub)
    pass(5 * UPLOAD_SILENCE_MS)
    expect(await within((object) => object.ask({ kind: 'finished', limit: 1 }))).toEqual([])
    expect(await alarmIn()).toBe(UPLOAD_SILENCE_MS)
    expect(await within((object) => object.tell({ kind: 'take_overdue_blobs' }))).toEqual([])
    pass(UPLOAD_SILENCE_MS)
    await ring()
    expect(asked).toMatchObject([{ kind: 'sweep' }])
    expect(await within((object) => object.tell({ kind: 'take_overdue_blobs' }))).toHaveLength(2)
  })
})
