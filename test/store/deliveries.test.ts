/** The record of what callbacks were not told in time: a table of a tenant's workspace that its first entry makes. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { DeliveryStatus } from '../../src/core/terms/status.ts'
import type { DeliveryRecord } from '../../src/core/protocol/workspace-records.ts'
import { DELIVERIES_MAX } from '../../src/store/workspace/sql-deliveries.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'

const recordOf = (
  n: number,
  status: DeliveryStatus = 'failed',
  more: Partial<DeliveryRecord> = {},
): DeliveryRecord => ({
  id: `task_${n}_5`,
  task: `task_${n}`,
  seq: 5,
  type: 'task.completed',
  status,
  attempts: 10,
  detail: 'HTTP 503',
  created: 1_000 + n,
  updated: 2_000 + n,
  ...more,
})
const workspace = () => env.WORKSPACES.getByName(crypto.randomUUID())
const inWorkspace = <T>(body: (desk: WorkspaceObject, sql: SqlStorage) => T) =>
  runInDurableObject(workspace(), (object: WorkspaceObject, { storage: { sql } }) => body(object, sql))
const idsIn = (desk: WorkspaceObject, status: DeliveryStatus | null = null, before = 0, limit = 100) =>
  desk.ask({ kind: 'deliveries', status, before, limit }).records.map(({ id }) => id)

describe('the record of deliveries', () => {
  it('is a table only once something is given up', async () => {
    await inWorkspace((desk, sql) => {
      const isMade = () => sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'deliveries'").toArray().length > 0
      expect(desk.ask({ kind: 'deliveries', status: null, before: 0, limit: 20 })).toEqual({
        records: [],
        has_more: false,
      })
      expect(desk.ask({ kind: 'delivery', id: 'task_1_5' })).toBeNull()
      desk.tell({ kind: 'note_delivery', record: recordOf(1, 'delivered') })
      desk.tell({ kind: 'note_delivery', record: recordOf(1, 'pending') })
      desk.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })
      expect(isMade()).toBe(false)
      desk.tell({ kind: 'note_delivery', record: recordOf(1) })
      expect(isMade()).toBe(true)
    })
  })

  it('outlives the object, as it was told', async () => {
    const stub = workspace()
    await stub.tell({ kind: 'note_delivery', record: recordOf(1, 'gone', { detail: null }) })
    await evictDurableObject(stub)
    expect(await stub.ask({ kind: 'delivery', id: 'task_1_5' })).toEqual(recordOf(1, 'gone', { detail: null }))
  })

  it('is updated in place by each outcome', async () => {
    await inWorkspace((desk) => {
      for (const n of [1, 2, 3]) desk.tell({ kind: 'note_delivery', record: recordOf(n) })
      const after = { attempts: 1, detail: null, updated: 9_000 }
      desk.tell({ kind: 'note_delivery', record: recordOf(1, 'delivered', after) })
      desk.tell({ kind: 'note_delivery', record: recordOf(2, 'pending', after) })
      desk.tell({ kind: 'note_delivery', record: recordOf(4, 'delivered') })
      expect(idsIn(desk)).toEqual(['task_3_5', 'task_2_5', 'task_1_5'])
      expect(desk.ask({ kind: 'delivery', id: 'task_1_5' })).toEqual(recordOf(1, 'delivered', after))
      expect(idsIn(desk, 'pending')).toEqual(['task_2_5'])
      expect(idsIn(desk, 'gone')).toEqual([])
    })
  })

  it('is read page by page, newest first, while deliveries come and go', async () => {
    await inWorkspace((desk) => {
      // All within the same moment.
      for (const n of [1, 2, 3, 4, 5])
        desk.tell({ kind: 'note_delivery', record: recordOf(n, 'failed', { updated: 7_000 }) })
      const first = desk.ask({ kind: 'deliveries', status: 'failed', before: 0, limit: 2 })
      expect([first.records.map(({ id }) => id), first.has_more]).toEqual([['task_5_5', 'task_4_5'], true])
      desk.tell({ kind: 'note_delivery', record: recordOf(6, 'failed', { updated: 7_000 }) })
      desk.tell({ kind: 'drop', id: 'task_4', admitted: ['life_s'] })
      const cursor = first.records.at(-1)?.position ?? 0
      expect(idsIn(desk, 'failed', cursor, 2)).toEqual(['task_3_5', 'task_2_5'])
      expect(idsIn(desk)).toEqual(['task_6_5', 'task_5_5', 'task_3_5', 'task_2_5', 'task_1_5'])
    })
  })

  it('keeps the newest thousand', async () => {
    await inWorkspace((desk) => {
      for (let n = 1; n <= DELIVERIES_MAX + 3; n++) desk.tell({ kind: 'note_delivery', record: recordOf(n) })
      expect(desk.ask({ kind: 'deliveries', status: null, before: 0, limit: 2_000 }).records).toHaveLength(
        DELIVERIES_MAX,
      )
      expect(desk.ask({ kind: 'delivery', id: 'task_3_5' })).toBeNull()
      expect(desk.ask({ kind: 'delivery', id: 'task_4_5' })).toEqual(recordOf(4))
    })
  })

  it('loses those of a task that is deleted, and no others', async () => {
    await inWorkspace((desk) => {
      for (const n of [1, 2]) desk.tell({ kind: 'note_delivery', record: recordOf(n) })
      desk.tell({ kind: 'note_delivery', record: recordOf(1, 'gone', { id: 'task_1_9', seq: 9 }) })
      desk.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })
      expect(idsIn(desk)).toEqual(['task_2_5'])
    })
  })
})
