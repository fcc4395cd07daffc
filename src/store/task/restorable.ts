/** What a task knows of itself that its tenant's index lost. */
import type { Seen } from '../../core/protocol/stored-task-view.ts'
import type { Restorable } from '../../shell/listing/restore.ts'
import { lifeOf } from './rows/life.ts'
import type { Rows } from './task-methods.ts'

export function restorableOf(rows: Rows, seen: Seen): Restorable {
  const head = rows.last()?.head
  if (head === undefined) throw new Error('a task that was read has no head')
  const blobs = rows.files().flatMap(({ blob, bytes }) => (blob === null ? [] : [{ blob, bytes }]))
  const { bytes, room } = rows.size()
  return { tenant: head.tenant, seen, life: lifeOf(rows), room: Math.max(bytes, room), blobs }
}
