/**
 * A page of the index of a tenant. Where an index database is bound it finds the entries, and the workspace says what they show, and what of
 * the page the database does not have yet. Where it is away, or does not have all entries yet, the workspace finds them itself.
 */
import {
  ABOVE_ALL,
  type FedShard,
  type FeedState,
  type FoundPage,
  type IndexPlace,
} from '../../core/protocol/index/feed.ts'
import type { IndexedTask, IndexFilter, IndexPage } from '../../core/protocol/workspace-records.ts'
import { cursorIn, cursorOf, placeOf } from '../../core/workspace/shards/merge-pages.ts'
import type { Ports } from '../ports.ts'
import type { Paging } from '../caller.ts'

/** Also the time up to which the page is known to be complete, in ms since the epoch. */
type ListedPage = IndexPage & { as_of: number }
type ListingPorts = Pick<Ports, 'store' | 'index_database' | 'shard_count' | 'clock'>

export async function findPage(
  ports: ListingPorts,
  tenant: string,
  filter: IndexFilter,
  { after, limit }: Paging,
): Promise<ListedPage> {
  const found = await pageFromDatabase(ports, tenant, filter, { after, limit })
  if (found !== null) return found
  const page = await ports.store.workspace(tenant).ask({ kind: 'list', filter, before: after, limit })
  return { ...page, as_of: ports.clock.now_ms() }
}

async function pageFromDatabase(
  ports: ListingPorts,
  tenant: string,
  filter: IndexFilter,
  { after, limit }: Paging,
): Promise<ListedPage | null> {
  const before = after === 0 ? null : placeOf(after)
  const page = (await ports.index_database?.find(tenant, filter, { before, limit })) ?? null
  if (page === null) return null
  const asked = await entriesOf(ports, tenant, filter, { page, after })
  if (asked === null) return null
  // Of two entries at one position, that of the greater shard counts as the newer one.
  const entries = asked.entries.toSorted((a, b) => b.position - a.position || b.shard - a.shard)
  const shown = entries.slice(0, limit)
  const end = entries.length > limit ? (shown.at(-1) ?? null) : page.end
  const next = end === null ? null : ports.shard_count(tenant) === 1 ? end.position : cursorOf(end)
  return { entries: shown.map(({ task }) => task), has_more: next !== null, next, as_of: asked.as_of }
}

interface Placed extends IndexPlace {
  task: IndexedTask
}

/** null: a workspace of the tenant has not fed all its entries. */
async function entriesOf(
  { store, clock, shard_count }: ListingPorts,
  tenant: string,
  filter: IndexFilter,
  { page, after }: { page: FoundPage; after: number },
): Promise<{ entries: Placed[]; as_of: number } | null> {
  const shards = Array.from({ length: shard_count(tenant) }, (_, shard) => shard)
  const fed = shards.flatMap((shard) => page.feeders.find((one) => one.shard === shard) ?? [])
  if (fed.length < shards.length) return null
  const now_ms = clock.now_ms()
  const answers = await Promise.all(
    fed.map(async (one) => {
      const { shard } = one
      const positions = page.found.filter((place) => place.shard === shard).map(({ position }) => position)
      const from = page.end === null ? 0 : shard < page.end.shard ? page.end.position + 1 : page.end.position
      const below = after === 0 ? ABOVE_ALL : cursorIn(after, shard)
      const query = { kind: 'listed', positions, filter, from, below } as const
      const { entries, feed } = await store.workspace(tenant, shard).ask(query)
      if (feed === null || !feed.is_complete || feed.epoch !== one.epoch) return null
      const placed = entries.map((task) => ({ position: task.position, shard, task }))
      return { placed, as_of: asOf(one, feed, now_ms) }
    }),
  )
  const all = answers.flatMap((one) => one ?? [])
  if (all.length < answers.length) return null
  return { entries: all.flatMap(({ placed }) => placed), as_of: Math.min(...all.map(({ as_of }) => as_of)) }
}

/** A batch that was fed between the two looks is not in what was found, so the page is as of the batch before it. */
const asOf = (fed: FedShard, feed: FeedState, now_ms: number): number =>
  fed.number === feed.number ? (feed.behind_since ?? now_ms) : fed.complete_to
