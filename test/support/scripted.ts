/** A service over memory with a scripted model and scripted tools, and readings of what a task did; a dry script and leftovers both fail the test. */
import { fits } from '../../src/store/fits.ts'
import { expect } from 'vitest'
import { SCHEMA_VERSION } from '../../src/core/terms/head.ts'
import type { ClientTool } from '../../src/core/terms/tools/client-tools.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import { PlanExecuteState } from '../../src/core/modes/plan-execute/state.ts'
import type { PriceTable } from '../../src/core/terms/money.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { NO_RULES } from '../../src/core/engine/model-rules.ts'
import { Settings, type ModelPhase } from '../../src/core/terms/settings.ts'
import { BUILT_IN_TOOLS } from '../../src/core/mode/tools.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import { newDraining } from '../../src/lifecycle/draining.ts'
import type { Blobs, Files, Model, ModelRequest, Ports, TaskStore } from '../../src/shell/ports.ts'
import type { ClientTools, Tool } from '../../src/shell/tool-ports.ts'
import type { Service } from '../../src/shell/service.ts'
import { serviceCaller, type Bounds, type Caller, type NewTask } from '../../src/shell/caller.ts'
import { freeLock } from '../../src/shell/compute-lock.ts'
import { taskFiles } from '../../src/shell/files/files.ts'
import { NO_TELEMETRY } from '../../src/telemetry/telemetry.ts'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { tenantSecrets } from '../../src/shell/secrets/reveal.ts'
import { secretSealing } from '../../src/shell/seal.ts'
import { requestCounter } from '../../src/shell/quotas/request-counter.ts'
import { createService } from '../../src/shell/create-service.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { memoryStore } from './memory/memory-store.ts'
import { registryOf } from './memory/memory-registry.ts'
import { memoryBlobs } from './memory/memory-blobs.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { delegate } from '../../src/tools/delegate.ts'
import { builtInTools } from '../../src/tools/index.ts'

type Said = string | object | Error
/** A reply that is a promise is awaited: what is told meanwhile comes behind the call. */
export type Line = Said | ((request: ModelRequest) => Said | Promise<string>)

/** The replies by phase, in order: an object is sent as JSON, and an Error is a failed call. */
export type Script = Partial<Record<ModelPhase, Line[]>> & {
  tools?: { ok: boolean; text?: string; code?: string }[]
  /** Each result that is not scripted has its number, so that no two actions bring the same. */
  numbered_results?: true
}
/** A reply that calls tools natively, each with its arguments. */
export interface Calling {
  said: string
  calls: { id: string; name: string; arguments: string }[]
}
/** A reply that the endpoint has cut. */
export const cutReply = (said: string | object) => ({ cut: typeof said === 'string' ? said : JSON.stringify(said) })
/** A reply that the endpoint has cut while the model still thought. */
export const thoughtAway = (thought_tokens: number) => ({ cut: '', thought_tokens })

/** `calls(text, ['todo', {command: '/todo list'}])`: ids are `call_1`, `call_2`, …; arguments that are no object go out as they are. */
export const calling = (said: string, ...wanted: [name: string, args: object | string][]): Calling => ({
  said,
  calls: wanted.map(([name, args], index) => ({
    id: `call_${index + 1}`,
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  })),
})
/** For tests that run no code. */
export const NO_RUNNERS = {
  compute: {
    datasets: { report: () => Promise.reject(new Error('no dataset is read here')) },
    pages: { report: () => Promise.reject(new Error('no page is read here')) },
    code: { run: () => Promise.reject(new Error('no code is run here')) },
  },
  gate: freeLock,
  python: null,
  web: {
    fetch: () => Promise.reject(new Error('nothing is fetched here')),
    reach: { loopback: false },
    hosts_of: () => Promise.resolve(null),
    render: null,
    now_ms: () => 0,
    user_agent: 'loop-agent/0 (fetch_url)',
  },
}
/** A tenant without daily limits. */
export const NO_TOTAL = { tokens: null, cost: null }
export const UNBOUNDED = { tokens: false, cost: false }
export const CALLER: Caller = { ...serviceCaller('acme'), key_name: 'env_acme' }
/** A task that only requests advance, and that has no callback. */
export const MANUAL = {
  code_language: 'javascript' as const,
  made_in: SCHEMA_VERSION,
  drive: 'manual' as const,
  callback_url: null,
  origin: '',
  idle_ttl_s: 2_592_000,
  tools: [] as ClientTool[], // those of the mode only
  fallbacks: {} as Record<string, string[]>,
}

/** Models without a price. */
export const FREE: PriceTable = {
  version: 'free',
  default_model: 'scripted',
  models: {},
  every: { input: 0, output: 0 },
}
export const ONE: Bounds = { rounds: 1, max_ms: 25_000 }
export const NONE: Bounds = { rounds: 0, max_ms: 25_000 }
export const ALL: Bounds = { rounds: 50, max_ms: 25_000 }

export const act = (input = '/todo add milk', tool = 'todo') => ({
  status: 'continue',
  current_step: 'act',
  next_action: { tool, input },
  question: null,
  response: null,
})
export const ask = (question = 'When?') => ({
  status: 'ask_user',
  current_step: 'ask',
  next_action: null,
  question,
  response: null,
})
export const done = (response: string | null = null) => ({
  status: 'done',
  current_step: 'done',
  next_action: null,
  question: null,
  response,
})
export const planned = (...plan: string[]) => ({ status: 'planned', plan })
export const replanned = (...plan: string[]) => ({ status: 'replanned', plan, response: null })
export const closed = (response = 'the answer') => ({ status: 'done', plan: [], response })

/** The tools of clients by one function. Nothing is listed, and no call is held. */
export const clientToolsOf = (toolFor: (tool: ClientTool) => Tool): ClientTools => ({
  run: (tool, _sources, input, call) => toolFor(tool).run(input, call),
  list: () => Promise.reject(new Error('no source is listed here')),
  abandon: () => Promise.reject(new Error('no call is held here')),
})

export interface Bench {
  service: Service
  requests: ModelRequest[]
  calls: { tool: string; input: string; key: string }[]
  clock: { now: number }
  store: ReturnType<typeof memoryStore>
  ports: Ports
  /** Fails when the script still has replies. */
  spent(): void
}

const NO_FETCH = () => Promise.reject(new Error('no network in tests'))

/** `overrides` replaces the store or the tools in memory by real ones. */
export function benchOf(script: Script, overrides: Partial<Ports> = {}, prices: PriceTable = FREE): Bench {
  const requests: ModelRequest[] = []
  const calls: Bench['calls'] = []
  const clock = { now: Date.UTC(2026, 10, 21, 12, 0) }
  const left = copyOf(script)
  const { tokens = null, cost = null } = overrides.daily ?? {}
  const bounded = { tokens: tokens !== null, cost: cost !== null }
  const { model_rules = NO_RULES } = overrides
  const store = memoryStore(() => ({ now_ms: clock.now, boot: 'boot', prices, daily: bounded, model_rules }))
  const real = delegate(overrides.store ?? store)
  const tool = (name: string): Tool => ({
    name,
    run: (input, call) => {
      calls.push({ tool: name, input, key: call.key })
      // The real delegate tool runs here, because the workspace has to know each command of its tasks.
      if (left.tools.length === 0 && name === real.name) return real.run(input, call)
      const scripted = left.tools.shift() ?? { ok: true }
      return Promise.resolve({
        ok: scripted.ok,
        text:
          scripted.text ??
          `${name} ${scripted.ok ? 'done' : 'failed'}${script.numbered_results ? ` ${calls.length}` : ''}`,
        code: scripted.code ?? 'scripted',
      })
    },
  })
  let ids = 0
  const random_id = () => `id${String(++ids).padStart(20, '0')}`
  const kept = {
    store: overrides.store ?? store,
    blobs: overrides.blobs === undefined ? memoryBlobs() : overrides.blobs,
  }
  const time = { now_ms: () => clock.now, wall_ms: () => clock.now }
  const keeping = {
    ...kept,
    random_id,
    clock: overrides.clock ?? time,
    registry: overrides.registry ?? registryOf(),
    max_stored_bytes: overrides.max_stored_bytes ?? 1_073_741_824,
  }
  const sealing = secretSealing(['a secret of tests'])
  const ports: Ports = {
    ...keeping,
    files: taskFiles(keeping),
    watch: () => Promise.reject(new Error('nobody watches in memory')),
    webhooks: { fetch: NO_FETCH, secrets: new Map(), loopback: false, chance: () => 0.5 },
    model: scriptedModel(left.lines, requests),
    tools: new Map(BUILT_IN_TOOLS.map(({ name }) => [name, tool(name)])),
    client_tools: clientToolsOf(({ name }) => tool(name)),
    trial_tools: clientToolsOf(({ name }) => tool(name)),
    boot: () => 'boot',
    wait: () => new Promise((resolve) => setImmediate(resolve)),
    draining: newDraining(),
    task_id_of: (tenant, key) => Promise.resolve(`of-${tenant}-${key}`),
    links: signedLinks(['a secret of tests']),
    sealing,
    exports: null,
    secrets: tenantSecrets({ store: keeping.store, sealing, clock: keeping.clock }),
    timezone: 'UTC',
    webhook_urls: new Map(),
    index_database: null,
    shard_count: () => 1,
    max_open_tasks: 1000,
    max_schedules: 100,
    fits,
    prepare_task: () => Promise.reject(new Error('no schedule is run here')),
    model_rules,
    count_request: requestCounter({ now_ms: () => clock.now, takePermits: null }),
    telemetry: NO_TELEMETRY,
    rate_limit_per_minute: 1_000_000,
    daily: { tokens: null, cost: null },
    prices,
    temporary_task: (table) =>
      taskMethods(memoryRows(), () => ({ now_ms: clock.now, boot: 'boot', prices: table, daily: bounded })),
    default_settings: Settings.parse({}),
    ...overrides,
  }
  const spent = () => expect([...left.lines.values(), left.tools].flat()).toEqual([])
  return { service: createService(ports), requests, calls, clock, store, ports, spent }
}

const REAL_TIME = { now_ms: () => Date.now(), wall_ms: () => Date.now() }

/** The files of a store, with blobs in memory. */
export const filesOver = (store: TaskStore, blobs: Blobs = memoryBlobs()): Files =>
  taskFiles({
    store,
    blobs,
    random_id: () => crypto.randomUUID(),
    max_stored_bytes: 1_073_741_824,
    registry: registryOf(),
    clock: REAL_TIME,
  })

/** A bench whose tools act in its own workspace. */
export function realBench(script: Script): Bench {
  const search = { name: 'none', search: () => Promise.reject(new Error('no network in tests')) }
  const store = memoryStore(() => ({
    now_ms: Date.UTC(2026, 10, 21, 12, 0),
    boot: 'boot',
    prices: FREE,
    daily: UNBOUNDED,
  }))
  return benchOf(script, { store, tools: builtInTools(store, filesOver(store), search, 'UTC', NO_RUNNERS) })
}

function copyOf({ tools = [], ...script }: Script) {
  const replies = { ...script, numbered_results: [] }
  const lines = new Map<string, Line[]>(Object.entries(replies).map(([phase, said]) => [phase, [...said]]))
  return { lines, tools: [...tools] }
}

function scriptedModel(left: ReadonlyMap<string, Line[]>, requests: ModelRequest[]): Model {
  return {
    complete(request) {
      requests.push(request)
      const { phase } = request.metadata
      const line = left.get(phase)?.shift()
      if (line === undefined) throw new Error(`the script has no more replies for ${phase}`)
      const said = typeof line === 'function' ? line(request) : line
      return said instanceof Promise
        ? said.then((text: string) => eventOf(text, request))
        : Promise.resolve(eventOf(said, request))
    },
  }
}

export function eventOf(
  said: string | object | Error,
  request: ModelRequest,
): Extract<Event, { kind: 'model_replied' | 'model_failed' }> {
  if (said instanceof Error) return { kind: 'model_failed', reason: said.message, status: 500, retry_after_ms: null }
  const text = isCalling(said)
    ? said.said
    : isCut(said)
      ? said.cut
      : typeof said === 'string'
        ? said
        : JSON.stringify(said)
  return {
    kind: 'model_replied',
    text,
    ...(isCalling(said) ? { tool_calls: said.calls } : {}),
    ...(isCut(said) ? { finish: 'length' as const } : {}),
    usage: isThoughtAway(said)
      ? { input_tokens: 10, output_tokens: said.thought_tokens, reasoning_tokens: said.thought_tokens }
      : { input_tokens: 10, output_tokens: 5 },
    model: 'scripted',
    form: request.form,
  }
}

const isCut = (said: string | object): said is ReturnType<typeof cutReply> => typeof said === 'object' && 'cut' in said
const isThoughtAway = (said: string | object): said is ReturnType<typeof thoughtAway> =>
  typeof said === 'object' && 'thought_tokens' in said
const isCalling = (said: string | object): said is Calling => typeof said === 'object' && 'calls' in said

/** Creates a task; only plans it unless bounds say more. */
export async function createTask(
  bench: Bench,
  settings: Partial<Settings> = {},
  bounds: Bounds = NONE,
  more: Partial<
    Pick<
      NewTask,
      | 'goal'
      | 'instructions'
      | 'output_schema'
      | 'mode'
      | 'locale'
      | 'metadata'
      | 'tools'
      | 'sources'
      | 'code_language'
      | 'fallbacks'
    >
  > & {
    caller?: Caller
  } = {},
): Promise<TaskView> {
  const { goal = 'a goal', mode = 'plan_execute', locale = 'en', caller = CALLER, metadata = {}, tools = [] } = more
  const { fallbacks = {} } = more
  const task = {
    goal,
    mode,
    settings: Settings.parse({ ...modeOf(mode).presets, ...settings }),
    locale,
    timezone: 'UTC',
    metadata,
    ...MANUAL,
    tools,
    ...(more.sources === undefined ? {} : { sources: more.sources }),
    ...(more.instructions === undefined ? {} : { instructions: more.instructions }),
    ...(more.output_schema === undefined ? {} : { output_schema: more.output_schema }),
    code_language: more.code_language ?? 'javascript',
    fallbacks,
  }
  return taken(await bench.service.createTask(caller, task, bounds))
}
/** A patient client: after a failed call it waits as long as the answer asked for. */
async function waitOut(bench: Bench, caller: Caller, id: string): Promise<void> {
  const seen = await bench.service.getTask(caller, id)
  if (seen.ok) bench.clock.now += seen.value.task.retry_after_ms ?? 0
}
export async function step(bench: Bench, id: string, bounds: Bounds = ONE, caller: Caller = CALLER): Promise<TaskView> {
  await waitOut(bench, caller, id)
  return taken(await bench.service.stepTask(caller, id, bounds))
}
export async function say(bench: Bench, id: string, input: string, bounds: Bounds = ONE): Promise<TaskView> {
  await waitOut(bench, CALLER, id)
  return taken(await bench.service.inputTask(CALLER, id, input, null, bounds))
}

type Answer = Awaited<ReturnType<Service['getTask']>>
export function taken(answer: Answer): TaskView {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer.refusal)}`)
  return answer.value.task
}

export const phases = (bench: Bench) => bench.requests.map((request) => request.metadata.phase)
export const context = (request: ModelRequest | undefined) => JSON.parse(request?.messages[1]?.content ?? '{}')
export const titles = (task: TaskView) => task.plan.items.map((item) => item.title)
export const types = (task: TaskView) => task.slice?.events.map((event) => event.type) ?? []

/** Every closed row of a task, with the state after it. */
export function rowsOf(bench: Bench, id: string) {
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  return Array.from({ length: rows?.records.size ?? 0 }, (_, index) => {
    const row = rows?.closed(index + 1)
    if (row === null || row === undefined) throw new Error(`row ${index + 1} is not closed`)
    return {
      event: row.event,
      phase: row.effect?.phase ?? null,
      head: row.head,
      state: PlanExecuteState.parse(row.head.state),
    }
  })
}

export async function journalOf(bench: Bench, id: string) {
  const page = await bench.service.listJournal(CALLER, id, { after: 0, limit: 100 })
  if (!page.ok) throw new Error('no journal')
  return page.value.data
}

/** A task with nearly every kind of event: failed and successful tools, broken replies, a question, old and new lists. */
export const MANY: Script = {
  plan: [planned('A', 'B')],
  thought: [act(), 'broken', done('a'), ask(), act(), done()],
  replan: ['broken', replanned('B'), replanned('B'), closed()],
  tools: [{ ok: false }, { ok: true }],
}
export async function playMany() {
  const bench = benchOf(MANY)
  const waiting = await createTask(bench, {}, ALL)
  const task = await say(bench, waiting.id, 'tomorrow', ALL)
  bench.spent()
  return { bench, task, waiting }
}
