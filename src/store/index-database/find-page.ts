/**
 * A page of a tenant's entries from the index database, newest first. A condition with a key of its own – the tenant, a status, an outcome, or
 * words – chooses the rows that are looked at, and the other conditions are compared row by row. So a page looks at a number of rows that
 * does not depend on how many there are, and answers a place to go on from.
 */
import { ABOVE_ALL, type FedShard, type FoundPage, type IndexPlace } from '../../core/protocol/index/feed.ts'
import type { IndexFilter } from '../../core/protocol/workspace-records.ts'
import { namesOf, wordsOfSearch } from '../../core/workspace/index-words.ts'
import { foldCase } from '../../core/workspace/search-match.ts'
import { ENDED_STATUSES } from '../../core/terms/status.ts'
import { PLACE_BITS, SHARD_BITS } from './schema.ts'

type Values = (string | number)[]
interface Condition {
  where: string
  values: Values
}

/** How many rows the first query of a page looks at where it compares them, and how many all of them do. */
const ROWS_FIRST = 170
const ROWS_MAX = 10_000
/** How much of the words the first query of a search looks at. Each further query that follows a quick one looks at eight times as much. */
const SPANS_FIRST = 4
const GROWTH = 8
/** A page begins no further query after so many ms of the database. */
const QUICK_MS = 10
const PAGE_MS = 30

const FEEDERS = 'SELECT shard, epoch, number, complete_to FROM feeders WHERE tenant = ?'
const MASK = 2 ** SHARD_BITS - 1
/** The row of a place. */
const PLACE = `((CAST(? AS INTEGER) << ${PLACE_BITS}) | coalesce((SELECT number << ${SHARD_BITS} FROM tenants WHERE tenant = ?), 0) | CAST(? AS INTEGER))`
const NEWEST: IndexPlace = { position: ABOVE_ALL, shard: 0 }

interface Row {
  seen: number
  low_position: number | null
  low_shard: number | null
  position: number | null
  shard: number | null
}

/** `before` null: the first page. */
export async function findPage(
  database: D1Database,
  tenant: string,
  filter: IndexFilter,
  { before, limit }: { before: IndexPlace | null; limit: number },
): Promise<FoundPage> {
  const plan = planOf(tenant, filter)
  const found: IndexPlace[] = []
  let feeders: FedShard[] | null = null
  let [top, rows, spans, spent, looked] = [
    before ?? NEWEST,
    plan.compared === null ? limit + 1 : ROWS_FIRST,
    SPANS_FIRST,
    0,
    0,
  ]
  const pageTo = (end: IndexPlace | null): FoundPage => ({ found: found.slice(0, limit), feeders: feeders ?? [], end })
  for (;;) {
    const floor = plan.words === null ? null : spanBelow(tenant, top, spans)
    const page = pageQuery(database, tenant, plan, { top, floor, rows, wanted: limit + 1 - found.length })
    const query = floor === null ? null : database.prepare(floor.query).bind(...floor.values)
    const asked = [
      ...(feeders === null ? [database.prepare(FEEDERS).bind(tenant)] : []),
      page,
      ...(query === null ? [] : [query]),
    ]
    const results = await database.batch<unknown>(asked)
    feeders ??= (results.shift()?.results ?? []) as FedShard[] // the columns of FEEDERS
    const read = (results[0]?.results ?? []) as Row[] // the columns of pageQuery
    const bottom = (results[1]?.results?.[0] ?? null) as IndexPlace | null // the columns of spanBelow
    const duration = results.reduce((sum, { meta }) => sum + meta.duration, 0)
    for (const { position, shard } of read) if (position !== null && shard !== null) found.push({ position, shard })
    if (found.length > limit) return pageTo(found[limit - 1] ?? null)
    const { seen = 0, low_position = null, low_shard = null } = read[0] ?? {}
    const is_through = seen < rows
    if (is_through && bottom === null) return pageTo(null)
    if (is_through && bottom !== null) top = bottom
    else if (low_position !== null) top = { position: low_position, shard: low_shard ?? 0 }
    spent += duration
    looked += seen
    if (spent >= PAGE_MS || looked >= ROWS_MAX) return pageTo(top)
    if (duration >= QUICK_MS) continue
    rows = Math.min(rows * GROWTH, ROWS_MAX - looked)
    spans *= GROWTH
  }
}

/** What chooses the rows of a page, and what each of them is compared with. */
interface Plan {
  keys: Condition[]
  /** An expression of FTS5. null: no words are looked for. */
  words: string | null
  /** null: a key alone decides. */
  compared: Condition | null
}

function planOf(tenant: string, filter: IndexFilter): Plan {
  const { status, outcome } = filter
  // Few tasks are open, compared with those that have some word.
  const is_open = status !== null && !ENDED_STATUSES.has(status)
  const words = is_open ? null : wordsWanted(tenant, filter, status === null && outcome === null)
  if (words !== null) return { words, keys: [], compared: comparison(filter) }
  if (status !== null) {
    const key = { where: 'tenant = ? AND status = ?', values: [tenant, status] }
    return { words, keys: [key], compared: comparison({ ...filter, status: null }) }
  }
  const compared = comparison(filter)
  if (outcome === null) return { words, keys: [{ where: 'tenant = ?', values: [tenant] }], compared }
  // A task that ended under an earlier release is found too, and its list asks the task itself.
  const keys = [
    { where: "tenant = ? AND outcome = ? AND outcome IS NOT ''", values: [tenant, outcome] },
    { where: "tenant = ? AND outcome IS NULL AND outcome IS NOT ''", values: [tenant] },
  ]
  return { words, keys, compared }
}

/** A mode has so many tasks that it is only looked for where nothing else chooses. */
function wordsWanted(tenant: string, filter: IndexFilter, with_mode: boolean): string | null {
  const { mode, metadata, q, agent = null, forked_from = null } = filter
  const names = namesOf(tenant)
  const labels = Object.entries(metadata).map(([key, value]) => names.label(key, value))
  const parts = q === null ? [] : wordsOfSearch(tenant, foldCase(q))
  // The parent of a task of an earlier release may be unknown.
  const parent = forked_from === null ? [] : [`(${names.fork(forked_from)} OR ${names.fork(null)})`]
  const wanted = [...parent, ...labels, ...(agent === null ? [] : [names.agent(agent)]), ...parts]
  if (wanted.length === 0 && (mode === null || !with_mode || q !== null)) return null
  return [...wanted, ...(mode === null ? [] : [names.mode(mode)])].join(' AND ')
}

const ENDED = [...ENDED_STATUSES].map((status) => `'${status}'`).join(', ')

/** As the index of a workspace compares (store/workspace/task-index/index-page.ts). A goal that is cut is compared by whoever lists it. */
function comparison({
  status,
  mode,
  q,
  outcome,
  metadata,
  forked_from = null,
  agent = null,
}: IndexFilter): Condition | null {
  const terms: [string, ...Values][] = []
  if (status !== null) terms.push(['status = ?', status])
  if (mode !== null) terms.push(['mode = ?', mode])
  if (q !== null)
    terms.push(['(instr(goal, ?) > 0 OR is_cut = 1 OR instr(lower(id), ?) > 0)', foldCase(q), foldCase(q)])
  if (outcome !== null) terms.push([`(outcome = ? OR (outcome IS NULL AND status IN (${ENDED})))`, outcome])
  if (forked_from !== null) terms.push(['(forked_from = ? OR forked_from IS NULL)', forked_from])
  if (agent !== null) terms.push(['agent = ?', agent])
  for (const [key, value] of Object.entries(metadata))
    terms.push(['json_extract(metadata, ?) = ?', `$."${key}"`, value])
  if (terms.length === 0) return null
  return { where: terms.map(([one]) => one).join(' AND '), values: terms.flatMap(([, ...bound]) => bound) }
}

/** The end of so many spans below a place, as a place. */
function spanBelow(tenant: string, top: IndexPlace, spans: number): Condition & { query: string } {
  const values: Values = [tenant, top.position, tenant, top.shard, spans - 1]
  const where = `SELECT row FROM spans WHERE tenant = ? AND row < ${PLACE} ORDER BY row DESC LIMIT 1 OFFSET ?`
  const query = `SELECT row >> ${PLACE_BITS} AS position, row & ${MASK} AS shard FROM (${where})`
  return { query, where, values }
}

interface Look {
  top: IndexPlace
  floor: Condition | null
  rows: number
  wanted: number
}

/**
 * `CROSS JOIN` and `+` make SQLite look up the rows that were seen, and not read all those of the tenant. Each row says how many rows were
 * looked at, and where that ended. Where none is found, one row says only that.
 */
function pageQuery(
  database: D1Database,
  tenant: string,
  plan: Plan,
  { top, floor, rows, wanted }: Look,
): D1PreparedStatement {
  const above: Condition = { where: `< ${PLACE}`, values: [top.position, tenant, top.shard] }
  const seen = plan.words === null ? seenByKeys(plan.keys, above, rows) : seenByWords(plan.words, above, floor, rows)
  const { where, values } = plan.compared ?? { where: 'true', values: [] }
  const page = `SELECT listed.row FROM seen CROSS JOIN listed ON listed.row = seen.row WHERE +listed.tenant = ? AND ${where} ORDER BY listed.row DESC LIMIT ?`
  const ends = `ends.low >> ${PLACE_BITS} AS low_position, ends.low & ${MASK} AS low_shard`
  const places = `page.row >> ${PLACE_BITS} AS position, page.row & ${MASK} AS shard`
  const query = `WITH seen AS MATERIALIZED (${seen.where}), page AS (${page})
    SELECT ends.seen, ${ends}, ${places} FROM (SELECT count(*) AS seen, min(row) AS low FROM seen) AS ends LEFT JOIN page ORDER BY page.row DESC`
  return database.prepare(query).bind(...seen.values, tenant, ...values, wanted)
}

/** The rows below `above` that have one of the keys. */
function seenByKeys(keys: Condition[], above: Condition, rows: number): Condition {
  const parts = keys.map(
    ({ where }) =>
      `SELECT * FROM (SELECT row FROM listed WHERE ${where} AND row ${above.where} ORDER BY row DESC LIMIT ?)`,
  )
  const values = keys.flatMap((key) => [...key.values, ...above.values, rows])
  if (parts.length === 1) return { where: parts[0] ?? '', values }
  return {
    where: `SELECT row FROM (${parts.join(' UNION ALL ')}) ORDER BY row DESC LIMIT ?`,
    values: [...values, rows],
  }
}

function seenByWords(words: string, above: Condition, floor: Condition | null, rows: number): Condition {
  const from = floor === null ? '0' : `coalesce((${floor.where}), 0)`
  return {
    where: `SELECT rowid AS row FROM words WHERE words MATCH ? AND rowid ${above.where} AND rowid >= ${from} ORDER BY rowid DESC LIMIT ?`,
    values: [words, ...above.values, ...(floor?.values ?? []), rows],
  }
}
