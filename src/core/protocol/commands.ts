/**
 * What is told to a task, as data. A command is decided on the current rows of the task, once per Idempotency-Key. Each kind has
 * one handler here, which decides what is written. A new command needs a line in `CommandTypes` and its handler.
 */
import { findEarlierRequest } from './idempotency.ts'
import type { ObjectContext, Ticket } from './advance.ts'
import { eventsForChange, type TaskChange } from './change.ts'
import { eventsForExtension, reportOnce, type CommandRows } from './delegations.ts'
import { fund } from './funding.ts'
import {
  eventsForFile,
  eventsForInput,
  eventsForPause,
  eventsForResume,
  eventsForTopUp,
  mayReopen,
  routeOf,
} from './input.ts'
import { eventsForEdit, type PlanEdit } from './plan-edit.ts'
import { answerOnce } from './question.ts'
import type { LinkedQuestion } from './view/stored-task-view.ts'
import { begin, cancel, note, tell, tend, type EventSource } from './task.ts'
import type { AnswerResult, InputResult, ReopenResult, ReportResult, StepResult } from './task-answers.ts'
import type { Decision } from './transaction.ts'
import type { Allowance, Grant } from '../terms/axes.ts'
import type { SentReport } from '../terms/delegation.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'
import type { SchemaValidator } from '../terms/schema/answer-form.ts'

/** For each kind of command: its parameters and its answer. */
interface CommandTypes {
  /** A text of a person. The state of the task decides what the text means. */
  input: [{ text: string; request_id: string | null }, InputResult]
  /** Answers that one question, even if the text would mean something else as input. A repeated answer is shown and not applied. */
  answer: [{ ref: LinkedQuestion; text: string }, AnswerResult]
  /** Refused as `wrong_command`, `already_reported`, `delegation_expired` or `delegation_canceled`. A report needs no claim. */
  report: [{ seq: number; sent: SentReport }, ReportResult]
  /** The command in row `seq` is claimed until then, in ms since the epoch. */
  extend_report: [{ seq: number; until: number }, StepResult]
  top_up: [{ add: Grant }, ReopenResult]
  /** Replaces the unfinished items of the plan. */
  edit_plan: [{ edit: PlanEdit }, StepResult]
  /** Changes drive, callback, labels or title, unless the task has moved on from `versions`. */
  change: [{ change: TaskChange; versions: readonly number[] | null }, StepResult]
  pause: [object, StepResult]
  resume: [object, ReopenResult]
  cancel: [object, StepResult]
  /** Begins the effect that lacked a part of the tenant's total, with the part reserved for it. Without such a part it pauses the task (U16). */
  fund: [{ allowance: Allowance | null; later?: boolean | undefined }, StepResult]
  /** Does what is due by time: a question expires, or a task that the service drives continues (U20). */
  tend: [object, StepResult]
}
export type CommandKind = keyof CommandTypes
export type TaskCommand<K extends CommandKind = CommandKind> = {
  [Kind in K]: { kind: Kind } & CommandTypes[Kind][0]
}[K]
export type CommandAnswer<K extends CommandKind> = Result<CommandTypes[K][1]>

/** The task that receives a command, and the function that writes a decision. */
export interface CommandTarget {
  rows: CommandRows
  context: ObjectContext
  fits: SchemaValidator
  /** Whether a file of this name is stored with the task. */
  has_file: (name: string) => boolean
  /** Links of an earlier epoch open nothing. */
  link_epoch: () => number
  /** The refusal if there is no room for more rows. null: there is room. */
  refuse_without_room: () => ReturnType<typeof refuse> | null
  /** Writes a decision and answers with its result. */
  write: (decision: Decision) => Result<StepResult>
}

type Handlers = {
  [K in CommandKind]: (target: CommandTarget, command: TaskCommand<K>, ticket: Ticket) => CommandAnswer<K>
}

const HANDLERS: Handlers = {
  input: tellInput,
  answer(target, { ref, text }, ticket) {
    if (ref.link_epoch !== target.link_epoch()) return refuse({ code: 'link_not_found' })
    const { now_ms } = target.context
    return answerOnce<StepResult>(target.rows, ref, text, { now_ms, fits: target.fits }, (events) =>
      tellWithRoom(target, events, ticket),
    )
  },
  report(target, { seq, sent }, ticket) {
    const lookup = findEarlierRequest(target.rows, ticket, target.context)
    if (lookup.kind === 'refused') return refuse(lookup.refusal)
    return reportOnce<StepResult>(target.rows, seq, sent, target.context, (events) =>
      tellWithRoom(target, events, ticket),
    )
  },
  extend_report: (target, { seq, until }, ticket) =>
    tellWithRoom(target, () => eventsForExtension(target.rows, seq, until, target.context.now_ms), ticket),
  top_up: (target, { add }, ticket) => tellAdmitted(target, (journal) => eventsForTopUp(journal, add), ticket),
  edit_plan(target, { edit }, ticket) {
    // The version is read before a lost effect is closed, because no reader has seen the version after that.
    const shown = target.rows.last()?.seq ?? 0
    return tellWithRoom(target, (journal) => eventsForEdit(journal, edit, shown), ticket)
  },
  change(target, { change, versions }, ticket) {
    const shown = target.rows.last()?.seq ?? 0
    return tellWithRoom(target, (journal) => eventsForChange(journal, change, versions, shown), ticket)
  },
  // A pause and a cancel are accepted without room, because they add little to a task.
  pause: ({ rows, context, write }, _, ticket) =>
    write(tell(rows, (journal) => eventsForPause(journal), ticket, context)),
  resume: (target, _, ticket) => tellAdmitted(target, eventsForResume, ticket),
  cancel: ({ rows, context, write }, _, ticket) => write(cancel(rows, ticket, context)),
  fund: ({ rows, context, write }, { allowance, later }, ticket) =>
    write(fund(rows, allowance, ticket, context, later)),
  tend: ({ rows, context, write }, _, ticket) => write(tend(rows, ticket, context)),
}

export function tellTask<K extends CommandKind>(
  target: CommandTarget,
  command: TaskCommand<K>,
  ticket: Ticket,
): CommandAnswer<K> {
  return HANDLERS[command.kind](target, command, ticket)
}

/** The service pauses a task that may take no more bytes. No caller has requested this, so it writes one event and begins no effect. */
export function stallTask({ rows, context, write }: CommandTarget): Result<StepResult> {
  return write(note(rows, (journal) => eventsForPause(journal, 'storage_full'), 'stall', context))
}

/**
 * A client has put a file. A task that waits for it goes on: the service drives it, or the next request does. The upload stands
 * even if the task takes no more events now. Its client may put the file again, or name it in an input.
 */
export function tellFile({ rows, context, write }: CommandTarget, name: string): void {
  const events = eventsForFile(rows, name)
  if (events.ok && events.value.length > 0)
    write(note(rows, (journal) => eventsForFile(journal, name), 'file', context))
}

function tellInput(
  target: CommandTarget,
  { text, request_id }: TaskCommand<'input'>,
  ticket: Ticket,
): Result<InputResult> {
  const { rows, context, write } = target
  const last = rows.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  // A repeated request is recognised by its key, because its text may mean something else by now.
  if (findEarlierRequest(rows, ticket, context).kind !== 'none') return write(begin(rows, ticket, context))
  switch (routeOf(text, rows.recall)) {
    case 'cancel':
      return write(cancel(rows, ticket, context))
    case 'command':
      return ok('command')
    case 'word':
      return tellAdmitted(
        target,
        (journal) => eventsForInput(journal, text, request_id, target.fits, target.has_file),
        ticket,
      )
  }
}

/** Tells the task what a client says. A task that goes on after its end needs a place among the open tasks first. */
function tellAdmitted(target: CommandTarget, events: EventSource, ticket: Ticket): Result<ReopenResult> {
  if (ticket.admitted === true || !wouldReopen(target, events, ticket)) return tellWithRoom(target, events, ticket)
  return refuseWithoutRoom(target, ticket) ?? ok('reopens')
}

/** What is refused, repeated or changes nothing takes no place among the open tasks. */
function wouldReopen({ rows, context }: CommandTarget, events: EventSource, ticket: Ticket): boolean {
  const head = rows.last()?.head
  if (head === undefined || !mayReopen(head)) return false
  if (findEarlierRequest(rows, ticket, context).kind !== 'none') return false
  const decided = events(rows)
  return decided.ok && decided.value.length > 0
}

/** Tells the task what a client says, if there is room for it. */
const tellWithRoom = (target: CommandTarget, events: EventSource, ticket: Ticket): Result<StepResult> =>
  refuseWithoutRoom(target, ticket) ?? target.write(tell(target.rows, events, ticket, target.context))

/** A repeated request gets its earlier answer, even without room now. */
function refuseWithoutRoom({ rows, context, refuse_without_room }: CommandTarget, ticket: Ticket) {
  const refusal = refuse_without_room()
  return refusal === null || findEarlierRequest(rows, ticket, context).kind !== 'none' ? null : refusal
}
