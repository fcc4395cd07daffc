/** The delegations that a workspace knows, and who works on each. The task of a delegation knows everything else. */
import type { CommandType, DelegationStatus } from '../terms/delegation.ts'
import type { Result } from '../terms/refusal.ts'

/** A command as it is entered. `id` names its task and row (core/terms/delegation-id.ts). Times are in ms since the epoch. */
export interface DelegationEntry {
  id: string
  task: string
  type: CommandType
  /** When it was dispatched. A repeated entry has the same time. */
  at: number
  /** Until when its task waits for the report. */
  deadline: number
}
/** The lease of a worker. */
export interface Claim {
  worker: string
  until: number
}
/** A delegation in a list. Its `status` is `claimed` until the lease ends. */
export interface IndexedDelegation {
  id: string
  task: string
  position: number
  status: DelegationStatus
  claim: Claim | null
}
/** A page with the newest first. The `position` of the last entry is the cursor of the next page. */
interface DelegationPage {
  entries: IndexedDelegation[]
  has_more: boolean
}
export interface DelegationMethods {
  /**
   * Enters a command. A known command stays as it is. If its task has ended, it is entered as canceled, unless its type is
   * `end`. Nothing is entered for a task that the index does not know, because nobody would ever remove it.
   */
  enterDelegation(entry: DelegationEntry): void
  /**
   * Leases a command to one worker. The same worker renews its lease by claiming again. Refusals: `delegation_not_found`,
   * `delegation_claimed`, `already_reported`, `delegation_expired`, `delegation_canceled`.
   */
  claimDelegation(id: string, worker: string, lease_ms: number): Result<Claim>
  /** Settles a command as its task says. The status never changes again. */
  settleDelegation(id: string, status: Exclude<DelegationStatus, 'pending' | 'claimed'>): void
  /** The active claim of a command. null: the command is not known, or nobody has claimed it. */
  claimOf(id: string): Claim | null
  /** The commands with a position below `before` (0: from the newest). After its deadline an open command is `expired`. */
  listDelegations(status: DelegationStatus | null, before: number, limit: number): DelegationPage
  /** Resolves when a command is pending or `wait_ms` is over: after at most 30 s, and at once if too many callers wait. */
  awaitDelegation(wait_ms: number): Promise<void>
}
