/**
 * Brings the index and its tasks together. A worker that died between the two left them apart, and no caller may ever ask for that task
 * again. So the workspace has a few of its open tasks looked at when it is listed or has no room for another.
 */
import { RUNNING_STATUSES } from '../../core/terms/status.ts'
import { dropMissing } from '../delete-task.ts'
import type { Ports } from '../ports.ts'
import { serviceCaller, type Caller } from '../caller.ts'
import { indexStatus } from './index-status.ts'

/** `shard` is the shard that knows the tasks. Absent: the tenant has only one. */
export async function mendIndex(ports: Ports, tenant: string, tasks: readonly string[], shard?: number): Promise<void> {
  await Promise.all(tasks.map((id) => mendOne(ports, serviceCaller(tenant), id, shard)))
}

async function mendOne(ports: Ports, caller: Caller, id: string, shard: number | undefined): Promise<void> {
  try {
    if (shard !== undefined) await ports.store.workspace(caller.tenant, shard).tell({ kind: 'drop_double', id })
    const task = ports.store.of(caller.tenant, id)
    const view = await task.ask({ kind: 'view' })
    if (view.ok) {
      await indexStatus(ports, caller.tenant, view.value)
      // The alarm of the task may be lost: the runtime drops one that it cannot write for some minutes, as on a full disk.
      if (RUNNING_STATUSES.has(view.value.status)) await task.wake()
      return
    }
    if (view.refusal.code === 'task_not_found') await dropMissing(ports, caller, id)
  } catch {
    // A task that fails must not keep the others from being looked at.
  }
}
