/**
 * One batch of a workspace, written by one transaction of the index database. A statement takes all entries in one parameter, so that the
 * number of statements does not depend on theirs. An entry counts where its revision is greater than what is there, so a batch may come late,
 * twice or after a later one.
 */
import type { FeedBatch, FedEntry } from '../../core/protocol/index/feed.ts'
import { entryWords } from '../../core/workspace/index-words.ts'
import { GONE_KEPT_MS, PLACE_BITS, SHARD_BITS, SPAN_ENTRIES } from './schema.ts'

/** The goal that is kept to compare a search with. A longer one is found by its words, and whoever lists it compares the rest. */
const GOAL_KEPT = 200
/** The most entries of an earlier feed that one batch deletes. */
export const STALE_MAX = 500
const TOMBSTONES_CLEARED = 100

/** The lower bits of a row of this tenant and shard. */
const PLACE = `(SELECT number << ${SHARD_BITS} | CAST(?2 AS INTEGER) FROM tenants WHERE tenant = ?1)`
const rowAt = (position: string) => `((CAST(${position} AS INTEGER) << ${PLACE_BITS}) | ${PLACE})`
const given = (name: string) => `json_extract(value, '$.${name}') AS ${name}`

/** ?3: the entries of the batch. Materialized, because the tenant is looked up for each of them. */
const COLUMNS = ['revision', 'id', 'mode', 'status', 'outcome', 'forked_from', 'agent', 'metadata', 'goal', 'is_cut']
const ENTRIES = `entries AS MATERIALIZED (SELECT key, ${rowAt("json_extract(value, '$.position')")} AS row, ${COLUMNS.map(given).join(', ')} FROM json_each(?3))`
/** Entries that the database has not in this revision or a later one, and of which no later revision is gone. */
const NEWER = `newer AS MATERIALIZED (SELECT entries.*, known.row AS known,
    known.row IS NOT NULL AND (${['id', 'mode', 'forked_from', 'agent', 'metadata', 'goal', 'is_cut'].map((name) => `known.${name} IS NOT entries.${name}`).join(' OR ')}) AS is_reworded
  FROM entries LEFT JOIN listed AS known ON known.row = entries.row LEFT JOIN gone ON gone.tenant = ?1 AND gone.row = entries.row
  WHERE (known.row IS NULL OR (known.tenant = ?1 AND entries.revision > known.revision)) AND (gone.row IS NULL OR entries.revision > gone.revision))`

const STATE = 'SELECT epoch, number FROM feeders WHERE tenant = ?1 AND shard = ?2'
/** The whole batch fails where no number is left, because a row without one would stand among those of another tenant. */
const ENTER_TENANT = 'INSERT INTO tenants (tenant) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM tenants WHERE tenant = ?1)'
const ENTER_FEEDER = `INSERT INTO feeders (tenant, shard, epoch, number, complete_to, entered) VALUES (?1, ?2, ?3, ?4, ?5, 0)
  ON CONFLICT (tenant, shard) DO UPDATE SET epoch = excluded.epoch, number = excluded.number, complete_to = excluded.complete_to
  WHERE excluded.number > number OR excluded.epoch > epoch`
const COUNT_ENTERED = `WITH ${ENTRIES}, ${NEWER}
  UPDATE feeders SET entered = entered + (SELECT count(*) FROM newer WHERE known IS NULL) WHERE tenant = ?1 AND shard = ?2`
const ENTER_SPAN = `INSERT OR IGNORE INTO spans (tenant, row, shard) SELECT ?1, ${rowAt('?3')}, shard FROM feeders
  WHERE tenant = ?1 AND shard = ?2 AND entered >= ${SPAN_ENTRIES} * (1 + (SELECT count(*) FROM spans WHERE spans.tenant = ?1 AND spans.shard = feeders.shard))`
const DROP_WORDS = `WITH ${ENTRIES}, ${NEWER} DELETE FROM words WHERE rowid IN (SELECT row FROM newer WHERE is_reworded)`
/** ?4: the words of the entries, in their order. They are long, and no other statement reads them. */
const ENTER_WORDS = `WITH ${ENTRIES}, ${NEWER}, texts AS MATERIALIZED (SELECT key, value FROM json_each(?4))
  INSERT INTO words (rowid, text) SELECT row, texts.value FROM newer JOIN texts ON texts.key = newer.key WHERE known IS NULL OR is_reworded`
const ENTER = `WITH ${ENTRIES}, ${NEWER} INSERT OR REPLACE INTO listed (row, tenant, ${COLUMNS.join(', ')})
  SELECT row, ?1, ${COLUMNS.join(', ')} FROM newer WHERE known IS NULL`
const UPDATE = `WITH ${ENTRIES}, ${NEWER} UPDATE listed SET ${COLUMNS.map((name) => `${name} = newer.${name}`).join(', ')}
  FROM newer WHERE listed.row = newer.row AND listed.tenant = ?1`

/** ?3: the removals of the batch. */
const REMOVALS = `removals AS MATERIALIZED (SELECT ${rowAt("json_extract(value, '$.position')")} AS row, ${given('revision')} FROM json_each(?3))`
const REMOVED = `SELECT listed.row FROM removals CROSS JOIN listed ON listed.row = removals.row WHERE +listed.tenant = ?1 AND removals.revision > listed.revision`
const BURY = `WITH ${REMOVALS} INSERT INTO gone (tenant, row, revision, at) SELECT ?1, row, revision, ?4 FROM removals WHERE true
  ON CONFLICT (tenant, row) DO UPDATE SET revision = max(revision, excluded.revision), at = excluded.at`
const DROP_REMOVED_WORDS = `WITH ${REMOVALS} DELETE FROM words WHERE rowid IN (${REMOVED})`
const DROP_REMOVED = `WITH ${REMOVALS} DELETE FROM listed WHERE row IN (${REMOVED})`
const CLEAR_GONE = `DELETE FROM gone WHERE tenant = ?1 AND row IN (SELECT row FROM gone WHERE tenant = ?1 AND at < ?2 ORDER BY at LIMIT ${TOMBSTONES_CLEARED})`

/** What an earlier epoch has left between two positions: it is no entry any more, or the batch has it. */
const STALE = `SELECT row FROM listed WHERE tenant = ?1 AND row >= (CAST(?3 AS INTEGER) << ${PLACE_BITS}) AND row < (CAST(?4 AS INTEGER) << ${PLACE_BITS})
  AND row & ${2 ** PLACE_BITS - 1} = ${PLACE} AND revision < ?5 ORDER BY row LIMIT ${STALE_MAX}`
const DROP_STALE_WORDS = `DELETE FROM words WHERE rowid IN (${STALE})`
const DROP_STALE = `DELETE FROM listed WHERE row IN (${STALE})`

export interface BatchTarget {
  tenant: string
  /** Which workspace of the tenant feeds it. */
  shard: number
  now_ms: number
}

/** The first statement answers what the database had of the feed. `stale`: which one deletes what an earlier epoch has left. */
export function batchStatements(
  database: D1Database,
  batch: FeedBatch,
  { tenant, shard, now_ms }: BatchTarget,
): { statements: D1PreparedStatement[]; stale: number | null } {
  const to = (query: string, ...values: (string | number)[]) => database.prepare(query).bind(tenant, shard, ...values)
  const { epoch, number, complete_to, entries, removals, copied } = batch
  const statements = [
    to(STATE),
    database.prepare(ENTER_TENANT).bind(tenant),
    to(ENTER_FEEDER, epoch, number, complete_to),
  ]
  if (entries.length > 0) {
    const rows = JSON.stringify(entries.map(storedEntry))
    const words = JSON.stringify(entries.map((entry) => entryWords(tenant, entry)))
    // What a statement finds newer, the last two make known.
    statements.push(
      to(COUNT_ENTERED, rows),
      to(DROP_WORDS, rows),
      to(ENTER_WORDS, rows, words),
      to(UPDATE, rows),
      to(ENTER, rows),
    )
    statements.push(to(ENTER_SPAN, Math.max(...entries.map(({ position }) => position))))
  }
  if (removals.length > 0) {
    const rows = JSON.stringify(removals)
    statements.push(to(DROP_REMOVED_WORDS, rows), to(DROP_REMOVED, rows), to(BURY, rows, now_ms))
    statements.push(database.prepare(CLEAR_GONE).bind(tenant, now_ms - GONE_KEPT_MS))
  }
  if (copied === null) return { statements, stale: null }
  const range = [copied.from, copied.below, epoch] as const
  statements.push(to(DROP_STALE_WORDS, ...range), to(DROP_STALE, ...range))
  return { statements, stale: statements.length - 1 }
}

function storedEntry(entry: FedEntry): Record<string, unknown> {
  const { position, revision, id, mode, status, outcome, forked_from, agent, metadata, goal } = entry
  const chars = [...goal]
  const is_cut = Number(chars.length > GOAL_KEPT)
  const kept = is_cut === 1 ? chars.slice(0, GOAL_KEPT).join('') : goal
  const row = { position, revision, id, mode, status, outcome, forked_from, agent, is_cut, goal: kept }
  return { ...row, metadata: JSON.stringify(metadata) }
}
