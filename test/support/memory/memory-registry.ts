/** A registry that says what a test wants of tenants and keys. */
import {
  NO_KEY_LIMITS,
  NO_TENANT_LIMITS,
  type KeyLimits,
  type TenantLimits,
} from '../../../src/core/registry/limits.ts'
import type { Config } from '../../../src/config.ts'
import type { LimitsInForce } from '../../../src/core/workspace/limits.ts'
import type { Registry } from '../../../src/shell/ports.ts'
import { limitsOf } from '../../../src/shell/quotas/limits-of.ts'
import { askRegistry, tellRegistry } from '../../../src/core/registry/registry.ts'
import type { RemoteRegistry } from '../../../src/core/registry/registry-requests.ts'
import type { RegistryRows } from '../../../src/core/registry/registry-rows.ts'
import { memoryRegistryRows } from './memory-registry-rows.ts'

interface Registered {
  /** By tenant. */
  tenants?: Record<string, Partial<TenantLimits> & { is_disabled?: boolean }>
  /** By the name of a key. */
  keys?: Record<string, Partial<KeyLimits>>
}

/** Without arguments nobody is registered. */
export function registryOf({ tenants = {}, keys = {} }: Registered = {}): Registry {
  const findTenant: Registry['findTenant'] = async (name) => {
    if (!Object.hasOwn(tenants, name)) return null
    const { is_disabled = false, ...limits } = tenants[name] ?? {}
    return { name, is_disabled, limits: { ...NO_TENANT_LIMITS, ...limits } }
  }
  return {
    tenantOf: findTenant,
    findTenant,
    async keyLimitsOf(name) {
      return Object.hasOwn(keys, name) ? { ...NO_KEY_LIMITS, ...keys[name] } : null
    },
  }
}

/** The limits in force for each tenant and key, under a configuration. */
export const limitsUnder =
  (config: Config, registry = registryOf()) =>
  (tenant: string, key_name: string | null): Promise<LimitsInForce> =>
    limitsOf({ ...config, registry }, tenant, key_name)

/** The registry itself, over tables in memory. */
export const memoryRegistry = (now_ms: () => number, rows: RegistryRows = memoryRegistryRows()): RemoteRegistry => ({
  tell: async (command) => tellRegistry({ rows, now_ms: now_ms() }, structuredClone(command)),
  ask: async (query) => askRegistry({ rows, now_ms: now_ms() }, structuredClone(query)),
})
