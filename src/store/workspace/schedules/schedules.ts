/** The schedules of a tenant over the rows of any store: how they are put, how their ticks are noted, and how their runs are settled. */
import {
  isSameTiming,
  withSpent,
  type NewRun,
  type Run,
  type StoredSchedule,
} from '../../../core/workspace/schedules/schedule.ts'
import { earliest } from '../../../core/terms/values/earliest.ts'
import type { RunRef } from '../../../core/protocol/workspace-records.ts'
import type { WorkspaceCommand } from '../../../core/protocol/workspace-requests.ts'
import { ok, refuse } from '../../../core/terms/refusal.ts'
import type { Afterwards, CommandHandlers, QueryHandlers, ReadContext } from '../handlers.ts'

export interface ScheduleRows {
  find(name: string): StoredSchedule | null
  findById(id: string): StoredSchedule | null
  /** By name: at most `limit` of those whose names come after `after`. */
  list(after: string, limit: number): StoredSchedule[]
  names(): string[]
  count(): number
  /** Keeps a schedule in place of the one of its name. `look_at`: when somebody has to look at it; null: never. */
  save(schedule: StoredSchedule, look_at: number | null): void
  /** Deletes a schedule with its runs. False: there is none of the name. */
  drop(name: string): boolean
  /** Those that somebody has to look at by now. */
  due(now_ms: number, limit: number): StoredSchedule[]
  /** Newest first: at most `limit` runs with a seq below `before`. 0: from the newest on. */
  runs(id: string, before: number, limit: number): Run[]
  /** Those that may have a task which has not ended, the oldest first. */
  openRuns(id: string): Run[]
  /** The run that a tick has led to. A note that the tick was missed is none. */
  runOfTick(id: string, tick: number): Run | null
  runOfTask(id: string, task: string): Run | null
  /** Adds a run, and deletes the oldest ones beyond those that are kept. An open run stays. */
  addRun(id: string, run: NewRun, noted: number): Run
  saveRun(id: string, run: Run): void
  dropRun(id: string, seq: number): void
}

interface ScheduleContext extends Pick<ReadContext, 'now_ms'> {
  after: Pick<Afterwards, 'lookAtSchedules'>
}
type ScheduleCommand =
  | 'put_schedule'
  | 'drop_schedule'
  | 'pause_schedule'
  | 'decide_ticks'
  | 'request_run'
  | 'settle_run'
type ScheduleQuery = 'schedule' | 'schedules' | 'schedule_names' | 'open_runs' | 'schedule_runs' | 'due_schedules'

/** How often the tasks are looked at for which ticks wait. The end of such a task is usually told at once. */
const QUEUE_LOOK_MS = 60_000

/** The handlers over the rows of any store. `within` makes a write that the bytes of the tenant bound. */
export function scheduleCommands<C extends ScheduleContext>(
  rowsOf: (context: C) => ScheduleRows,
  within: <T>(context: C, write: () => T) => T,
): CommandHandlers<ScheduleCommand, C> {
  /** Saves a changed schedule, and has it looked at in time. */
  const change = (context: C, schedule: StoredSchedule): StoredSchedule => {
    const rows = rowsOf(context)
    const changed = { ...schedule, revision: schedule.revision + 1 }
    const look_at = lookAt(rows, changed, context.now_ms)
    rows.save(changed, look_at)
    context.after.lookAtSchedules(look_at)
    return changed
  }
  return {
    put_schedule(context, command) {
      const known = rowsOf(context).find(command.name)
      if (known === null && rowsOf(context).count() >= command.schedules_max)
        return refuse({ code: 'too_many_schedules', max: command.schedules_max })
      const put = putOver(known, command, context.now_ms)
      return ok({ schedule: within(context, () => change(context, put)), created: known === null })
    },
    drop_schedule: (context, { name }) => rowsOf(context).drop(name),
    pause_schedule(context, { name, paused, next_at }) {
      const known = rowsOf(context).find(name)
      if (known === null || known.paused === paused) return known
      const { now_ms } = context
      // The next tick counts from now on, also where the clock was set back while it was paused.
      return change(context, {
        ...known,
        paused,
        next_at: paused ? null : next_at,
        seen_ms: now_ms,
        updated: now_ms,
      })
    },
    decide_ticks(context, { name, revision, decision, ended }) {
      const rows = rowsOf(context)
      const known = rows.find(name)
      if (known === null || known.revision !== revision) return false
      const totals = noteEnds(rows, known, ended)
      for (const run of decision.runs) {
        // The clock was set back, and this tick has had its run before.
        if (run.outcome !== 'missed' && rows.runOfTick(known.id, run.tick) !== null) continue
        rows.addRun(known.id, run, context.now_ms)
      }
      const { next_at, queue } = decision
      change(context, { ...known, next_at, queue, totals, seen_ms: context.now_ms })
      return true
    },
    request_run(context, { name, run }) {
      const rows = rowsOf(context)
      const known = rows.find(name)
      if (known === null) return null
      const earlier = run.task === null ? null : rows.runOfTask(known.id, run.task)
      if (earlier !== null) return { schedule: known, run: earlier, is_new: false }
      const added = rows.addRun(known.id, run, context.now_ms)
      return { schedule: change(context, known), run: added, is_new: true }
    },
    settle_run(context, { id, seq, result }) {
      const rows = rowsOf(context)
      const known = rows.findById(id)
      const run = known === null ? undefined : rows.openRuns(id).find((one) => one.seq === seq)
      if (known === null || run?.outcome !== 'making') return
      if (result === null) rows.dropRun(id, seq)
      else rows.saveRun(id, { ...run, ...result })
      change(context, known)
    },
  }
}

/** The schedule that is put in place of a known one, or of none. */
function putOver(
  known: StoredSchedule | null,
  { name, id, plan, paused, next_at }: WorkspaceCommand<'put_schedule'>,
  now_ms: number,
): StoredSchedule {
  const first: StoredSchedule = known ?? { ...NEW, name, id, plan, seen_ms: now_ms, created: now_ms }
  const is_paused = paused ?? first.paused
  const stays = known !== null && known.next_at !== null && isSameTiming(known.plan.timing, plan.timing)
  const next = stays ? known.next_at : next_at
  return {
    ...first,
    plan,
    paused: is_paused,
    next_at: is_paused ? null : next,
    seen_ms: stays ? first.seen_ms : now_ms,
    updated: now_ms,
  }
}

/** Schedules with a run that is to be made are due. The most of them that are looked through for one task. */
const DUE_MAX = 200

/** The run for which this task is being made, until it is noted that it was. */
export function unsettledRun(rows: ScheduleRows, now_ms: number, task: string): RunRef | null {
  for (const { id } of rows.due(now_ms, DUE_MAX)) {
    const run = rows.openRuns(id).find((one) => one.task === task && one.outcome === 'making')
    if (run !== undefined) return { id, seq: run.seq }
  }
  return null
}

/** Notes which runs have ended, and answers the totals of the days. */
function noteEnds(
  rows: ScheduleRows,
  { id, totals }: StoredSchedule,
  ended: WorkspaceCommand<'decide_ticks'>['ended'],
): StoredSchedule['totals'] {
  let sums = totals
  for (const run of rows.openRuns(id)) {
    const spent = ended.find(({ seq }) => seq === run.seq)?.spent
    if (spent === undefined || run.outcome !== 'created') continue
    rows.saveRun(id, { ...run, ended: true, spent })
    sums = withSpent(sums, run.day, spent)
  }
  return sums
}

const NEW = { revision: 0, paused: false, next_at: null, queue: [], totals: {}, updated: 0 }

/** When somebody has to look: at the next tick, while a task is being made, and while ticks wait. */
function lookAt(rows: ScheduleRows, { id, next_at, queue, paused }: StoredSchedule, now_ms: number): number | null {
  const is_making = rows.openRuns(id).some(({ outcome }) => outcome === 'making')
  const waits = queue.length > 0 && !paused
  return earliest([
    ...(next_at === null ? [] : [next_at]),
    ...(is_making ? [now_ms] : []),
    ...(waits ? [now_ms + QUEUE_LOOK_MS] : []),
  ])
}

export const scheduleQueries = <C extends Pick<ReadContext, 'now_ms'>>(
  rowsOf: (context: C) => ScheduleRows,
): QueryHandlers<ScheduleQuery, C> => {
  const withRun = (rows: ScheduleRows, schedule: StoredSchedule) => ({
    schedule,
    last_run: rows.runs(schedule.id, 0, 1)[0] ?? null,
  })
  return {
    schedule(context, { name }) {
      const found = rowsOf(context).find(name)
      return found === null ? null : withRun(rowsOf(context), found)
    },
    schedules(context, { after, limit }) {
      const rows = rowsOf(context)
      return rows.list(after, limit).map((one) => withRun(rows, one))
    },
    schedule_names: (context) => rowsOf(context).names(),
    open_runs: (context, { id }) => rowsOf(context).openRuns(id),
    schedule_runs: (context, { id, before, limit }) => rowsOf(context).runs(id, before, limit),
    due_schedules(context, { limit }) {
      const rows = rowsOf(context)
      return rows.due(context.now_ms, limit).map((schedule) => ({ schedule, open: rows.openRuns(schedule.id) }))
    },
  }
}

/** A run as it is first kept. */
export const newRun = (run: NewRun, seq: number, noted: number): Run => ({
  ...run,
  seq,
  noted,
  ended: false,
  spent: { tokens: 0, cost: 0 },
})
