/** Queries that all shards of a tenant answer together (SHARD-06). Each asks every shard once, all at the same time. */
import type { RemoteWorkspace, WorkspaceQuery, WorkspaceQueryAnswer } from '../../core/protocol/workspace-requests.ts'
import { mergeSums } from '../../core/terms/values/usage-sums.ts'
import { cursorIn, mergePages, type ShardPage } from '../../core/workspace/shards/merge-pages.ts'

type MergedKind = 'list' | 'finished' | 'may_come_back' | 'used_bytes' | 'limit_use' | 'deliveries' | 'usage' | 'pools'
type Merged = { [K in MergedKind]: (shards: Shards, query: WorkspaceQuery<K>) => Promise<WorkspaceQueryAnswer<K>> }

interface Shards {
  numbers: readonly number[]
  open: (shard: number) => RemoteWorkspace
}
const askAll = <T>({ numbers, open }: Shards, ask: (workspace: RemoteWorkspace, shard: number) => Promise<T>) =>
  Promise.all(numbers.map((shard) => ask(open(shard), shard)))

export const MERGED_QUERIES: Merged = {
  async list(shards, { kind, filter, before, limit }) {
    const pages = await askAll(shards, async (workspace, shard) => {
      const { entries, next } = await workspace.ask({ kind, filter, before: cursorIn(before, shard), limit })
      return { shard, entries, next }
    })
    const { entries, next } = mergePages(pages, limit)
    return { entries: entries.map(({ entry }) => entry), has_more: next !== null, next }
  },
  async deliveries(shards, { kind, status, before, limit }) {
    const pages = await askAll(shards, async (workspace, shard): Promise<ShardPage<DeliveryAt>> => {
      const { records, has_more } = await workspace.ask({ kind, status, before: cursorIn(before, shard), limit })
      return { shard, entries: records, next: has_more ? (records.at(-1)?.position ?? null) : null }
    })
    const { entries, next } = mergePages(pages, limit)
    // The caller takes the position of the last record as its cursor.
    return { records: entries.map(({ entry, cursor }) => ({ ...entry, position: cursor })), has_more: next !== null }
  },
  /** The newest of each shard: a forecast needs many, and not those of one moment. */
  async finished(shards, { kind, limit }) {
    const each = Math.ceil(limit / shards.numbers.length)
    const found = await askAll(shards, (workspace) => workspace.ask({ kind, limit: each }))
    return found.flat().slice(0, limit)
  },
  may_come_back: async (shards, query) => (await askAll(shards, (workspace) => workspace.ask(query))).includes(true),
  usage: async (shards, query) =>
    mergeSums((await askAll(shards, (workspace) => workspace.ask(query))).flat(), query.group_by, query.limit),
  async pools(shards, query) {
    const names = new Set((await askAll(shards, (workspace) => workspace.ask(query))).flat())
    return [...names].toSorted().slice(0, query.limit)
  },
  used_bytes: async (shards, query) =>
    (await askAll(shards, (workspace) => workspace.ask(query))).reduce((sum, bytes) => sum + bytes, 0),
  /** The totals are those of the ledger, which the first shard keeps. */
  async limit_use(shards, query) {
    const [first, ...others] = await askAll(shards, (workspace) => workspace.ask(query))
    if (first === undefined) throw new Error('a tenant has a first shard')
    return others.reduce(
      (sum, { open_tasks, key_open_tasks, stored_bytes }) => ({
        totals: sum.totals,
        open_tasks: sum.open_tasks + open_tasks,
        key_open_tasks: sum.key_open_tasks === null ? null : sum.key_open_tasks + (key_open_tasks ?? 0),
        stored_bytes: sum.stored_bytes + stored_bytes,
      }),
      first,
    )
  },
}

type DeliveryAt = WorkspaceQueryAnswer<'deliveries'>['records'][number]

export const isMerged = (kind: string): kind is MergedKind => Object.hasOwn(MERGED_QUERIES, kind)
