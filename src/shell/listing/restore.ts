/**
 * Restores the entry of a task into the index of its tenant from the task itself, for an index that was lost (docs/contributing/storage.md).
 */
import { listedText } from '../../core/protocol/view/list-entry.ts'
import type { StoredTaskView } from '../../core/protocol/view/stored-task-view.ts'
import type { Ports } from '../ports.ts'

export interface Restorable {
  tenant: string
  seen: StoredTaskView
  /** The incarnation of the task's id (core/workspace/incarnation.ts). */
  incarnation: string
  /** The bytes that the task may take without asking, or already takes. */
  room: number
  blobs: { blob: string; bytes: number }[]
}

export async function restoreTask({ store, clock }: Pick<Ports, 'store' | 'clock'>, task: Restorable): Promise<void> {
  const { tenant, seen, incarnation, room, blobs } = task
  const { id, mode, status, version, metadata, goal } = seen
  const workspace = store.workspace(tenant)
  const created_at = Date.parse(seen.created_at)
  const listed = listedText(seen, clock.now_ms())
  await workspace.restore({ id, mode, status, version, metadata, goal, incarnation, created_at, room, listed })
  // Stored blobs are counted even beyond the quota.
  for (const one of blobs) await workspace.holdBytes({ task: id, ...one, named: true }, Number.MAX_SAFE_INTEGER)
  if (seen.command !== null) await workspace.enterDelegation(seen.command)
}
