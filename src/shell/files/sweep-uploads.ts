/**
 * Removes blobs whose writers have died. The order keeps every row true: the workspace ends the hold, the task refuses the blob unless a row
 * names it, the blob is removed, and its bytes are freed last. Each step may be repeated.
 */
import type { UnfinishedBlob } from '../../core/workspace/unfinished-blobs.ts'
import type { Ports } from '../ports.ts'

type SweepPorts = Pick<Ports, 'store' | 'blobs'>

export async function sweepUploads(ports: SweepPorts, tenant: string, shard?: number): Promise<void> {
  const overdue = await ports.store.workspace(tenant, shard).tell({ kind: 'take_overdue_blobs' })
  const swept = [...byTask(overdue)].map(([task, names]) => sweepTask(ports, tenant, task, names))
  // A task that fails is taken again later, and must not stop the others.
  const failed = (await Promise.allSettled(swept)).find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

function byTask(blobs: readonly UnfinishedBlob[]): Map<string, string[]> {
  const tasks = new Map<string, string[]>()
  for (const { task, blob } of blobs) tasks.set(task, [...(tasks.get(task) ?? []), blob])
  return tasks
}

async function sweepTask({ store, blobs }: SweepPorts, tenant: string, task: string, names: string[]): Promise<void> {
  const refused = await store.of(tenant, task).upkeep({ kind: 'refuse_blobs', blobs: names })
  // It is unknown which blobs the rows of an unreadable task name.
  if (!refused.ok && refused.refusal.code !== 'task_not_found') return
  const named = refused.ok ? refused.value : []
  const unnamed = names.filter((name) => !named.includes(name))
  // Without a bucket nothing can be removed, so the blobs stay counted.
  const removed = blobs === null ? [] : unnamed
  if (removed.length > 0) await blobs?.sweep({ tenant, task }, removed)
  await store.workspace(tenant).tell({ kind: 'settle_blobs', task, named, removed })
}
