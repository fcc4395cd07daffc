/** What a task knows of itself that its tenant keeps elsewhere: for an index that was lost, and for a task that is deleted. */
import { heldAllowance } from '../../core/protocol/funding.ts'
import type { StoredTaskView } from '../../core/protocol/stored-task-view.ts'
import type { RemovedTask } from '../../core/protocol/task-methods.ts'
import { ok } from '../../core/terms/refusal.ts'
import type { Restorable } from '../../shell/listing/restore.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import { lifeOf } from './rows/life.ts'
import type { Rows } from './rows/rows.ts'

export function restorableOf(rows: Rows, seen: StoredTaskView): Restorable {
  const head = rows.last()?.head
  if (head === undefined) throw new Error('a task that was read has no head')
  const blobs = rows.files().flatMap(({ blob, bytes }) => (blob === null ? [] : [{ blob, bytes }]))
  const { bytes, room } = rows.size()
  return { tenant: head.tenant, seen, life: lifeOf(rows), room: Math.max(bytes, room), blobs }
}

/** What a task that is to be deleted leaves with its tenant; null for each part that cannot be read. */
export function remainsOf(rows: Rows): RemovedTask {
  const held = refuseUnreadable(() => ok(heldAllowance(rows)))
  const life = refuseUnreadable(() => ok(lifeOf(rows)))
  return { life: life.ok ? life.value : null, held: held.ok ? held.value : null }
}
