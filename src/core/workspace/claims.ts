/** Who works on a command, as its workspace keeps it: by its lease, its deadline and what its task has said. An end of a lease is no write. */
import type { DelegationStatus } from '../terms/delegation.ts'
import type { Claim } from './delegation-index.ts'
import type { DelegationEntry } from './delegation-index.ts'
import { earliest } from '../terms/values/earliest.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'

/** What became of a command. */
export type SettledStatus = Exclude<DelegationStatus, 'pending' | 'claimed'>

export interface StoredDelegation extends DelegationEntry {
  position: number
  /** `open` until somebody has said what became of it, whatever the clock says. */
  status: 'open' | SettledStatus
  /** The newest; its lease may be over. */
  claim: Claim | null
  /** When its tenant is to be told of it, ms since the epoch; null: no more, or never. */
  tell_at: number | null
  /** How often that was tried. */
  tries: number
}

export function delegationStatusAt({ status, claim, deadline }: StoredDelegation, now_ms: number): DelegationStatus {
  if (status !== 'open') return status
  if (now_ms >= deadline) return 'expired'
  return claim !== null && now_ms < claim.until ? 'claimed' : 'pending'
}

export const activeClaim = (kept: StoredDelegation, now_ms: number): Claim | null =>
  delegationStatusAt(kept, now_ms) === 'claimed' ? kept.claim : null

/** The lease that a worker gets: the one it has is renewed, to a shorter one too, and none goes beyond the deadline. */
export function grantClaim(
  kept: StoredDelegation | null,
  { worker, lease_ms }: { worker: string; lease_ms: number },
  now_ms: number,
): Result<Claim> {
  if (kept === null) return refuse({ code: 'delegation_not_found' })
  switch (delegationStatusAt(kept, now_ms)) {
    case 'reported':
      return refuse({ code: 'already_reported' })
    case 'expired':
      return refuse({ code: 'delegation_expired' })
    case 'canceled':
      return refuse({ code: 'delegation_canceled' })
    case 'claimed':
    case 'pending': {
      const held = activeClaim(kept, now_ms)
      if (held !== null && held.worker !== worker) return refuse({ code: 'delegation_claimed', ...held, now_ms })
      return ok({ worker, until: Math.min(now_ms + lease_ms, kept.deadline) })
    }
  }
}

/** When one of them is pending: by now, or when the first lease ends; null: never, if nothing else happens. */
export function firstPendingAt(all: readonly StoredDelegation[], now_ms: number): number | null {
  const times = all.map((one) => {
    const held = activeClaim(one, now_ms)
    const at = held === null ? now_ms : held.until
    return delegationStatusAt(one, at) === 'pending' ? at : Infinity
  })
  return earliest(times)
}
