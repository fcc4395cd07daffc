/**
 * What a workspace hands to the index database of the deployment, in batches. The feed of a workspace has an epoch, which begins with a copy
 * of all its entries. Times are in ms since the epoch.
 */
import type { IndexedTask, IndexFilter } from '../workspace-records.ts'

/** Above every position: a time in ms, in the 42 bits that the index database has for it. */
export const ABOVE_ALL = 2 ** 42 - 1

/** An entry as it stands. Of two writes of one position, the one with the greater revision counts. */
export interface FedEntry {
  /** The place of the entry in its workspace, which never changes. */
  position: number
  revision: number
  id: string
  mode: string
  status: string
  /** Empty: it has none. null: the workspace does not know it, because an earlier release told it nothing. */
  outcome: string | null
  /** The same. */
  forked_from: string | null
  /** Empty: none. */
  agent: string
  metadata: Record<string, string>
  /** In folded case (core/workspace/search-match.ts). */
  goal: string
}
/** An entry that has left the workspace. */
type FedRemoval = Pick<FedEntry, 'position' | 'revision'>

export interface FeedBatch {
  /** All revisions of the epoch are at least this. */
  epoch: number
  /** Counts the batches of the workspace; not every number is used. */
  number: number
  /** The batch that the database had last. null: none of this epoch. */
  follows: number | null
  /** All changes before this time are in the database when this batch is. */
  complete_to: number
  entries: FedEntry[]
  removals: FedRemoval[]
  /** The batch has every entry with a position from `from` on and below `below`. null: it is no part of the copy. */
  copied: { from: number; below: number } | null
  /** There is more to feed now. */
  more: boolean
}

/** What became of a batch: the database has it; it is away; or it has lost what it had, so that the feed begins again. */
export type FeedOutcome = 'written' | 'failed' | 'lost'

/** How far the database is behind a workspace. */
export interface FeedState {
  epoch: number
  /** The last batch that the database is known to have. */
  number: number
  /** Whether the first copy of all entries is complete. */
  is_complete: boolean
  /** Since when there are changes that are neither in the database nor in the answer. null: there are none. */
  behind_since: number | null
}

/** Asks a workspace for the entries of a page that the database has found. */
export interface ListedQuery {
  positions: number[]
  /** The page: what the database does not have yet of it is found by the workspace itself. */
  filter: IndexFilter
  from: number
  below: number
}
export interface ListedAnswer {
  entries: IndexedTask[]
  /** null: the workspace feeds no database. */
  feed: FeedState | null
}

/** What of a batch was taken: a position in the revision in which it was read. */
type Taken = Pick<FedEntry, 'position' | 'revision'>

/** The requests of the feed to a workspace (core/protocol/workspace-requests.ts). */
export interface FeedCommandTypes {
  /** Notes what became of a batch for the index database. A batch of an earlier epoch changes nothing. */
  confirm_feed: [{ batch: Omit<FeedBatch, 'entries' | 'removals'> & { taken: Taken[] }; outcome: FeedOutcome }, void]
  /** Begins the feed again with a copy of all entries, because the database was lost. */
  restart_feed: [object, void]
}
export interface FeedQueryTypes {
  /** Entries of the index by their positions, and what of the page the index database does not have yet. */
  listed: [ListedQuery, ListedAnswer]
  /** The next batch for the index database. null: there is nothing to feed, or a batch is under way. */
  feed_batch: [object, FeedBatch | null]
}

/** A place between two entries of a tenant, who may have several workspaces. */
export interface IndexPlace {
  position: number
  shard: number
}
/** What the index database has found of a page, newest first. */
export interface FoundPage {
  /** Where it ends: the page has all that was found from here on. null: it ends with the last entry. */
  end: IndexPlace | null
  found: IndexPlace[]
  /** The workspaces of the tenant that feed the database. */
  feeders: FedShard[]
}
/** A workspace whose entries the database has, all of them as of `complete_to` where it has the first copy. */
export interface FedShard {
  shard: number
  epoch: number
  number: number
  complete_to: number
}

/** Finds the entries of a tenant for lists and searches, as far as its workspaces have fed them. */
export interface IndexDatabase {
  /** Writes a batch of one workspace of a tenant. Rejects where the database is away. A batch may be written twice. */
  write(workspace: { tenant: string; shard: number }, batch: FeedBatch): Promise<FeedOutcome>
  /**
   * At most `limit` entries before a place, or from the newest on. It may find entries that have changed since, or have the parts of the text
   * that is looked for and not the text. null: the database is away, and nobody waits for it.
   */
  find(
    tenant: string,
    filter: IndexFilter,
    range: { before: IndexPlace | null; limit: number },
  ): Promise<FoundPage | null>
}

/** What a list is found with. */
export interface IndexPorts {
  /** null where none is bound. */
  index_database: IndexDatabase | null
  /** How many workspaces the tenant has. */
  shard_count: (tenant: string) => number
}
