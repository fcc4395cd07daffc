/** The answer of GET /limits, as JSON and as lines. */
import type { LimitUse } from '../../core/protocol/workspace-records.ts'
import type { LimitsView } from '../../core/shown/limits-view.ts'
import type { LimitHolder, SpendPeriod } from '../../core/terms/axes.ts'
import { dollars } from '../../core/terms/money.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import { endOf } from '../../core/workspace/daily-totals.ts'
import type { LimitsInForce } from '../../core/workspace/limits.ts'

const counted = (max: number, used: number) => ({ max, used, remaining: Math.max(0, max - used) })

export function limitsView({ tenant, key }: LimitsInForce, use: LimitUse, now_ms: number): LimitsView {
  const totalsOf = (holder: LimitHolder) => {
    const total = <T>(period: SpendPeriod, axis: 'tokens' | 'cost', shown: (amount: number) => T) => {
      const found = use.totals.find((one) => one.holder === holder && one.period === period)
      const max = found?.limits[axis] ?? null
      if (found === undefined || max === null) return null
      const { used, remaining } = counted(max, Math.max(0, found.spent[axis]))
      return {
        max: shown(max),
        used: shown(used),
        remaining: shown(remaining),
        resets_at: rfc3339(endOf(period, now_ms)),
      }
    }
    const both = <T>(axis: 'tokens' | 'cost', shown: (amount: number) => T) => ({
      day: total('day', axis, shown),
      month: total('month', axis, shown),
    })
    return { tokens: both('tokens', (amount) => amount), cost_usd: both('cost', dollars) }
  }
  return {
    as_of: rfc3339(now_ms),
    tenant: {
      rate_per_minute: tenant.rate_per_minute,
      open_tasks: counted(tenant.open_tasks, use.open_tasks),
      stored_bytes: counted(tenant.stored_bytes, use.stored_bytes),
      ...totalsOf('tenant'),
      models: listOf(tenant.models),
      hosts: listOf(tenant.hosts),
    },
    key:
      key === null
        ? null
        : {
            name: key.name,
            rate_per_minute: key.rate_per_minute,
            open_tasks: key.open_tasks === null ? null : counted(key.open_tasks, use.key_open_tasks ?? 0),
            ...totalsOf('key'),
            models: listOf(key.models),
          },
  }
}

const listOf = (names: readonly string[] | null) => (names === null ? null : [...names])

interface ShownTotal {
  max: number | string
  used: number | string
  resets_at: string
}
type ShownHolder = Pick<LimitsView['tenant'], 'tokens' | 'cost_usd' | 'models'> & {
  rate_per_minute: number | null
  open_tasks: { max: number; used: number } | null
}

/** A line for each limit: whose it is, what it is, how much of it is used. */
export function limitLines({ tenant, key }: LimitsView): string[] {
  const bytes = `tenant  stored_bytes  ${tenant.stored_bytes.used} of ${tenant.stored_bytes.max}`
  const hosts = tenant.hosts === null ? [] : [`tenant  hosts  ${tenant.hosts.join(', ')}`]
  return [...holderLines('tenant', tenant), bytes, ...hosts, ...(key === null ? [] : holderLines('key', key))]
}

function holderLines(name: LimitHolder, { rate_per_minute, open_tasks, tokens, cost_usd, models }: ShownHolder) {
  const totalLine = (what: string, total: ShownTotal | null) =>
    total === null ? [] : [`${name}  ${what}  ${total.used} of ${total.max}, until ${total.resets_at}`]
  return [
    ...(rate_per_minute === null ? [] : [`${name}  rate_per_minute  ${rate_per_minute}`]),
    ...(open_tasks === null ? [] : [`${name}  open_tasks  ${open_tasks.used} of ${open_tasks.max}`]),
    ...totalLine('tokens of the day', tokens.day),
    ...totalLine('tokens of the month', tokens.month),
    ...totalLine('cost_usd of the day', cost_usd.day),
    ...totalLine('cost_usd of the month', cost_usd.month),
    ...(models === null ? [] : [`${name}  models  ${models.join(', ')}`]),
  ]
}
