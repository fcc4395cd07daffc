/**
 * What a workspace has to hand to the index database: `unfed` has the positions of entries that have changed, and `feed` how far the feed is.
 * Triggers on `tasks` write `unfed` in the statement that changes an entry, so no caller can forget it. Without a database there is neither
 * trigger nor row. To be called in a transaction.
 */
import { ABOVE_ALL, type FeedBatch, type FedEntry, type FeedState } from '../../../core/protocol/index/feed.ts'
import { hasTable } from '../../has-table.ts'

/** The most entries of a batch, and characters of their goals: the words of all of them go in one parameter of 2 MB. */
const BATCH_ENTRIES = 100
const BATCH_CHARS = 60_000
/** More changes than this are not searched for the oldest one. */
const UNFED_READ_MAX = 5_000

const TABLES = [
  `CREATE TABLE IF NOT EXISTS feed (only_row INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, revision INTEGER NOT NULL,
     number INTEGER NOT NULL, complete_to INTEGER NOT NULL, copied_from INTEGER)`,
  'CREATE TABLE IF NOT EXISTS unfed (position INTEGER PRIMARY KEY, revision INTEGER NOT NULL, at INTEGER NOT NULL)',
] as const

/**
 * Revisions of one position grow: by one where the last change was not fed yet, and else from the greatest revision that was fed. `at` stays
 * that of the first change that was not fed.
 */
const change = (row: 'old' | 'new') =>
  `INSERT INTO unfed (position, revision, at)
     VALUES (${row}.position, (SELECT revision + 1 FROM feed), CAST(unixepoch('subsec') * 1000 AS INTEGER))
     ON CONFLICT (position) DO UPDATE SET revision = max(excluded.revision, revision + 1)`
const FED_COLUMNS = ['id', 'mode', 'status', 'outcome', 'forked_from', 'agent', 'metadata', 'goal']
const differs = FED_COLUMNS.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')
const TRIGGERS = [
  `CREATE TRIGGER unfed_entered AFTER INSERT ON tasks BEGIN ${change('new')}; END`,
  `CREATE TRIGGER unfed_changed AFTER UPDATE OF ${FED_COLUMNS.join(', ')} ON tasks WHEN ${differs} BEGIN ${change('new')}; END`,
  `CREATE TRIGGER unfed_removed AFTER DELETE ON tasks BEGIN ${change('old')}; END`,
] as const
const TRIGGER_NAMES = ['unfed_entered', 'unfed_changed', 'unfed_removed'] as const

/**
 * Begins the feed where a database is bound, and ends it where none is. A workspace that was without one begins again with a copy of all its
 * entries, because nobody noted what has changed meanwhile. To be called once for an object, after `tasks` has its columns.
 */
export function makeFeed(sql: SqlStorage, is_bound: boolean, now_ms: number): void {
  const is_made = hasTable(sql, TRIGGER_NAMES[0])
  if (is_made === is_bound) return
  for (const name of TRIGGER_NAMES) sql.exec(`DROP TRIGGER IF EXISTS ${name}`)
  sql.exec('DROP TABLE IF EXISTS unfed')
  if (!is_bound) return
  for (const table of TABLES) sql.exec(table)
  restartFeed(sql, now_ms)
  for (const trigger of TRIGGERS) sql.exec(trigger)
}

/** An epoch is a time. So it is later than the revisions of a workspace that was lost and made again. */
export function restartFeed(sql: SqlStorage, now_ms: number): void {
  sql.exec('DELETE FROM unfed')
  const query = `INSERT INTO feed (only_row, epoch, revision, number, complete_to, copied_from) VALUES (1, ?, ?, 0, 0, ?)
    ON CONFLICT (only_row) DO UPDATE SET epoch = max(excluded.epoch, revision + 1), revision = max(excluded.revision, revision + 1),
      complete_to = 0, copied_from = excluded.copied_from`
  sql.exec(query, now_ms, now_ms, ABOVE_ALL)
}

/** `copied_from` null: the copy of all entries is complete. */
interface FeedRow extends Record<string, SqlStorageValue> {
  epoch: number
  /** The greatest revision that was fed. */
  revision: number
  /** The last batch that was fed. */
  number: number
  complete_to: number
  copied_from: number | null
}

/** To be called where a database is bound. */
export const feedRow = (sql: SqlStorage): FeedRow =>
  sql.exec<FeedRow>('SELECT epoch, revision, number, complete_to, copied_from FROM feed').one()

export const hasUnfed = (sql: SqlStorage, { copied_from }: FeedRow): boolean =>
  copied_from !== null || sql.exec('SELECT 1 FROM unfed LIMIT 1').toArray().length > 0

/** The time before which all changes were fed. null: nothing is unfed. */
function behindSince(sql: SqlStorage, { complete_to }: FeedRow): number | null {
  const { count, at } = sql
    .exec<{ count: number; at: number | null }>(
      'SELECT count(*) AS count, min(at) AS at FROM (SELECT at FROM unfed LIMIT ?)',
      UNFED_READ_MAX + 1,
    )
    .one()
  if (at === null) return null
  return count > UNFED_READ_MAX ? complete_to : Math.max(at, complete_to)
}

export const stateOf = (sql: SqlStorage, feed: FeedRow): FeedState => ({
  epoch: feed.epoch,
  number: feed.number,
  is_complete: feed.copied_from === null,
  behind_since: behindSince(sql, feed),
})

type Row = Omit<FedEntry, 'metadata'> & { id: string | null; metadata: string; revision: number | null } & Record<
    string,
    SqlStorageValue
  >
/** Positions of changes that come next, and how many more there may be. */
interface Taken {
  rows: Row[]
  is_full: boolean
}

const ENTRY =
  'tasks.id, tasks.mode, tasks.status, tasks.outcome, tasks.forked_from, tasks.agent, tasks.metadata, tasks.goal'

/** Takes rows until the batch is full. Rows are read one by one, because goals may be long. */
function takeRows(rows: Iterable<Row>): Taken {
  const taken: Row[] = []
  let chars = 0
  for (const row of rows) {
    if (taken.length === BATCH_ENTRIES) return { rows: taken, is_full: true }
    chars += row.goal?.length ?? 0
    if (chars > BATCH_CHARS && taken.length > 0) return { rows: taken, is_full: true }
    taken.push(row)
  }
  return { rows: taken, is_full: false }
}

/**
 * The next batch: changes with a position below `turn` first, so that each gets its turn however many are newer, and then a part of the copy.
 * null: there is nothing to feed.
 */
export function nextBatch(
  sql: SqlStorage,
  feed: FeedRow,
  { turn, number, now_ms }: { turn: number; number: number; now_ms: number },
): FeedBatch | null {
  const query = `SELECT unfed.position, unfed.revision, ${ENTRY} FROM unfed LEFT JOIN tasks ON tasks.position = unfed.position
    WHERE unfed.position < ? ORDER BY unfed.position DESC`
  const changes = takeRows(sql.exec<Row>(query, turn))
  // Those above the turn are the next ones.
  const is_round_over = !changes.is_full && turn >= ABOVE_ALL
  const below = feed.copied_from
  const copy = below === null || changes.rows.length > 0 ? null : copyRows(sql, below)
  const rows = copy?.rows ?? changes.rows
  if (rows.length === 0 && copy === null && is_round_over) return null
  const from = copy === null || !copy.is_full ? 0 : (copy.rows.at(-1)?.position ?? 0)
  const is_last = is_round_over && (below === null || copy?.is_full === false)
  return {
    epoch: feed.epoch,
    number,
    // The first batch that was fed has set the time.
    follows: feed.complete_to === 0 ? null : feed.number,
    complete_to: is_last && below === null ? now_ms : (behindSince(sql, feed) ?? now_ms),
    entries: rows.flatMap((row) => entryIn(row, feed.epoch)),
    removals: rows.flatMap(({ id, position, revision }) =>
      id === null ? [{ position, revision: revision ?? 0 }] : [],
    ),
    copied: copy === null || below === null ? null : { from, below },
    more: !is_last,
  }
}

function copyRows(sql: SqlStorage, below: number): Taken {
  const query = `SELECT tasks.position, unfed.revision, ${ENTRY} FROM tasks LEFT JOIN unfed ON unfed.position = tasks.position
    WHERE tasks.position < ? ORDER BY tasks.position DESC`
  return takeRows(sql.exec<Row>(query, below))
}

/** An entry that has not changed since the copy began has the revision of its epoch. */
function entryIn(row: Row, epoch: number): FedEntry[] {
  const { position, revision, id, mode, status, outcome, forked_from, agent, metadata, goal } = row
  if (id === null) return []
  const labels: FedEntry['metadata'] = JSON.parse(metadata)
  return [
    { position, revision: revision ?? epoch, id, mode, status, outcome, forked_from, agent, metadata: labels, goal },
  ]
}
