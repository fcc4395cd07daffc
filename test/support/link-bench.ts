/** A task that waits for an answer, its answer link, and the HTTP API; every answer is checked against openapi.yaml. */
import { limitsUnder } from './memory/memory-registry.ts'
import { parseConfig } from '../../src/config.ts'
import type { Locale } from '../../src/core/terms/locale.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { createApp } from '../../src/http/app.ts'
import { expectContract } from './contract.ts'
import { ERRORS_ONLY } from './telemetry.ts'
import type { Telemetry } from '../../src/telemetry/telemetry.ts'
import { ALL, benchOf, CALLER, MANUAL, taken, type Bench, type Script } from './scripted.ts'
import { pathLinks } from '../../src/shell/links/path-links.ts'
import { adminService } from '../../src/shell/registry/admin-service.ts'
import { NO_DIRECTORY } from '../../src/shell/registry/directory.ts'
import { allReadLinks } from '../../src/shell/links/read-links.ts'

export const ORIGIN = 'https://agent.example'
const DEFAULTS = {
  API_KEYS: 'acme:acme-key,other:other-key',
  SIGNING_SECRET: 'a secret of tests',
  RATE_LIMIT_PER_MINUTE: '1000000',
}
export const ACME = { authorization: 'Bearer acme-key' }

/** Nobody is registered. */
const NOBODY = {
  registry: NO_DIRECTORY,
  admin: adminService({ remote: null, now_ms: () => 0, random_bytes: () => new Uint8Array() }),
}

export interface LinkBench extends Bench {
  send(method: string, path: string, body?: BodyInit | null, headers?: Record<string, string>): Promise<Response>
  /** The same without a check against openapi.yaml, for tests that send thousands of requests. */
  quick: LinkBench['send']
  /** Creates a task and runs it until it asks a question. */
  asking(more?: { settings?: Partial<Settings>; locale?: Locale; tenant?: string }): Promise<TaskView>
}

export function linkBench(
  script: Script,
  env: Record<string, unknown> = {},
  telemetry: Telemetry = ERRORS_ONLY,
): LinkBench {
  const bench = benchOf(script, { telemetry })
  const config = parseConfig({ ...DEFAULTS, ...env })
  const assets = { fetch: () => Promise.resolve(new Response(null, { status: 404 })) }
  const { service, clock, ports } = bench
  const sleep = () => Promise.reject(new Error('nothing waits here'))
  const { random_id } = ports
  const links = allReadLinks(ports.links)
  const path_links = pathLinks(ports.links)
  const { count_request } = ports
  const limits_of = limitsUnder(config)
  const quiet = { ...NOBODY, logins: null, learned: () => [], outlive: () => {}, telemetry, read_metrics: null }
  const probe_bindings = () => Promise.resolve({ bindings: [], queue: null, index_fed: null })
  const bound = { probe_bindings, has_local_compute: false }
  const outside = { ...bound, path_links, assets, links, version: '0', limits_of, count_request, ...quiet }
  const draining = () => false
  const app = createApp({ config, service, ...outside, now: () => clock.now, sleep, draining, random_id })
  const quick: LinkBench['send'] = async (method, path, body = null, headers = {}) =>
    app.request(`${ORIGIN}${path}`, { method, headers, ...(body === null ? {} : { body }) })
  return {
    ...bench,
    quick,
    async send(method, path, body, headers) {
      const response = await quick(method, path, body, headers)
      await expectContract(method, path, response)
      return response
    },
    async asking({ settings = {}, locale = 'en', tenant = CALLER.tenant } = {}) {
      const about = { goal: 'a goal', mode: 'plan_execute' as const, timezone: 'UTC', metadata: {}, locale }
      const task = { ...about, settings: Settings.parse(settings), ...MANUAL, origin: ORIGIN }
      return taken(await service.createTask({ ...CALLER, tenant }, task, ALL))
    },
  }
}

/** The path of the link of the open question. */
export function pathOf({ pending }: TaskView): string {
  const url = pending?.kind === 'question' ? pending.answer_url : null
  if (url === null || !url.startsWith(`${ORIGIN}/answers/`)) throw new Error('no link')
  return url.slice(ORIGIN.length)
}
export const tokenOf = (task: TaskView) => pathOf(task).slice('/answers/'.length)
