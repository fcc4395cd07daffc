/**
 * The feed of the index database as a workspace serves it: batches one after the other, each handed out until it is known what became of it.
 * What a batch says is repeated until it is confirmed, and harmless when it is written twice (docs/contributing/storage.md).
 */
import type { CommandHandlers, QueryHandlers } from '../handlers.ts'
import { feedRow, restartFeed } from './sql-feed.ts'

export const FEED_QUERIES: QueryHandlers<'feed_batch'> = {
  feed_batch: ({ feeding, sql, now_ms }) => feeding?.take(sql, now_ms) ?? null,
}

export const FEED_COMMANDS: CommandHandlers<'confirm_feed' | 'restart_feed'> = {
  confirm_feed({ feeding, sql, now_ms, after }, { batch, outcome }) {
    if (feeding === null) return
    feeding.end(batch.number)
    const feed = feedRow(sql)
    if (batch.epoch !== feed.epoch) return
    if (outcome === 'lost') restartFeed(sql, now_ms)
    if (outcome === 'written') confirm(sql, batch)
    after.feedHasMoved(outcome)
  },
  restart_feed({ feeding, sql, now_ms, after }) {
    if (feeding === null) return
    restartFeed(sql, now_ms)
    after.feedHasMoved('lost')
  },
}

type Confirmed = Parameters<(typeof FEED_COMMANDS)['confirm_feed']>[1]['batch']

/** An entry that has changed since it was read has a greater revision, and stays. */
function confirm(sql: SqlStorage, { number, complete_to, copied, taken }: Confirmed): void {
  const given = `SELECT json_extract(value, '$.position') AS position, json_extract(value, '$.revision') AS revision FROM json_each(?)`
  const same = 'EXISTS (SELECT 1 FROM given WHERE given.position = unfed.position AND given.revision = unfed.revision)'
  sql.exec(
    `WITH given AS (${given}) DELETE FROM unfed WHERE position IN (SELECT position FROM given) AND ${same}`,
    JSON.stringify(taken),
  )
  const revision = Math.max(0, ...taken.map((one) => one.revision))
  // Of two batches with a part of the copy, only the one that goes on where the copy stands moves it.
  const copy = 'CASE WHEN copied_from IS ? THEN ? ELSE copied_from END'
  const [below, from] = copied === null ? [-1, null] : [copied.below, copied.from === 0 ? null : copied.from]
  sql.exec(
    `UPDATE feed SET revision = max(revision, ?), number = max(number, ?), complete_to = max(complete_to, ?), copied_from = ${copy}`,
    revision,
    number,
    complete_to,
    below,
    from,
  )
}
