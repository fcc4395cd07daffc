/**
 * Shards of one tenant under faults: requests whose workers die between any two calls, over the tables and handlers of the service, while
 * the number of shards grows. The tasks themselves are the truth, as in the service: what is told of them may be late, doubled or lost.
 */
import type { RemoteTask } from '../../src/core/replay/stored-task.ts'
import { refuse } from '../../src/core/terms/refusal.ts'
import { ENDED_STATUSES, RUNNING_STATUSES, type Status } from '../../src/core/terms/status.ts'
import type { AllowanceChunk } from '../../src/core/terms/axes.ts'
import { FIRST_ROOM } from '../../src/core/workspace/stored-bytes.ts'
import { incarnationOf } from '../../src/core/workspace/incarnation.ts'
import { ADMITTED_MS_MAX } from '../../src/core/protocol/workspace-records.ts'
import { shardsOf, type ShardLayout } from '../../src/core/workspace/shards/layout.ts'
import type { RemoteWorkspace } from '../../src/core/protocol/workspace-requests.ts'
import { storeWithShards } from '../../src/shell/shards/store-with-shards.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { sqlWorkspace, type SqlWorkspace } from '../support/sql-workspace.ts'
import { noPool } from './world.ts'
import { randomOf, type Random } from './random.ts'

const TENANT = 'acme'
const NOW = Date.UTC(2026, 10, 21, 12, 0)
const DAILY = { tokens: 100, cost: null }
const ANY = { status: null, mode: null, metadata: {}, q: null, outcome: null }

export interface ShardCase {
  violations: string[]
  counts: Map<string, number>
}

/** A task as its own object knows it. */
interface Truth {
  slice: string
  status: Status
  version: number
  /** Tokens that it holds of the day. */
  held: number
  wants_slot: boolean
}
interface Actor {
  alive: boolean
}
interface Gate {
  actor: Actor
  label: string
  deliver: () => unknown
  answer: (value: unknown) => void
  fail: (error: Error) => void
}

interface ShardWorld {
  random: Random
  clock: { now: number }
  layout: ShardLayout
  open_max: number
  slots_max: number
  objects: Map<number, SqlWorkspace>
  tasks: Map<string, Truth>
  /** What workers were given of the day and have not put into a task. It counts as spent. */
  parked: Gate[]
  faults: boolean
  ids: number
  /** The newest version of any task: a task that is made again goes on with a higher one. */
  versions: number
  violations: string[]
  count: (what: string) => void
}

/** `layouts`: the numbers of shards one after the other. */
export async function playShards(seed: number, layouts: readonly ShardLayout[], steps = 250): Promise<ShardCase> {
  const random = randomOf(seed)
  const counts = new Map<string, number>()
  const world: ShardWorld = {
    random,
    clock: { now: NOW },
    layout: layouts[0] ?? { count: 1, since: 1 },
    open_max: random.pick([4, 9, 1_000]),
    slots_max: random.pick([1, 2, 5]),
    objects: new Map(),
    tasks: new Map(),
    parked: [],
    faults: true,
    ids: 0,
    versions: 0,
    violations: [],
    count: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
  }
  for (const [index, layout] of layouts.entries()) {
    world.layout = layout
    if (index > 0) world.count('growth')
    for (let step = 0; step < steps / layouts.length; step++) await move(world)
  }
  world.faults = false
  await settle(world)
  return { violations: world.violations, counts }
}

const objectOf = ({ objects, clock, slots_max }: ShardWorld, shard: number): SqlWorkspace => {
  const found =
    objects.get(shard) ??
    sqlWorkspace({ now: () => clock.now, slots_max: () => slots_max, shard: shard === 0 ? null : shard })
  objects.set(shard, found)
  return found
}

const standstill = () => new Promise<void>((resolve) => void setImmediate(resolve))

function gate<T>({ parked }: ShardWorld, actor: Actor, label: string, deliver: () => T): Promise<T> {
  if (!actor.alive) return Promise.reject(new Error('the worker died'))
  return new Promise((resolve, reject) => {
    // The answer is the value of `deliver`.
    parked.push({ actor, label, deliver, answer: (value) => resolve(value as T), fail: reject })
  })
}

/** The store of one worker: each call waits until it is delivered. */
function storeOf(world: ShardWorld, actor: Actor): TaskStore {
  const call = (shard: number, label: string, deliver: () => unknown) =>
    gate(world, actor, `${shard}.${label}`, () => {
      const answer = structuredClone(deliver())
      check(world)
      return answer
    }) as Promise<never> // what its kind is answered
  const stored: TaskStore = {
    of: (_tenant, id) =>
      ({
        ask: () =>
          gate(world, actor, 'task.ask', () =>
            world.tasks.has(id) ? { ok: true, value: null } : refuse({ code: 'task_not_found' }),
          ),
      }) as unknown as RemoteTask, // nothing else is asked of a task here
    pool: noPool,
    workspace(_tenant, shard = 0): RemoteWorkspace {
      const object = objectOf(world, shard)
      return {
        tell: (command) => call(shard, command.kind, () => object.tell(command)),
        ask: (query) => call(shard, query.kind, () => object.ask(query)),
        tellInShard: (one) => call(shard, one.command.kind, () => object.tellInShard(one)),
        awaitDelegation: () => Promise.resolve(),
      }
    },
  }
  const limits = { max_driven_tasks: world.slots_max, max_stored_bytes: 1_073_741_824 }
  const { layout } = world
  return storeWithShards(stored, { shardsOf: () => layout, ...limits }, () => world.clock.now)
}

async function start(world: ShardWorld, run: (workspace: RemoteWorkspace, store: TaskStore) => Promise<void>) {
  const actor = { alive: true }
  const store = storeOf(world, actor)
  // What becomes of it is seen in what is stored.
  void run(store.workspace(TENANT), store).catch((error: Error) => {
    if (!error.message.includes('died')) world.violations.push(`a request failed: ${error.stack}`)
  })
  await standstill()
}

async function deliver(world: ShardWorld, at: Gate): Promise<void> {
  const { random, parked, faults } = world
  const dies = faults && random.chance(0.04)
  parked.splice(parked.indexOf(at), 1)
  if (!dies || random.chance(0.5)) {
    const value = at.deliver()
    if (!dies) {
      at.answer(value)
      return standstill()
    }
  }
  world.count(`died at ${at.label.replace(/^\d+\./, '')}`)
  at.actor.alive = false
  for (const own of parked.filter(({ actor }) => actor === at.actor)) {
    parked.splice(parked.indexOf(own), 1)
    own.fail(new Error('the worker died'))
  }
  at.fail(new Error('the worker died'))
  return standstill()
}

async function move(world: ShardWorld): Promise<void> {
  const { random, parked, objects } = world
  if (parked.length > 0 && random.chance(0.8)) return deliver(world, random.pick(parked))
  if (objects.size > 0 && random.chance(0.03)) {
    world.count('restart')
    return random.pick([...objects.values()]).restart()
  }
  if (random.chance(0.1)) return void (world.clock.now += random.pick([10, 700, 5_000]))
  if (random.chance(0.15)) return wake(world, random.pick(shardsOf(world.layout)))
  return request(world)
}

const ACTIONS = [
  'create',
  'create',
  'again',
  'status',
  'status',
  'end',
  'reopen',
  'slot',
  'slot',
  'fund',
  'delete',
] as const

async function request(world: ShardWorld): Promise<void> {
  const { random, tasks } = world
  const action = random.pick(ACTIONS)
  const id = action === 'create' || tasks.size === 0 ? newId(world) : random.pick([...tasks.keys()])
  world.count(action)
  if (action === 'create' || action === 'again' || !tasks.has(id)) return create(world, id, action === 'create')
  if (action === 'status') return change(world, id, random.pick(['running', 'paused', 'input_required'] as const))
  if (action === 'end') return change(world, id, 'completed')
  if (action === 'reopen') return reopen(world, id)
  if (action === 'slot') return drive(world, id)
  return action === 'fund' ? fund(world, id) : remove(world, id)
}

const newId = (world: ShardWorld) => `task_${(++world.ids * 2_654_435_761).toString(16)}`

async function create(world: ShardWorld, id: string, is_new: boolean): Promise<void> {
  const { random, open_max, tasks } = world
  const slice = `slice${++world.ids}`
  const fresh = is_new && random.chance(0.5) ? { is_fresh: true as const } : {}
  const entry = { id, mode: 'm', status: 'running' as const, metadata: {}, goal: '', slice, ...fresh }
  const times = is_new && random.chance(0.2) && fresh.is_fresh === undefined ? 2 : 1
  for (let time = 0; time < times; time++)
    await start(world, async (workspace) => {
      const admitted = await workspace.tell({
        kind: 'admit',
        entry: { ...entry, slice: `${slice}.${time}` },
        open_max,
        daily: DAILY,
      })
      if (!admitted.ok) return world.count(`refused: ${admitted.refusal.code}`)
      if (!tasks.has(id))
        tasks.set(id, {
          slice: `${slice}.${time}`,
          status: 'running',
          version: ++world.versions,
          held: 0,
          wants_slot: false,
        })
    })
}

/** The task changes first, and the index is told. */
async function change(world: ShardWorld, id: string, status: Status): Promise<void> {
  const task = world.tasks.get(id)
  if (task === undefined || ENDED_STATUSES.has(task.status)) return
  Object.assign(task, { status, version: ++world.versions, wants_slot: false })
  await start(world, (workspace) => tellStatus(world, workspace, id))
}

async function tellStatus({ tasks }: ShardWorld, workspace: RemoteWorkspace, id: string): Promise<void> {
  const task = tasks.get(id)
  if (task === undefined) return
  const { status, version, held } = task
  const spend = ENDED_STATUSES.has(status) ? { steps: 1, tokens: 1, cost_usd: '0', seconds: 1, items: 1 } : null
  // Its object gives it back once, and what is lost on the way stays spent.
  if (!RUNNING_STATUSES.has(status)) task.held = 0
  await workspace.tell({ kind: 'set_status', id, status, version, spend })
  if (RUNNING_STATUSES.has(status) || held === 0) return
  await workspace.tell({ kind: 'give_back', refund: { day: '2026-11-21', tokens: held, cost: 0, task: id } })
}

async function reopen(world: ShardWorld, id: string): Promise<void> {
  const { open_max, tasks } = world
  if (tasks.get(id)?.status !== 'completed') return
  await start(world, async (workspace) => {
    const admitted = await workspace.tell({ kind: 'reopen', id, open_max, daily: DAILY })
    const task = tasks.get(id)
    if (!admitted.ok || task?.status !== 'completed') return
    Object.assign(task, { status: 'running', version: ++world.versions })
    await tellStatus(world, workspace, id)
  })
}

/** A task that is driven asks for a slot, and has it until it rests. */
async function drive(world: ShardWorld, id: string): Promise<void> {
  const task = world.tasks.get(id)
  if (task === undefined || !RUNNING_STATUSES.has(task.status)) return
  task.wants_slot = true
  await start(world, async (workspace) => {
    const held = await workspace.tell({ kind: 'acquire_slot', task: id, version: task.version })
    world.count(held ? 'slot held' : 'slot awaited')
  })
}

async function fund(world: ShardWorld, id: string): Promise<void> {
  const task = world.tasks.get(id)
  if (task === undefined || !RUNNING_STATUSES.has(task.status)) return
  const want = { tokens: world.random.pick([5, 40]), cost: 1, task: id }
  await start(world, async (workspace) => {
    const chunk: AllowanceChunk | null = await workspace.tell({ kind: 'reserve', want, daily: DAILY })
    world.count(chunk === null ? 'not funded' : 'funded')
    if (chunk === null) return
    if (world.tasks.get(id) === task) task.held += chunk.tokens
    else await workspace.tell({ kind: 'give_back', refund: { ...chunk, task: id } })
  })
}

async function remove(world: ShardWorld, id: string): Promise<void> {
  const { tasks } = world
  await start(world, async (workspace) => {
    const before = await workspace.tell({ kind: 'begin_removal', id })
    const task = tasks.get(id)
    if (!tasks.delete(id) || task === undefined) return
    // Another request that was admitted lately may be making the task again.
    const is_over = before !== null && Math.abs(world.clock.now - before.at) > ADMITTED_MS_MAX
    const admitted = [incarnationOf(task.slice), ...(is_over ? [before.admitted] : [])]
    if (task.held > 0)
      await workspace.tell({ kind: 'give_back', refund: { day: '2026-11-21', tokens: task.held, cost: 0, task: id } })
    await workspace.tell({ kind: 'drop', id, admitted })
  })
}

/** The job of a shard whose alarm goes off: it wakes those who hold a slot, who ask for it or give it back. */
async function wake(world: ShardWorld, shard: number): Promise<void> {
  await start(world, async (workspace, store) => {
    for (const id of await store.workspace(TENANT, shard).tell({ kind: 'take_holders_to_wake' })) {
      const task = world.tasks.get(id)
      if (task?.wants_slot === true) await workspace.tell({ kind: 'acquire_slot', task: id, version: task.version })
      else await workspace.tell({ kind: 'release_slot', task: id, version: task?.version ?? null })
    }
  })
}

const number = (object: SqlWorkspace, query: string): number => Number(object.sql.exec<{ n: number }>(query).one().n)
const OPEN = "status NOT IN ('completed', 'failed', 'canceled')"

/** All that is counted of a shard after every call, in one query. */
const COUNTED = `SELECT (SELECT count(*) FROM run_slots) AS held, (SELECT count(*) FROM tasks) AS entries,
  (SELECT count(*) FROM tasks WHERE ${OPEN}) AS open, (SELECT used FROM bytes) AS bytes,
  (SELECT coalesce(max(value), 0) FROM counters WHERE name = 'open_tasks') AS counted`
type Counted = Record<'held' | 'entries' | 'open' | 'bytes' | 'counted', number | null>

/** The tables of an object are made with it. */
const has_pockets = new WeakMap<SqlWorkspace, boolean>()
function pocketsOf(object: SqlWorkspace): number {
  const isThere =
    has_pockets.get(object) ??
    object.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'pockets'").toArray().length > 0
  has_pockets.set(object, isThere)
  return isThere ? number(object, 'SELECT coalesce(sum(tokens), 0) AS n FROM pockets') : 0
}

/** What holds after every call. */
function check({ objects, violations, slots_max, open_max, tasks }: ShardWorld): void {
  let [held, open, kept] = [0, 0, 0]
  for (const [shard, object] of objects) {
    const found = object.sql.exec<Counted>(COUNTED).one()
    held += found.held ?? 0
    open += found.open ?? 0
    kept += pocketsOf(object)
    if (found.counted !== found.open)
      violations.push(`shard ${shard} counts ${found.counted} open tasks and has ${found.open}`)
    if (found.bytes !== (found.entries ?? 0) * FIRST_ROOM)
      violations.push(`shard ${shard} counts ${found.bytes} bytes for ${found.entries} tasks`)
  }
  if (held > slots_max) violations.push(`${held} tasks hold ${slots_max} slots`)
  // A task that was entered under two layouts at once is in two shards until the older one looks at it.
  if (open > open_max) violations.push(`${open} of ${open_max} tasks are open`)
  const spent = [...tasks.values()].reduce((total, { held: own }) => total + own, kept)
  const first = objects.get(0)
  const reserved = first === undefined ? 0 : number(first, 'SELECT coalesce(sum(tokens), 0) AS n FROM spend')
  if (reserved > DAILY.tokens) violations.push(`${reserved} of ${DAILY.tokens} tokens are reserved`)
  if (spent > reserved) violations.push(`tasks and shards hold ${spent} tokens, and ${reserved} are reserved`)
}

async function finish(world: ShardWorld): Promise<void> {
  while (world.parked.length > 0) await deliver(world, world.random.pick(world.parked))
}

/** Nothing fails any more. Each shard looks at its entries, each task that has a slot comes to rest, and then the account is exact. */
async function settle(world: ShardWorld): Promise<void> {
  const { clock, tasks, violations } = world
  await finish(world)
  for (let round = 0; round < 40; round++) {
    clock.now += ADMITTED_MS_MAX + 1
    for (const shard of shardsOf(world.layout)) await wake(world, shard)
    await finish(world)
    for (const [id, task] of tasks) {
      const isHeld = [...world.objects.values()].some(
        ({ sql }) => sql.exec('SELECT 1 FROM run_slots WHERE task = ?', id).toArray().length > 0,
      )
      if (task.wants_slot && isHeld) await change(world, id, 'paused')
    }
    await finish(world)
  }
  const queued = [...world.objects.values()].flatMap(({ sql }) =>
    sql.exec<{ task: string }>('SELECT task FROM run_queue').toArray(),
  )
  for (const { task } of queued)
    if (tasks.get(task)?.wants_slot === true) violations.push(`${task} still waits for a slot`)
  const waiting = [...tasks].filter(([, { wants_slot }]) => wants_slot)
  // A task whose request died before it was in a queue asks again by itself (shell/jobs/drive.ts).
  for (const [id] of waiting) await drive(world, id)
  await finish(world)
  for (const shard of shardsOf(world.layout)) await mend(world, shard)
  await finish(world)
  await checkIndex(world)
  await checkRoom(world)
  if (violations.length === 0) check(world)
}

/** What a shard has done for each of its entries (shell/listing/mend.ts). */
async function mend(world: ShardWorld, shard: number): Promise<void> {
  const rows = objectOf(world, shard)
    .sql.exec<{ id: string; admitted: string }>('SELECT id, admitted FROM tasks')
    .toArray()
  for (const { id, admitted } of rows) {
    await start(world, async (workspace, store) => {
      await store.workspace(TENANT, shard).tell({ kind: 'drop_double', id })
      if (world.tasks.has(id)) await tellStatus(world, workspace, id)
      else await workspace.tell({ kind: 'drop', id, admitted: [admitted] })
    })
    await finish(world)
  }
}

async function checkIndex(world: ShardWorld): Promise<void> {
  const { tasks, violations } = world
  const listed: { id: string; status: string }[] = []
  await start(world, async (workspace) => {
    for (let before = 0; ;) {
      const page = await workspace.ask({ kind: 'list', filter: ANY, before, limit: 5 })
      listed.push(...page.entries.map(({ id, status }) => ({ id, status })))
      if (page.next === null) return
      before = page.next
    }
  })
  await finish(world)
  for (const [id, { status }] of tasks) {
    const found = listed.filter((one) => one.id === id)
    if (found.length !== 1) violations.push(`${id} is listed ${found.length} times`)
    else if (found[0]?.status !== status) violations.push(`${id} is ${status} and listed as ${found[0]?.status}`)
  }
  for (const { id } of listed) if (!tasks.has(id)) violations.push(`${id} is listed and there is no such task`)
  for (const [shard, object] of world.objects) {
    const queued = number(object, 'SELECT count(*) AS n FROM run_queue')
    const held = number(object, 'SELECT count(*) AS n FROM run_slots')
    const wanted = [...tasks.values()].filter(({ wants_slot }) => wants_slot).length
    if (queued + held > 0 && wanted === 0)
      violations.push(`shard ${shard} has ${held} slots and ${queued} waiting, for nobody`)
  }
}

/** Everything that is not used can be used, in whatever shard. */
async function checkRoom(world: ShardWorld): Promise<void> {
  const { tasks, open_max, violations, clock } = world
  if (open_max > 100) return
  const open = () => [...tasks.values()].filter(({ status }) => !ENDED_STATUSES.has(status)).length
  let accepted = open()
  for (let tries = 0; tries < open_max + 3; tries++) {
    clock.now += 2_000
    const id = newId(world)
    await start(world, async (workspace) => {
      const entry = { id, mode: 'm', status: 'running' as const, metadata: {}, goal: '', slice: 's' }
      const admitted = await workspace.tell({ kind: 'admit', entry, open_max, daily: { tokens: null, cost: null } })
      if (admitted.ok) accepted += 1
    })
    await finish(world)
  }
  if (accepted !== open_max) violations.push(`${accepted} tasks are open, and there is room for ${open_max}`)
}
