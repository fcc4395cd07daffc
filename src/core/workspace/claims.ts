/**
 * Who works on a command, as its workspace knows it from the lease, the deadline and the reports of its task. The end of a
 * lease follows from the clock and writes nothing.
 */
import type { DelegationStatus } from '../terms/delegation.ts'
import { REPORT_TIMEOUT_S_MAX } from '../terms/settings.ts'
import type { Claim, DelegationEntry } from './delegation-index.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'

/** How a command was settled. */
export type SettledStatus = Exclude<DelegationStatus, 'pending' | 'claimed'>

export interface StoredDelegation extends DelegationEntry {
  position: number
  /** `open` until its task has settled it, even after its deadline. */
  status: 'open' | SettledStatus
  /** The newest claim. Its lease may be over. */
  claim: Claim | null
  /** When the tenant gets the next notice about it, in ms since the epoch. null: it gets none. */
  tell_at: number | null
  /** How many attempts to send the notice have failed. */
  tries: number
}

export function delegationStatusAt({ status, claim, deadline }: StoredDelegation, now_ms: number): DelegationStatus {
  if (status !== 'open') return status
  if (now_ms >= deadline) return 'expired'
  return claim !== null && now_ms < claim.until ? 'claimed' : 'pending'
}

/** The claim whose lease is not over. */
export const activeClaim = (delegation: StoredDelegation, now_ms: number): Claim | null =>
  delegationStatusAt(delegation, now_ms) === 'claimed' ? delegation.claim : null

/** No claim goes on for longer after the dispatch of its command. It is the longest time that a setting may give a report. */
const CLAIMED_MS_MAX = REPORT_TIMEOUT_S_MAX * 1000
/** A claim that lasts beyond the deadline extends it by more than its own time, so that few renewals write a row. */
const EXTENSION_MS = 900_000

/** The deadline of a command that was dispatched at `at` (ms since the epoch), with a claim until then. */
export const claimedDeadline = (deadline: number, at: number, until: number): number =>
  until <= deadline ? deadline : Math.max(deadline, Math.min(until + EXTENSION_MS, at + CLAIMED_MS_MAX))

/**
 * The lease that a worker gets. A worker that already has one renews it, and may make it shorter. A lease that goes beyond the deadline
 * extends it.
 */
export function grantClaim(
  delegation: StoredDelegation | null,
  { worker, lease_ms }: { worker: string; lease_ms: number },
  now_ms: number,
): Result<Claim> {
  if (delegation === null) return refuse({ code: 'delegation_not_found' })
  switch (delegationStatusAt(delegation, now_ms)) {
    case 'reported':
      return refuse({ code: 'already_reported' })
    case 'expired':
      return refuse({ code: 'delegation_expired' })
    case 'canceled':
      return refuse({ code: 'delegation_canceled' })
    case 'claimed':
    case 'pending': {
      const claim = activeClaim(delegation, now_ms)
      if (claim !== null && claim.worker !== worker) return refuse({ code: 'delegation_claimed', ...claim, now_ms })
      // Nobody waits for the report of an `end` command, so nothing is extended there.
      const { deadline, at, type } = delegation
      const until_max = type === 'end' ? deadline : Math.max(deadline, at + CLAIMED_MS_MAX)
      return ok({ worker, until: Math.min(now_ms + lease_ms, until_max) })
    }
  }
}

/** A delegation that is pending at a time, in ms since the epoch. */
export interface PendingTime {
  id: string
  at: number
}

/** When each of them is pending: now, or when its lease ends. One that will not be pending unless something happens is left out. */
export function pendingTimes(delegations: readonly StoredDelegation[], now_ms: number): PendingTime[] {
  return delegations.flatMap((delegation) => {
    const claim = activeClaim(delegation, now_ms)
    const at = claim === null ? now_ms : claim.until
    return delegationStatusAt(delegation, at) === 'pending' ? [{ id: delegation.id, at }] : []
  })
}
