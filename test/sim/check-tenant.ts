/** The law of what a tenant and its key may spend (U16, LIM-04): the charges of its tasks stay within it, as long as the model keeps its cap. */
import type { ClosedRow } from '../../src/core/protocol/journal.ts'
import { monthOf, type DailyLimits } from '../../src/core/workspace/daily-totals.ts'
import { registryOf } from '../support/memory/memory-registry.ts'
import { demand } from './violation.ts'

/** What bounds the tenant, the days of its requests, and the charges of all incarnations of all tasks. */
export interface Tenant {
  daily: DailyLimits
  /** What the registry says of the tenant's month, and of each day of the key that makes all tasks. */
  monthly: DailyLimits
  key: DailyLimits
  days: Set<string>
  charged: { tokens: number; cost: number }
  /** Whether the model has ever exceeded its cap. */
  over_reserve: boolean
}

/** The key that makes all tasks, where it has limits. */
const KEY_NAME = 'key_simulated'
const isBounded = ({ tokens, cost }: DailyLimits): boolean => tokens !== null || cost !== null
export const keyNameIn = ({ key }: Pick<Tenant, 'key'>): string | null => (isBounded(key) ? KEY_NAME : null)

const usd = (micro: number | null): string | null => (micro === null ? null : (micro / 1_000_000).toFixed(6))

/** The registry that says so. */
export const registryFor = ({ monthly, key }: Pick<Tenant, 'monthly' | 'key'>, name: string) =>
  registryOf({
    tenants: isBounded(monthly)
      ? { [name]: { tokens_per_month: monthly.tokens, cost_usd_per_month: usd(monthly.cost) } }
      : {},
    keys: isBounded(key) ? { [KEY_NAME]: { tokens_per_day: key.tokens, cost_usd_per_day: usd(key.cost) } } : {},
  })

/** U16, LIM-04: the charges of the tenant's tasks stay within its limits for each day and month, and within those of their key. */
export function checkTenant(tenant: Tenant, { head, reserved, seq, event }: ClosedRow, before: ClosedRow | null): void {
  // The spending of external workers is not from calls of the tenant.
  if (event.kind === 'report_arrived' || event.kind === 'report_expired') return
  const { charged, daily, monthly, key, days } = tenant
  const more = (axis: 'tokens' | 'cost') => head.budget[axis].used - (before?.head.budget[axis].used ?? 0)
  charged.tokens += more('tokens')
  charged.cost += more('cost')
  const cap = reserved === null ? 0 : reserved.input_tokens + reserved.output_tokens
  tenant.over_reserve ||= reserved !== null && (more('tokens') > cap || more('cost') > reserved.cost)
  for (const axis of ['tokens', 'cost'] as const) {
    const months = new Set([...days].map(monthOf))
    const most = Math.min(
      (daily[axis] ?? Infinity) * Math.max(1, days.size),
      (key[axis] ?? Infinity) * Math.max(1, days.size),
      (monthly[axis] ?? Infinity) * Math.max(1, months.size),
    )
    const shown = () => `row ${seq}: ${axis} ${charged[axis]} of ${most}`
    demand(tenant.over_reserve || charged[axis] <= most, 'spend within the tenant total', shown)
  }
}
