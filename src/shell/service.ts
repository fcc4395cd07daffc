/** What the service can be asked, apart from how it is asked: HTTP is one way in. Implemented by composing the ports. */
import type { RequestKey } from '../core/protocol/advance.ts'
import type { Grant } from '../core/terms/axes.ts'
import type { CommandResult } from '../core/workspace/commands/result.ts'
import type { Brief, Locale } from '../core/terms/effect.ts'
import type { ForkWish } from '../core/replay/fork.ts'
import type { SentItem } from '../core/protocol/plan-edit.ts'
import type { AskedQuestion } from '../core/protocol/question.ts'
import type { Result } from '../core/terms/refusal.ts'
import type { Entries } from '../core/workspace/reminders.ts'
import type { DeliveryStatus, Status } from '../core/terms/status.ts'
import type {
  DeliveryEntry,
  DryRun,
  Envelope,
  JournalEntry,
  Replay,
  StoredRow,
  IncompleteEntry,
  TaskEntry,
  TaskView,
} from '../core/terms/view.ts'
import type { FileEntry } from '../core/terms/files/files.ts'
import type { DelegationService } from './delegations/delegations.ts'
import type { Found } from './files/files.ts'
import type { Following, Pace } from './follow.ts'
import type { Put, Upload } from './files/uploads.ts'

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
export interface Answered {
  task: TaskView
  /** What links of the task are made under. */
  link_epoch: number
  command?: CommandResult
  /** The answer of an earlier request with the same Idempotency-Key. */
  replayed?: true
}
/** What a dry run found. */
export interface Planned {
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

export interface Service extends DelegationService {
  /** Plans the task and keeps nothing: what it would be, and what it would cost (U26). */
  dryRun(caller: Caller, task: NewTask): Promise<Result<Planned>>
  createTask(caller: Caller, task: NewTask, bounds: Bounds): Promise<Result<Answered>>
  getTask(caller: Caller, id: string): Promise<Result<Answered>>
  listTasks(caller: Caller, filter: TaskFilter, paging: Paging): Promise<Result<TaskPage>>
  stepTask(caller: Caller, id: string, bounds: Bounds): Promise<Result<Answered>>
  /** `input` is trimmed and not empty. */
  inputTask(
    caller: Caller,
    id: string,
    input: string,
    requestId: string | null,
    bounds: Bounds,
  ): Promise<Result<Answered>>
  /** By the token of an answer link, which says whose question it is: no tenant is asked for. */
  readQuestion(token: string): Promise<Result<AskedQuestion>>
  /** `replayed`: it was answered so before. */
  answerQuestion(
    caller: Omit<Caller, 'tenant'>,
    token: string,
    text: string,
  ): Promise<Result<{ recorded: string; replayed: boolean }>>
  topUpTask(caller: Caller, id: string, add: Grant): Promise<Result<Answered>>
  /** Replaces the unfinished items; `versions` are those its author may have seen, null: any. */
  editPlan(caller: Caller, id: string, items: SentItem[], versions: number[] | null): Promise<Result<Answered>>
  pauseTask(caller: Caller, id: string): Promise<Result<Answered>>
  resumeTask(caller: Caller, id: string): Promise<Result<Answered>>
  cancelTask(caller: Caller, id: string): Promise<Result<Answered>>
  deleteTask(caller: Caller, id: string): Promise<Result<null>>
  /** Ends all links of the task that were made before, whoever holds them. */
  endLinks(caller: Caller, id: string): Promise<Result<null>>
  listEvents(caller: Caller, id: string, paging: Paging): Promise<Result<Page<Envelope>>>
  /** The events as they happen; until it is stopped it counts among the task's watchers. */
  followEvents(caller: Caller, id: string, pace: Pace): Promise<Result<Following>>
  listJournal(caller: Caller, id: string, paging: Paging): Promise<Result<RowPage<JournalEntry>>>
  /** The rows as they are stored, of a task that cannot be read too. */
  exportTask(caller: Caller, id: string, paging: Paging): Promise<Result<RowPage<StoredRow>>>
  /** A new task with the rows of this one up to `at`; `settings` were checked by name and range. */
  forkTask(caller: Caller, id: string, wish: ForkWish): Promise<Result<Answered>>
  /** Whether the state machine makes of each row what is stored of it. */
  replayTask(caller: Caller, id: string): Promise<Result<Replay>>
  /** Puts a file in place of whatever has its name; a body that breaks off rejects (shell/network/chunked-body.ts), and nothing is kept of it. */
  putFile(caller: Caller, id: string, upload: Upload): Promise<Result<Put>>
  fetchFile(caller: Caller, id: string, name: string): Promise<Result<Found>>
  /** By name; `after` is a name, or empty. */
  listFiles(caller: Caller, id: string, paging: { limit: number; after: string }): Promise<Result<FilePage>>
  deleteFile(caller: Caller, id: string, name: string): Promise<Result<null>>
  /** What callbacks were not told in time, newest first; null: whatever became of it. */
  listDeliveries(caller: Caller, status: DeliveryStatus | null, paging: Paging): Promise<Result<Page<DeliveryEntry>>>
  redeliver(caller: Caller, id: string): Promise<Result<{ delivery: DeliveryEntry; replayed: boolean }>>
  /** What the calendar of the tenant shows. */
  listEntries(caller: Caller): Promise<Entries>
  /** `POST /commands`: `command` as sent; blank and free text are answered, not refused. */
  runCommand(
    caller: Caller,
    command: string,
    taskId: string | null,
    locale: Locale,
  ): Promise<Result<{ result: CommandResult; replayed: boolean }>>
}
