/** What a stored task is made of, and what it answers. */
import type { AllowanceRefund } from '../terms/axes.ts'
import type { Brief } from '../terms/effect.ts'
import type { Delivery } from './outbox.ts'
import type { Advance } from './transaction.ts'
import type { StoredTaskView } from './view/stored-task-view.ts'
import type { Delegation } from '../terms/delegation.ts'

/** `advanced`: what came of it; null: this report was there already. */
export interface ReportResult {
  delegation: Delegation
  advanced: StepResult | null
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
  incarnation: string | null
  /** What it still held of its tenant's total. */
  held: AllowanceRefund | null
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
