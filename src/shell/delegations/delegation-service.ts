/** What workers ask the service for, and what they are answered. */
import type { DelegationStatus, SentReport } from '../../core/terms/delegation.ts'
import type { DelegationView, DelegationViewByLink, PoolView } from '../../core/shown/delegation-view.ts'
import type { Result } from '../../core/terms/refusal.ts'
import type { CommandFile } from '../../delegations/command-file.ts'
import type { Caller, Page, Paging } from '../caller.ts'

/** The worker who claims a delegation, and for how long. */
export interface LeaseRequest {
  worker: string
  lease_ms: number
}
/** `replayed` marks the answer of an earlier equal request. */
export interface DelegationAnswer<T = DelegationView> {
  delegation: T
  replayed: boolean
}
/** A delegation, with the content of its command file. */
export interface FoundDelegation {
  delegation: DelegationView
  command: CommandFile
}
/** Which delegations of one pool are listed. `status` null: all of them. `pool` null: the default pool. */
export interface DelegationFilter {
  status: DelegationStatus | null
  pool: string | null
}
/** A page by name: those that come after `after`. */
interface NamePaging {
  limit: number
  after: string
}
export interface DelegationService {
  /** Newest first. An empty page waits up to `wait_ms` for a pending delegation. */
  listDelegations(
    caller: Caller,
    filter: DelegationFilter,
    paging: Paging,
    wait_ms: number,
  ): Promise<Result<Page<DelegationView>>>
  /** By name, with the default pool before all others. */
  listPools(caller: Caller, paging: NamePaging): Promise<Result<Page<PoolView>>>
  getDelegation(caller: Caller, id: string): Promise<Result<FoundDelegation>>
  /** Leases the delegation to one worker. The same worker renews its lease by claiming again. */
  claimDelegation(caller: Caller, id: string, lease: LeaseRequest): Promise<Result<DelegationAnswer>>
  /** Records a report and begins no effect. The same report again is shown and not recorded. */
  reportDelegation(caller: Caller, id: string, sent: SentReport): Promise<Result<DelegationAnswer>>
  /** Records a report by the token of a link, which names its delegation. */
  reportByLink(
    caller: Omit<Caller, 'tenant'>,
    token: string,
    sent: SentReport,
  ): Promise<Result<DelegationAnswer<DelegationViewByLink>>>
}
