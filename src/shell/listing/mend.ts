/**
 * Brings the index and its tasks together. A worker that died between a task and the index left them apart, and nobody may ever ask for
 * that task again. The workspace therefore has a few of its open tasks looked at whenever it is listed, or has no room for another task.
 */
import { RUNNING_STATUSES } from '../../core/terms/status.ts'
import { dropMissing } from '../delete-task.ts'
import type { Ports } from '../ports.ts'
import type { Caller } from '../caller.ts'
import { indexStatus } from './index-status.ts'

export async function mendIndex(ports: Ports, tenant: string, tasks: readonly string[]): Promise<void> {
  const caller: Caller = { tenant, traceparent: null, key: null, gone: () => false }
  await Promise.all(tasks.map((id) => mendOne(ports, caller, id)))
}

async function mendOne(ports: Ports, caller: Caller, id: string): Promise<void> {
  try {
    const task = ports.store.of(caller.tenant, id)
    const seen = await task.read()
    if (seen.ok) {
      await indexStatus(ports, caller.tenant, seen.value)
      // Its alarm may be lost: the runtime gives up one that cannot be written for some minutes, as on a full disk.
      if (RUNNING_STATUSES.has(seen.value.status)) await task.wake()
      return
    }
    if (seen.refusal.code === 'task_not_found') await dropMissing(ports, caller, id)
  } catch {
    // One task that fails keeps no other from being looked at.
  }
}
