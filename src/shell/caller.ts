/** What every request of the service carries, and the answers and pages that several of them share. */
import { TENANT_SCOPES, type Scope } from '../core/registry/scopes.ts'
import type { RequestKey } from '../core/protocol/advance.ts'
import type { ThoughtDelta } from '../core/protocol/view/news.ts'
import type { CommandResult } from '../core/workspace/commands/result.ts'
import type { Brief } from '../core/terms/effect.ts'
import type { Outcome, Status } from '../core/terms/status.ts'
import type { DryRun, Envelope, IncompleteEntry, TaskEntry, TaskView } from '../core/terms/view.ts'
import type { FileEntry } from '../core/terms/files/files.ts'
import type { SentFiles } from './sent-files.ts'

/** The bounds of one request: at most `rounds` rounds, and none begins after `max_ms`. */
export interface Bounds {
  rounds: number
  max_ms: number
}
/** What every call carries: its tenant, and the W3C traceparent or null. */
export interface Caller {
  tenant: string
  /** What the key of the caller may do. Empty for a caller without a key. */
  scopes: readonly Scope[]
  /** Names the key or the login without revealing it; null: the caller came without one, or the service works by itself. */
  key_name: string | null
  /** The caller administers all tenants. Only such a caller has no tenant. */
  is_operator?: true
  traceparent: string | null
  /** The id of the request, for the log; absent for the service itself. */
  request_id?: string
  /** The epoch of the link by which the caller came; absent for a caller with a key. */
  link?: number
  /** The Idempotency-Key of the request, with the digest that it is compared by. */
  key: RequestKey | null
  /** Whether the caller has hung up: the running effect is finished, and no new one begins (U10). */
  gone: () => boolean
  /** Reads the request's slice as it happens. Without one the answer comes whole at the end. */
  reader?: SliceReader
}
/** A caller who reads along. If it leaves, the model call under way ends at once. */
interface SliceReader {
  left: AbortSignal
  onEvents(events: readonly Envelope[]): void
  onWords(words: ThoughtDelta): void
}
/** The service itself, which works for a tenant without a request. */
export const serviceCaller = (tenant: string): Caller => ({
  tenant,
  scopes: TENANT_SCOPES,
  key_name: null,
  traceparent: null,
  key: null,
  gone: () => false,
})

/** The settings are the effective ones: those of the caller over the configured defaults. */
export type NewTask = Brief
/** How a new task begins: with a first slice of these bounds, or not before it is resumed. */
export interface Beginning extends Bounds {
  hold?: boolean
  /** Its files, which are stored before it begins. */
  files?: SentFiles
}
/** The task after the request, with its `slice`. `command` is set where a slash command ran instead. */
export interface TaskAnswer {
  task: TaskView
  /** The epoch in which links of the task are made. */
  link_epoch: number
  command?: CommandResult
  /** The answer of an earlier request with the same Idempotency-Key. */
  replayed?: true
}
/** The answer of a dry run. */
export interface DryRunAnswer {
  planned: DryRun
  /** The answer of an earlier request with the same Idempotency-Key. */
  replayed?: true
}
/** A page of tasks, as their index knows them. */
export interface TaskPage extends Page<TaskEntry> {
  /** The time up to which the page is known to be complete. */
  as_of: string
  /** Tasks of this page that cannot be read. */
  incomplete?: IncompleteEntry[]
}
export interface Page<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}
/** Rows of a task that may be damaged: the readable ones, and the numbers of the others. */
export interface RowPage<T> extends Page<T> {
  unreadable?: number[]
  incomplete?: true
}
export interface TaskFilter {
  status: Status | null
  mode: string | null
  metadata: Record<string, string>
  /** A part of the goal or the id; case does not matter. */
  q: string | null
  outcome: Outcome | null
  /** Only forks of this task. */
  forked_from?: string | null
  /** Only tasks of the agent of this name. */
  agent?: string | null
}
/** `link_epoch` is the epoch in which links to the files are made. */
export type FilePage = Page<FileEntry> & { link_epoch: number }
/** `after` is the cursor of the page before: the seq of a journal row or event, or an opaque number of the index. */
export interface Paging {
  limit: number
  after: number
}
