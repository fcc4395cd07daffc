/** What the object of a task answers. The same in memory, over RPC and in the object. */
import type { Ticket } from '../protocol/advance.ts'
import type { Sent, Delivery } from '../protocol/outbox.ts'
import type { PlanEdit } from '../protocol/plan-edit.ts'
import type { AskedQuestion } from '../protocol/question.ts'
import type { LinkedQuestion, StoredTaskView } from '../protocol/stored-task-view.ts'
import type {
  StepResult,
  FileMethods,
  CommandMethods,
  NewTaskRow,
  InputResult,
  AnswerResult,
  Outgoing,
  PageOf,
  ReadablePage,
  RemovedTask,
} from '../protocol/task-methods.ts'
import type { Grant, Allowance } from '../terms/axes.ts'
import type { Event } from '../terms/effect.ts'
import type { Result } from '../terms/refusal.ts'
import type { Envelope, JournalEntry, StoredRow } from '../terms/view.ts'
import type { ForkMethods } from './fork-methods.ts'

export interface TaskMethods extends ForkMethods, FileMethods, CommandMethods {
  create(task: NewTaskRow, ticket: Ticket): Result<StepResult>
  begin(ticket: Ticket): Result<StepResult>
  commit(seq: number, event: Event, ticket: Ticket): Result<StepResult>
  input(text: string, request_id: string | null, ticket: Ticket): Result<InputResult>
  /** The question of a link; `link_not_found` when the task does not know it. */
  question(ref: LinkedQuestion): Result<AskedQuestion>
  /** Answers that one question, whatever the text would mean as input; the same answer again is shown and not heard. */
  answer(ref: LinkedQuestion, text: string, ticket: Ticket): Result<AnswerResult>
  topUp(add: Grant, ticket: Ticket): Result<StepResult>
  /** Replaces the unfinished items of the plan. */
  editPlan(edit: PlanEdit, ticket: Ticket): Result<StepResult>
  /** Begins what lacked its tenant's total, with what was reserved of it, or pauses the task without. */
  fund(allowance: Allowance | null, ticket: Ticket, later?: boolean): Result<StepResult>
  /** From now on it may take so many bytes. */
  giveRoom(bytes: number): void
  /** Pauses it for want of room. */
  stall(): Result<StepResult>
  pause(ticket: Ticket): Result<StepResult>
  resume(ticket: Ticket): Result<StepResult>
  /** What is due by time: a question expires, a task that the service drives goes on. */
  tend(ticket: Ticket): Result<StepResult>
  cancel(ticket: Ticket): Result<StepResult>
  /** The answer the request with this key got elsewhere; `lease_lost` when it is not over. Writes nothing. */
  answered(ticket: Ticket): Result<StepResult>
  /** Begins the try of the next delivery that is due; null: none is. */
  deliver(): Result<Outgoing | null>
  /** How that try ended; what it is then, null where another try has taken its place. */
  delivered(seq: number, attempt: number, sent: Sent): Result<Delivery | null>
  /** Has a delivery sent again from the beginning; one that is still being sent goes on. null: there is none. */
  redeliver(seq: number): Result<Delivery | null>
  read(link?: number): Result<StoredTaskView>
  /** Ends all links of the task that were made before: to its events, its files, its question and its commands. */
  endLinks(): Result<StoredTaskView>
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
  remove(): Result<RemovedTask>
  /** Deletes it where it ended long enough ago, and has not begun its next run since. */
  retire(): Result<RemovedTask>
}
