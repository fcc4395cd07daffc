/** What a stored task answers. The same in memory, over RPC and in the object. */
import type { Allowance, Grant } from './axes.ts'
import type { Brief, Event } from './effect.ts'
import type { FileEntry, FileWrite, ReadFile, StoredFile, Written } from './files.ts'
import type { Outcome } from './fork-edit.ts'
import type { CommandMethods } from './delegation-methods.ts'
import type { Result } from './refusal.ts'
import type { Ticket } from './advance.ts'
import type { PlanEdit } from './plan-edit.ts'
import type { Delivery, Sent } from './outbox.ts'
import type { Advance } from './transaction.ts'
import type { ForkMethods } from './fork-methods.ts'
import type { QuestionRef, Seen } from './seen.ts'
import type { AskedQuestion } from './question.ts'
import type { Envelope, JournalEntry, StoredRow } from './view.ts'

export type { Seen } from './seen.ts'

export interface Advanced extends Advance {
  /** null while an assignment is under way: the answer is built at the end of the slice only. */
  task: Seen | null
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
  life: string
  /** What it still held of its tenant's total. */
  held: Allowance | null
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

export interface FileMethods {
  /** null: there is no file of that name. */
  readFile(name: string): Result<ReadFile | null>
  /** Once for each effect; `lease_lost` when a later one has written the file. What a client puts is refused where it may not. */
  writeFile(file: FileWrite): Result<Written>
  /** Whether the client, or with a seq its effect, may write a file of this name now; answers the life that blobs are named by. */
  mayWrite(name: string, seq: number | null): Result<string>
  /** `unused`: the blob that held it. */
  removeFile(name: string): Result<{ unused: string | null }>
  /** By name. */
  listFiles(): Result<FileEntry[]>
  /** Those that a fork at a row gets a copy of: no row says what is in them. */
  forkedFiles(at: number, outcome: Outcome | null): Result<StoredFile[]>
}

export interface TaskMethods extends ForkMethods, FileMethods, CommandMethods {
  create(task: NewTaskRow, ticket: Ticket): Result<Advanced>
  begin(ticket: Ticket): Result<Advanced>
  commit(seq: number, event: Event, ticket: Ticket): Result<Advanced>
  input(text: string, request_id: string | null, ticket: Ticket): Result<Heard>
  /** The question of a link; `link_not_found` when the task does not know it. */
  question(ref: QuestionRef): Result<AskedQuestion>
  /** Answers that one question, whatever the text would mean as input; the same answer again is shown and not heard. */
  answer(ref: QuestionRef, text: string, ticket: Ticket): Result<Recorded>
  topUp(add: Grant, ticket: Ticket): Result<Advanced>
  /** Replaces the unfinished items of the plan. */
  editPlan(edit: PlanEdit, ticket: Ticket): Result<Advanced>
  /** Begins what lacked its tenant's total, with what was reserved of it, or pauses the task without. */
  fund(allowance: Allowance | null, ticket: Ticket): Result<Advanced>
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
  read(): Result<Seen>
  /** Events with an id above `after`. */
  events(after: number, limit: number): Result<PageOf<Envelope>>
  /** Rows with a seq above `after`, the pending one last. */
  journal(after: number, limit: number): Result<PageOf<JournalEntry>>
  /** Rows with a seq above `after` as they are stored: also those that cannot be read. */
  stored(after: number, limit: number): Result<PageOf<StoredRow>>
}

export interface StoredTask extends TaskMethods {
  /** Looks at what is due again after so many ms, not before. */
  later(ms: number): void
  /** Deletes the task, readable or not. */
  remove(): Result<Removed>
  /** Deletes it where it ended long enough ago, and has not begun its next run since. */
  retire(): Result<Removed>
}
