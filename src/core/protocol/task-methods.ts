/** What goes in and out of the methods of a stored task. */
import type { Refund } from '../terms/axes.ts'
import type { Brief } from '../terms/effect.ts'
import type { FileEntry, FileWrite, ReadFile, WriteResult } from '../terms/files/files.ts'
import type { Result } from '../terms/refusal.ts'
import type { Ticket } from './advance.ts'
import type { Delivery } from './outbox.ts'
import type { Advance } from './transaction.ts'
import type { StoredTaskView } from './stored-task-view.ts'
import type { Delegation, SentReport, LinkedDelegation } from '../terms/delegation.ts'

/** `advanced`: what came of it; null: this report was there already. */
export interface ReportResult {
  delegation: Delegation
  advanced: StepResult | null
}

/** Of one task, by the row that dispatched the command; `delegation_not_found` where a row dispatched none. */
export interface CommandMethods {
  /** With `chars` each text of it – of the command, and of its report – is cut to so many: for a list, which has many at once. */
  delegation(seq: number, chars?: number): Result<LinkedDelegation>
  /** Refused as `wrong_command`, `already_reported`, `delegation_expired` or `delegation_canceled`; a report needs no claim. */
  report(seq: number, sent: SentReport, ticket: Ticket): Result<ReportResult>
}

export interface StepResult extends Advance {
  /** null while an assignment is under way: the answer is built at the end of the slice only. */
  task: StoredTaskView | null
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
  task: StoredTaskView
}
/**
 * What became of a text: `command`, it is a slash command, which is nobody's business here; `reopens`, it begins the next run of a
 * completed task, whose ticket has to be admitted for it. Nothing is written then.
 */
export type InputResult = StepResult | 'command' | 'reopens'
/** `advanced`: what came of it; null for an answer that was there already. */
export interface AnswerResult {
  recorded: string
  advanced: StepResult | null
}
/** What is left of a deleted task. */
export interface RemovedTask {
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
  writeFile(file: FileWrite): Result<WriteResult>
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
}
