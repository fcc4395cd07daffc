/** What every request of the service carries, and the answers and pages that several of them share. */
import type { RequestKey } from '../core/protocol/advance.ts'
import type { CommandResult } from '../core/workspace/commands/result.ts'
import type { Brief } from '../core/terms/effect.ts'
import type { Status } from '../core/terms/status.ts'
import type { DryRun, IncompleteEntry, TaskEntry, TaskView } from '../core/terms/view.ts'
import type { FileEntry } from '../core/terms/files/files.ts'

/** How far one request may go: at most `rounds` rounds, none begun after `max_ms`. */
export interface Bounds {
  rounds: number
  max_ms: number
}
/** What every call carries: whose it is, and the trace it belongs to (W3C traceparent or null). */
export interface Caller {
  tenant: string
  traceparent: string | null
  /** The epoch of the link by which it came; absent where it came by a key. */
  link?: number
  /** The Idempotency-Key of the request, with what it is compared by. */
  key: RequestKey | null
  /** Whether the caller has hung up: the running effect is finished, no new one begins (U10). */
  gone: () => boolean
}
/** Its settings are the effective ones: the caller's over the configured defaults. */
export type NewTask = Brief
/** The task after the request, its `slice` filled; `command` when a slash command ran instead. */
export interface TaskAnswer {
  task: TaskView
  /** What links of the task are made under. */
  link_epoch: number
  command?: CommandResult
  /** The answer of an earlier request with the same Idempotency-Key. */
  replayed?: true
}
/** What a dry run found. */
export interface DryRunAnswer {
  planned: DryRun
  /** The answer of an earlier request with the same Idempotency-Key. */
  replayed?: true
}
/** Of tasks, as their index knows them. */
export interface TaskPage extends Page<TaskEntry> {
  /** When the index was read. */
  as_of: string
  /** Tasks of this page that cannot be read. */
  incomplete?: IncompleteEntry[]
}
export interface Page<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}
/** Rows of a task that may be damaged: those that can be read, and the numbers of the others. */
export interface RowPage<T> extends Page<T> {
  unreadable?: number[]
  incomplete?: true
}
export interface TaskFilter {
  status: Status | null
  mode: string | null
  metadata: Record<string, string>
  /** Part of the goal or the id, in whatever case. */
  q: string | null
}
/** `link_epoch`: what links to the files are made under. */
export type FilePage = Page<FileEntry> & { link_epoch: number }
/** `after` is the cursor of the page before: a journal or event seq, or an opaque number of the index. */
export interface Paging {
  limit: number
  after: number
}
