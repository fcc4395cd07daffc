/** The rows of schedules in memory. What is decided over them is the code of the service. */
import {
  isOpenRun,
  LATE_MS,
  RUNS_MAX,
  type Run,
  type StoredSchedule,
} from '../../../src/core/workspace/schedules/schedule.ts'
import {
  newRun,
  scheduleCommands,
  scheduleQueries,
  type ScheduleRows,
} from '../../../src/store/workspace/schedules/schedules.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'

export function memoryScheduleRows(): ScheduleRows {
  const kept = new Map<string, { schedule: StoredSchedule; look_at: number | null }>()
  const runs = new Map<string, Run[]>()
  const byName = () => [...kept.values()].map(({ schedule }) => schedule).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const runsOf = (id: string) => runs.get(id) ?? []
  return {
    find: (name) => kept.get(name)?.schedule ?? null,
    findById: (id) => byName().find((one) => one.id === id) ?? null,
    list: (after, limit) =>
      byName()
        .filter(({ name }) => name > after)
        .slice(0, limit),
    names: () => byName().map(({ name }) => name),
    count: () => kept.size,
    save: (schedule, look_at) => void kept.set(schedule.name, { schedule, look_at }),
    drop(name) {
      const found = kept.get(name)
      if (found !== undefined) runs.delete(found.schedule.id)
      return kept.delete(name)
    },
    due: (now_ms, limit) =>
      [...kept.values()]
        .filter(({ schedule, look_at }) => (look_at ?? Infinity) <= now_ms || schedule.seen_ms > now_ms + LATE_MS)
        .slice(0, limit)
        .map(({ schedule }) => schedule),
    runs: (id, before, limit) =>
      runsOf(id)
        .filter(({ seq }) => before === 0 || seq < before)
        .toReversed()
        .slice(0, limit),
    openRuns: (id) => runsOf(id).filter(isOpenRun),
    runOfTick: (id, tick) =>
      runsOf(id).find((run) => run.tick === tick && run.trigger === 'tick' && run.outcome !== 'missed') ?? null,
    runOfTask: (id, task) => runsOf(id).find((run) => run.task === task) ?? null,
    addRun(id, run, noted) {
      const added = newRun(run, (runsOf(id).at(-1)?.seq ?? 0) + 1, noted)
      const all = [...runsOf(id), added]
      runs.set(
        id,
        all.filter((one) => one.seq > added.seq - RUNS_MAX || isOpenRun(one)),
      )
      return added
    },
    saveRun: (id, run) =>
      void runs.set(
        id,
        runsOf(id).map((one) => (one.seq === run.seq ? run : one)),
      ),
    dropRun: (id, seq) =>
      void runs.set(
        id,
        runsOf(id).filter((one) => one.seq !== seq),
      ),
  }
}

export function memorySchedules(now: () => number, rows: ScheduleRows) {
  const context = () => ({ now_ms: now(), after: { lookAtSchedules: () => undefined } })
  type Context = ReturnType<typeof context>
  const commands = scheduleCommands<Context>(
    () => rows,
    (_, write) => write(),
  )
  const queries = scheduleQueries<Context>(() => rows)
  const told: MemoryCommands<keyof typeof commands> = {
    put_schedule: (command) => commands.put_schedule(context(), command),
    drop_schedule: (command) => commands.drop_schedule(context(), command),
    pause_schedule: (command) => commands.pause_schedule(context(), command),
    decide_ticks: (command) => commands.decide_ticks(context(), command),
    request_run: (command) => commands.request_run(context(), command),
    settle_run: (command) => commands.settle_run(context(), command),
  }
  const asked: MemoryQueries<keyof typeof queries> = {
    schedule: (query) => queries.schedule(context(), query),
    schedules: (query) => queries.schedules(context(), query),
    schedule_names: (query) => queries.schedule_names(context(), query),
    open_runs: (query) => queries.open_runs(context(), query),
    schedule_runs: (query) => queries.schedule_runs(context(), query),
    due_schedules: (query) => queries.due_schedules(context(), query),
  }
  return { commands: told, queries: asked }
}
