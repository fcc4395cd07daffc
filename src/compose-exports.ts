/** The part of the composition root that says how rows leave tasks. */
import type { Config } from './config.ts'
import { providerNameOf } from './prices/providers.ts'
import type { ExportPorts } from './shell/network/export-ports.ts'
import type { Ports } from './shell/ports.ts'
import { newBreaker, tenantReceivers } from './shell/exports/known-receivers.ts'

/**
 * What exports need: where spans go, and what an isolate remembers of receivers. `fetch` reaches the receiver of the service. null: no row
 * leaves its task.
 */
export function composeExports(
  config: Config,
  { store, clock, version, fetch }: Pick<Ports, 'store' | 'clock'> & Pick<ExportPorts, 'version' | 'fetch'>,
): ExportPorts | null {
  if (!config.exports_rows) return null
  const { enabled, resource, ...traces } = config.traces
  return {
    ...traces,
    usage: config.usage,
    traces: enabled,
    tenants: tenantReceivers((tenant) => store.workspace(tenant).ask({ kind: 'receiver' }), clock.now_ms),
    breaker: newBreaker(clock.now_ms),
    // Who runs the service may call its version otherwise.
    resource: { 'service.version': version, ...resource },
    version,
    fetch,
    provider_of: (name) => providerNameOf(config.models, name),
  }
}
