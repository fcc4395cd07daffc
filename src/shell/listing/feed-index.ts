/** Hands the changes of a workspace to the index database, batch by batch. A job that dies leaves a batch that is handed out again. */
import type { FeedBatch } from '../../core/protocol/index/feed.ts'
import { FIRST_SHARD } from '../../core/workspace/shards/layout.ts'
import type { Ports } from '../ports.ts'

/** One job takes what there is, and no longer than this: the alarm of the workspace asks for the next one. */
const BATCHES_MAX = 50
const WORK_MS = 10_000

export async function feedIndex(ports: Ports, tenant: string, shard = FIRST_SHARD): Promise<void> {
  const begun_ms = ports.clock.now_ms()
  for (let batches = 0; batches < BATCHES_MAX; batches++) {
    const is_over = await feedBatch(ports, { tenant, shard })
    if (is_over || ports.clock.now_ms() - begun_ms >= WORK_MS) return
  }
}

/** Which workspace of a tenant is fed. */
interface FeedPlace {
  tenant: string
  shard: number
}

/** Answers whether there is nothing more to feed now. Rejects where the database is away, after it has told the workspace. */
async function feedBatch({ store, index_database }: Ports, place: FeedPlace): Promise<boolean> {
  const workspace = store.workspace(place.tenant, place.shard)
  const batch = index_database === null ? null : await workspace.ask({ kind: 'feed_batch' })
  if (index_database === null || batch === null) return true
  const told = confirmation(batch)
  try {
    const outcome = await index_database.write(place, batch)
    await workspace.tell({ kind: 'confirm_feed', batch: told, outcome })
    return outcome === 'written' && !batch.more
  } catch (error) {
    await workspace.tell({ kind: 'confirm_feed', batch: told, outcome: 'failed' })
    throw error
  }
}

/** The workspace is told which revisions were written: an entry that has changed meanwhile stays to be fed. */
function confirmation({ entries, removals, ...batch }: FeedBatch) {
  const taken = [...entries, ...removals].map(({ position, revision }) => ({ position, revision }))
  return { ...batch, taken }
}
