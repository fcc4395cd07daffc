/**
 * The composition root: Env → ports. Alone in knowing the bindings. One application per isolate, made by the first
 * request from the configuration it finds.
 */
import { version } from '../package.json'
import { configOf, type Config } from './config.ts'
import { Job, jobFailure } from './core/due.ts'
import { createApp } from './http/app.ts'
import { answer } from './http/edge.ts'
import { createSearch } from './search/index.ts'
import { hex } from './shell/hex.ts'
import { work } from './shell/jobs.ts'
import { taskFiles } from './shell/files.ts'
import { oneAtATime } from './shell/gate.ts'
import { allReadLinks } from './shell/read-link.ts'
import { signedLinks } from './shell/links.ts'
import type { Clock, CodeRunner, Model, Ports, Search, WebhookPorts } from './shell/ports.ts'
import { createService } from './shell/tasks.ts'
import { r2Blobs } from './store/blobs.ts'
import { bootId } from './store/boot.ts'
import { durableStore, durableWatch } from './store/durable-store.ts'
import { fits } from './store/fits.ts'
import { memoryRows } from './store/memory-rows.ts'
import { taskMethods } from './store/rows.ts'
import { TaskObject as StoredTaskObject } from './store/task-object.ts'
import { WorkspaceObject as StoredWorkspaceObject } from './store/workspace-object.ts'
import { httpTool } from './tools/http-tool.ts'
import { builtInTools, type CodeRunners } from './tools/index.ts'

export interface Env {
  TASKS: DurableObjectNamespace<TaskObject>
  WORKSPACES: DurableObjectNamespace<WorkspaceObject>
  ASSETS: Fetcher
  /** Without it files are texts of tools only. */
  FILES?: R2Bucket
  JOBS?: Queue<Job>
}

/** Where no queue is bound it does its jobs itself. */
export class TaskObject extends StoredTaskObject<Env> {
  protected override work(job: Job): Promise<void> {
    return work(servedBy(this.env).ports, job)
  }
}

/** The same of a tenant's. */
export class WorkspaceObject extends StoredWorkspaceObject<Env> {
  protected override work(job: Job): Promise<void> {
    return work(servedBy(this.env).ports, job)
  }
}

type Served = ReturnType<typeof compose>
const served = new WeakMap<Env, Served>()

function servedBy(env: Env): Served {
  const made = served.get(env) ?? compose(env)
  served.set(env, made)
  return made
}

export default {
  fetch(request, env, context) {
    const { app } = servedBy(env)
    const answered = answer(request, randomId, (readable) => app.fetch(readable, env, context))
    // A caller that hangs up does not stop the running effect: it is finished if it ends within 30 s (ruling 10).
    context.waitUntil(answered)
    return answered
  },
  /** A message that is no job, or whose job fails, is let go: the alarm of its task asks again. */
  async queue(batch, env) {
    const { ports } = servedBy(env)
    const jobs = batch.messages.flatMap(({ body }) => Job.safeParse(body).data ?? [])
    await Promise.all(jobs.map((job) => work(ports, job).catch((error) => console.error(jobFailure(job, error)))))
  },
} satisfies ExportedHandler<Env>

function compose(env: Env) {
  const parsed = configOf(env)
  const { search, errors } = searchOf(parsed)
  const config: Config = { ...parsed, config_errors: [...parsed.config_errors, ...errors] }
  const store = durableStore(env.TASKS, env.WORKSPACES)
  const clock = clockOf(config)
  const blobs = env.FILES === undefined ? null : r2Blobs(env.FILES)
  const keeping = { store, blobs, random_id: randomId, max_stored_bytes: config.max_stored_bytes }
  const files = taskFiles(keeping)
  const webhooks: WebhookPorts = {
    fetch: (input, init) => fetch(input, init),
    secrets: config.webhook_secrets,
    loopback: config.environment === 'development',
    chance: () => Math.random(),
  }
  const ports: Ports = {
    ...keeping,
    files,
    watch: durableWatch(env.TASKS),
    model: modelOf(config),
    tools: builtInTools(store, files, search, config.timezone, runnersOf(config)),
    remote_tool: (tool) => httpTool({ ...webhooks, fits, now_ms: clock.now_ms }, tool),
    clock,
    webhooks,
    boot: bootId,
    task_id_of: (tenant, key) => taskIdOf(config.signing_secret, tenant, key),
    links: signedLinks(config.signing_secret),
    webhook_urls: config.webhook_urls,
    timezone: config.timezone,
    max_open_tasks: config.max_open_tasks,
    max_driven_tasks: config.max_driven_tasks,
    daily: config.daily,
    prices: config.prices,
    passing: (prices) => {
      const daily = { tokens: config.daily.tokens !== null, cost: config.daily.cost !== null }
      return taskMethods(memoryRows(), () => ({ now_ms: Date.now(), boot: bootId(), prices, daily }))
    },
    default_settings: config.settings,
  }
  const service = createService(ports)
  const sleep = (ms: number) => scheduler.wait(ms)
  const links = allReadLinks(ports.links)
  const outside = { assets: env.ASSETS, now: clock.now_ms, sleep, random_id: randomId }
  const face = { config, service, version, links, ...outside }
  return { app: createApp(face), ports }
}

/** One for the isolate, which objects and requests share, whatever environments they were given. */
const gate = oneAtATime({ now_ms: () => Date.now(), wait: (ms) => scheduler.wait(ms) })

/** The interpreter, and the client of a runner, are loaded by the first code that is run. */
function runnersOf({ code_runner }: Config): CodeRunners {
  return {
    gate,
    javascript: { run: async (job) => (await import('./sandbox/runner.ts')).sandboxRunner().run(job) },
    python: code_runner === null ? null : pythonRunner(code_runner),
  }
}

function pythonRunner(at: NonNullable<Config['code_runner']>): CodeRunner {
  const reach: typeof fetch = (input, init) => fetch(input, init)
  return {
    run: async (job) => (await import('./tools/code-runner.ts')).httpRunner({ ...at, fetch: reach }).run(job),
  }
}

/** A provider is loaded by its first call: a start pays for none. */
function modelOf({ model, model_configured }: Config): Model | null {
  if (!model_configured) return null
  let loaded: Model | null = null
  return { complete: async (request, call) => (loaded ??= await load(model)).complete(request, call) }
}

async function load(model: Config['model']): Promise<Model> {
  if (model.provider === 'offline') return (await import('./models/offline/index.ts')).offlineModel()
  const { openaiModel } = await import('./models/openai.ts')
  const base_url = model.base_url ?? 'https://api.openai.com/v1'
  return openaiModel({ api_key: model.api_key ?? '', base_url, model: model.name ?? '' })
}

function searchOf(config: Config): { search: Search; errors: string[] } {
  const search = createSearch(config.search, (input, init) => fetch(input, init))
  if (!('error' in search)) return { search, errors: [] }
  const refused: Search = { name: config.search.provider, search: () => Promise.reject(new Error(search.error)) }
  return { search: refused, errors: [search.error] }
}

function clockOf({ test_clock_ms }: Config): Clock {
  return { now_ms: () => Date.now(), wall_ms: () => test_clock_ms ?? Date.now() }
}

/** 128 bits of an HMAC: unguessable without the secret, the same for the same tenant and key (ruling 6). */
async function taskIdOf(secret: string, tenant: string, key: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const signer = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', signer, new TextEncoder().encode(JSON.stringify([tenant, key])))
  return hex(new Uint8Array(signed).slice(0, 16))
}

/** 128 random bits, URL-safe. */
function randomId(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)))
}
