/** The batches of the feed, one after the other: each change gets its turn, and no two jobs work at once. */
import { ABOVE_ALL, type FeedBatch } from '../../../core/protocol/index/feed.ts'
import type { FeedTurns } from '../handlers.ts'
import { feedRow, nextBatch } from './sql-feed.ts'

/** A batch of which nobody says for so long what became of it was lost with its job. */
export const BATCH_LOST_MS = 30_000

/** Which batch is under way, and whose turn is next, are lost with the object: then the round begins anew. */
export function feedTurns(): FeedTurns {
  let under_way: { number: number; since: number } | null = null
  let turn = ABOVE_ALL
  let last = 0
  return {
    take(sql, now_ms) {
      if (under_way !== null && Math.abs(now_ms - under_way.since) < BATCH_LOST_MS) return null
      const feed = feedRow(sql)
      const number = Math.max(now_ms, last, feed.number) + 1
      const batch = nextBatch(sql, feed, { turn, number, now_ms })
      if (batch === null) return null
      ;[under_way, last] = [{ number, since: now_ms }, number]
      if (batch.copied === null) turn = batch.more ? lowestIn(batch) : ABOVE_ALL
      return batch
    },
    end(number) {
      if (under_way?.number === number) under_way = null
    },
  }
}

/** A turn that has found nothing begins the round anew. */
function lowestIn({ entries, removals }: FeedBatch): number {
  const positions = [...entries, ...removals].map(({ position }) => position)
  return positions.length === 0 ? ABOVE_ALL : Math.min(...positions)
}
