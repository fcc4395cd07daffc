/** The index database of a deployment, in D1. Its tables are made by the first batch that finds none. */
import type { FeedBatch, FeedOutcome, IndexDatabase } from '../../core/protocol/index/feed.ts'
import { findPage } from './find-page.ts'
import { INDEX_SCHEMA } from './schema.ts'
import { batchStatements, STALE_MAX, type BatchTarget } from './write-batch.ts'

/** A list that waits longer than this is answered without the database. */
const FIND_MS = 3_000
/** After a failure nobody waits for the database for so long. */
const AWAY_MS = 5_000

export function indexDatabase(
  database: D1Database,
  { now_ms, wait }: { now_ms: () => number; wait: (ms: number) => Promise<unknown> },
): IndexDatabase {
  let away_until = 0
  return {
    async write(target, batch) {
      const at = { ...target, now_ms: now_ms() }
      try {
        return await write(database, at, batch)
      } catch (error) {
        if (!lacksTables(error)) throw error
        await database.batch(INDEX_SCHEMA.map((statement) => database.prepare(statement)))
        return write(database, at, batch)
      }
    },
    async find(tenant, filter, range) {
      if (now_ms() < away_until) return null
      const late = wait(FIND_MS).then(() => null)
      const page = await Promise.race([late, findPage(database, tenant, filter, range)]).catch(() => null)
      if (page === null) away_until = now_ms() + AWAY_MS
      return page
    },
  }
}

const lacksTables = (error: unknown): boolean => error instanceof Error && error.message.includes('no such table')

async function write(database: D1Database, target: BatchTarget, batch: FeedBatch): Promise<FeedOutcome> {
  const { statements, stale } = batchStatements(database, batch, target)
  const results = await database.batch<{ epoch: number; number: number }>(statements)
  const before = results[0]?.results[0]
  const has_earlier = before !== undefined && before.epoch === batch.epoch && before.number >= (batch.follows ?? 0)
  if (batch.follows !== null && !has_earlier) return 'lost'
  // The part of the copy is done when nothing of an earlier epoch is left in it.
  return stale !== null && results[stale]?.meta.changes === STALE_MAX ? 'failed' : 'written'
}
