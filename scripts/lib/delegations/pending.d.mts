/** Types of pending.mjs for the tests. */
import type { DelegationClient } from '../delegations.d.mts'

export interface Delegation {
  id: string
  command_id: string
  command_type: string
  session_id: string
  deadline: string
  created_at: string
  budget: { tokens: number | null; cost_usd: string | null; seconds: number | null }
}
export function delegationOf(value: unknown): Delegation | null
export function pendingDelegations(
  client: Pick<DelegationClient, 'page'>,
): Promise<{ kind: 'done'; found: Delegation[]; nameless: number } | { kind: 'refused' | 'again' }>
