/** What the functions that answer a workspace's commands and queries are given. */
import type {
  WorkspaceCommand,
  WorkspaceCommandAnswer,
  WorkspaceCommandKind,
  WorkspaceQuery,
  WorkspaceQueryAnswer,
  WorkspaceQueryKind,
} from '../../core/protocol/workspace-requests.ts'
import type { FeedBatch, FeedOutcome } from '../../core/protocol/index/feed.ts'
import type { CommandResult } from '../../core/workspace/commands/result.ts'
import type { Lack, ShareAxis } from '../../core/workspace/shards/shares.ts'

/** The tables of a workspace, in the one transaction of a request. */
export interface ReadContext {
  sql: SqlStorage
  now_ms: number
  /** The most bytes of the tenant, and how many of them this object may use. */
  tenant_bytes_max: number
  readonly bytes_max: number
  quota: QuotaPart
  /** What is fed to the index database. null: none is bound. */
  feeding: FeedTurns | null
  /** Whether the object made the tables of a shard when it started (shards/sql-shard-rows.ts). */
  has_shard_tables: boolean
  /** How many callers wait for a delegation. */
  callersWaiting(): number
  /** Has a few open tasks looked at. Nobody waits for it. */
  lookAtOpen(look: OpenTaskLook): void
}
export interface WriteContext extends ReadContext {
  /** Whose workspace it is; null for an object that is named otherwise. */
  tenant(): string | null
  /** How many tasks may hold a run slot. */
  slots_max: number
  /** Whether other shards may be asked for what they do not use of an axis. Each ask counts. */
  mayAsk(axis: ShareAxis): boolean
  after: Afterwards
}

/** How much of each quota of the tenant this object may use: all of it, unless the tenant has several shards (SHARD-03). */
export interface QuotaPart {
  /** Of a bound of the tenant: what this object may use of it. */
  of(axis: ShareAxis, max: number): number
  /** Called where something was refused because the part is too small. */
  lacks(lack: Lack): void
}
/** The only object of a tenant uses everything. */
export const WHOLE_QUOTA: QuotaPart = { of: (_axis, max) => max, lacks: () => undefined }
/** The batches for the index database, one after the other. */
export interface FeedTurns {
  /** null: there is nothing to feed, or a batch is under way. */
  take(sql: SqlStorage, now_ms: number): FeedBatch | null
  /** What became of the batch of this number is known. */
  end(number: number): void
}

/** How often open tasks are looked at, and how many. */
export interface OpenTaskLook {
  every_ms: number
  tasks: number
}

/** What is done when the transaction is over, in the order in which it was asked for. Nothing is done after one that was rolled back. */
export interface Afterwards {
  /** A holder of a run slot has to be woken or looked at then; null: none has. */
  wakeHolder(at: number | null): void
  planReminders(change: Change): void
  /** A delegation may be pending by now, or sooner than before. */
  lookForWaiters(): void
  holdHasBegun(): void
  /** It is known what became of a batch for the index database. */
  feedHasMoved(outcome: FeedOutcome): void
  /** A schedule has to be looked at then; null: none has. */
  lookAtSchedules(at: number | null): void
}
/** What may be due before all other times: the result of a slash command, or a new delegation. */
export type Change = CommandResult | 'delegation_entered'

export type CommandHandlers<K extends WorkspaceCommandKind, C = WriteContext> = {
  [Kind in K]: (context: C, command: WorkspaceCommand<Kind>) => WorkspaceCommandAnswer<Kind>
}
export type QueryHandlers<K extends WorkspaceQueryKind, C = ReadContext> = {
  [Kind in K]: (context: C, query: WorkspaceQuery<Kind>) => WorkspaceQueryAnswer<Kind>
}
