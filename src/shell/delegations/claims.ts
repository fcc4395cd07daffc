/** A worker claims a delegation for a time, so that no other worker does the same work meanwhile. A report needs no claim. */
import * as z from 'zod'
import type { Delegation, LinkedDelegation } from '../../core/terms/delegation.ts'
import type { Claim } from '../../core/workspace/delegation-index.ts'
import { ok, refuse, type Refusal, type Result } from '../../core/terms/refusal.ts'
import type { LeaseRequest, DelegationAnswer } from './delegation-service.ts'
import { findDelegation } from './find-delegation.ts'
import { enterPending, openPool, type PoolRef } from '../pools/pools.ts'
import type { Ports } from '../ports.ts'
import { serviceCaller, type Caller } from '../caller.ts'
import { openIdleSlice, runSlice } from '../slice/slice.ts'
import { delegationWithLink } from '../links/delegation-with-links.ts'

interface Leased {
  delegation: LinkedDelegation
  claim: Claim
}

/** Claims once per key. Without a key, a worker whose answer was lost renews its own lease. */
export async function claimDelegation(
  ports: Ports,
  caller: Caller,
  id: string,
  lease: LeaseRequest,
): Promise<Result<DelegationAnswer>> {
  const { tenant, key } = caller
  const earlier_answer =
    key === null ? ok(null) : await ports.store.workspace(tenant).ask({ kind: 'recall', request: key })
  if (!earlier_answer.ok) return earlier_answer
  const replayed = earlier_answer.value !== null
  const leased = replayed
    ? await earlierLease(ports, tenant, id, earlier_answer.value)
    : await leaseTo(ports, caller, id, lease)
  if (!leased.ok) return leased
  const { delegation, claim } = leased.value
  return ok({ delegation: await delegationWithLink(ports.links, tenant, delegation, claim), replayed })
}

/** The task says whether it is still pending, and in which pool. Then its pool leases it to one worker. */
async function leaseTo(
  ports: Ports,
  caller: Caller,
  id: string,
  { worker, lease_ms }: LeaseRequest,
): Promise<Result<Leased>> {
  const { tenant, key } = caller
  const found = await findDelegation(ports, tenant, id)
  if (!found.ok) return found
  const { value: delegation } = found
  const place = { tenant, pool: delegation.pool }
  const pool = openPool(ports.store, place)
  if (delegation.status !== 'pending') {
    await pool.tell({ kind: 'settle_delegation', id, status: delegation.status })
    return refuse(SETTLED[delegation.status])
  }
  const claim = { kind: 'claim_delegation', id, worker, lease_ms } as const
  const first = await pool.tell(claim)
  const is_lost = !first.ok && LOST.has(first.refusal.code)
  // The worker that dispatched it may have died before it told the pool, or a late word of an earlier end has settled it there.
  if (is_lost) await enterPending(ports.store, place, delegation, await claimElsewhere(ports, place, id))
  const claimed = is_lost ? await pool.tell(claim) : first
  if (!claimed.ok) return claimed
  const { until } = claimed.value
  const extended = until > delegation.deadline ? await extendReport(ports, caller, delegation, until) : delegation
  if (key !== null)
    await ports.store.workspace(tenant).tell({ kind: 'keep', request: key, answer: JSON.stringify(claimed.value) })
  return ok({ delegation: extended, claim: claimed.value })
}

/** How a pool refuses a claim of what it does not hold as open. */
const LOST: ReadonlySet<Refusal['code']> = new Set([
  'delegation_not_found',
  'already_reported',
  'delegation_expired',
  'delegation_canceled',
])

/** A Worker of the release before knows no pools: it has entered and claimed every command in the default one. */
async function claimElsewhere({ store }: Ports, { tenant, pool }: PoolRef, id: string): Promise<Claim | null> {
  return pool === null ? null : store.workspace(tenant).ask({ kind: 'claim', id })
}

/** The task waits as long as the claim lasts. A task that has settled the command meanwhile says so at the next renewal or report. */
async function extendReport(
  ports: Ports,
  { tenant }: Caller,
  delegation: LinkedDelegation,
  until: number,
): Promise<LinkedDelegation> {
  const { task, seq } = delegation
  const { run, ticket } = openIdleSlice(ports, serviceCaller(tenant), task)
  const told = await ports.store.of(tenant, task).tell({ kind: 'extend_report', seq, until }, ticket)
  if (told.ok) await runSlice(run, told)
  const found = await findDelegation(ports, tenant, delegation.id)
  return found.ok ? found.value : delegation
}

/** The refusal of a claim by the status of its delegation. */
const SETTLED: Record<Exclude<Delegation['status'], 'pending'>, Refusal> = {
  reported: { code: 'already_reported' },
  expired: { code: 'delegation_expired' },
  canceled: { code: 'delegation_canceled' },
}

const KeptClaim = z.object({ worker: z.string(), until: z.number() })

/** Only the claim was kept: the rest of the answer never changes, or follows from the claim. */
async function earlierLease(ports: Ports, tenant: string, id: string, kept: string | null): Promise<Result<Leased>> {
  const claim = KeptClaim.parse(JSON.parse(kept ?? 'null'))
  const found = await findDelegation(ports, tenant, id)
  return found.ok ? ok({ delegation: { ...found.value, status: 'pending', report: null }, claim }) : found
}
