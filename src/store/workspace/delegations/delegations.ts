/** The delegations of a tenant over the rows of any store: how they are entered, leased, settled and listed. */
import {
  activeClaim,
  grantClaim,
  firstPendingAt,
  delegationStatusAt,
  type StoredDelegation,
  type SettledStatus,
} from '../../../core/workspace/claims.ts'
import { parseDelegationId } from '../../../core/terms/delegation-id.ts'
import type { DelegationMethods, DelegationEntry } from '../../../core/workspace/delegation-index.ts'
import { ENDED_STATUSES, type Status } from '../../../core/terms/status.ts'

export interface DelegationRows {
  /** All open delegations, in any order. */
  open(): StoredDelegation[]
  /** The open delegations of one task. */
  openOf(task: string): StoredDelegation[]
  /** Settled delegations with a position below `before` (0: from the newest), newest first. */
  settled(status: SettledStatus, before: number, limit: number): StoredDelegation[]
  findOpen(id: string): StoredDelegation | null
  /** Searches positions from `since` on. */
  findSettled(id: string, since: number): StoredDelegation | null
  /** The highest position; 0 without rows. */
  newest(): number
  insert(row: StoredDelegation): void
  /** Updates the claim and the notice of a row. */
  update(row: StoredDelegation): void
  settle(row: StoredDelegation, status: SettledStatus): void
  /** Gives the status expired to all open rows past their deadline. */
  expire(now_ms: number): void
  drop(task: string): void
}

const SETTLED: readonly SettledStatus[] = ['reported', 'expired', 'canceled']

type Methods = Omit<DelegationMethods, 'enterDelegation' | 'awaitDelegation'> & {
  /** `task` is the status of the task; null where the index does not know it. */
  enter(entry: DelegationEntry, task: Status | null): void
  /** Cancels the open delegations of a task that has ended. */
  cancel(task: string): void
  /** The next time at which a delegation is pending; null where none will be by time alone. */
  pendingAt(): number | null
}

/** To be called in a transaction. `admittedAt` gives a time before all delegations of a task; null for an unknown task, which has none. */
export function delegationsOver(
  rows: DelegationRows,
  admittedAt: (task: string) => number | null,
  now_ms: number,
): Methods {
  const find = (id: string): StoredDelegation | null => rows.findOpen(id) ?? settled(id)
  const settled = (id: string) => {
    const ref = parseDelegationId(id)
    const since = ref === null ? null : admittedAt(ref.task)
    return since === null ? null : rows.findSettled(id, since)
  }
  return {
    enter(entry, task) {
      // A position is never before `at`, so a search for a known delegation starts at `at`.
      if (task === null || (rows.findOpen(entry.id) ?? rows.findSettled(entry.id, entry.at)) !== null) return
      // No call settles an expired delegation that no one lists. Without this, every look at the open rows would read it for ever.
      rows.expire(now_ms)
      const ends = entry.type === 'end'
      const status = ENDED_STATUSES.has(task) && !ends ? 'canceled' : 'open'
      const position = Math.max(entry.at, now_ms, rows.newest() + 1)
      rows.insert({ ...entry, position, status, claim: null, tell_at: ends ? null : now_ms, tries: 0 })
    },
    claimDelegation(id, worker, lease_ms) {
      const row = find(id)
      const claim = grantClaim(row, { worker, lease_ms }, now_ms)
      if (row !== null && claim.ok) rows.update({ ...row, claim: claim.value })
      return claim
    },
    settleDelegation(id, status) {
      const row = find(id)
      if (row !== null && row.status !== status) rows.settle(row, status)
    },
    claimOf(id) {
      const row = find(id)
      return row === null ? null : activeClaim(row, now_ms)
    },
    listDelegations(status, before, limit) {
      const fits = (one: StoredDelegation) =>
        (before === 0 || one.position < before) && (status === null || status === delegationStatusAt(one, now_ms))
      const statuses = SETTLED.filter((one) => status === null || status === one)
      const settled = statuses.flatMap((one) => rows.settled(one, before, limit + 1))
      const found = [...rows.open().filter(fits), ...settled].toSorted((a, b) => b.position - a.position)
      return { entries: found.slice(0, limit).map((one) => entryView(one, now_ms)), has_more: found.length > limit }
    },
    cancel(task) {
      for (const row of rows.openOf(task)) if (row.type !== 'end') rows.settle(row, 'canceled')
    },
    pendingAt: () => firstPendingAt(rows.open(), now_ms),
  }
}

const entryView = (row: StoredDelegation, now_ms: number) => ({
  id: row.id,
  task: row.task,
  position: row.position,
  status: delegationStatusAt(row, now_ms),
  claim: activeClaim(row, now_ms),
})
