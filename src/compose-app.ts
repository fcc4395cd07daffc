/** Puts the HTTP application of an isolate together. */
import { has_local_compute } from '#local-compute'
import { waitUntil } from 'cloudflare:workers'
import type { Metrics } from './compose-telemetry.ts'
import type { Config } from './config.ts'
import { createApp } from './http/app.ts'
import type { Ports as HttpPorts } from './http/endpoint.ts'
import { reachOf } from './http/gate/callback-address.ts'
import { loginsOf, type Logins } from './http/gate/login/logins.ts'
import { draining } from './lifecycle/process.ts'
import { pathLinks } from './shell/links/path-links.ts'
import { allReadLinks } from './shell/links/read-links.ts'
import type { Ports } from './shell/ports.ts'
import type { ProbedBindings } from './store/probe-bindings.ts'
import { isolateLog } from './telemetry/isolate.ts'

type AppParts = Pick<
  HttpPorts,
  'config' | 'service' | 'registry' | 'admin' | 'limits_of' | 'learned' | 'assets' | 'version'
> & {
  ports: Ports
  metrics: Metrics | null
  /** What operators may ask whether it answers. */
  bindings: ProbedBindings
  /** Asks the issuer of logins. */
  fetch: typeof globalThis.fetch
}

export function composeApp({ ports, metrics, fetch, bindings, ...parts }: AppParts) {
  const { count_request, telemetry, clock, links, random_id } = ports
  return createApp({
    ...parts,
    links: allReadLinks(links),
    path_links: pathLinks(links),
    count_request,
    sleep: ports.wait,
    logins: loginsIn(parts.config, fetch, clock.now_ms),
    now: clock.now_ms,
    outlive: (work) => waitUntil(draining.during(() => work)),
    draining: draining.hasBegun,
    random_id,
    telemetry,
    has_local_compute,
    // Only operators ask it, so the first of them loads it.
    probe_bindings: async () => (await import('./store/probe-bindings.ts')).probeBindings(bindings, ports.wait),
    read_metrics: metrics?.read ?? null,
  })
}

function loginsIn(config: Config, fetch: typeof globalThis.fetch, now_ms: () => number): Logins | null {
  const { login, public_url } = config
  // The address may have a query of the operator, so only its host is told.
  const log = ({ url, reason }: Record<string, unknown>) =>
    isolateLog.write({ event: 'issuer_unreachable', host: hostOf(String(url)), reason: String(reason) })
  return login === null ? null : loginsOf(login, { fetch, reach: reachOf(config), now_ms, log, public_url })
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')
