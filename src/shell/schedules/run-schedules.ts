/**
 * Works off the ticks of a tenant's schedules. What becomes of a tick is noted first, and then its task is made. A process that dies between
 * the two leaves a run that is still to be made, and the alarm asks for it again.
 */
import { planTicks, isSetBack } from '../../core/workspace/schedules/plan-ticks.ts'
import { spentOn, tickKey, type Run, type Spent, type StoredSchedule } from '../../core/workspace/schedules/schedule.ts'
import { microDollars } from '../../core/terms/money.ts'
import { ENDED_STATUSES } from '../../core/terms/status.ts'
import { localDay } from '../../core/workspace/zones.ts'
import { serviceCaller } from '../caller.ts'
import type { Ports } from '../ports.ts'
import type { PrepareTask, TaskMaker } from '../scheduled-tasks.ts'
import { makeTask } from './make-task.ts'
import { ticksOf } from './ticks-of.ts'

/** Schedules that are worked off at the same time. */
const AT_ONCE = 6
/** The newest open runs whose tasks are looked at. Without `replace` there is rarely more than one. */
const LOOKED_AT_MAX = 20

type TickPorts = Pick<Ports, 'store' | 'clock' | 'task_id_of'>
type SchedulePorts = TickPorts & Pick<Ports, 'draining' | 'prepare_task' | 'registry'>

export async function runSchedules(ports: SchedulePorts, tasks: TaskMaker, tenant: string): Promise<void> {
  const workspace = ports.store.workspace(tenant)
  const done = new Set<string>()
  const failures: unknown[] = []
  // Those that have failed stay due, and are asked for again by the alarm.
  while (!ports.draining.hasBegun()) {
    const due = await workspace.ask({ kind: 'due_schedules', limit: AT_ONCE + done.size })
    const left = due.filter(({ schedule }) => !done.has(schedule.id))
    if (left.length === 0) break
    for (const { schedule } of left) done.add(schedule.id)
    const ran = await Promise.allSettled(left.map((one) => runSchedule(ports, tasks, tenant, one)))
    failures.push(...ran.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])))
  }
  if (failures.length > 0) throw failures[0]
}

interface DueSchedule {
  schedule: StoredSchedule
  open: Run[]
}

async function runSchedule(ports: SchedulePorts, tasks: TaskMaker, tenant: string, due: DueSchedule): Promise<void> {
  const { schedule } = due
  const looked = await lookAtRuns(ports, tenant, due.open)
  const is_decided = await decide(ports, tenant, schedule, looked)
  // Another job has decided, and makes the tasks.
  if (!is_decided) return
  const caller = serviceCaller(tenant)
  const workspace = ports.store.workspace(tenant)
  const { id, plan } = schedule
  const runs = await workspace.ask({ kind: 'open_runs', id })
  let open = looked.open.flatMap(({ task, outcome }) => (outcome === 'created' && task !== null ? [task] : []))
  for (const run of runs.filter(({ outcome }) => outcome === 'making')) {
    const replaced = plan.overlap === 'replace' && run.trigger === 'tick' ? open : []
    const made = await makeTask({ prepare: preparation(ports), tasks }, caller, {
      schedule,
      run,
      key: run.key,
      replaced,
    })
    if (made.outcome === 'under_way') continue
    const task = made.outcome === 'created' ? made.answer.task.id : null
    const reason = made.outcome === 'created' ? null : made.refused.code
    await workspace.tell({ kind: 'settle_run', id, seq: run.seq, result: { outcome: made.outcome, reason, task } })
    if (task !== null) open = [...(replaced.length > 0 ? [] : open), task]
  }
}

/** A disabled tenant makes no tasks. Its ticks pass, and their runs say why. Where nobody can say, it rejects, and the run is made later. */
const preparation =
  ({ registry, prepare_task }: SchedulePorts): PrepareTask =>
  async (caller, wanted) =>
    (await registry.findTenant(caller.tenant))?.is_disabled === true
      ? { ok: false, refusal: { code: 'tenant_disabled' } }
      : prepare_task(caller, wanted)

/** Ticks that came while nobody looked are noted before their schedule changes, or they would be lost. The alarm has their tasks made. */
export async function noteDueTicks(ports: TickPorts, tenant: string, schedule: StoredSchedule): Promise<void> {
  const { id, next_at } = schedule
  if (next_at === null || next_at > ports.clock.now_ms()) return
  const open = await ports.store.workspace(tenant).ask({ kind: 'open_runs', id })
  await decide(ports, tenant, schedule, await lookAtRuns(ports, tenant, open))
}

/** The open runs, and those that have ended with what they have used. */
interface LookedAt {
  open: Run[]
  /** What the open ones have used so far. */
  using: { day: string; spent: Spent }[]
  ended: { seq: number; day: string; spent: Spent }[]
}

/** The tasks themselves are asked, because the index may lag. */
export async function lookAtRuns(
  { store }: Pick<Ports, 'store'>,
  tenant: string,
  open: readonly Run[],
): Promise<LookedAt> {
  const looked: LookedAt = { open: open.slice(0, -LOOKED_AT_MAX), using: [], ended: [] }
  for (const run of open.slice(-LOOKED_AT_MAX)) {
    const { seq, day, task, outcome } = run
    const view = task === null ? null : await store.of(tenant, task).ask({ kind: 'view' })
    if (view?.ok === true) {
      const { budget, status } = view.value
      const spent = { tokens: budget.tokens.used, cost: microDollars(budget.cost_usd.used) }
      if (ENDED_STATUSES.has(status) && outcome === 'created') looked.ended.push({ seq, day, spent })
      else {
        looked.open.push(run)
        looked.using.push({ day, spent })
      }
    } else if (outcome === 'making') looked.open.push(run)
    // A task that is gone, or cannot be read, will not end any more.
    else looked.ended.push({ seq, day, spent: { tokens: 0, cost: 0 } })
  }
  return looked
}

/** What the runs of a day have used, with those that have just been looked at. */
export function spentToday({ totals }: StoredSchedule, { using, ended }: LookedAt, day: string): Spent {
  const today = [...using, ...ended].filter((one) => one.day === day).map(({ spent }) => spent)
  return today.reduce(
    (sum, { tokens, cost }) => ({ tokens: sum.tokens + tokens, cost: sum.cost + cost }),
    spentOn(totals, day),
  )
}

/** False: the schedule has changed meanwhile, and nothing was noted. */
async function decide(ports: TickPorts, tenant: string, schedule: StoredSchedule, looked: LookedAt): Promise<boolean> {
  const { next_at, queue, seen_ms, revision, name, id, plan } = schedule
  const now_ms = ports.clock.now_ms()
  const has_ticks = (next_at !== null && next_at <= now_ms) || queue.length > 0 || isSetBack(seen_ms, now_ms)
  const is_due = has_ticks || looked.ended.length > 0 || !looked.open.some(({ outcome }) => outcome === 'making')
  // Only a task has to be made.
  if (!is_due) return true
  const day = localDay(now_ms, plan.timing.timezone)
  const decision = planTicks(schedule, {
    now_ms,
    ticks: await ticksOf(plan.timing),
    is_open: looked.open.length > 0,
    spent: spentToday(schedule, looked, day),
    day,
  })
  const runs = await Promise.all(
    decision.runs.map(async (run) => {
      if (run.outcome !== 'making') return run
      const key = tickKey(id, run.tick)
      return { ...run, key, task: `task_${await ports.task_id_of(tenant, key)}` }
    }),
  )
  const ended = looked.ended.map(({ seq, spent }) => ({ seq, spent }))
  return ports.store
    .workspace(tenant)
    .tell({ kind: 'decide_ticks', name, revision, decision: { ...decision, runs }, ended })
}
