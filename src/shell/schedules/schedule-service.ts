/** What clients do with their schedules: put, look up, list, pause, resume, run at once, and delete them. */
import type { ScheduleRunView, ScheduleView } from '../../core/shown/schedule-view.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { nameHint } from '../../core/terms/values/known-names.ts'
import { isUsedUp, leftOf } from '../../core/workspace/schedules/plan-ticks.ts'
import {
  requestedRunKey,
  type NewRun,
  type Run,
  type SchedulePlan,
  type StoredSchedule,
} from '../../core/workspace/schedules/schedule.ts'
import { localDay } from '../../core/workspace/zones.ts'
import type { Caller, Page, Paging } from '../caller.ts'
import type { Ports } from '../ports.ts'
import type { RefusedTask, TaskMaker } from '../scheduled-tasks.ts'
import { makeTask } from './make-task.ts'
import { lookAtRuns, noteDueTicks, spentToday } from './run-schedules.ts'
import { runView, scheduleView } from './schedule-views.ts'
import { ticksOf } from './ticks-of.ts'

/** A schedule as a client sends it: its task is checked, and its timing is not. The anchor of an interval is the time of the request. */
interface SentSchedule extends Omit<SchedulePlan, 'timing'> {
  name: string
  timing: { cron: string; timezone: string } | { every_s: number; timezone: string }
  /** null: as it was. */
  paused: boolean | null
}

/** The run, or why its task is refused. */
type RequestedRun = Result<{ run: ScheduleRunView; replayed: boolean }> | { ok: false; refusal: RefusedTask }

export interface ScheduleService {
  /** Puts a schedule in place of any other of its name, whose runs stay. */
  putSchedule(caller: Caller, schedule: SentSchedule): Promise<Result<{ schedule: ScheduleView; created: boolean }>>
  getSchedule(caller: Caller, name: string): Promise<Result<ScheduleView>>
  /** By name; `after` is a name, or empty. */
  listSchedules(caller: Caller, paging: { limit: number; after: string }): Promise<Result<Page<ScheduleView>>>
  /** Its tasks stay. */
  deleteSchedule(caller: Caller, name: string): Promise<Result<null>>
  pauseSchedule(caller: Caller, name: string, paused: boolean): Promise<Result<ScheduleView>>
  /** Makes a task now, whatever is open, and also while it is paused. */
  runSchedule(caller: Caller, name: string): Promise<RequestedRun>
  /** Newest first. */
  listScheduleRuns(caller: Caller, name: string, paging: Paging): Promise<Result<Page<ScheduleRunView>>>
}

export type ServicePorts = Pick<
  Ports,
  'store' | 'clock' | 'random_id' | 'task_id_of' | 'max_schedules' | 'prepare_task'
>

export function scheduleService(ports: ServicePorts, tasks: TaskMaker): ScheduleService {
  const workspaceOf = ({ tenant }: Caller) => ports.store.workspace(tenant)
  const notFound = async (caller: Caller, name: string) => {
    const names = await workspaceOf(caller).ask({ kind: 'schedule_names' })
    return refuse({ code: 'schedule_not_found', hint: nameHint(name, names) })
  }
  const find = (caller: Caller, name: string) => workspaceOf(caller).ask({ kind: 'schedule', name })
  return {
    putSchedule: (caller, schedule) => putSchedule(ports, caller, schedule),
    async getSchedule(caller, name) {
      const found = await find(caller, name)
      return found === null ? notFound(caller, name) : ok(await scheduleView(found.schedule, found.last_run))
    },
    async listSchedules(caller, { limit, after }) {
      const found = await workspaceOf(caller).ask({ kind: 'schedules', after, limit: limit + 1 })
      const has_more = found.length > limit
      const shown = found.slice(0, limit)
      const data = await Promise.all(shown.map(({ schedule, last_run }) => scheduleView(schedule, last_run)))
      return ok({ data, has_more, next_cursor: has_more ? (data.at(-1)?.name ?? null) : null })
    },
    async deleteSchedule(caller, name) {
      const was_there = await workspaceOf(caller).tell({ kind: 'drop_schedule', name })
      return was_there ? ok(null) : notFound(caller, name)
    },
    async pauseSchedule(caller, name, paused) {
      const found = await find(caller, name)
      if (found === null) return notFound(caller, name)
      await noteDueTicks(ports, caller.tenant, found.schedule)
      const next_at = (await ticksOf(found.schedule.plan.timing)).next(ports.clock.now_ms())
      const changed = await workspaceOf(caller).tell({ kind: 'pause_schedule', name, paused, next_at })
      return changed === null ? notFound(caller, name) : ok(await scheduleView(changed, found.last_run))
    },
    async runSchedule(caller, name) {
      const found = await find(caller, name)
      const ran = found === null ? null : await runNow(ports, tasks, caller, found.schedule)
      return ran ?? notFound(caller, name)
    },
    async listScheduleRuns(caller, name, { limit, after }) {
      const found = await find(caller, name)
      if (found === null) return notFound(caller, name)
      const { id } = found.schedule
      const runs = await workspaceOf(caller).ask({ kind: 'schedule_runs', id, before: after, limit: limit + 1 })
      const has_more = runs.length > limit
      const data = runs.slice(0, limit).map(runView)
      return ok({ data, has_more, next_cursor: has_more ? String(data.at(-1)?.seq ?? 0) : null })
    },
  }
}

async function putSchedule(
  ports: ServicePorts,
  caller: Caller,
  { name, timing, paused, ...plan }: SentSchedule,
): ReturnType<ScheduleService['putSchedule']> {
  const now_ms = ports.clock.now_ms()
  const problem = 'cron' in timing ? await cronProblemOf(timing.cron, now_ms) : null
  if (problem !== null) return problem
  const workspace = ports.store.workspace(caller.tenant)
  const known = await workspace.ask({ kind: 'schedule', name })
  if (known !== null) await noteDueTicks(ports, caller.tenant, known.schedule)
  const anchored = 'cron' in timing ? timing : { ...timing, anchor_ms: anchorOf(known?.schedule, timing, now_ms) }
  const put = await workspace.tell({
    kind: 'put_schedule',
    name,
    id: ports.random_id(),
    plan: { ...plan, timing: anchored, ...(caller.key_name === null ? {} : { key_name: caller.key_name }) },
    paused,
    next_at: (await ticksOf(anchored)).next(now_ms),
    schedules_max: ports.max_schedules,
  })
  if (!put.ok) return put
  const { schedule, created } = put.value
  return ok({ schedule: await scheduleView(schedule, known?.last_run ?? null), created })
}

/** An interval that is put again goes on from where it began. */
function anchorOf(known: StoredSchedule | undefined, { every_s }: { every_s: number }, now_ms: number): number {
  const timing = known?.plan.timing
  return timing !== undefined && 'every_s' in timing && timing.every_s === every_s ? timing.anchor_ms : now_ms
}

/** null: the schedule is gone. */
async function runNow(
  ports: ServicePorts,
  tasks: TaskMaker,
  caller: Caller,
  found: StoredSchedule,
): Promise<RequestedRun | null> {
  const workspace = ports.store.workspace(caller.tenant)
  const wanted = await requestedRun(ports, caller, found)
  if (!wanted.ok) return wanted
  const told = await workspace.tell({ kind: 'request_run', name: found.name, run: wanted.value })
  if (told === null) return null
  const { schedule, run, is_new } = told
  const answer = (shown: Run) => ok({ run: runView(shown), replayed: !is_new })
  if (run.outcome !== 'making') return answer(run)
  const made = await makeTask(
    { prepare: ports.prepare_task, tasks },
    { ...caller, key: null },
    { schedule, run, key: run.key, replaced: [] },
  )
  // The alarm makes it.
  if (made.outcome === 'under_way') return answer(run)
  const created =
    made.outcome === 'created' ? ({ outcome: 'created', reason: null, task: made.answer.task.id } as const) : null
  await workspace.tell({ kind: 'settle_run', id: schedule.id, seq: run.seq, result: created })
  return made.outcome === 'created' ? answer({ ...run, ...created }) : { ok: false, refusal: made.refused }
}

async function cronProblemOf(cron: string, now_ms: number) {
  const { cronProblem } = await import('./cron.ts')
  const problem = cronProblem(cron, now_ms)
  if (problem === null) return null
  return refuse({ code: 'validation_failed', errors: [{ pointer: '/cron', message: `cron ${problem}` }] })
}

/** A run that a client asks for. The daily budget holds for it too. */
async function requestedRun(ports: ServicePorts, caller: Caller, schedule: StoredSchedule): Promise<Result<NewRun>> {
  const { tenant, key: request } = caller
  const now_ms = ports.clock.now_ms()
  const { id, plan, name } = schedule
  const day = localDay(now_ms, plan.timing.timezone)
  const open = await ports.store.workspace(tenant).ask({ kind: 'open_runs', id })
  const caps = leftOf(plan.daily, spentToday(schedule, await lookAtRuns(ports, tenant, open), day))
  if (isUsedUp(caps)) return refuse({ code: 'schedule_budget_exceeded', name })
  const key = requestedRunKey(id, request?.key ?? ports.random_id())
  const task = `task_${await ports.task_id_of(tenant, key)}`
  const run = { tick: now_ms, trigger: 'request', outcome: 'making', reason: null, task, key, day, caps } as const
  return ok({ ...run, count: 1, first_tick: now_ms })
}
