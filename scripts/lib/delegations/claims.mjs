/** Makes claims, and reads what an answer means for the holder. A claim ends with its lease, so it is never given back. */
import { SETTLED } from '../delegations.mjs'

/** The number of renewals during one lease, so that one lost request does not end the claim. */
const RENEWALS_PER_LEASE = 3

export function renewEvery_ms(lease_s) {
  return Math.round((lease_s * 1_000) / RENEWALS_PER_LEASE)
}

/**
 * The lease to ask for, in seconds; null: none now. A lease that goes beyond the deadline has the task wait for longer, so none goes beyond
 * `overtime_s` after the first deadline. `extended` is the present deadline. When it has passed, the answer to a claim says so.
 */
export function leaseFor({ deadline, extended = deadline }, { lease_s, overtime_s = 0 }, now_ms = Date.now()) {
  const left_s = Math.floor((Date.parse(deadline) - now_ms) / 1_000) + overtime_s
  if (Number.isNaN(left_s) || now_ms >= Date.parse(extended)) return lease_s
  return left_s < 1 ? null : Math.min(lease_s, left_s)
}

/**
 * Claims, or renews: one try. `held`; `settled`: nothing is to be done for it any more; `claimed`: somebody else has it; `refused`:
 * anything else, all three with `code` and `detail`; or `again`, as of every request.
 */
export async function claim(client, id, { worker, lease_s }) {
  const outcome = await client.claim(id, { worker, lease_s })
  if (outcome.kind === 'done') return { kind: 'held', deadline: outcome.body?.deadline }
  if (outcome.kind === 'again') return outcome
  const { code, detail } = outcome
  if (SETTLED.has(code)) return { kind: 'settled', code, detail }
  return { kind: code === 'delegation_claimed' ? 'claimed' : 'refused', code, detail }
}
