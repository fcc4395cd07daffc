/** Reports what a task shows to the index of its tenant. */
import { listedText, outcomeOf } from '../../core/protocol/view/list-entry.ts'
import type { StoredTaskView } from '../../core/protocol/view/stored-task-view.ts'
import { ENDED_STATUSES } from '../../core/terms/status.ts'
import { onceMoreIfLost } from '../lost-object.ts'
import type { Ports } from '../ports.ts'

/** Reports a change of status in the same request. Steps that change no status write no index (U5). */
export async function indexStatus(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  tenant: string,
  task: StoredTaskView,
): Promise<void> {
  const { id, status, version, spend, command } = task
  // The last command to a worker goes out first: while the index holds the task as open, every list comes here again.
  if (ENDED_STATUSES.has(status) && command !== null)
    await onceMoreIfLost(() => store.workspace(tenant).tell({ kind: 'enter_delegation', entry: command }))
  const listed = listedText(task, clock.now_ms())
  const outcome = outcomeOf(task)
  const forked_from = task.forked_from?.id ?? null
  await store.workspace(tenant).tell({ kind: 'set_status', id, status, version, spend, listed, outcome, forked_from })
}
