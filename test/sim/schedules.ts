/**
 * Schedules under faults: the real jobs and decisions over rows in memory. Jobs die before or after any of their calls, run beside each other,
 * and the clock jumps, while clients pause, resume, put and run schedules, and tasks end.
 */
import { Settings } from '../../src/core/terms/settings.ts'
import { ENDED_STATUSES } from '../../src/core/terms/status.ts'
import type { Run, SchedulePlan, StoredSchedule } from '../../src/core/workspace/schedules/schedule.ts'
import { createService } from '../../src/shell/create-service.ts'
import type { Ports, TaskStore } from '../../src/shell/ports.ts'
import { runSchedules } from '../../src/shell/schedules/run-schedules.ts'
import { ticksOf } from '../../src/shell/schedules/ticks-of.ts'
import type { PrepareTask } from '../../src/shell/scheduled-tasks.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { benchOf, CALLER, FREE, MANUAL, UNBOUNDED } from '../support/scripted.ts'
import { randomOf, type Random } from './random.ts'

const STEPS = 120
const MINUTE = 60_000
const HOUR = 60 * MINUTE

export interface ScheduleCase {
  violations: string[]
  counts: Map<string, number>
}
interface World {
  random: Random
  clock: { now: number }
  store: ReturnType<typeof memoryStore>
  ports: Ports
  count: (what: string) => void
  counts: Map<string, number>
  violations: string[]
  /** Every run that was ever seen, by schedule and seq, as it was seen last. */
  seen: Map<string, Map<number, Run>>
  /** The first tick of each schedule, which nothing may lose. */
  first: Map<string, number>
  latest: number
  /** Tasks whose DELETE was answered. */
  deleted: Set<string>
}

class Death extends Error {}

export async function playSchedules(seed: number): Promise<ScheduleCase> {
  const world = worldOf(randomOf(seed))
  const { random } = world
  for (let made = random.between(1, 3); made > 0; made--) await put(world, `schedule_${made}`)
  for (let step = 0; step < STEPS; step++) {
    await move(world)
    await look(world)
  }
  // Nothing dies any more: all that is due is worked off.
  for (let again = 0; again < 3; again++) await job(world, world.ports)
  await look(world)
  await checkTicks(world)
  return { violations: world.violations, counts: world.counts }
}

function worldOf(random: Random): World {
  const clock = { now: Date.UTC(2026, 9, 24, 22, random.below(60)) + 7 }
  const store = memoryStore(() => ({ now_ms: clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED }))
  const counts = new Map<string, number>()
  const { ports } = benchOf(
    {},
    {
      store,
      prepare_task,
      clock: { now_ms: () => clock.now, wall_ms: () => clock.now },
      task_id_of: (_tenant, key) => Promise.resolve(key.replaceAll(' ', '_')),
    },
  )
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)
  return {
    random,
    clock,
    store,
    ports,
    count,
    counts,
    violations: [],
    seen: new Map(),
    first: new Map(),
    latest: clock.now,
    deleted: new Set(),
  }
}

const prepare_task: PrepareTask = async (_caller, { body }) => {
  const { goal, metadata } = body
  if (goal === 'refuse') return { ok: false, refusal: { code: 'llm_not_configured' } }
  return {
    ok: true,
    task: {
      goal: String(goal),
      mode: 'plan_execute',
      settings: Settings.parse({}),
      locale: 'en',
      timezone: 'UTC',
      // The template has made them texts.
      metadata: metadata as Record<string, string>,
      ...MANUAL,
      drive: 'background',
    },
  }
}

async function put({ random, ports, first, clock }: World, name: string): Promise<void> {
  const timezone = random.pick(['UTC', 'Europe/Berlin', 'America/New_York'])
  const cron = random.pick(['*/5 * * * *', '30 2 * * *', '0 * * * *', '15,45 1-3 * * *'])
  const timing = random.chance(0.5) ? { cron, timezone } : { every_s: random.pick([60, 300, 3_600]), timezone }
  const plan: Omit<SchedulePlan, 'timing'> = {
    overlap: random.pick(['skip', 'queue', 'replace'] as const),
    missed: random.pick(['skip', 'once'] as const),
    daily: { tokens: null, cost: null },
    template: { goal: random.chance(0.1) ? 'refuse' : 'g' },
    origin: '',
  }
  const made = await createService(ports).putSchedule(CALLER, { name, timing, ...plan, paused: null })
  if (!made.ok) throw new Error('the schedule was refused')
  first.set(name, clock.now)
}

const JUMPS = [2 * MINUTE, 4 * MINUTE, 30 * MINUTE, 5 * HOUR, 50 * HOUR]

async function move(world: World): Promise<void> {
  const { random, clock, ports, count } = world
  const service = createService(ports)
  const name = random.pick([...world.first.keys()])
  const dice = random.below(100)
  if (dice < 45) clock.now += random.pick([1_000, 20_000, MINUTE, 3 * MINUTE])
  else if (dice < 50) {
    count('forwards')
    clock.now += random.pick(JUMPS)
  } else if (dice < 55) {
    count('backwards')
    clock.now -= random.pick(JUMPS)
  } else if (dice < 85) await mortalJobs(world)
  else if (dice < 91) await endTask(world)
  else if (dice < 93) await deleteTask(world)
  else if (dice < 95) await service.runSchedule(CALLER, name)
  else if (dice < 97) {
    count('killed request')
    await mortal(world, async (own) => createService(own).runSchedule(CALLER, name))
  } else {
    // What passes while it is paused is nobody's tick.
    count('paused')
    await service.pauseSchedule(CALLER, name, true)
    await look(world)
    await checkLost(world, name)
    world.first.set(name, Infinity)
    if (random.chance(0.8)) {
      await service.pauseSchedule(CALLER, name, false)
      world.first.set(name, clock.now)
    }
  }
  world.latest = Math.max(world.latest, clock.now)
}

/** One job, or two beside each other, as after an alarm that has asked again. */
async function mortalJobs(world: World): Promise<void> {
  const jobs = world.random.chance(0.3) ? 2 : 1
  await Promise.all(Array.from({ length: jobs }, () => mortal(world, (own) => job(world, own))))
}

const job = (_world: World, ports: Ports) => runSchedules(ports, createService(ports), CALLER.tenant)

/** Does something that may die before or after one of its calls. */
async function mortal(world: World, run: (ports: Ports) => Promise<unknown>): Promise<void> {
  const { random, ports, count } = world
  const life = { calls: random.chance(0.7) ? random.below(12) : Infinity, is_late: random.chance(0.5) }
  try {
    await run({ ...ports, store: mortalStore(world.store, life) })
  } catch (error) {
    if (!(error instanceof Death)) throw error
  }
  if (life.calls < 0) count('killed')
}

function mortalStore(store: TaskStore, life: { calls: number; is_late: boolean }): TaskStore {
  const mortals = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(found, name) {
        const method: unknown = Reflect.get(found, name)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          life.calls -= 1
          if (life.calls < -1 || (life.calls === -1 && !life.is_late)) throw new Death('killed')
          const answer: unknown = await Reflect.apply(method, found, args)
          if (life.calls < 0) throw new Death('killed')
          return answer
        }
      },
    })
  return {
    of: (tenant, id) => mortals(store.of(tenant, id)),
    workspace: (tenant) => mortals(store.workspace(tenant)),
    pool: (tenant, pool) => mortals(store.pool(tenant, pool)),
  }
}

const idsIn = ({ store }: World): string[] => [...store.rows.keys()].map((key) => String(JSON.parse(key)[1]))

async function openTasks(world: World) {
  const views = await Promise.all(idsIn(world).map((id) => world.store.of(CALLER.tenant, id).ask({ kind: 'view' })))
  return views.flatMap((view) => (view.ok && !ENDED_STATUSES.has(view.value.status) ? [view.value] : []))
}

async function endTask(world: World): Promise<void> {
  const open = await openTasks(world)
  if (open.length === 0) return
  await createService(world.ports).tellTask(CALLER, world.random.pick(open).id, { kind: 'cancel' })
}

async function deleteTask(world: World): Promise<void> {
  const ids = idsIn(world)
  if (ids.length === 0) return
  const id = world.random.pick(ids)
  const deleted = await createService(world.ports).deleteTask(CALLER, id)
  if (!deleted.ok) return
  world.count('deleted')
  world.deleted.add(id)
}

async function schedulesIn({ store }: World): Promise<StoredSchedule[]> {
  const found = await store.workspace(CALLER.tenant).ask({ kind: 'schedules', after: '', limit: 9 })
  return found.map(({ schedule }) => schedule)
}

/** What holds at every moment. */
async function look(world: World): Promise<void> {
  const { store, seen, violations } = world
  const open = new Set((await openTasks(world)).map(({ id }) => id))
  for (const schedule of await schedulesIn(world)) {
    const { id, name, plan } = schedule
    const runs = await store.workspace(CALLER.tenant).ask({ kind: 'schedule_runs', id, before: 0, limit: 200 })
    const known = seen.get(name) ?? new Map<number, Run>()
    for (const run of runs) known.set(run.seq, run)
    seen.set(name, known)
    const ticked = [...known.values()].filter(({ trigger, outcome }) => trigger === 'tick' && outcome !== 'missed')
    const ticks = ticked.map(({ tick }) => tick)
    if (new Set(ticks).size < ticks.length) violations.push(`${name}: a tick has two runs`)
    const working = ticked.filter(({ task, outcome }) => outcome === 'created' && task !== null && open.has(task))
    if (working.length > 1 && plan.overlap !== 'replace') violations.push(`${name}: ${working.length} runs are open`)
  }
}

/** When nothing dies any more: each tick has exactly one run or was missed, and each run exactly one task. */
async function checkTicks(world: World): Promise<void> {
  const { seen, violations, count, deleted } = world
  const tasks = new Set(idsIn(world))
  for (const id of deleted) if (tasks.has(id)) violations.push(`${id} was deleted and is there`)
  for (const schedule of await schedulesIn(world)) {
    const { name } = schedule
    const runs = [...(seen.get(name)?.values() ?? [])]
    if (runs.some(({ outcome }) => outcome === 'making')) violations.push(`${name}: a task is still to be made`)
    for (const { outcome, task } of runs.filter((run) => run.outcome === 'created')) {
      count(outcome)
      if (task === null || !(tasks.delete(task) || deleted.has(task)))
        violations.push(`${name}: a run has no task of its own: ${task}`)
    }
    for (const { outcome } of runs) count(`run ${outcome}`)
    await checkLost(world, name)
  }
  for (const task of tasks) violations.push(`${task} belongs to no run`)
}

/** Each tick since the schedule has begun to run, or to run again, has a run, waits, or was missed. */
async function checkLost({ store, seen, first, violations, latest, clock }: World, name: string): Promise<void> {
  const found = await store.workspace(CALLER.tenant).ask({ kind: 'schedule', name })
  const from = first.get(name) ?? Infinity
  if (found === null || from === Infinity) return
  const { queue, plan } = found.schedule
  const runs = [...(seen.get(name)?.values() ?? [])].filter(({ trigger }) => trigger === 'tick')
  const covers = (tick: number) =>
    queue.includes(tick) || runs.some((run) => run.first_tick <= tick && tick <= run.tick)
  const until = Math.min(latest, clock.now)
  const ticks = await ticksOf(plan.timing)
  for (let tick = ticks.next(from); tick !== null && tick <= until; tick = ticks.next(tick))
    if (!covers(tick)) violations.push(`${name}: ${new Date(tick).toISOString()} is lost`)
}
