/** The configuration as it is for one caller: with the models, the hosts and the totals that the limits of its tenant and its key leave. */
import type { Config } from '../../config.ts'
import { isMoneyBounded } from '../../core/workspace/limits.ts'
import type { Caller } from '../../shell/caller.ts'
import { modelRulesOf } from '../../shell/quotas/limits-of.ts'
import type { Ports } from '../endpoint.ts'

export interface CallerConfig extends Config {
  /** Whether a total of the tenant or of the key bounds money, so that every model needs a price. */
  is_money_bounded: boolean
  /** The only hosts that addresses of the tenant may name. null: as the service is configured. */
  tenant_hosts: ReadonlySet<string> | null
}

export async function configFor(
  { config, limits_of }: Pick<Ports, 'config' | 'limits_of'>,
  { tenant, key_name }: Pick<Caller, 'tenant' | 'key_name'>,
): Promise<CallerConfig> {
  const limits = await limits_of(tenant, key_name)
  const { hosts } = limits.tenant
  return {
    ...config,
    model_rules: modelRulesOf(limits, config.model_rules, tenant),
    is_money_bounded: isMoneyBounded(limits),
    tenant_hosts: hosts === null ? null : new Set(hosts),
  }
}
