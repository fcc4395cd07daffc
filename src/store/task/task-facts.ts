/**
 * What the tenant needs to know of a task: its incarnation, the facts from which a lost index is restored, and what a deleted task leaves
 * behind.
 */
import { briefOf } from '../../core/mode/mode.ts'
import { heldAllowance } from '../../core/protocol/funding.ts'
import type { StoredTaskView } from '../../core/protocol/view/stored-task-view.ts'
import type { RemovedTask } from '../../core/protocol/task-answers.ts'
import { ok } from '../../core/terms/refusal.ts'
import { limitedKey } from '../../core/terms/values/limited-key.ts'
import { unreadable } from '../../core/terms/unreadable.ts'
import type { Restorable } from '../../shell/listing/restore.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import type { Rows } from './rows/rows.ts'

/** The incarnation of the task's id (core/workspace/incarnation.ts), from the stored text of its first row. So a damaged task has one too. */
export function storedIncarnation(rows: Pick<Rows, 'stored'>): string {
  const slice: unknown = rows.stored(0, 1)[0]?.slice ?? ''
  if (typeof slice !== 'string') throw unreadable('row 1 has no incarnation')
  return slice
}

export function restorableOf(rows: Rows, view: StoredTaskView): Restorable {
  const head = rows.last()?.head
  if (head === undefined) throw new Error('a task that was read has no head')
  const blobs = rows.files().flatMap(({ blob, bytes }) => (blob === null ? [] : [{ blob, bytes }]))
  const { bytes, room } = rows.size()
  const key_name = limitedKey(briefOf(rows.recall).maker?.key_name)
  const incarnation = storedIncarnation(rows)
  return { tenant: head.tenant, view, incarnation, room: Math.max(bytes, room), blobs, key_name }
}

/** What a deleted task leaves with its tenant. null: this part cannot be read. */
export function remainsOf(rows: Rows): RemovedTask {
  const held = refuseUnreadable(() => ok(heldAllowance(rows)))
  const incarnation = refuseUnreadable(() => ok(storedIncarnation(rows)))
  return { incarnation: incarnation.ok ? incarnation.value : null, held: held.ok ? held.value : null }
}
