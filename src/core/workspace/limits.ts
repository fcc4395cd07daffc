/**
 * The limits in force for a tenant and for one of its keys. What the registry says of the tenant stands in place of the configuration. What it
 * says of a key counts beside the limits of its tenant, so the strictest bound wins (LIM-01).
 */
import { NO_KEY_LIMITS, NO_TENANT_LIMITS, type KeyLimits, type TenantLimits } from '../registry/limits.ts'
import { microDollars } from '../terms/money.ts'
import { boundedAxes, type DailyLimits, type SpendLimits } from './daily-totals.ts'

/** What the service is configured with for every tenant. `models`: the list of the tenant in TENANT_MODELS. Money is in micro-dollars. */
interface ConfiguredLimits {
  rate_per_minute: number
  open_tasks: number
  stored_bytes: number
  daily: DailyLimits
  models: readonly string[] | null
}
/** A key of the registry. `limits` null: the registry says nothing of it. */
interface NamedKey {
  name: string
  limits: KeyLimits | null
}

interface HolderLimits<Count> {
  rate_per_minute: Count
  open_tasks: Count
  daily: DailyLimits
  monthly: DailyLimits
  /** null: as the service is configured. */
  models: readonly string[] | null
}
export interface LimitsInForce {
  tenant: HolderLimits<number> & {
    stored_bytes: number
    /** The only hosts that addresses of the tenant may name. null: as the service is configured. */
    hosts: readonly string[] | null
  }
  /** null: no key of the registry is asked about. */
  key: (HolderLimits<number | null> & { name: string }) | null
  /** Whether the registry says anything of the tenant or the key. */
  is_registered: boolean
}

export function limitsInForce(
  configured: ConfiguredLimits,
  tenant: TenantLimits | null,
  key: NamedKey | null,
): LimitsInForce {
  const own = tenant ?? NO_TENANT_LIMITS
  const day = dayOfHolder(own)
  return {
    tenant: {
      rate_per_minute: own.rate_per_minute ?? configured.rate_per_minute,
      open_tasks: own.open_tasks ?? configured.open_tasks,
      stored_bytes: own.stored_bytes ?? configured.stored_bytes,
      daily: { tokens: day.tokens ?? configured.daily.tokens, cost: day.cost ?? configured.daily.cost },
      monthly: monthOfHolder(own),
      models: own.models ?? configured.models,
      hosts: own.hosts,
    },
    key: key === null ? null : keyInForce(key.name, key.limits ?? NO_KEY_LIMITS),
    is_registered: tenant !== null || (key !== null && key.limits !== null),
  }
}

const keyInForce = (name: string, limits: KeyLimits): LimitsInForce['key'] => ({
  name,
  rate_per_minute: limits.rate_per_minute,
  open_tasks: limits.open_tasks,
  daily: dayOfHolder(limits),
  monthly: monthOfHolder(limits),
  models: limits.models,
})

const moneyOf = (usd: string | null): number | null => (usd === null ? null : microDollars(usd))
const dayOfHolder = ({ tokens_per_day, cost_usd_per_day }: KeyLimits): DailyLimits => ({
  tokens: tokens_per_day,
  cost: moneyOf(cost_usd_per_day),
})
const monthOfHolder = ({ tokens_per_month, cost_usd_per_month }: KeyLimits): DailyLimits => ({
  tokens: tokens_per_month,
  cost: moneyOf(cost_usd_per_month),
})

/** The totals that bound a task of the key, or of the tenant where no key is asked about. */
export function spendLimitsOf({ tenant: { daily, monthly }, key }: LimitsInForce): SpendLimits {
  if (key === null) return { daily, monthly }
  // A key without totals is named too. What its tasks reserve is then counted for it from the start, in case it is given some.
  return { daily, monthly, key: { name: key.name, daily: key.daily, monthly: key.monthly } }
}

/** The limits of new work, as the workspace takes them. */
export function workLimitsOf(limits: LimitsInForce): SpendLimits & { open_max: number; key_open_max?: number } {
  const { tenant, key } = limits
  const own = key?.open_tasks ?? null
  return { ...spendLimitsOf(limits), open_max: tenant.open_tasks, ...(own === null ? {} : { key_open_max: own }) }
}

/** Whether a total bounds money. Every model of a task then needs a price. */
export const isMoneyBounded = (limits: LimitsInForce): boolean => boundedAxes(spendLimitsOf(limits)).cost
