/** Claims: making one, and what an answer means for who has it. A claim ends by its lease; there is nothing to give back. */
import { SETTLED } from '../delegations.mjs'

/** A claim is renewed this often in the time of its lease, so that one lost request does not end it. */
const RENEWALS_PER_LEASE = 3

export function renewEvery_ms(lease_s) {
  return Math.round((lease_s * 1_000) / RENEWALS_PER_LEASE)
}

/**
 * Claims, or renews: one try. `held`; `settled`: nothing is to be done for it any more; `claimed`: somebody else has it; `refused`:
 * anything else, all three with `code` and `detail`; or `again`, as of every request.
 */
export async function claim(client, id, { worker, lease_s }) {
  const outcome = await client.claim(id, { worker, lease_s })
  if (outcome.kind === 'done') return { kind: 'held' }
  if (outcome.kind === 'again') return outcome
  const { code, detail } = outcome
  if (SETTLED.has(code)) return { kind: 'settled', code, detail }
  return { kind: code === 'delegation_claimed' ? 'claimed' : 'refused', code, detail }
}
