/**
 * The world of one case: stored tasks and a workspace behind gates, effects behind gates, one clock, processes with boot
 * ids. Each request gets ports of its own, so that its Worker can die; every call on a task is checked as it is made.
 */
import { fits } from '../../src/store/fits.ts'
import type { ObjectContext, Ticket } from '../../src/core/protocol/advance.ts'
import type { ReportResult, InputResult, StepResult } from '../../src/core/protocol/task-answers.ts'
import type { SentReport } from '../../src/core/terms/delegation.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import { NO_RULES } from '../../src/core/engine/model-rules.ts'
import type { PriceTable } from '../../src/core/terms/money.ts'
import { refuse, type Result } from '../../src/core/terms/refusal.ts'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import type { TaskCommand } from '../../src/core/protocol/commands.ts'
import type { QueryKind, RemoteTask, TaskMethods, TaskQuery, TaskUpkeep } from '../../src/core/replay/stored-task.ts'
import type { RemoteWorkspace, WorkspaceCommand, WorkspaceQuery } from '../../src/core/protocol/workspace-requests.ts'
import { type DailyLimits, dayOf } from '../../src/core/workspace/daily-totals.ts'
import { newDraining } from '../../src/lifecycle/draining.ts'
import { NO_TELEMETRY } from '../../src/telemetry/telemetry.ts'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { secretSealing } from '../../src/shell/seal.ts'
import { taskFiles } from '../../src/shell/files/files.ts'
import type { Blobs, Ports, TaskStore } from '../../src/shell/ports.ts'
import type { Tool } from '../../src/shell/tool-ports.ts'
import { memoryBlobs } from '../support/memory/memory-blobs.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { refuseUnreadable } from '../../src/store/task/refuse-unreadable.ts'
import { simRows } from './cached-rows.ts'
import { ENDPOINT_PRICES } from './check-endpoints.ts'
import { checked, checkedArrival, remove } from './checked.ts'
import type { Watched } from './check-rows.ts'
import { registryFor, type Tenant } from './check-tenant.ts'
import type { Coverage } from './coverage.ts'
import { modelGate, toolGate } from './effect-gates.ts'
import { fileReaders } from './file-readers.ts'
import { newOutside, outsideGates, type Outside } from './outside.ts'
import { dropKeys, keptOnce, offerRing, placeOf, toolsOf, type EffectLedger } from './effects.ts'
import type { Player } from './player.ts'
import { RESET, scheduler, type Actor, type Scheduler } from './scheduler.ts'
import { demand, noting, type Findings } from './violation.ts'
import type { Told } from './worker.ts'

export const TENANT = 'acme'
export const PRICES: PriceTable = {
  version: 'p1',
  default_model: 'm',
  models: {},
  every: null,
  endpoints: Object.fromEntries(
    Object.entries(ENDPOINT_PRICES).map(([name, rates]) => [name, { model: `the model of ${name}`, rates }]),
  ),
}

export interface World extends Findings {
  scheduler: Scheduler
  clock: { now: number }
  /** On one machine the Worker shares the process of the object and dies with it; otherwise they never share one. */
  boots: { object: string; apart: boolean }
  tasks: Map<string, Watched>
  /** The incarnations of task ids: a create after DELETE starts a new one. */
  lives: Map<string, number>
  effects: EffectLedger
  outside: Outside
  /** The deletes of tasks during a tool call: this one change may be made twice (docs/guarantees.md). */
  cut_tools: number
  seen: Coverage
  play: { model: Player; toolFails: () => boolean; tool_ms: () => number }
  store: ReturnType<typeof memoryStore>
  blobs: Blobs
  ids: number
  tenant: Tenant
  /** The actor that runs each slice. */
  holders: Map<string, Actor>
  /** The reports of workers, accepted or not. */
  told: Told[]
  /** Makes the ports of one request: in memory here, with Durable Objects in test/workerd. */
  open: (world: World, actor: Actor) => Ports
  /** Whether an error that reached a client says only that its object was lost. */
  lost: (error: unknown) => boolean
}

type Play = World['play']

export function worldOf(
  play: Play,
  apart: boolean,
  seen: Coverage,
  daily: DailyLimits = UNBOUNDED,
  registered: Partial<Pick<Tenant, 'monthly' | 'key'>> = {},
): World {
  offerRing()
  const clock = { now: Date.UTC(2026, 10, 21, 12, 0) }
  const boots = { object: 'boot1', apart }
  const bounds = { daily, monthly: UNBOUNDED, key: UNBOUNDED, ...registered }
  const tenant = { ...bounds, days: new Set<string>(), charged: { tokens: 0, cost: 0 }, over_reserve: false }
  const here = () => hereOf({ clock, boots, tenant })
  const shared = {
    tasks: new Map(),
    lives: new Map(),
    effects: new Map(),
    outside: newOutside(),
    holders: new Map(),
    told: [],
    ids: 0,
    broken: null,
    cut_tools: 0,
  }
  const store = memoryStore(here)
  const place = { open: memoryPorts, lost: (error: unknown) => error === RESET }
  const blobs = memoryBlobs()
  return { scheduler: scheduler(), clock, boots, seen, play, store, blobs, tenant, ...shared, ...place }
}
export const UNBOUNDED: DailyLimits = { tokens: null, cost: null }

export function hereOf({ clock, boots, tenant }: Pick<World, 'clock' | 'boots' | 'tenant'>): ObjectContext {
  const daily = { tokens: tenant.daily.tokens !== null, cost: tenant.daily.cost !== null }
  return { now_ms: clock.now, boot: boots.object, prices: PRICES, daily }
}
export const lifeOf = ({ lives }: World, id: string) => lives.get(id) ?? 1

/** The ports of one request, on the Worker of `actor`. */
export const portsOf = (world: World, actor: Actor): Ports => world.open(world, actor)

function memoryPorts(world: World, actor: Actor): Ports {
  const store: TaskStore = {
    of: (_tenant, id) => taskGates(world, actor, id),
    workspace: () => deskGates(world, actor),
    pool: noPool,
  }
  const tools = toolsOf(store, (tool, input, call) =>
    toolGate(world, actor, { tool, input, key: call.key }, call.timeout_ms),
  )
  const readers = fileReaders((id) => {
    const rows = world.tasks.get(id)?.rows
    return rows === undefined ? null : taskMethods(rows, () => hereOf(world))
  })
  for (const { name, run } of readers) {
    const gated: Tool['run'] = (input, call) =>
      toolGate(world, actor, { tool: name, input, key: call.key }, call.timeout_ms, () => run(input, call))
    tools.set(name, { name, run: gated })
  }
  return portsOn(world, actor, store, tools)
}

export const clockOf = ({ clock }: Pick<World, 'clock'>) => ({ now_ms: () => clock.now, wall_ms: () => clock.now })

/** No task here names a pool: test/shell/pools.test.ts ends workers between the calls to them. */
export function noPool(): never {
  throw new Error('no task names a pool')
}
/** No task here has a callback. */
const NO_FETCH = () => Promise.reject(new Error('nothing is told'))

/** The ports of every request except its store and tools. */
export function portsOn(world: World, actor: Actor, store: TaskStore, tools: Ports['tools']): Ports {
  const random_id = () => `id${String(++world.ids).padStart(6, '0')}`
  const registry = registryFor(world.tenant, TENANT)
  const keeping = {
    store,
    blobs: world.blobs,
    random_id,
    max_stored_bytes: 1_073_741_824,
    registry,
    clock: clockOf(world),
  }
  return {
    ...keeping,
    files: taskFiles(keeping),
    watch: () => Promise.reject(new Error('nobody watches here')),
    webhooks: { fetch: NO_FETCH, secrets: new Map(), loopback: false, chance: () => 0.5 },
    model: { complete: (request, call) => modelGate(world, actor, request, call) },
    tools,
    client_tools: outsideGates(world, actor),
    trial_tools: outsideGates(world, actor),
    boot: () => (world.boots.apart ? `worker of ${actor.name}` : world.boots.object),
    draining: newDraining(),
    task_id_of: (tenant, key) => Promise.resolve(`of_${tenant}_${key}`),
    links: signedLinks(['a secret of the simulation']),
    sealing: secretSealing(['a secret of the simulation']),
    exports: null,
    secrets: { reveal: () => Promise.resolve({ ok: false, error: 'no tenant here has secrets' }) },
    timezone: 'UTC',
    webhook_urls: new Map(),
    index_database: null,
    shard_count: () => 1,
    max_open_tasks: 1000,
    max_schedules: 100,
    fits,
    prepare_task: () => Promise.reject(new Error('no schedule is run here')),
    model_rules: NO_RULES,
    wait: () => Promise.resolve(),
    count_request: () => Promise.resolve(null),
    telemetry: NO_TELEMETRY,
    rate_limit_per_minute: 6_000,
    prices: PRICES,
    temporary_task: (prices) => taskMethods(memoryRows(), () => ({ ...hereOf(world), prices })),
    daily: world.tenant.daily,
    default_settings: DEFAULT_SETTINGS,
  }
}

/** Without a key, a text, a top-up, an edit or an allowance counts as new each time it is delivered. */
const ONCE = new Set(['input', 'top_up', 'edit_plan', 'fund'])

type TaskFace = RemoteTask

const FOR_FORKS: ReadonlySet<string> = new Set<QueryKind>(['forkable', 'past_rows', 'forked_files'])

function taskGates(world: World, actor: Actor, id: string): TaskFace {
  const gate = <T>(name: string, repeatable: boolean, shown: string, deliver: () => T) =>
    world.scheduler.gate({ actor, label: `store.${name}`, repeatable, shown: () => `${id}.${name}(${shown})`, deliver })
  const write = <T extends InputResult | ReportResult>(
    method: string,
    ticket: Ticket,
    run: (methods: TaskMethods) => Result<T>,
    commit: { seq: number; event: Event } | null = null,
    report: { seq: number; sent: SentReport } | null = null,
  ) => {
    world.holders.set(ticket.slice, actor)
    demand(!actor.gone || ticket.more === 'nothing', 'nothing is begun after a hang-up', () => method)
    const told = `${ticket.slice}${ticket.key === null ? '' : ` key ${ticket.key.key}`} ${ticket.more}`
    const shown = commit === null ? told : `${commit.seq}, ${commit.event.kind}, ${told}`
    const repeatable = (ticket.key !== null && method !== 'fund') || !ONCE.has(method)
    return gate(method, repeatable, shown, () =>
      checked(world, id, { method, ticket, run, commit, report }, hereOf(world)),
    )
  }
  const read = <T>(name: string, run: (methods: TaskMethods) => Result<T>) =>
    gate(name, true, '', () => refuseUnreadable(() => run(taskMethods(rowsOf(world, id), () => hereOf(world)))))
  return {
    create: (task, ticket) => write('create', ticket, (methods) => methods.create(task, ticket)),
    begin: (ticket) => write('begin', ticket, (methods) => methods.begin(ticket)),
    commit: (seq, event, ticket) =>
      write('commit', ticket, (methods) => methods.commit(seq, event, ticket), { seq, event }),
    tell: (command, ticket) => {
      const told = command as TaskCommand
      const { kind } = told
      if (kind === 'answer') return Promise.reject(new Error('nobody here holds a link'))
      const report = told.kind === 'report' ? { seq: told.seq, sent: told.sent } : null
      return write(
        kind,
        ticket,
        (methods) => methods.tell(command, ticket) as Result<InputResult>,
        null,
        report,
      ) as never // what its kind is answered
    },
    // Nobody watches here, and a call that does not count any more is fenced when it commits.
    relay: () => Promise.resolve({ open: true, watched: false }),
    ask(query) {
      const asked = query as TaskQuery
      if (FOR_FORKS.has(asked.kind)) return Promise.reject(new Error('nobody here forks'))
      if (asked.kind === 'linked_files') return Promise.reject(new Error('nobody here holds a link'))
      if (asked.kind === 'earlier_answer')
        return write(asked.kind, asked.ticket, (methods) => methods.ask(asked) as Result<StepResult>) as never // it answers a step
      return read(asked.kind, (methods) => methods.ask(query))
    },
    upkeep(call) {
      const { kind } = call as TaskUpkeep
      if (kind === 'stall') return Promise.reject(new Error('there is room here'))
      if (kind === 'end_links') return Promise.reject(new Error('nobody here holds a link'))
      if (kind === 'write_file')
        return gate(kind, true, '', () => checkedArrival(world, id, (methods) => methods.upkeep(call), hereOf(world)))
      return read(kind, (methods) => methods.upkeep(call))
    },
    fork: () => Promise.reject(new Error('nobody here forks')),
    driveLater: (ms) => gate('driveLater', true, `${ms}`, () => undefined),
    wake: () => gate('wake', true, '', () => false),
    remove: () => gate('remove', true, '', () => remove(world, id)),
    retire: () => gate('retire', true, '', () => refuse({ code: 'task_not_found' })),
  }
}

const rowsOf = (world: World, id: string) => world.tasks.get(id)?.rows ?? simRows()

/** The data for a task is deleted with its entry. */
async function forgotten(world: World, desk: RemoteWorkspace, command: WorkspaceCommand<'drop'>) {
  await desk.tell(command)
  if ((await desk.ask({ kind: 'admission', id: command.id })) === null) dropKeys(world.effects, command.id)
}

/** The commands that change something each time they are delivered. */
const ONCE_AT_DESK = new Set<WorkspaceCommand['kind']>(['reserve', 'give_back', 'remind'])

function deskGates(world: World, actor: Actor): RemoteWorkspace {
  const desk = world.store.workspace(TENANT)
  const gate = (request: WorkspaceCommand | WorkspaceQuery, repeatable: boolean, deliver: () => Promise<unknown>) => {
    const { kind, ...given } = request
    const shown = () => `${kind}(${JSON.stringify(given)})`
    const gated = world.scheduler.gate({ actor, label: `workspace.${kind}`, repeatable, shown, deliver })
    return gated as Promise<never> // what its kind is answered
  }
  return {
    tell(command) {
      const told = command as WorkspaceCommand
      const isRepeatable = !ONCE_AT_DESK.has(told.kind)
      switch (told.kind) {
        case 'reserve':
          return gate(told, isRepeatable, () => reserve(world, () => desk.tell(told)))
        case 'drop':
          return gate(told, isRepeatable, () => forgotten(world, desk, told))
        case 'run_command': {
          const life = told.key === null ? 1 : lifeOf(world, placeOf(told.key).task)
          const deliver = () => noting(world, () => keptOnce(world, life, told, () => desk.tell(told)))
          return gate(told, told.key !== null || told.request !== null, deliver)
        }
        default:
          return gate(told, isRepeatable, () => desk.tell(command))
      }
    },
    ask: (query) => gate(query as WorkspaceQuery, true, () => desk.ask(query)),
    tellInShard: () => Promise.reject(new Error('this tenant has one shard')),
    awaitDelegation: () => Promise.reject(new Error('nobody here waits for work')),
  }
}

export function reserve<T>({ tenant, clock }: World, ask: () => T): T {
  tenant.days.add(dayOf(clock.now))
  return ask()
}
