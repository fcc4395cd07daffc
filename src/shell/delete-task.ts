/**
 * A task goes: by DELETE, or when it is old. Its blobs are swept before its object, so that whoever dies in between leaves a task that is
 * still there, to be deleted again – by its client, by its alarm – and no blob that nobody finds. They are swept once more after it: what
 * an upload or a tool has kept meanwhile is named by no row any more, and whoever keeps one later is refused its row and removes it
 * itself. Last goes the entry of the index, with what is counted for the task: while it stands, whoever lists the tasks finds what was
 * left undone, and does it.
 */
import type { Allowance } from '../core/axes.ts'
import { ok, type Result } from '../core/refusal.ts'
import type { Ports } from './ports.ts'
import type { Caller } from './service.ts'

export async function deleteTask(ports: Ports, caller: Caller, id: string): Promise<Result<null>> {
  await sweep(ports, caller, id)
  const removed = await ports.store.of(caller.tenant, id).remove()
  if (!removed.ok) return removed
  await forget(ports, caller, id, removed.value)
  return ok(null)
}

/** As DELETE does it, of a task that is still due: one that has begun its next run since keeps its files. */
export async function retire(ports: Ports, caller: Caller, id: string): Promise<void> {
  const task = ports.store.of(caller.tenant, id)
  if (!(await task.isRetired())) return
  await sweep(ports, caller, id)
  const removed = await task.retire()
  if (removed.ok) await forget(ports, caller, id, removed.value)
}

/** What a deleted task leaves elsewhere: blobs, its entry in the index, and what it still `held` of the day's total. */
export async function forget(ports: Ports, caller: Caller, id: string, held: Allowance | null): Promise<void> {
  const workspace = ports.store.workspace(caller.tenant)
  await sweep(ports, caller, id)
  await workspace.drop(id)
  if (held !== null) await workspace.giveBack(held)
}

const sweep = async ({ blobs }: Ports, { tenant }: Caller, task: string): Promise<void> =>
  blobs?.sweep({ tenant, task })
