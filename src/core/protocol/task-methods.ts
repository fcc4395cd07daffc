/** What a stored task answers. The same in memory, over RPC and in the object. */
import type { Allowance, Grant, Refund } from '../terms/axes.ts'
import type { Brief, Event } from '../terms/effect.ts'
import type { FileEntry, FileWrite, ReadFile, StoredFile, Written } from '../terms/files/files.ts'
import type { Outcome } from '../replay/fork-edit.ts'
import type { CommandMethods } from './delegation-methods.ts'
import type { Result } from '../terms/refusal.ts'
import type { Ticket } from './advance.ts'
import type { PlanEdit } from './plan-edit.ts'
import type { Delivery, Sent } from './outbox.ts'
import type { Advance } from './transaction.ts'
import type { ForkMethods } from '../replay/fork-methods.ts'
import type { LinkedQuestion, Seen } from './stored-task-view.ts'
import type { AskedQuestion } from './question.ts'
import type { Envelope, JournalEntry, StoredRow } from '../terms/view.ts'

export type { Seen } from './stored-task-view.ts'

export interface Advanced extends Advance {
  /** null while an assignment is under way: the answer is built at the end of the slice only. */
  task: Seen | null
  /** How many bytes it takes, where that is more than its room (core/workspace/stored-bytes.ts). */
  outgrown?: number
}
/** One try of a delivery: what is sent, and where. */
export interface Outgoing {
  delivery: Delivery
  /** The receiver wanted no more before: it is not sent, and gone as well. */
  gone: boolean
  url: string
  /** The task as it was then. */
  task: Seen
}
/**
 * What became of a text: `command`, it is a slash command, which is nobody's business here; `reopens`, it begins the next run of a
 * completed task, whose ticket has to be admitted for it. Nothing is written then.
 */
export type Heard = Advanced | 'command' | 'reopens'
/** `advanced`: what came of it; null for an answer that was there already. */
export interface Recorded {
  recorded: string
  advanced: Advanced | null
}
/** What is left of a deleted task. */
export interface Removed {
  life: string | null
  /** What it still held of its tenant's total. */
  held: Refund | null
}
export interface NewTaskRow {
  id: string
  tenant: string
  brief: Brief
}
export interface PageOf<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}
/** Of a task whose rows may be damaged. */
export interface ReadablePage<T> extends PageOf<T> {
  /** Rows of this page that cannot be read, by seq; absent where all can be. */
  unreadable?: number[]
  /** Something between this page and the end cannot be read. */
  incomplete?: true
}

/** A `link` is the epoch of the link by which a reader has come: `link_not_found` when the links of the task were ended since. */
export interface FileMethods {
  /** null: there is no file of that name. */
  readFile(name: string, link?: number): Result<ReadFile | null>
  /** Once for each effect; `lease_lost` when a later one has written the file, or its blob was refused. What a client puts is refused where it may not. */
  writeFile(file: FileWrite): Result<Written>
  /** Whether the client, or with a seq its effect, may write a file of this name now; answers the life that blobs are named by. */
  mayWrite(name: string, seq: number | null): Result<string>
  /** `unused`: the blob that held it. */
  removeFile(name: string): Result<{ unused: string | null }>
  /** Refuses the blobs for good that no row names, and answers the others: what was refused is gone and must never be named. */
  refuseBlobs(blobs: readonly string[]): Result<string[]>
  /** By name. */
  listFiles(): Result<FileEntry[]>
  /** The same for whoever shows links to them, or has come by one. */
  linkedFiles(link?: number): Result<{ files: FileEntry[]; link_epoch: number }>
  /** Those that a fork at a row gets a copy of: no row says what is in them. */
  forkedFiles(at: number, outcome: Outcome | null): Result<StoredFile[]>
}

export interface TaskMethods extends ForkMethods, FileMethods, CommandMethods {
  create(task: NewTaskRow, ticket: Ticket): Result<Advanced>
  begin(ticket: Ticket): Result<Advanced>
  commit(seq: number, event: Event, ticket: Ticket): Result<Advanced>
  input(text: string, request_id: string | null, ticket: Ticket): Result<Heard>
  /** The question of a link; `link_not_found` when the task does not know it. */
  question(ref: LinkedQuestion): Result<AskedQuestion>
  /** Answers that one question, whatever the text would mean as input; the same answer again is shown and not heard. */
  answer(ref: LinkedQuestion, text: string, ticket: Ticket): Result<Recorded>
  topUp(add: Grant, ticket: Ticket): Result<Advanced>
  /** Replaces the unfinished items of the plan. */
  editPlan(edit: PlanEdit, ticket: Ticket): Result<Advanced>
  /** Begins what lacked its tenant's total, with what was reserved of it, or pauses the task without. */
  fund(allowance: Allowance | null, ticket: Ticket, later?: boolean): Result<Advanced>
  /** From now on it may take so many bytes. */
  giveRoom(bytes: number): void
  /** Pauses it for want of room. */
  stall(): Result<Advanced>
  pause(ticket: Ticket): Result<Advanced>
  resume(ticket: Ticket): Result<Advanced>
  /** What is due by time: a question expires, a task that the service drives goes on. */
  tend(ticket: Ticket): Result<Advanced>
  cancel(ticket: Ticket): Result<Advanced>
  /** The answer the request with this key got elsewhere; `lease_lost` when it is not over. Writes nothing. */
  answered(ticket: Ticket): Result<Advanced>
  /** Begins the try of the next delivery that is due; null: none is. */
  deliver(): Result<Outgoing | null>
  /** How that try ended; what it is then, null where another try has taken its place. */
  delivered(seq: number, attempt: number, sent: Sent): Result<Delivery | null>
  /** Has a delivery sent again from the beginning; one that is still being sent goes on. null: there is none. */
  redeliver(seq: number): Result<Delivery | null>
  read(link?: number): Result<Seen>
  /** Ends all links of the task that were made before: to its events, its files, its question and its commands. */
  endLinks(): Result<Seen>
  /** Events with an id above `after`. */
  events(after: number, limit: number, link?: number): Result<PageOf<Envelope>>
  /** Rows with a seq above `after`, the pending one last; of a damaged task those that can be read. */
  journal(after: number, limit: number): Result<ReadablePage<JournalEntry>>
  /** Rows with a seq above `after` as they are stored: also those that cannot be read. */
  stored(after: number, limit: number): Result<ReadablePage<StoredRow>>
}

export interface StoredTask extends TaskMethods {
  /** The task may not be driven now: its object asks again after so many ms, unless it was woken after `asked_ms`. */
  driveLater(ms: number, asked_ms: number): void
  /** The task has a run slot: its object drives it at once. False: it has no use for one now. */
  wake(): boolean
  /** Deletes the task, readable or not. */
  remove(): Result<Removed>
  /** Deletes it where it ended long enough ago, and has not begun its next run since. */
  retire(): Result<Removed>
}
