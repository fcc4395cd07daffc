/** What workers ask the service for, and what they are answered. */
import type { DelegationStatus } from '../../core/terms/delegation.ts'
import type { SentReport } from '../../core/terms/delegation.ts'
import type { DelegationView, ReportedView } from '../../core/shown/delegation-view.ts'
import type { Result } from '../../core/terms/refusal.ts'
import type { CommandFile } from '../../delegations/command-file.ts'
import type { Caller, Page, Paging } from '../caller.ts'

/** How long a worker wants it. */
export interface LeaseRequest {
  worker: string
  lease_ms: number
}
/** `replayed`: the answer of an earlier request that was the same. */
export interface DelegationAnswer<T = DelegationView> {
  delegation: T
  replayed: boolean
}
/** With what the file of its command says. */
export interface FoundDelegation {
  delegation: DelegationView
  command: CommandFile
}
export interface DelegationService {
  /** Newest first; null: whatever became of it. Where there is none, waits for one to be pending for so many ms. */
  listDelegations(
    caller: Caller,
    status: DelegationStatus | null,
    paging: Paging,
    wait_ms: number,
  ): Promise<Result<Page<DelegationView>>>
  getDelegation(caller: Caller, id: string): Promise<Result<FoundDelegation>>
  /** Leases it to one worker; the same one again renews its lease. */
  claimDelegation(caller: Caller, id: string, lease: LeaseRequest): Promise<Result<DelegationAnswer>>
  /** Records it, and begins nothing. The same report again is shown and not heard. */
  reportDelegation(caller: Caller, id: string, sent: SentReport): Promise<Result<DelegationAnswer>>
  /** By the token of a link, which says whose command it is about. */
  reportByLink(
    caller: Omit<Caller, 'tenant'>,
    token: string,
    sent: SentReport,
  ): Promise<Result<DelegationAnswer<ReportedView>>>
}
