/**
 * The delegations that a workspace or the object of a pool knows, and who works on each. The task of a delegation knows everything else.
 * The default pool is in the first object of a tenant. A named pool has an object of its own while a task has commands there (POOL-02).
 */
import type { CommandType, DelegationStatus } from '../terms/delegation.ts'

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
export interface DelegationPage {
  entries: IndexedDelegation[]
  has_more: boolean
}

/** What is open in one pool. `waiting` are the callers who wait for a delegation at this moment. */
interface PoolCounts {
  pending: number
  claimed: number
  waiting: number
}
/** The parameters and the answer of each kind of query about pools. */
export interface PoolQueryTypes {
  /** By name: at most `limit` pools whose names come after `after`. */
  pools: [{ after: string; limit: number }, string[]]
  /** Asked of the object that has the delegations. */
  pool_counts: [object, PoolCounts]
}
