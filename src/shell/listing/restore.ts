/** A task puts its entry into the index of its tenant again, whatever is there: for an index that was lost (docs/contributing/storage.md). */
import { listedText } from '../../core/protocol/list-entry.ts'
import type { StoredTaskView } from '../../core/protocol/stored-task-view.ts'
import type { Ports } from '../ports.ts'

export interface Restorable {
  tenant: string
  seen: StoredTaskView
  /** Which incarnation of its id the task is (core/workspace/incarnation.ts). */
  life: string
  /** Bytes that the task may take without asking, or takes already. */
  room: number
  blobs: { blob: string; bytes: number }[]
}

export async function restoreTask({ store, clock }: Pick<Ports, 'store' | 'clock'>, task: Restorable): Promise<void> {
  const { tenant, seen, life, room, blobs } = task
  const { id, mode, status, version, metadata, goal } = seen
  const workspace = store.workspace(tenant)
  const created_at = Date.parse(seen.created_at)
  const listed = listedText(seen, clock.now_ms())
  await workspace.restore({ id, mode, status, version, metadata, goal, life, created_at, room, listed })
  // What is there is counted, also where it is more than is allowed by now.
  for (const one of blobs) await workspace.holdBytes({ task: id, ...one, named: true }, Number.MAX_SAFE_INTEGER)
  if (seen.command !== null) await workspace.enterDelegation(seen.command)
}
