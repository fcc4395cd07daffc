/** What each workspace has told of itself last, and the sums over all of them, so that a scrape reads no row of a workspace. */
import { NO_GAUGES, type WorkspaceGauges } from '../../telemetry/metrics/catalogue.ts'

export interface GaugeSums {
  gauges: WorkspaceGauges
  workspaces: number
}
type GaugeName = keyof WorkspaceGauges

const NAMES = Object.keys(NO_GAUGES) as GaugeName[] // the keys of a constant
const COLUMNS = NAMES.join(', ')

/** A workspace without work that has told nothing for so long is forgotten; it tells of itself when it is used again. */
const IDLE_MS = 7 * 86_400_000

/** To be called in a transaction, as everything here. */
export function sumOfGauges(sql: SqlStorage): GaugeSums {
  const sums = NAMES.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ')
  const { workspaces, ...gauges } = sql
    .exec<Record<GaugeName | 'workspaces', number>>(`SELECT count(*) AS workspaces, ${sums} FROM workspaces`)
    .one()
  return { workspaces, gauges }
}

/** Answers the sums with the new gauges in place of those before. */
export function saveGauges(
  sql: SqlStorage,
  { gauges: all, workspaces }: GaugeSums,
  name: string,
  given: WorkspaceGauges,
  now_ms: number,
): GaugeSums {
  const query = `SELECT ${COLUMNS} FROM workspaces WHERE name = ?`
  const [before] = sql.exec<Record<GaugeName, number>>(query, name).toArray()
  // An isolate of another release may tell more or less.
  const gauges = mapGauges((one) => (Number.isSafeInteger(given[one]) ? Math.max(0, given[one]) : 0))
  const marks = NAMES.map(() => '?').join(', ')
  const values = NAMES.map((one) => gauges[one])
  sql.exec(`INSERT OR REPLACE INTO workspaces (name, at, ${COLUMNS}) VALUES (?, ?, ${marks})`, name, now_ms, ...values)
  return {
    gauges: mapGauges((one) => all[one] - (before?.[one] ?? 0) + gauges[one]),
    workspaces: workspaces + (before === undefined ? 1 : 0),
  }
}

/** Answers whether there were any. */
export function forgetIdleWorkspaces(sql: SqlStorage, now_ms: number): boolean {
  const idle = NAMES.filter((name) => name !== 'slots_max').map((name) => `${name} = 0`)
  const query = `DELETE FROM workspaces WHERE at < ? AND ${idle.join(' AND ')} RETURNING 1`
  return sql.exec(query, now_ms - IDLE_MS).toArray().length > 0
}

const mapGauges = (valueOf: (name: GaugeName) => number): WorkspaceGauges => ({
  open_tasks: valueOf('open_tasks'),
  slots_held: valueOf('slots_held'),
  slots_max: valueOf('slots_max'),
  slots_waiting: valueOf('slots_waiting'),
  deliveries_waiting: valueOf('deliveries_waiting'),
})
