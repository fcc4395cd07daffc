/**
 * The composition root: Env → ports. Alone in knowing the bindings. One application per isolate, made by the first
 * request from the configuration it finds.
 */
import { loadModes } from './core/modes/index.ts'
import { loadCommands } from './core/workspace/commands/load-commands.ts'
import { version } from '../package.json'
import { composeApp } from './compose-app.ts'
import { composeTelemetry, type TelemetryBindings } from './compose-telemetry.ts'
import { composeRegistry } from './compose-registry.ts'
import { composeExports } from './compose-exports.ts'
import { chooseSearch, composeTools, networksOf, type ToolBindings } from './compose-tools.ts'
import { filesOf, storageOf } from './compose-storage.ts'
import { configOf, type Config } from './config.ts'
import { Job, subjectOf } from './core/protocol/alarm-times.ts'
import type { CountRequest, PermitCall } from './core/workspace/rate.ts'
import type { LimitsInForce } from './core/workspace/limits.ts'
import { reachOf } from './http/gate/callback-address.ts'
import { answerWithinLimits } from './http/gate/request-limits.ts'
import { loadDefaultPrices } from './prices/default-prices.ts'
import { drainResponse, isDrainRequest } from './lifecycle/drain-request.ts'
import { draining } from './lifecycle/process.ts'
import { runJob } from './shell/jobs/jobs.ts'
import { restoreTask, type Restorable } from './shell/listing/restore.ts'
import { taskFiles } from './shell/files/files.ts'
import { signedLinks } from './shell/links/signed-links.ts'
import { tenantSecrets } from './shell/secrets/reveal.ts'
import { secretSealing } from './shell/seal.ts'
import { loadModel, type LoadedModels } from './models/load-model.ts'
import type { Endpoint } from './models/wires/wire.ts'
import type { Clock, Ports } from './shell/ports.ts'
import { bytesMaxOf, limitsOf, tenantHosts } from './shell/quotas/limits-of.ts'
import { platformCounter, requestCounter } from './shell/quotas/request-counter.ts'
import { loadShards, storeWithShards } from './shell/shards/store-with-shards.ts'
import { storeWithRoom } from './shell/quotas/store-with-room.ts'
import { keyedTaskId, randomId } from './shell/task-ids.ts'
import { indexStatus } from './shell/listing/index-status.ts'
import { createService } from './shell/create-service.ts'
import type { Service } from './shell/service.ts'
import { bootId } from './store/boot.ts'
import { durableStore, durableWatch } from './store/durable-store.ts'
import { fits, loadValidator } from './store/fits.ts'
import type { ProbedBindings } from './store/probe-bindings.ts'
import { memoryRows } from './store/task/rows/memory-rows.ts'
import { taskMethods } from './store/task/task-methods.ts'
import { durableRegistry, RegistryObject as StoredRegistryObject } from './store/registry/registry-object.ts'
import { TaskObject as StoredTaskObject } from './store/task/task-object.ts'
import { MetricsObject as StoredMetricsObject } from './store/metrics/metrics-object.ts'
import { WorkspaceObject as StoredWorkspaceObject } from './store/workspace/workspace-object.ts'
import { errorFacts } from './telemetry/error-facts.ts'
import { setLogLevel } from './telemetry/isolate.ts'
import type { WorkspaceGauges } from './telemetry/metrics/catalogue.ts'

export interface Env extends ToolBindings, TelemetryBindings {
  TASKS: DurableObjectNamespace<TaskObject>
  WORKSPACES: DurableObjectNamespace<WorkspaceObject>
  /** Tenants and keys that operators make. Without ADMIN_KEY nothing asks it. */
  REGISTRY?: DurableObjectNamespace<RegistryObject>
  /** The console and the contract; without it their routes say so. */
  ASSETS?: Fetcher
  /** Without it files are texts of tools only. */
  FILES?: R2Bucket
  JOBS?: Queue<Job>
  /** Finds tasks for lists and searches; without it the workspace of a tenant does. */
  INDEX?: D1Database
  /** Workers AI: the default model where no other is configured. */
  AI?: NonNullable<Endpoint['binding']> & NonNullable<ToolBindings['AI']>
  /** Counts a tenant's requests in place of its workspace; its limit is that of the binding. */
  RATE_LIMITER?: RateLimit
  /** Known to the process that started the runtime, which drains it by that. */
  DRAIN_SECRET?: string
  /** The files of the objects: bound where they are within reach. */
  STORED_FILES?: Fetcher
}

/** Where no queue is bound it does its jobs itself. */
export class TaskObject extends StoredTaskObject<Env> {
  constructor(context: DurableObjectState, env: Env) {
    super(context, env)
    void context.blockConcurrencyWhile(() => load(env))
  }

  protected override work(job: Job): Promise<void> {
    return doJob(this.env, job)
  }

  protected override tellIndex({ tenant, view }: Restorable): Promise<void> {
    return indexStatus(servedBy(this.env).ports, tenant, view)
  }

  protected override restoreEntry(task: Restorable): Promise<void> {
    return restoreTask(servedBy(this.env).ports, task)
  }
}

/** The same of a tenant's. */
export class WorkspaceObject extends StoredWorkspaceObject<Env> {
  constructor(context: DurableObjectState, env: Env) {
    super(context, env)
    void context.blockConcurrencyWhile(() => load(env))
  }

  protected override work(job: Job): Promise<void> {
    return doJob(this.env, job)
  }

  protected override tellGauges(name: string, gauges: WorkspaceGauges): void {
    servedBy(this.env).metrics?.recorder.gauge(name, gauges)
  }
}

/** The one object of the metrics. */
export class MetricsObject extends StoredMetricsObject<Env> {}
/** All tenants and keys, in one object. */
export class RegistryObject extends StoredRegistryObject<Env> {}

/** What a start leaves for the first request or the first object: the modes, the slash commands, the validator of JSON Schema, and the default prices if a model has a use for them. */
const load = async (env: Env): Promise<void> => {
  const { prices, log_level, has_shards } = configOf(env)
  setLogLevel(log_level)
  await Promise.all([
    loadModes(),
    loadCommands(),
    loadValidator(),
    loadDefaultPrices(prices),
    has_shards ? loadShards() : null,
  ])
}

type LimitsOf = (tenant: string, key_name: string | null) => Promise<LimitsInForce>
type Served = ReturnType<typeof compose>
const served = new WeakMap<Env, Served>()

function servedBy(env: Env): Served {
  const made = served.get(env) ?? compose(env)
  served.set(env, made)
  return made
}

/**
 * A service that is not configured works as little as it answers: its alarms ask again. They do so for a job that fails, too, so that it is
 * reported here and nobody else hears of it.
 */
async function doJob(env: Env, job: Job): Promise<void> {
  const { ports, is_configured } = servedBy(env)
  if (!is_configured) return
  const begun_ms = Date.now()
  const delay_ms = job.due_ms === undefined ? null : begun_ms - job.due_ms
  const failure = await draining
    .during(() => runJob(ports, job))
    .then(
      () => null,
      (error: unknown) => errorFacts(error),
    )
  ports.telemetry.job({ ...subjectOf(job), duration_ms: Date.now() - begun_ms, delay_ms, failure })
}

export default {
  async fetch(request, env, context) {
    if (await isDrainRequest(request, env.DRAIN_SECRET))
      return drainResponse(draining, sleep, async () => servedBy(env).metrics?.flusher.flush())
    await load(env)
    const { app, ports } = servedBy(env)
    const { method } = request
    const onRefused = (request_id: string, status: number) =>
      ports.telemetry.request({ request_id, method, route: null, status, duration_ms: 0, code: 'invalid_url' })
    const answered = draining.during(() =>
      answerWithinLimits(request, randomId, (readable) => app.fetch(readable, env, context), onRefused),
    )
    // A caller that hangs up does not stop the running effect: it is finished if it ends within 30 s (U10).
    context.waitUntil(answered)
    return answered
  },
  /** A message that is no job, or whose job fails, is let go: the alarm of its task asks again. */
  async queue(batch, env) {
    await load(env)
    const jobs = batch.messages.flatMap(({ body }) => Job.safeParse(body).data ?? [])
    await Promise.all(jobs.map((job) => doJob(env, job)))
  },
} satisfies ExportedHandler<Env>

function compose(env: Env) {
  const parsed = configOf(env)
  const networks = networksOf(env, parsed)
  const { search, errors } = chooseSearch(env, parsed, networks.service)
  const { REGISTRY } = env
  const registered = composeRegistry(REGISTRY === undefined ? null : durableRegistry(REGISTRY), parsed, sleep)
  const config: Config = { ...parsed, config_errors: [...parsed.config_errors, ...errors, ...registered.errors] }
  const stored = durableStore(env.TASKS, env.WORKSPACES, filesOf(env))
  const { registry } = registered.ports
  const { max_stored_bytes } = config
  const hosts_of = (tenant: string) => tenantHosts(registry, tenant)
  const clock = clockOf(config)
  const store = storeWithRoom(storeWithShards(stored, config, clock.now_ms), (tenant) =>
    bytesMaxOf({ registry, max_stored_bytes }, tenant),
  )
  const keeping = { store, registry, ...storageOf(env, config, clock) }
  const count_request = counterOf(env, config, store)
  const { telemetry, metrics } = composeTelemetry(env, config)
  const model = modelOf(env, config, networks.service)
  const files = taskFiles(keeping)
  const sealing = secretSealing(config.signing_secrets)
  const secrets = tenantSecrets({ store, sealing, clock })
  const ports: Ports = {
    ...keeping,
    files,
    watch: durableWatch(env.TASKS, draining),
    model,
    ...composeTools(env, { config, hosts_of, networks, store, files, search, secrets, clock, version }),
    webhooks: {
      ...reachOf(config),
      fetch: networks.tenants,
      secrets: config.webhook_secrets,
      chance: () => Math.random(),
    },
    boot: bootId,
    wait: (ms) => scheduler.wait(ms),
    task_id_of: (tenant, key) => keyedTaskId(config.signing_secrets, store, tenant, key),
    links: signedLinks(config.signing_secrets),
    sealing,
    secrets,
    exports: composeExports(config, { store, clock, version, fetch: networks.service }),
    draining,
    ...configuredPorts(config),
    fits,
    prepare_task: scheduledTasks(config, () => ({ service, limits_of })),
    count_request,
    temporary_task: temporaryTasks(config),
    telemetry,
  }
  const limits_of: LimitsOf = (tenant, key_name) => limitsOf(ports, tenant, key_name)
  const service: Service = createService(ports)
  const asks = { assets: env.ASSETS ?? null, fetch: networks.service, learned: () => model?.learned() ?? [] }
  // The objects implement what is asked of them; the stub's own type widens `unknown` members of answers to `never`.
  const bindings = env as unknown as ProbedBindings
  const app = composeApp({
    config,
    ports,
    service,
    limits_of,
    metrics,
    version,
    bindings,
    ...registered.ports,
    ...asks,
  })
  return { app, ports, metrics, is_configured: config.config_errors.length === 0 }
}

/** What the ports take from the configuration as it is. */
const configuredPorts = (config: Config) => ({
  webhook_urls: config.webhook_urls,
  timezone: config.timezone,
  max_open_tasks: config.max_open_tasks,
  max_schedules: config.max_schedules,
  model_rules: config.model_rules,
  rate_limit_per_minute: config.rate_limit_per_minute,
  daily: config.daily,
  prices: config.prices,
  default_settings: config.settings,
})

/** The service is made of the ports, so it is asked for when the first task of a schedule is due. */
const scheduledTasks =
  (config: Config, made: () => { service: Service; limits_of: LimitsOf }): Ports['prepare_task'] =>
  async (caller, wanted) => {
    const { prepareScheduledTask } = await import('./http/resources/schedules/scheduled-task.ts')
    return prepareScheduledTask({ config, ...made() }, caller, wanted)
  }

const temporaryTasks =
  ({ daily: { tokens, cost } }: Config): Ports['temporary_task'] =>
  (prices) => {
    const daily = { tokens: tokens !== null, cost: cost !== null }
    return taskMethods(memoryRows(), () => ({ now_ms: Date.now(), boot: bootId(), prices, daily }))
  }

/** A process that is alone counts by itself; isolates beside each other take permits from the tenant's workspace. */
function counterOf(
  { RATE_LIMITER }: Env,
  { single_process, rate_limit_per_minute }: Config,
  store: Ports['store'],
): CountRequest {
  const takePermits = (tenant: string, call: PermitCall) =>
    store.workspace(tenant).tell({ kind: 'take_permits', ...call })
  const counter = requestCounter({ now_ms: Date.now, takePermits: single_process ? null : takePermits })
  return RATE_LIMITER === undefined
    ? counter
    : platformCounter(RATE_LIMITER, counter, { now_ms: Date.now, per_minute: rate_limit_per_minute })
}

const sleep = (ms: number) => scheduler.wait(ms)

function modelOf({ AI }: Env, { models, model_configured }: Config, reach: typeof fetch): LoadedModels | null {
  return model_configured ? loadModel(models, { fetch: reach, binding: AI ?? null }) : null
}

function clockOf({ test_clock_ms }: Config): Clock {
  return { now_ms: () => Date.now(), wall_ms: () => test_clock_ms ?? Date.now() }
}
