/**
 * Deletes a task, by DELETE or when it is old. Its object decides first, in one transaction, and names the incarnation that has ended, so
 * that no input comes in between. Then its remains are cleared: its blobs, what it held of the daily total, and last its entry in the index.
 * While the entry stands, every list finds what was left undone and does it. A file that arrives later is refused its row, and its writer
 * removes the blob.
 */
import { incarnationOfBlob } from '../core/workspace/incarnation.ts'
import { ok, type Result } from '../core/terms/refusal.ts'
import type { RemovedTask } from '../core/protocol/task-answers.ts'
import type { RemoteTask } from '../core/replay/stored-task.ts'
import { ADMITTED_MS_MAX, type Admission, type Removal } from '../core/protocol/workspace-records.ts'
import { tellPool } from './pools/pools.ts'
import type { Ports } from './ports.ts'
import type { Caller } from './caller.ts'

type Remove = (task: RemoteTask) => ReturnType<RemoteTask['remove']>

export async function deleteTask(ports: Ports, caller: Caller, id: string): Promise<Result<null>> {
  await exportOwed(ports, caller, id)
  const deleted = await remove(ports, caller, id, (task) => task.remove())
  // A deletion that died after the object was emptied has left the rest.
  if (!deleted.ok && deleted.refusal.code === 'task_not_found') await dropMissing(ports, caller, id)
  return deleted
}

/** Deletes a task that is still due for it. A task that has begun its next run keeps its files. */
export async function retireTask(ports: Ports, caller: Caller, id: string): Promise<void> {
  await exportOwed(ports, caller, id)
  await remove(ports, caller, id, (task) => task.retire())
}

async function exportOwed(ports: Ports, { tenant }: Caller, id: string): Promise<void> {
  if (ports.exports === null) return
  const { exportBeforeDeletion } = await import('./exports/export-task.ts')
  await exportBeforeDeletion(ports, tenant, id)
}

async function remove(ports: Ports, caller: Caller, id: string, how: Remove): Promise<Result<null>> {
  // Read before the object is emptied: a later admission may belong to the next task of the id.
  const before = await ports.store.workspace(caller.tenant).tell({ kind: 'begin_removal', id })
  if (before !== null) await settleRun(ports, caller, id, before)
  const removed = await how(ports.store.of(caller.tenant, id))
  if (!removed.ok) return removed
  const { owed } = removed.value
  if (owed !== undefined && ports.exports !== null)
    await (await import('./exports/export-task.ts')).exportAfterDeletion(ports, caller.tenant, id, owed)
  await clearRemains(ports, caller, id, removed.value, before)
  return ok(null)
}

/** A schedule whose job died just after it had made this task would make it once more. So it is noted first that the task was made. */
async function settleRun({ store }: Ports, { tenant }: Caller, task: string, { unsettled }: Removal): Promise<void> {
  if (unsettled === null) return
  const view = await store.of(tenant, task).ask({ kind: 'view' })
  if (!view.ok) return
  const result = { outcome: 'created', reason: null, task } as const
  await store.workspace(tenant).tell({ kind: 'settle_run', ...unsettled, result })
}

/** Clears what an incarnation that has ended left elsewhere. `before` is the entry before it ended; null where that is unknown. */
export async function clearRemains(
  ports: Ports,
  caller: Caller,
  id: string,
  removed: RemovedTask,
  before: Admission | null,
): Promise<void> {
  const workspace = ports.store.workspace(caller.tenant)
  const { held } = removed
  // Where the incarnation cannot be read, that of the entry is taken.
  const incarnation = removed.incarnation ?? before?.admitted ?? ''
  const at = ports.clock.now_ms()
  const now = await workspace.ask({ kind: 'admission', id })
  const counted = now?.blobs ?? []
  const own = counted.filter((blob) => incarnationOfBlob(blob) === incarnation)
  // Another request that was admitted before is over too: blobs that are counted for its incarnation have no task.
  const over = before !== null && isOver(ports, before) ? before : null
  await clear(ports, caller, id, [...new Set([...own, ...(over?.blobs ?? [])])])
  if (held !== null) await workspace.tell({ kind: 'give_back', refund: held })
  const admitted = over === null ? [incarnation] : [incarnation, over.admitted]
  // Another admission is that of a later task of the id, which may have commands of its own.
  if (now !== null && admitted.includes(now.admitted)) await forgetInPool(ports, caller, id, now, at)
  await workspace.tell({ kind: 'drop', id, admitted })
}

/** Drops an entry without a task, whose maker or deleter has died. An entry whose task may still be in the making stays. */
export async function dropMissing(ports: Ports, caller: Caller, id: string): Promise<void> {
  const workspace = ports.store.workspace(caller.tenant)
  const at = ports.clock.now_ms()
  const found = await workspace.ask({ kind: 'admission', id })
  if (found === null || !isOver(ports, found)) return
  // Read after the entry, so that the counted blobs belong to a task that has ended, or to none.
  const view = await ports.store.of(caller.tenant, id).ask({ kind: 'view' })
  if (view.ok || view.refusal.code !== 'task_not_found') return
  await clear(ports, caller, id, found.blobs)
  await forgetInPool(ports, caller, id, found, at)
  await workspace.tell({ kind: 'drop', id, admitted: [found.admitted] })
}

/**
 * The entry in the index names the pool, so it is forgotten after the pool has forgotten the task. `at` is before the entry was read: the id may
 * have been admitted again since, and its next task may have commands.
 */
async function forgetInPool(
  { store }: Ports,
  { tenant }: Caller,
  task: string,
  { pool }: Admission,
  at: number,
): Promise<void> {
  await tellPool(store, { tenant, pool: pool ?? null }, task, { change: 'gone', at })
}

/** Whether the admitted request has made its task or has died. A time in the future is one from before the clock was set back. */
const isOver = ({ clock }: Ports, { at }: Admission) => Math.abs(clock.now_ms() - at) > ADMITTED_MS_MAX

async function clear({ blobs, store }: Ports, { tenant }: Caller, task: string, names: string[]): Promise<void> {
  if (names.length === 0) return
  await blobs?.sweep({ tenant, task }, names)
  await store.workspace(tenant).tell({ kind: 'release_bytes', task, blobs: names })
}
