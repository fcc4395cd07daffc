/** The index of a tenant is told what one of its tasks shows. */
import { listedText } from '../../core/protocol/list-entry.ts'
import type { StoredTaskView } from '../../core/protocol/stored-task-view.ts'
import { ENDED_STATUSES } from '../../core/terms/status.ts'
import { onceMoreIfLost } from '../lost-object.ts'
import type { Ports } from '../ports.ts'

/** The tenant's index hears of a change of status in the same request; steps that change none write no index (U5). */
export async function indexStatus(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  tenant: string,
  task: StoredTaskView,
): Promise<void> {
  const { id, status, version, spend, command } = task
  // What it still has to say to a worker goes out first: as long as the index holds it as open, whoever lists it comes here again.
  if (ENDED_STATUSES.has(status) && command !== null)
    await onceMoreIfLost(() => store.workspace(tenant).enterDelegation(command))
  await store.workspace(tenant).setStatus(id, status, version, spend, listedText(task, clock.now_ms()))
}
