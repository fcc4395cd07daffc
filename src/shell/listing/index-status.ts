/** Reports what a task shows to the index of its tenant, and its end to the pool of its commands. */
import { listedText, outcomeOf } from '../../core/protocol/view/list-entry.ts'
import type { StoredTaskView } from '../../core/protocol/view/stored-task-view.ts'
import { ENDED_STATUSES } from '../../core/terms/status.ts'
import { enterDelegation, poolNamedBy, tellPool } from '../pools/pools.ts'
import { onceMoreIfLost } from '../lost-object.ts'
import type { Ports } from '../ports.ts'

/** Reports a change of status in the same request. Steps that change no status write no index (U5). */
export async function indexStatus(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  tenant: string,
  task: StoredTaskView,
): Promise<void> {
  const { id, status, version, spend, command } = task
  // The last command to a worker goes out first, and its pool hears of the end. While the index holds the task as open, it is looked at again.
  if (ENDED_STATUSES.has(status)) {
    const place = { tenant, pool: poolNamedBy(task) }
    if (command !== null) await onceMoreIfLost(() => enterDelegation(store, place, command))
    await onceMoreIfLost(() => tellPool(store, place, id, { change: 'ended', until: version }))
  }
  const listed = listedText(task, clock.now_ms())
  const outcome = outcomeOf(task)
  const forked_from = task.forked_from?.id ?? null
  const told = { listed, outcome, forked_from, metadata: task.metadata }
  await store.workspace(tenant).tell({ kind: 'set_status', id, status, version, spend, ...told })
}
