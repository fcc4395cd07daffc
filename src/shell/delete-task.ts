/**
 * A task goes: by DELETE, or when it is old. Its object decides first, in its own transaction, and says whose life has ended: no input
 * can come in between, and a task that is made anew under the same id has another life (core/workspace/incarnation.ts). What the old one has left
 * elsewhere is cleared after it: its blobs, by the names they are counted under, then what it held of the day's total, last its entry in
 * the index. While that stands, whoever lists the tasks finds what was left undone, and does it. What an upload or a tool keeps later is
 * refused its row, and removed by whoever brought it.
 */
import { incarnationInBlob } from '../core/workspace/incarnation.ts'
import { ok, type Result } from '../core/terms/refusal.ts'
import type { RemovedTask } from '../core/protocol/task-methods.ts'
import type { StoredTask } from '../core/replay/stored-task.ts'
import { ADMITTED_MS_MAX, type Admission } from '../core/protocol/workspace-methods.ts'
import type { Ports, Remote } from './ports.ts'
import type { Caller } from './caller.ts'

type Remove = (task: Remote<StoredTask>) => Promise<Result<RemovedTask>>

export async function deleteTask(ports: Ports, caller: Caller, id: string): Promise<Result<null>> {
  const gone = await remove(ports, caller, id, (task) => task.remove())
  // One that died behind its object has left the rest.
  if (!gone.ok && gone.refusal.code === 'task_not_found') await dropMissing(ports, caller, id)
  return gone
}

/** As DELETE does it, of a task that is still due: one that has begun its next run since keeps its files. */
export async function retireTask(ports: Ports, caller: Caller, id: string): Promise<void> {
  await remove(ports, caller, id, (task) => task.retire())
}

async function remove(ports: Ports, caller: Caller, id: string, how: Remove): Promise<Result<null>> {
  // Before the object: whoever is admitted from now on may be making the next task.
  const before = await ports.store.workspace(caller.tenant).leaving(id)
  const removed = await how(ports.store.of(caller.tenant, id))
  if (!removed.ok) return removed
  await clearRemains(ports, caller, id, removed.value, before)
  return ok(null)
}

/** What a life that has ended left elsewhere. `before`: the entry before it ended, null where that is not known. */
export async function clearRemains(
  ports: Ports,
  caller: Caller,
  id: string,
  removed: RemovedTask,
  before: Admission | null,
): Promise<void> {
  const workspace = ports.store.workspace(caller.tenant)
  const { held } = removed
  // A life that cannot be read any more is that of the entry.
  const life = removed.life ?? before?.admitted ?? ''
  const counted = (await workspace.admission(id))?.blobs ?? []
  const own = counted.filter((blob) => incarnationInBlob(blob) === life)
  // Whoever else was admitted before has come to an end: what is counted for him, and not for a task, is nobody's.
  const over = before !== null && isOver(ports, before) ? before : null
  await clear(ports, caller, id, [...new Set([...own, ...(over?.blobs ?? [])])])
  if (held !== null) await workspace.giveBack(held)
  await workspace.drop(id, over === null ? [life] : [life, over.admitted])
}

/** An entry that has no task: whoever was to make it has died, or whoever deleted it. Not one that somebody may be making still. */
export async function dropMissing(ports: Ports, caller: Caller, id: string): Promise<void> {
  const workspace = ports.store.workspace(caller.tenant)
  const found = await workspace.admission(id)
  if (found === null || !isOver(ports, found)) return
  // Looked at after the entry: what is counted there is of a task that has ended, or of none.
  const seen = await ports.store.of(caller.tenant, id).read()
  if (seen.ok || seen.refusal.code !== 'task_not_found') return
  await clear(ports, caller, id, found.blobs)
  await workspace.drop(id, [found.admitted])
}

/** Whoever was admitted has made the task by now, or has died. A time that is still to come is one before the clock was put back. */
const isOver = ({ clock }: Ports, { at }: Admission) => Math.abs(clock.now_ms() - at) > ADMITTED_MS_MAX

async function clear({ blobs, store }: Ports, { tenant }: Caller, task: string, names: string[]): Promise<void> {
  if (names.length === 0) return
  await blobs?.sweep({ tenant, task }, names)
  await store.workspace(tenant).releaseBytes(task, names)
}
