/**
 * Which object has the delegations of a task (POOL-02): the workspace for the default pool, and an object of its own for each named pool. The
 * index of the tenant knows the task, so it is asked first, and it notes the pool before the pool keeps anything (POOL-03).
 */
import type { TaskChange } from '../../core/protocol/shard-requests.ts'
import type { StoredTaskView } from '../../core/protocol/view/stored-task-view.ts'
import type { RemoteWorkspace } from '../../core/protocol/workspace-requests.ts'
import type { Delegation } from '../../core/terms/delegation.ts'
import type { DelegationEntry } from '../../core/workspace/delegation-index.ts'
import type { PoolView } from '../../core/shown/delegation-view.ts'
import { ok, type Result } from '../../core/terms/refusal.ts'
import type { Caller, Page } from '../caller.ts'
import type { TaskStore } from '../ports.ts'

type PoolStore = Pick<TaskStore, 'workspace' | 'pool'>

/** Whose delegations they are. `pool` null: the default pool. */
export interface PoolRef {
  tenant: string
  pool: string | null
}

/** The pool that a task names. */
export const poolNamedBy = ({ settings }: Pick<StoredTaskView, 'settings'>): string | null =>
  settings.worker_pool ?? null

export const poolOf = (store: PoolStore, { tenant, pool }: PoolRef): RemoteWorkspace =>
  pool === null ? store.workspace(tenant) : store.pool(tenant, pool)

/** A delegation as its pool keeps it. */
export const poolEntryOf = ({ id, task, command, created, deadline }: Delegation): DelegationEntry => ({
  id,
  task,
  type: command.type,
  at: created,
  deadline,
})

/** Enters a delegation where the workers of its pool look for it. A known one stays as it is, and nothing is entered for an unknown task. */
export async function enterDelegation(store: PoolStore, { tenant, pool }: PoolRef, entry: DelegationEntry) {
  if (pool === null) return store.workspace(tenant).tell({ kind: 'enter_delegation', entry })
  const standing = await store.workspace(tenant).tell({ kind: 'tie_to_pool', task: entry.task, pool })
  if (standing !== null) await store.pool(tenant, pool).tell({ kind: 'enter_delegation', entry, standing })
}

/** Tells a named pool what has become of a task. The default pool follows the index, which is in the same object. */
export async function tellPool(
  store: PoolStore,
  { tenant, pool }: PoolRef,
  change: { task: string; change: TaskChange; until?: number },
): Promise<void> {
  if (pool !== null) await store.pool(tenant, pool).tell({ kind: 'note_task_change', ...change })
}

/** The cursor behind the default pool: no name comes before it. */
const BEHIND_DEFAULT = '*'

/** The pools of a tenant, each with the counts of its own object (POOL-07). The default pool has no name, so it comes before all others and is on the first page. One object is asked for each entry. */
export async function listPools(
  store: PoolStore,
  { tenant }: Caller,
  { after, limit }: { after: string; limit: number },
): Promise<Result<Page<PoolView>>> {
  const named = await store.workspace(tenant).ask({ kind: 'pools', after, limit: limit + 1 })
  const names = after === '' ? [null, ...named] : named
  const data = await Promise.all(
    names.slice(0, limit).map(async (name) => ({
      name,
      ...(await poolOf(store, { tenant, pool: name }).ask({ kind: 'pool_counts' })),
    })),
  )
  const has_more = names.length > limit
  return ok({ data, has_more, next_cursor: has_more ? (data.at(-1)?.name ?? BEHIND_DEFAULT) : null })
}
