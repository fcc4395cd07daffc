/** What a tenant's workspace knows of its delegations: which there are, and who works on which. The task of each knows the rest. */
import type { CommandType, DelegationStatus } from '../terms/delegation.ts'
import type { Result } from '../terms/refusal.ts'

/** A command as it is entered; `id` leads to its task and row (core/terms/delegation-id.ts). Times in ms since the epoch. */
export interface DelegationEntry {
  id: string
  task: string
  type: CommandType
  /** When it was dispatched, the same however often it is entered, and until when its report is waited for. */
  at: number
  deadline: number
}
/** The lease of a worker. */
export interface Claim {
  worker: string
  until: number
}
/** `status` is `claimed` as long as its claim lasts. */
export interface IndexedDelegation {
  id: string
  task: string
  position: number
  status: DelegationStatus
  claim: Claim | null
}
/** Newest first; `position` of the last one is the cursor of the next page. */
export interface DelegationPage {
  entries: IndexedDelegation[]
  has_more: boolean
}
export interface DelegationMethods {
  /**
   * Enters a command; one that is known stays as it is. Of a task that has ended by then it is entered as canceled, unless its type is
   * `end`; of a task that the index does not know nothing is entered, as nobody would ever remove it.
   */
  enterDelegation(entry: DelegationEntry): void
  /**
   * Leases it to one worker; the same one again renews its lease. Refused as `delegation_not_found`, `delegation_claimed`,
   * `already_reported`, `delegation_expired` or `delegation_canceled`.
   */
  claimDelegation(id: string, worker: string, lease_ms: number): Result<Claim>
  /** What became of it, as its task says: that stands. It is never pending again. */
  settleDelegation(id: string, status: Exclude<DelegationStatus, 'pending' | 'claimed'>): void
  /** null: it is not known, or nobody has it. */
  claimOf(id: string): Claim | null
  /** Those with a position below `before` (0: from the newest); past its deadline one is `expired`, whoever has said so. */
  listDelegations(status: DelegationStatus | null, before: number, limit: number): DelegationPage
  /** Resolves as soon as a command is pending, or after so many ms: at most 30 s, and at once where too many wait. */
  awaitDelegation(wait_ms: number): Promise<void>
}
