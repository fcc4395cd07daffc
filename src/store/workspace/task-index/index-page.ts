/**
 * A page of the index of a workspace, newest first. Pages without a filter, and pages of an open status, use
 * a key. Any other filter reads row by row, and only so many rows that no other call waits long.
 */
import { foldCase } from '../../../core/workspace/search-match.ts'
import { ENDED_STATUSES } from '../../../core/terms/status.ts'
import type { IndexedTask, IndexFilter, IndexPage } from '../../../core/protocol/workspace-records.ts'
import type { ListedAnswer, ListedQuery } from '../../../core/protocol/index/feed.ts'
import type { QueryHandlers, ReadContext } from '../handlers.ts'
import { OPEN } from './open-tasks.ts'
import { feedRow, stateOf } from './sql-feed.ts'
import { LOOK } from './sweep.ts'

/** The most rows and characters of goals that a page reads: about 30 ms on a slow machine (npm run bench:index). */
export const ROWS_MAX = 10_000
const CHARS_MAX = 8_000_000
const ROWS_AT_ONCE = 500

type Values = (string | number)[]
type Condition = { where: string; values: Values }
type Row = Omit<IndexedTask, 'metadata'> & { metadata: string }

export const LIST_QUERIES: QueryHandlers<'list' | 'listed'> = {
  list(context, { filter, before, limit }) {
    context.lookAtOpen(LOOK)
    return indexPage(context, filter, before, limit)
  },
  listed(context, query) {
    context.lookAtOpen(LOOK)
    return listedPage(context, query)
  },
}

/** More changes than this are left to the database: the page is then as of an earlier time. */
export const UNFED_LISTED_MAX = 200

/**
 * Entries of the page that the database has found. Entries that have changed since they were fed are not taken from it: whether they belong
 * to the page is decided here.
 */
function listedPage({ sql, feeding }: ReadContext, { positions, filter, from, below }: ListedQuery): ListedAnswer {
  const found = { where: 'position IN (SELECT value FROM json_each(?))', values: [JSON.stringify(positions)] }
  if (feeding === null) return { entries: [], feed: null }
  const state = stateOf(sql, feedRow(sql))
  const unfed = sql.exec<{ position: number }>('SELECT position FROM unfed LIMIT ?', UNFED_LISTED_MAX + 1).toArray()
  const all = { from: { where: 'position >= ?', values: [from] }, limit: UNFED_LISTED_MAX + positions.length }
  if (unfed.length > UNFED_LISTED_MAX)
    return { entries: rowsIn(sql, allOf(found, all.from), below, all.limit), feed: state }
  const changed = { where: 'position IN (SELECT position FROM unfed)', values: [] }
  const unchanged = { where: 'position NOT IN (SELECT position FROM unfed)', values: [] }
  const entries = [
    ...rowsIn(sql, allOf(found, unchanged, all.from), below, all.limit),
    ...rowsIn(sql, allOf(changed, keyCondition(filter), rowCondition(filter), all.from), below, all.limit),
  ]
  return { entries, feed: { ...state, behind_since: null } }
}

function indexPage({ sql }: ReadContext, filter: IndexFilter, before: number, limit: number): IndexPage {
  const key = keyCondition(filter)
  const looked = rowCondition(filter)
  const entries: IndexedTask[] = []
  let left = { rows: ROWS_MAX, chars: CHARS_MAX }
  for (let top = before; ;) {
    const above = top === 0 ? Number.MAX_SAFE_INTEGER : top
    const span = looked === null ? null : spanOf(sql, key, above, readsGoals(filter))
    const from = span?.from ?? 0
    const wanted = limit + 1 - entries.length
    entries.push(...rowsIn(sql, allOf(key, looked, { where: 'position >= ?', values: [from] }), above, wanted))
    const shown = entries.slice(0, limit)
    if (entries.length > limit) return pageOf(shown, shown.at(-1)?.position ?? null)
    if (span === null || span.rows < ROWS_AT_ONCE) return pageOf(shown, null)
    left = { rows: left.rows - span.rows, chars: left.chars - span.chars }
    // The next page does not read the same rows again.
    if (left.rows <= 0 || left.chars <= 0) return pageOf(shown, from)
    top = from
  }
}

const pageOf = (entries: IndexedTask[], next: number | null): IndexPage => ({ entries, has_more: next !== null, next })

/** The condition that a key serves. */
function keyCondition({ status }: IndexFilter): Condition {
  if (status === null || ENDED_STATUSES.has(status)) return { where: '1 = 1', values: [] }
  return { where: `status = ? AND ${OPEN}`, values: [status] }
}

/** The condition that each row is read for; null where the key alone decides. */
function rowCondition({
  status,
  mode,
  q,
  outcome,
  metadata,
  forked_from = null,
  agent = null,
}: IndexFilter): Condition | null {
  const terms: [string, ...Values][] = []
  if (status !== null && ENDED_STATUSES.has(status)) terms.push(['status = ?', status])
  if (mode !== null) terms.push(['mode = ?', mode])
  // LIKE is not used: it would give characters of the text a meaning, and it folds only ASCII.
  if (q !== null) terms.push(['(instr(goal, ?) > 0 OR instr(lower(id), ?) > 0)', foldCase(q), foldCase(q)])
  // A task that ended under an earlier release is found too, and its list asks the task itself.
  if (outcome !== null) terms.push([`(outcome = ? OR (outcome IS NULL AND NOT (${OPEN})))`, outcome])
  // A task of an earlier release is found too, and its list asks the task itself.
  if (forked_from !== null) terms.push(['(forked_from = ? OR forked_from IS NULL)', forked_from])
  if (agent !== null) terms.push(['agent = ?', agent])
  // Keys are letters, digits and ._- only. The path is bound as a value all the same.
  for (const [key, value] of Object.entries(metadata))
    terms.push(['json_extract(metadata, ?) = ?', `$."${key}"`, value])
  if (terms.length === 0) return null
  return {
    where: terms.map(([condition]) => condition).join(' AND '),
    values: terms.flatMap(([, ...bound]) => bound),
  }
}

/** Whether a filter reads the goals: a search looks in them, and outcome, parent and agent stand behind them. */
const readsGoals = ({ q, outcome, forked_from = null, agent = null }: IndexFilter): boolean =>
  q !== null || outcome !== null || forked_from !== null || agent !== null

function allOf(...conditions: (Condition | null)[]): Condition {
  const given = conditions.flatMap((condition) => condition ?? [])
  return { where: given.map(({ where }) => where).join(' AND '), values: given.flatMap(({ values }) => values) }
}

/** The next rows of the key below `above`: their number, the lowest position, and the length of their goals. */
function spanOf(sql: SqlStorage, key: Condition, above: number, reads_goals: boolean) {
  const column = reads_goals ? 'length(goal)' : '0'
  const next = `SELECT position, ${column} AS chars FROM tasks WHERE ${key.where} AND position < ? ORDER BY position DESC LIMIT ?`
  const query = `SELECT count(*) AS rows, coalesce(min(position), 0) AS "from", coalesce(sum(chars), 0) AS chars FROM (${next})`
  return sql.exec<{ rows: number; from: number; chars: number }>(query, ...key.values, above, ROWS_AT_ONCE).one()
}

function rowsIn(sql: SqlStorage, { where, values }: Condition, above: number, limit: number): IndexedTask[] {
  const found = `SELECT position, id, mode, status, metadata, at AS admitted_at FROM tasks
    WHERE ${where} AND position < ? ORDER BY position DESC LIMIT ?`
  const query = `SELECT found.*, entries.as_of, entries.text FROM (${found}) AS found
    LEFT JOIN entries ON entries.position = found.position ORDER BY found.position DESC`
  const rows = sql.exec<Row & Record<string, SqlStorageValue>>(query, ...values, above, limit).toArray()
  return rows.map((row) => ({ ...row, metadata: JSON.parse(row.metadata) }))
}
