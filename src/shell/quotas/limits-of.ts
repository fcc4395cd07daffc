/**
 * Finds the limits in force for a request or a job: those of the configuration, of the tenant, and of the key that made the task. The registry
 * answers from what its isolate has read at most half a minute ago, so a change is in force everywhere within a minute (LIM-02).
 */
import type { TicketLimits } from '../../core/protocol/advance.ts'
import { commonModels, listUnder, rulesWithin, type ModelRules } from '../../core/engine/model-rules.ts'
import { limitedKey } from '../../core/terms/values/limited-key.ts'
import { boundedAxes } from '../../core/workspace/daily-totals.ts'
import { limitsInForce, spendLimitsOf, type LimitsInForce } from '../../core/workspace/limits.ts'
import type { Ports } from '../ports.ts'

type LimitPorts = Pick<
  Ports,
  'registry' | 'rate_limit_per_minute' | 'max_open_tasks' | 'max_stored_bytes' | 'daily' | 'model_rules'
>

/** `key_name` is that of a caller or of the maker of a task. null: only the tenant is asked about. */
export async function limitsOf(ports: LimitPorts, tenant: string, key_name: string | null): Promise<LimitsInForce> {
  const { registry, rate_limit_per_minute, max_open_tasks, max_stored_bytes, daily, model_rules } = ports
  const configured = {
    rate_per_minute: rate_limit_per_minute,
    open_tasks: max_open_tasks,
    stored_bytes: max_stored_bytes,
    daily,
    models: listUnder(model_rules.tenants, tenant),
  }
  const name = limitedKey(key_name)
  const [found, limits] = await Promise.all([
    registry.tenantOf(tenant),
    name === null ? null : registry.keyLimitsOf(name),
  ])
  return limitsInForce(configured, found?.limits ?? null, name === null ? null : { name, limits })
}

/** The only hosts that addresses of the tenant may name. null: as the service is configured. */
export async function tenantHosts(
  registry: Pick<Ports['registry'], 'tenantOf'>,
  tenant: string,
): Promise<ReadonlySet<string> | null> {
  const hosts = (await registry.tenantOf(tenant))?.limits.hosts ?? null
  return hosts === null ? null : new Set(hosts)
}

/** The most bytes of the tenant. `is_registered`: the registry says so, and not the configuration. */
export async function bytesMaxOf(
  { registry, max_stored_bytes }: Pick<Ports, 'registry' | 'max_stored_bytes'>,
  tenant: string,
): Promise<{ bytes_max: number; is_registered: boolean }> {
  const own = (await registry.tenantOf(tenant))?.limits.stored_bytes ?? null
  return { bytes_max: own ?? max_stored_bytes, is_registered: own !== null }
}

/** What the object of a task is told of the limits. undefined: they are those of the configuration. */
export function ticketLimits(limits: LimitsInForce, rules: ModelRules): TicketLimits | undefined {
  if (!limits.is_registered && limits.key === null) return undefined
  return { key: limits.key?.name ?? null, bounded: boundedAxes(spendLimitsOf(limits)), models: modelsOf(limits, rules) }
}

/** The rules with the models of the tenant and of the key. */
export const modelRulesOf = (limits: LimitsInForce, rules: ModelRules, tenant: string): ModelRules =>
  rulesWithin(rules, tenant, modelsOf(limits, rules))

/** null: the lists of the configuration say it. */
const modelsOf = ({ tenant, key, is_registered }: LimitsInForce, rules: ModelRules): readonly string[] | null =>
  is_registered ? commonModels(rules, tenant.models, key?.models ?? null) : null
