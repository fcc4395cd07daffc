/** The schedules of a tenant and their runs, in tables that the first schedule makes. */
import {
  isOpenRun,
  LATE_MS,
  RUNS_MAX,
  type Run,
  type SchedulePlan,
  type StoredSchedule,
} from '../../../core/workspace/schedules/schedule.ts'
import { hasTable } from '../../has-table.ts'
import type { WriteContext } from '../handlers.ts'
import { newRun, type ScheduleRows } from './schedules.ts'

const TABLES = [
  `CREATE TABLE IF NOT EXISTS schedules (name TEXT PRIMARY KEY, id TEXT NOT NULL, look_at INTEGER, seen INTEGER NOT NULL,
     heeds_ends INTEGER NOT NULL, plan TEXT NOT NULL, state TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS schedule_runs (schedule TEXT NOT NULL, seq INTEGER NOT NULL, tick INTEGER NOT NULL, task TEXT,
     is_open INTEGER NOT NULL, run TEXT NOT NULL, PRIMARY KEY (schedule, seq)) WITHOUT ROWID`,
] as const

type ScheduleRow = { plan: string; state: string }
type RunRow = { run: string }
const SCHEDULE = 'SELECT plan, state FROM schedules'
const RUN = 'SELECT run FROM schedule_runs WHERE schedule = ?'

const isMade = (sql: SqlStorage) => hasTable(sql, 'schedules')

/** To be called in a transaction. */
export function sqlSchedules(sql: SqlStorage): ScheduleRows {
  const schedules = (query: string, ...values: SqlStorageValue[]): StoredSchedule[] =>
    isMade(sql)
      ? sql
          .exec<ScheduleRow>(`${SCHEDULE} ${query}`, ...values)
          .toArray()
          .map(scheduleIn)
      : []
  const runs = (id: string, query: string, ...values: SqlStorageValue[]): Run[] =>
    isMade(sql)
      ? sql
          .exec<RunRow>(`${RUN} ${query}`, id, ...values)
          .toArray()
          .map(runIn)
      : []
  const saveRun = (id: string, run: Run) => {
    const query = `INSERT OR REPLACE INTO schedule_runs (schedule, seq, tick, task, is_open, run) VALUES (?, ?, ?, ?, ?, ?)`
    sql.exec(query, id, run.seq, run.tick, run.task, isOpenRun(run) ? 1 : 0, JSON.stringify(run))
  }
  return {
    find: (name) => schedules('WHERE name = ?', name)[0] ?? null,
    findById: (id) => schedules('WHERE id = ?', id)[0] ?? null,
    list: (after, limit) => schedules('WHERE name > ? ORDER BY name LIMIT ?', after, limit),
    names: () => schedules('ORDER BY name').map(({ name }) => name),
    count: () => (isMade(sql) ? sql.exec<{ n: number }>('SELECT count(*) AS n FROM schedules').one().n : 0),
    save(schedule, look_at) {
      for (const table of TABLES) sql.exec(table)
      const { name, id, seen_ms } = schedule
      const { plan, ...state } = schedule
      const query = `INSERT OR REPLACE INTO schedules (name, id, look_at, seen, heeds_ends, plan, state) VALUES (?, ?, ?, ?, ?, ?, ?)`
      sql.exec(
        query,
        name,
        id,
        look_at,
        seen_ms,
        heedsEnds(schedule) ? 1 : 0,
        JSON.stringify(plan),
        JSON.stringify(state),
      )
    },
    drop(name) {
      if (!isMade(sql)) return false
      const [found] = sql.exec<{ id: string }>('DELETE FROM schedules WHERE name = ? RETURNING id', name).toArray()
      if (found !== undefined) sql.exec('DELETE FROM schedule_runs WHERE schedule = ?', found.id)
      return found !== undefined
    },
    due: (now_ms, limit) =>
      schedules('WHERE look_at <= ? OR seen > ? ORDER BY look_at, name LIMIT ?', now_ms, now_ms + LATE_MS, limit),
    runs: (id, before, limit) =>
      before === 0
        ? runs(id, 'ORDER BY seq DESC LIMIT ?', limit)
        : runs(id, 'AND seq < ? ORDER BY seq DESC LIMIT ?', before, limit),
    openRuns: (id) => runs(id, 'AND is_open = 1 ORDER BY seq'),
    runOfTick: (id, tick) =>
      runs(id, 'AND tick = ?', tick).find(({ trigger, outcome }) => trigger === 'tick' && outcome !== 'missed') ?? null,
    runOfTask: (id, task) => runs(id, 'AND task = ?', task)[0] ?? null,
    addRun(id, run, noted) {
      const query = 'SELECT coalesce(max(seq), 0) AS n FROM schedule_runs WHERE schedule = ?'
      const seq = sql.exec<{ n: number }>(query, id).one().n + 1
      const added = newRun(run, seq, noted)
      saveRun(id, added)
      sql.exec('DELETE FROM schedule_runs WHERE schedule = ? AND seq <= ? AND is_open = 0', id, seq - RUNS_MAX)
      return added
    },
    saveRun,
    dropRun: (id, seq) => void sql.exec('DELETE FROM schedule_runs WHERE schedule = ? AND seq = ?', id, seq),
  }
}

/** Only `save` writes these columns. */
const scheduleIn = ({ plan, state }: ScheduleRow): StoredSchedule => ({
  ...(JSON.parse(state) as Omit<StoredSchedule, 'plan'>),
  plan: JSON.parse(plan) as SchedulePlan,
})
const runIn = ({ run }: RunRow): Run => JSON.parse(run) as Run

/** When somebody has to look at a schedule. A clock that was set back far is looked at now. null: never. */
export function nextScheduleLook(sql: SqlStorage, now_ms: number): number | null {
  if (!isMade(sql)) return null
  const query = 'SELECT min(CASE WHEN seen > ? THEN ? ELSE look_at END) AS at FROM schedules'
  return sql.exec<{ at: number | null }>(query, now_ms + LATE_MS, now_ms).one().at
}

/** Whether the end of a run has to be known before the next tick: ticks wait for it, or what it has used counts against a day. */
const heedsEnds = ({ queue, plan: { daily } }: StoredSchedule): boolean =>
  queue.length > 0 || daily.tokens !== null || daily.cost !== null

/** The task has ended or is gone. Later it may be deleted, and then nobody can say any more what it has used. */
export function noteEndOfRun({ sql, now_ms, after }: WriteContext, task: string): void {
  if (!isMade(sql)) return
  const query = `UPDATE schedules SET look_at = ? WHERE heeds_ends = 1
    AND EXISTS (SELECT 1 FROM schedule_runs WHERE schedule = schedules.id AND task = ? AND is_open = 1) RETURNING 1`
  if (sql.exec(query, now_ms, task).toArray().length > 0) after.lookAtSchedules(now_ms)
}
