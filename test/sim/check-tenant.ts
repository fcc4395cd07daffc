/** The law of a tenant's daily limit (U16): the charges of its tasks stay within it, as long as the model keeps its cap. */
import type { ClosedRow } from '../../src/core/protocol/journal.ts'
import type { DailyLimits } from '../../src/core/workspace/daily-totals.ts'
import { demand } from './violation.ts'

/** The tenant's daily limit: the requests on each day, and the charges of all incarnations of all tasks. */
export interface Tenant {
  daily: DailyLimits
  days: Set<string>
  charged: { tokens: number; cost: number }
  /** Whether the model has ever exceeded its cap. */
  over_reserve: boolean
}

/** U16: the charges of the tenant's tasks stay within its limit for each day. */
export function checkTenant(tenant: Tenant, { head, reserved, seq, event }: ClosedRow, before: ClosedRow | null): void {
  // The spending of external workers is not from calls of the tenant.
  if (event.kind === 'report_arrived' || event.kind === 'report_expired') return
  const { charged, daily, days } = tenant
  const more = (axis: 'tokens' | 'cost') => head.budget[axis].used - (before?.head.budget[axis].used ?? 0)
  charged.tokens += more('tokens')
  charged.cost += more('cost')
  const cap = reserved === null ? 0 : reserved.input_tokens + reserved.output_tokens
  tenant.over_reserve ||= reserved !== null && (more('tokens') > cap || more('cost') > reserved.cost)
  for (const axis of ['tokens', 'cost'] as const) {
    const most = (daily[axis] ?? Infinity) * Math.max(1, days.size)
    const shown = () => `row ${seq}: ${axis} ${charged[axis]} of ${most}`
    demand(tenant.over_reserve || charged[axis] <= most, 'spend within the tenant total', shown)
  }
}
