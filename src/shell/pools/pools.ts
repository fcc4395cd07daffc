/**
 * Which object has the delegations of a task (POOL-02): the workspace for the default pool, and an object of its own for each named pool. The
 * index of the tenant knows the task, so it is asked first, and it notes the pool before the pool keeps anything (POOL-03).
 */
import type { TaskChange } from '../../core/protocol/shard-requests.ts'
import type { RemoteWorkspace } from '../../core/protocol/workspace-requests.ts'
import type { Delegation } from '../../core/terms/delegation.ts'
import type { Settings } from '../../core/terms/settings.ts'
import type { Claim, DelegationEntry } from '../../core/workspace/delegation-index.ts'
import type { TaskStore } from '../ports.ts'

type PoolStore = Pick<TaskStore, 'workspace' | 'pool'>

/** Whose delegations they are. `pool` null: the default pool. */
export interface PoolRef {
  tenant: string
  pool: string | null
}

/**
 * The pool that a task names. Only a task that orchestrates has commands, so the others have no pool. The settings that an object of the release
 * before answers name none (OPS-09).
 */
export const poolNamedBy = ({
  mode,
  settings,
}: {
  mode: string
  settings: Pick<Partial<Settings>, 'worker_pool'>
}): string | null => (mode === 'orchestrator' ? (settings.worker_pool ?? null) : null)

export const openPool = (store: PoolStore, { tenant, pool }: PoolRef): RemoteWorkspace =>
  pool === null ? store.workspace(tenant) : store.pool(tenant, pool)

/** A delegation as its pool keeps it. */
const poolEntryOf = ({ id, task, command, created, deadline }: Delegation): DelegationEntry => ({
  id,
  task,
  type: command.type,
  at: created,
  deadline,
})

/** Enters a delegation where the workers of its pool look for it. A known one stays as it is, and nothing is entered for an unknown task. */
export async function enterDelegation(
  store: PoolStore,
  { tenant, pool }: PoolRef,
  entry: DelegationEntry,
  pending: { pending?: { claim: Claim | null } } = {},
) {
  const command = { kind: 'enter_delegation', entry, ...pending } as const
  if (pool === null) return store.workspace(tenant).tell(command)
  const standing = await store.workspace(tenant).tell({ kind: 'tie_to_pool', task: entry.task, pool })
  if (standing !== null) await store.pool(tenant, pool).tell({ ...command, standing })
}

/**
 * Enters a delegation that its task waits for now. It is opened again where its pool holds it as settled. `claim`: the lease that a worker has
 * on it at another object.
 */
export const enterPending = (store: PoolStore, place: PoolRef, delegation: Delegation, claim: Claim | null = null) =>
  enterDelegation(store, place, poolEntryOf(delegation), { pending: { claim } })

/** Tells a named pool what has become of a task. The default pool follows the index, which is in the same object. */
export async function tellPool(
  store: PoolStore,
  { tenant, pool }: PoolRef,
  task: string,
  change: TaskChange,
): Promise<void> {
  if (pool !== null) await store.pool(tenant, pool).tell({ kind: 'note_task_change', task, ...change })
}
