/**
 * Run slots under faults: several background tasks of one tenant over the real jobs, alarms and decisions, whose workers, jobs and processes
 * die between any two calls, while clients pause, resume, cancel, delete, step and answer.
 */
import { dueOf, needsRunSlot, TimeJob, type TaskJob, type WakeJob } from '../../src/core/protocol/alarm-times.ts'
import { ok } from '../../src/core/terms/refusal.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { ENDED_STATUSES } from '../../src/core/terms/status.ts'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import type { Model, Ports, TaskStore } from '../../src/shell/ports.ts'
import { createService } from '../../src/shell/create-service.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { refuseUnreadable } from '../../src/store/task/refuse-unreadable.ts'
import { taskAlarm, type DueJob, type TaskAlarm } from '../../src/store/task/task-alarm.ts'
import { memoryRunSlots } from '../support/memory/memory-run-slots.ts'
import { act, ALL, ask, benchOf, CALLER, closed, done, FREE, MANUAL, planned, UNBOUNDED } from '../support/scripted.ts'
import { randomOf, type Random } from './random.ts'

/** After the faults every lease is over, every lost job asked for again and every holder looked after within this time. */
const SETTLED_WITHIN_MS = 150_000
const STEPS = 400
const READS = new Set(['read', 'question', 'delegation', 'answered', 'events', 'journal', 'stored'])

export interface SlotCase {
  violations: string[]
  counts: Map<string, number>
}

/** One job or request on its Worker; some of them make several calls at once. */
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

interface SlotWorld {
  random: Random
  clock: { now: number }
  boot: { id: string; made: number }
  max: number
  rows: ReturnType<typeof memoryRunSlots>
  store: ReturnType<typeof memoryStore>
  /** When the alarm of each task goes off: stored, and so not lost with a process. */
  alarms: Map<string, number>
  objects: Map<string, TaskAlarm>
  parked: Gate[]
  ports: Ports
  faults: boolean
  ids: string[]
  violations: string[]
  count: (what: string) => void
}

export async function playSlots(seed: number): Promise<SlotCase> {
  const world = worldOf(randomOf(seed))
  const counts = new Map<string, number>()
  world.count = (what) => void counts.set(what, (counts.get(what) ?? 0) + 1)
  for (let made = world.random.between(3, 8); made > 0; made--) await client(world, 'create')
  for (let step = 0; step < STEPS; step++) await move(world)
  world.faults = false
  await settle(world)
  return { violations: world.violations, counts }
}

function worldOf(random: Random): SlotWorld {
  const clock = { now: Date.UTC(2026, 10, 21, 12, 0) }
  const boot = { id: 'boot1', made: 1 }
  const here = () => ({ now_ms: clock.now, boot: boot.id, prices: FREE, daily: UNBOUNDED })
  const rows = memoryRunSlots()
  const max = random.between(1, 3)
  const store = memoryStore(here, max, rows)
  const { ports } = benchOf({}, { store })
  const world = { random, clock, boot, max, rows, store, ports, parked: [], faults: true, ids: [] }
  const kept = {
    alarms: new Map(),
    objects: new Map(),
    violations: [],
    count: () => undefined,
  }
  return { ...world, ...kept }
}

function jobsOf({ store, clock, boot }: SlotWorld, id: string): DueJob[] | null {
  const rows = store.rows.get(JSON.stringify([CALLER.tenant, id]))
  if (rows === undefined) return []
  const found = refuseUnreadable(() => {
    const of = { tenant: CALLER.tenant, task: id }
    const due = dueOf(rows, rows.deliveries(), { now_ms: clock.now, boot: boot.id, prices: FREE, daily: UNBOUNDED })
    const timed = TimeJob.shape.kind.options.map((kind) => ({ at: due[kind], job: { kind, ...of } }))
    const drive = { kind: 'drive' as const, ...of, version: rows.last()?.seq ?? 0, asked_ms: clock.now }
    const jobs = [...timed, { at: due.drive, job: drive }]
    return ok(jobs.flatMap(({ at, job }) => (at === null || job.kind === 'retire' ? [] : [{ at, job }])))
  })
  return found.ok ? found.value : null
}

/** The object of a task as this process has it. */
function objectOf(world: SlotWorld, id: string): TaskAlarm {
  const { clock, store, alarms, boot } = world
  const rows = () => store.rows.get(JSON.stringify([CALLER.tenant, id]))
  const made = taskAlarm({
    now: () => clock.now,
    jobs: () => jobsOf(world, id),
    needsRunSlot: () => {
      const known = rows()
      return (
        known !== undefined && needsRunSlot(known, { now_ms: clock.now, boot: boot.id, prices: FREE, daily: UNBOUNDED })
      )
    },
    setAlarm: (time) => void alarms.set(id, time),
    ask: async (job) => start(world, job.kind, (ports) => runJob(ports, job)),
    isEnding: () => false,
  })
  const found = world.objects.get(id) ?? made
  world.objects.set(id, found)
  return found
}

/** An actor that stops before each call; a job may be lost before it begins. */
async function start(
  world: SlotWorld,
  name: TaskJob['kind'] | WakeJob['kind'] | 'client',
  run: (ports: Ports) => Promise<unknown>,
) {
  if (world.faults && name !== 'client' && world.random.chance(0.1)) return world.count('job lost')
  const actor = { alive: true }
  // What becomes of it is seen in what is stored.
  void run(portsOf(world, actor)).catch(() => undefined)
  await standstill()
}

/** Until nothing moves any more: between two gates only microtasks run. */
const standstill = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** Stops an actor before a call, until the call is delivered. */
function gate<T>({ parked }: SlotWorld, actor: Actor, label: string, deliver: () => T): Promise<Awaited<T>> {
  if (!actor.alive) return Promise.reject(new Error('the worker died'))
  return new Promise((resolve, reject) => {
    // The answer is the value of `deliver`, or a promise of it.
    parked.push({ actor, label, deliver, answer: (value) => resolve(value as Awaited<T>), fail: reject })
  })
}

async function kill({ parked }: SlotWorld, actor: Actor): Promise<void> {
  actor.alive = false
  const own = parked.filter((one) => one.actor === actor)
  for (const one of own) parked.splice(parked.indexOf(one), 1)
  for (const one of own) one.fail(new Error('the worker died'))
  await standstill()
}

/** What is told or asked is data with a kind. */
const kindIn = ([first]: unknown[]): string | null =>
  typeof first === 'object' && first !== null && 'kind' in first ? String(first.kind) : null

function portsOf(world: SlotWorld, actor: Actor): Ports {
  const { random, boot } = world
  const gated = <T extends object>(label: string, target: T, after: (name: string) => void): T =>
    new Proxy(target, {
      get: (found, name) => {
        const method: unknown = Reflect.get(found, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) =>
          gate(world, actor, `${label}.${kindIn(args) ?? String(name)}`, async () => {
            const answer: unknown = await Reflect.apply(method, found, args)
            after(String(name))
            return answer
          })
      },
    })
  const store: TaskStore = {
    workspace: (tenant) => gated('workspace', world.store.workspace(tenant), () => undefined),
    pool: (tenant, pool) => gated('pool', world.store.pool(tenant, pool), () => undefined),
    of(tenant, id) {
      const task = world.store.of(tenant, id)
      const alarmed = {
        ...task,
        wake: async () => objectOf(world, id).wake(),
        driveLater: async (ms: number, asked: number) => objectOf(world, id).driveLater(ms, asked),
      }
      const isAlarm = (name: string) => name === 'wake' || name === 'driveLater'
      return gated('store', alarmed, (name) => {
        if (!READS.has(name) && !isAlarm(name)) objectOf(world, id).plan()
      })
    },
  }
  const model: Model = {
    complete: (request) => gate(world, actor, 'model', () => replyTo(world, request.metadata.phase, request.form)),
  }
  return {
    ...world.ports,
    store,
    model,
    boot: () => boot.id,
    webhooks: { ...world.ports.webhooks, chance: () => random.below(100) / 100 },
  }
}

function replyTo({ random, faults }: SlotWorld, phase: string, form: 'json_schema' | 'json_object' | 'text') {
  if (faults && random.chance(0.05))
    return {
      kind: 'model_failed' as const,
      reason: 'busy',
      status: 429,
      retry_after_ms: random.pick([500, 5_000, 30_000]),
    }
  const thoughts = faults ? [act(), act(), ask(), done('a'), done('a')] : [done('a')]
  const said = phase === 'plan' ? planned('A') : phase === 'thought' ? random.pick(thoughts) : closed()
  const usage = { input_tokens: 1, output_tokens: 1 }
  return { kind: 'model_replied' as const, text: JSON.stringify(said), usage, model: 'm', form }
}

const ACTIONS = ['create', 'pause', 'resume', 'resume', 'cancel', 'delete', 'input', 'input', 'step'] as const

async function client(world: SlotWorld, action: (typeof ACTIONS)[number]): Promise<void> {
  const { random, ids } = world
  world.count(action)
  const fixed = { goal: 'g', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
  const brief = { ...fixed, settings: Settings.parse({}), drive: 'background' as const, mode: 'plan_execute' as const }
  const id = ids.length === 0 ? 'task_none' : random.pick(ids)
  await start(world, 'client', async (ports) => {
    const service = createService(ports)
    if (action === 'create') {
      const made = await service.createTask(CALLER, brief, ALL)
      if (made.ok) ids.push(made.value.task.id)
    } else if (action === 'input') await service.inputTask(CALLER, id, 'go on', null, ALL)
    else if (action === 'step') await service.stepTask(CALLER, id, ALL)
    else if (action === 'delete') await service.deleteTask(CALLER, id)
    else await service.tellTask(CALLER, id, { kind: action })
  })
}

async function deliver(world: SlotWorld, at: Gate): Promise<void> {
  const { random, parked, faults } = world
  const dies = faults && random.chance(0.02)
  if (dies && random.chance(0.5)) return kill(world, at.actor)
  parked.splice(parked.indexOf(at), 1)
  const value: unknown = await at.deliver()
  if (dies) {
    world.count(`died after ${at.label}`)
    at.fail(new Error('the worker died'))
    return kill(world, at.actor)
  }
  at.answer(value)
  await standstill()
}

/** All that is in memory is gone; what is stored, alarms included, is there. */
async function reboot(world: SlotWorld): Promise<void> {
  world.count('reboot')
  for (const actor of new Set(world.parked.map((one) => one.actor))) await kill(world, actor)
  world.objects.clear()
  world.boot.id = `boot${++world.boot.made}`
}

/** Alarms that have come, of tasks and of the workspace. */
async function ring(world: SlotWorld): Promise<boolean> {
  const { clock, alarms, random, rows } = world
  const due = [...alarms].filter(([, at]) => at <= clock.now).map(([id]) => id)
  const look = rows.nextLook()
  if (look !== null && look <= clock.now && random.chance(0.5)) {
    await start(world, 'wake', (ports) => runJob(ports, { kind: 'wake', tenant: CALLER.tenant }))
    return true
  }
  if (due.length === 0) return false
  const id = random.pick(due)
  alarms.delete(id)
  await objectOf(world, id).ring()
  return true
}

/** One thing happens: a call is answered, an alarm goes off, time passes, a client asks for something, or something dies. */
async function move(world: SlotWorld): Promise<void> {
  const { random, parked } = world
  if (random.chance(0.01)) await reboot(world)
  else if (random.chance(0.04)) await client(world, random.pick(ACTIONS))
  else if (parked.length > 0 && random.chance(0.75)) await deliver(world, random.pick(parked))
  else if (!(await ring(world))) world.clock.now += random.pick([1, 200, 2_000, 16_000])
  check(world)
}

function check({ rows, max, violations }: SlotWorld): void {
  if (rows.countHeld() > max) violations.push(`${rows.countHeld()} tasks hold ${max} slots`)
  const first = rows.firstWaiting()
  if (rows.countHeld() < max && first !== null) violations.push(`${first.task} waits while a slot is free`)
}

/** Nothing fails any more: whoever can go on is at rest or at its end soon, and then nobody holds a slot or waits for one. */
async function settle(world: SlotWorld): Promise<void> {
  const { clock, parked, random, rows, violations } = world
  for (const end = clock.now + SETTLED_WITHIN_MS; clock.now <= end && !(await isSettled(world)); check(world)) {
    if (parked.length > 0) await deliver(world, random.pick(parked))
    else if (!(await ring(world))) clock.now = Math.max(clock.now + 1, nextTime(world))
  }
  for (const status of await unsettled(world)) violations.push(`a task is still ${status}`)
  if (rows.countHeld() > 0) violations.push(`${rows.countHeld()} slots are held by tasks that rest or have ended`)
  if (rows.firstWaiting() !== null) violations.push('somebody who rests or has ended waits for a slot')
}

const nextTime = ({ alarms, rows, clock }: SlotWorld) =>
  Math.min(...alarms.values(), rows.nextLook() ?? Infinity, clock.now + SETTLED_WITHIN_MS)

const isSettled = async (world: SlotWorld) =>
  world.parked.length === 0 &&
  world.rows.countHeld() === 0 &&
  world.rows.firstWaiting() === null &&
  (await unsettled(world)).length === 0

/** Statuses of those that should go on by themselves. */
async function unsettled({ store, ids }: SlotWorld): Promise<string[]> {
  const seen = await Promise.all(ids.map((id) => store.of(CALLER.tenant, id).ask({ kind: 'view' })))
  const status = seen.flatMap((one) => (one.ok ? [one.value.status] : []))
  return status.filter((one) => !ENDED_STATUSES.has(one) && one !== 'paused' && one !== 'input_required')
}
