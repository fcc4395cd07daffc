/** The answers of a stored task, and the data from which it is created. */
import type { AllowanceRefund } from '../terms/axes.ts'
import type { Brief } from '../terms/effect.ts'
import type { Delivery } from './outbox.ts'
import type { TransactionResult } from './transaction.ts'
import type { TransactionCharge } from './view/transaction-charge.ts'
import type { StoredTaskView } from './view/stored-task-view.ts'
import type { Delegation } from '../terms/delegation.ts'
import type { StoredFile } from '../terms/files/files.ts'

/** `advanced` is the result of the report. null: this report was recorded before. */
export interface ReportResult {
  delegation: Delegation
  advanced: StepResult | null
}

export interface StepResult extends TransactionResult {
  /** null while an assignment is under way, because the answer is built only at the end of the slice. */
  task: StoredTaskView | null
  /** What this transaction has charged. Absent in an answer of an earlier release. */
  charged?: TransactionCharge
  /** The stored bytes of the task, if they exceed its room (core/workspace/stored-bytes.ts). */
  outgrown?: number
}
/** One try of a delivery: the message and its address. */
export interface Outgoing {
  delivery: Delivery
  /** The receiver has refused further deliveries, so this one is not sent and becomes `gone` as well. */
  gone: boolean
  url: string
  /** The task at the row of the delivery. */
  task: StoredTaskView
}
/** `reopens`: a task that has ended would go on, so the ticket has to be admitted first. Nothing is written for this. */
export type ReopenResult = StepResult | 'reopens'
/** The result of a text. `command`: the text is a slash command, which runs outside the task. Nothing is written for this. */
export type InputResult = ReopenResult | 'command'
/** `advanced` is the result of the answer. null: the answer was recorded before. */
export interface AnswerResult {
  recorded: string
  advanced: StepResult | null
}
/** What others need to know of a deleted task. */
export interface RemovedTask {
  incarnation: string | null
  /** What the task still held of its tenant's total. */
  held: AllowanceRefund | null
}
export interface NewTaskRow {
  id: string
  tenant: string
  brief: Brief
  /** The task begins nothing before it is resumed. */
  hold?: boolean
  /** The files of its client, which are there before its first effect. */
  files?: readonly StoredFile[]
}
export interface PageOf<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}
/** A page of a task whose rows may be damaged. */
export interface ReadablePage<T> extends PageOf<T> {
  /** The seq of each row of this page that cannot be read. Absent if all rows can be read. */
  unreadable?: number[]
  /** A row between the start of this page and the end cannot be read. */
  incomplete?: true
}
