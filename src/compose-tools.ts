/** The part of the composition root that makes the tools: those of the service, and those that clients bring. */
import { localCompute } from '#local-compute'
import type { Config } from './config.ts'
import { reachOf } from './http/gate/callback-address.ts'
import type { WebSearchBinding } from './search/cloudflare.ts'
import { createSearch } from './search/index.ts'
import { exclusiveLock } from './shell/compute-lock.ts'
import { chooseNetworks } from './shell/network/networks.ts'
import type { Clock, CodeRunner, Compute, Files, Ports, Search, TaskStore } from './shell/ports.ts'
import type { Secrets } from './shell/tool-ports.ts'
import { fits } from './store/fits.ts'
import type * as ClientToolsFile from './tools/client-tools.ts'
import type { BrowserBinding } from './tools/fetch-url/rendered-page.ts'
import type { Runners } from './tools/index.ts'
import { lazyClientTools, lazyTools } from './tools/lazy-tools.ts'

export interface ToolBindings {
  AI?: Partial<WebSearchBinding>
  /** A browser for pages that scripts make; without it they are told to be that. */
  BROWSER?: BrowserBinding
  /** The compute Worker; without it datasets are read and code is run in this isolate. */
  COMPUTE?: Fetcher
  /** A network that reaches private addresses too, for the hosts that the operator names; where it is not bound there is one network. */
  UNBOUNDED_NETWORK?: Fetcher
}

interface ToolParts {
  config: Config
  /** The only hosts that addresses of a tenant may name. null: as the service is configured. */
  hosts_of: (tenant: string) => Promise<ReadonlySet<string> | null>
  networks: { service: typeof fetch; tenants: typeof fetch }
  store: TaskStore
  files: Files
  search: Search
  secrets: Secrets
  clock: Clock
  version: string
}

export function composeTools(
  bindings: ToolBindings,
  parts: ToolParts,
): Pick<Ports, 'tools' | 'client_tools' | 'trial_tools'> {
  const { config, networks, store, files, search, secrets, clock } = parts
  const runners = { ...runnersOf(bindings, config, networks.service), web: webOf(bindings, parts) }
  const toolsWith = (filesOf: (loaded: typeof ClientToolsFile) => Files) =>
    lazyClientTools(async () => {
      const loaded = await import('./tools/client-tools.ts')
      return loaded.clientTools({
        ...reachOf(config),
        fetch: networks.tenants,
        signing: config.webhook_secrets,
        hosts_of: parts.hosts_of,
        fits,
        now_ms: clock.now_ms,
        secrets,
        files: filesOf(loaded),
        pause: () => scheduler.wait(0),
      })
    })
  return {
    tools: lazyTools(async () =>
      (await import('./tools/index.ts')).builtInTools(store, files, search, config.timezone, runners),
    ),
    client_tools: toolsWith(() => files),
    // What is tried outside of a task writes no file.
    trial_tools: toolsWith(({ FILES_OF_NO_TASK }) => FILES_OF_NO_TASK),
  }
}

/** The networks of the service and of its tenants. Hosts that the operator names are the service's own. */
export function networksOf({ UNBOUNDED_NETWORK: network }: ToolBindings, config: Config) {
  const { models, search, code_runner, login, allowed_hosts, traces } = config
  const own = [...models.endpoints.map(({ base_url }) => base_url), search.base_url, code_runner?.url ?? null].concat(
    login?.issuer ?? null,
    login?.jwks_url ?? null,
    traces.receiver?.url ?? null,
  )
  const unbounded: typeof fetch | null = network === undefined ? null : (input, init) => network.fetch(input, init)
  return chooseNetworks({ internet: (input, init) => fetch(input, init), unbounded }, { allowed_hosts, own })
}

/** The search that is configured, and what is wrong with it. */
export function chooseSearch(
  { AI }: ToolBindings,
  config: Config,
  reach: typeof fetch,
): { search: Search; errors: string[] } {
  const binding = typeof AI?.websearch === 'function' ? { websearch: AI.websearch.bind(AI) } : null
  const search = createSearch(config.search, reach, binding)
  if (!('error' in search)) return { search, errors: [] }
  const refused: Search = { name: config.search.provider, search: () => Promise.reject(new Error(search.error)) }
  return { search: refused, errors: [search.error] }
}

/** One for the isolate, which objects and requests share, whatever environments they were given. */
const gate = exclusiveLock({
  now_ms: () => Date.now(),
  wait: (ms, woken) => Promise.race([scheduler.wait(ms), ...(woken === undefined ? [] : [woken])]),
})

function runnersOf(
  env: ToolBindings,
  { code_runner, compute_wall_ms }: Config,
  reach: typeof fetch,
): Omit<Runners, 'web'> {
  const compute = env.COMPUTE === undefined ? localCompute : computeAt(env.COMPUTE, compute_wall_ms)
  return { gate, compute, python: code_runner === null ? null : pythonRunner(code_runner, reach) }
}

/** The client of the compute Worker is loaded by its first call. */
function computeAt(worker: Fetcher, wall_ms: number): Compute {
  const load = async () =>
    (await import('./compute/remote.ts')).remoteCompute({ fetch: (request) => worker.fetch(request), wall_ms })
  return {
    datasets: { report: async (job) => (await load()).datasets.report(job) },
    pages: { report: async (job) => (await load()).pages.report(job) },
    code: { run: async (job) => (await load()).code.run(job) },
  }
}

function pythonRunner(at: NonNullable<Config['code_runner']>, reach: typeof fetch): CodeRunner {
  return {
    run: async (job) =>
      (await import('./tools/run-code/remote-python.ts')).remotePythonRunner({ ...at, fetch: reach }).run(job),
  }
}

/** How pages of the web are had. A browser is asked where one is bound. */
function webOf({ BROWSER }: ToolBindings, { config, hosts_of, networks, clock, version }: ToolParts): Runners['web'] {
  const render = async (address: string, rest_ms: number) =>
    BROWSER === undefined
      ? null
      : (await import('./tools/fetch-url/rendered-page.ts')).renderedPage(BROWSER)(address, rest_ms)
  return {
    fetch: networks.tenants,
    reach: reachOf(config),
    hosts_of,
    render: BROWSER === undefined ? null : render,
    now_ms: clock.now_ms,
    user_agent: `loop-agent/${version} (fetch_url)`,
  }
}
