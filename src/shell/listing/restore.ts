/**
 * Restores the entry of a task into the index of its tenant from the task itself, for an index that was lost (docs/contributing/storage.md).
 */
import { listedText, outcomeOf } from '../../core/protocol/view/list-entry.ts'
import type { StoredTaskView } from '../../core/protocol/view/stored-task-view.ts'
import { enterDelegation, poolNamedBy } from '../pools/pools.ts'
import type { Ports } from '../ports.ts'

export interface Restorable {
  tenant: string
  view: StoredTaskView
  /** The incarnation of the task's id (core/workspace/incarnation.ts). */
  incarnation: string
  /** The bytes that the task may take without asking, or already takes. */
  room: number
  blobs: { blob: string; bytes: number }[]
  /** The key of the registry that the task was made with. null: none. */
  key_name: string | null
}

export async function restoreTask({ store, clock }: Pick<Ports, 'store' | 'clock'>, task: Restorable): Promise<void> {
  const { tenant, view, incarnation, room, blobs, key_name } = task
  const { id, mode, status, version, metadata, goal } = view
  const workspace = store.workspace(tenant)
  const created_at = Date.parse(view.created_at)
  const listed = listedText(view, clock.now_ms())
  await workspace.tell({
    kind: 'restore',
    entry: {
      id,
      mode,
      status,
      version,
      metadata,
      goal,
      incarnation,
      created_at,
      room,
      listed,
      outcome: outcomeOf(view),
      ...(view.agent === null ? {} : { agent: view.agent.name }),
      ...(key_name === null ? {} : { key_name }),
      ...(view.forked_from === null ? {} : { forked_from: view.forked_from.id }),
    },
  })
  // Stored blobs are counted even beyond the quota.
  for (const one of blobs)
    await workspace.tell({ kind: 'hold_bytes', task: id, ...one, named: true, max: Number.MAX_SAFE_INTEGER })
  const pool = poolNamedBy(view)
  if (view.command !== null) await enterDelegation(store, { tenant, pool }, view.command)
  // Without an open command the pool may have settled ones of the task, which go with it.
  else if (pool !== null) await workspace.tell({ kind: 'tie_to_pool', task: id, pool })
}
