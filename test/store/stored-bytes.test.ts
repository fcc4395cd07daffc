/** What a tenant's blobs take together, in both stores: counted once each, bounded, free again with their task. */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { TaskStore } from '../../src/shell/ports.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { FREE, NO_TOTAL, UNBOUNDED } from '../support/scripted.ts'

const stores: [string, () => TaskStore][] = [
  ['memory', () => memoryStore(() => ({ now_ms: Date.now(), boot: 'boot', prices: FREE, daily: UNBOUNDED }))],
  ['durable objects', () => durableStore(env.TASKS, env.WORKSPACES)],
]
const OK = { ok: true, value: null }
const entryOf = (id: string) => ({
  id,
  mode: 'session',
  status: 'running' as const,
  metadata: {},
  goal: '',
  slice: 's',
})

describe.each(stores)('stored bytes: %s', (_name, open) => {
  async function desk() {
    const workspace = open().workspace(crypto.randomUUID())
    for (const id of ['task_1', 'task_2'])
      await workspace.tell({ kind: 'admit', entry: entryOf(id), open_max: 9, daily: NO_TOTAL })
    // The table of blobs is there before anything is measured.
    await workspace.tell({ kind: 'hold_bytes', task: 'task_1', blob: 'first', bytes: 0, max: 1e9 })
    const base = await workspace.ask({ kind: 'used_bytes' })
    const hold = (task: string, blob: string, bytes: number) =>
      workspace.tell({ kind: 'hold_bytes', task, blob, bytes, max: base + 100 })
    const full = (bytes: number) => {
      return { ok: false, refusal: { code: 'quota_exceeded', bytes: base + bytes, bytes_max: base + 100 } }
    }
    return { workspace, hold, full, base }
  }

  it('all blobs of all tasks count, up to the bound and no byte beyond', async () => {
    const { hold, full } = await desk()
    expect(await hold('task_1', 'a', 60)).toEqual(OK)
    expect(await hold('task_2', 'b', 41)).toEqual(full(60))
    expect(await hold('task_2', 'b', 40)).toEqual(OK)
    expect(await hold('task_1', 'c', 1)).toEqual(full(100))
    expect(await hold('task_1', 'c', 0)).toEqual(OK)
  })

  it('one that is held again takes what was said last, also when the call came twice', async () => {
    const { hold, full } = await desk()
    for (const bytes of [10, 50, 50, 90, 20]) expect(await hold('task_1', 'a', bytes)).toEqual(OK)
    expect(await hold('task_1', 'a', 101)).toEqual(full(0))
    expect(await hold('task_1', 'b', 80)).toEqual(OK)
    expect(await hold('task_2', 'a', 1)).toEqual(full(100))
  })

  it('what is gone is free again, by itself or with its task; of no other task', async () => {
    const { workspace, hold, full } = await desk()
    await hold('task_1', 'a', 30)
    await hold('task_1', 'b', 30)
    await hold('task_2', 'a', 40)
    await workspace.tell({ kind: 'release_bytes', task: 'task_1', blobs: ['a', 'none'] })
    expect(await hold('task_2', 'c', 31)).toEqual(full(70))
    expect(await hold('task_2', 'c', 30)).toEqual(OK)
    const before = await workspace.ask({ kind: 'used_bytes' })
    await workspace.tell({ kind: 'drop', id: 'task_2', admitted: ['life_s'] })
    // With its place in the index, where that is counted.
    expect(before - (await workspace.ask({ kind: 'used_bytes' }))).toBeGreaterThanOrEqual(70)
    expect(await hold('task_1', 'd', 70)).toEqual(OK)
  })

  it('a task that is not in the index counts nothing, so a late upload of a deleted task takes no room for ever', async () => {
    const { workspace, hold } = await desk()
    await workspace.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })
    expect(await hold('task_1', 'a', 1)).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
    await workspace.tell({ kind: 'release_bytes', task: 'task_1', blobs: ['a'] })
    expect(await hold('task_2', 'a', 100)).toEqual(OK)
  })
})

it('U5 the table is made by the first blob; one costs a row, the sum another, and a third that it is unfinished', async () => {
  const stub = env.WORKSPACES.getByName(crypto.randomUUID())
  await runInDurableObject(stub, (object, { storage: { sql } }) => {
    const tables = () => sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'stored'").toArray().length
    object.tell({ kind: 'admit', entry: entryOf('task_1'), open_max: 9, daily: NO_TOTAL })
    object.tell({ kind: 'release_bytes', task: 'task_1', blobs: ['a'] })
    object.tell({ kind: 'drop', id: 'task_2', admitted: ['life_s'] })
    expect(tables()).toBe(0)
    object.tell({ kind: 'hold_bytes', task: 'task_1', blob: 'a', bytes: 1, max: 1e9 })
    expect(tables()).toBe(1)
    const changed = () => Number(sql.exec('SELECT total_changes() AS n').one()['n'])
    const before = changed()
    object.tell({ kind: 'hold_bytes', task: 'task_1', blob: 'b', bytes: 1, max: 1e9 })
    expect(changed() - before).toBe(3)
  })
})
