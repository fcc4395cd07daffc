/**
 * What is told to a task, as data. A command is decided on the rows as they stand then, once per Idempotency-Key; each kind has one
 * handler here, which says what it writes. A new command is a line in `CommandTypes` and its handler.
 */
import { findEarlierRequest } from './idempotency.ts'
import type { ObjectContext, Ticket } from './advance.ts'
import { reportOnce, type CommandRows } from './delegations.ts'
import { fund } from './funding.ts'
import { eventsForInput, eventsForPause, eventsForResume, eventsForTopUp, reopens, routeOf } from './input.ts'
import type { Journal } from './journal.ts'
import { eventsForEdit, type PlanEdit } from './plan-edit.ts'
import { answerOnce } from './question.ts'
import type { LinkedQuestion } from './view/stored-task-view.ts'
import { begin, cancel, tell, tend, type EventSource } from './task.ts'
import type { AnswerResult, InputResult, ReportResult, StepResult } from './task-answers.ts'
import type { Decision } from './transaction.ts'
import type { Allowance, Grant } from '../terms/axes.ts'
import type { SentReport } from '../terms/delegation.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'
import type { SchemaValidator } from '../terms/schema/answer-form.ts'

/** Of each kind: what it carries, and what it answers. */
interface CommandTypes {
  /** What a person says; what it means is decided by the state it meets. */
  input: [{ text: string; request_id: string | null }, InputResult]
  /** Answers that one question, whatever the text would mean as input; the same answer again is shown and not applied. */
  answer: [{ ref: LinkedQuestion; text: string }, AnswerResult]
  /** Refused as `wrong_command`, `already_reported`, `delegation_expired` or `delegation_canceled`; a report needs no claim. */
  report: [{ seq: number; sent: SentReport }, ReportResult]
  top_up: [{ add: Grant }, StepResult]
  /** Replaces the unfinished items of the plan. */
  edit_plan: [{ edit: PlanEdit }, StepResult]
  pause: [object, StepResult]
  resume: [object, StepResult]
  cancel: [object, StepResult]
  /** Begins what lacked its tenant's total, with what was reserved of it, or pauses the task without (U16). */
  fund: [{ allowance: Allowance | null; later?: boolean | undefined }, StepResult]
  /** Does what is due by time: a question expires, a task that the service drives goes on (U20). */
  tend: [object, StepResult]
}
export type CommandKind = keyof CommandTypes
export type TaskCommand<K extends CommandKind = CommandKind> = {
  [Kind in K]: { kind: Kind } & CommandTypes[Kind][0]
}[K]
export type CommandAnswer<K extends CommandKind> = Result<CommandTypes[K][1]>

/** The task that a command is told, and how what was decided is written. */
export interface CommandTarget {
  rows: CommandRows
  context: ObjectContext
  fits: SchemaValidator
  /** Links of an earlier epoch open nothing. */
  link_epoch: () => number
  /** Refuses where there is no room for more rows; null: there is. */
  refuse_without_room: () => ReturnType<typeof refuse> | null
  /** Writes a decision, and answers with what came of it. */
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
    const known = findEarlierRequest(target.rows, ticket, target.context)
    if (known.kind === 'refused') return refuse(known.refusal)
    return reportOnce<StepResult>(target.rows, seq, sent, target.context, (events) =>
      tellWithRoom(target, events, ticket),
    )
  },
  top_up: (target, { add }, ticket) => tellWithRoom(target, (journal) => eventsForTopUp(journal, add), ticket),
  edit_plan(target, { edit }, ticket) {
    // A lost effect that is closed on the way is no version that anyone has seen.
    const shown = target.rows.last()?.seq ?? 0
    return tellWithRoom(target, (journal) => eventsForEdit(journal, edit, shown), ticket)
  },
  // A pause and a cancel are taken without room: they make no task larger for long.
  pause: ({ rows, context, write }, _, ticket) =>
    write(tell(rows, (journal) => eventsForPause(journal), ticket, context)),
  resume: (target, _, ticket) => tellWithRoom(target, eventsForResume, ticket),
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

/** The service pauses a task that may take no more bytes. It is nobody's request: it writes one event and begins nothing. */
export function stallTask({ rows, context, write }: CommandTarget): Result<StepResult> {
  const { boot, now_ms } = context
  const ticket: Ticket = { slice: 'stall', boot, more: 'nothing', rounds: 0, wall_ms: now_ms, key: null }
  return write(tell(rows, (journal: Journal) => eventsForPause(journal, 'storage_full'), ticket, context))
}

function tellInput(
  target: CommandTarget,
  { text, request_id }: TaskCommand<'input'>,
  ticket: Ticket,
): Result<InputResult> {
  const { rows, context, write } = target
  const last = rows.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  // A repeated request is known by its key, whatever its text would mean by now.
  if (findEarlierRequest(rows, ticket, context).kind !== 'none') return write(begin(rows, ticket, context))
  switch (routeOf(text, rows.recall)) {
    case 'cancel':
      return write(cancel(rows, ticket, context))
    case 'command':
      return ok('command')
    case 'word': {
      const events: EventSource = (journal) => eventsForInput(journal, text, request_id, target.fits)
      // What is refused anyway takes no place among the open tasks.
      const asks = ticket.admitted !== true && reopens(last.head) && events(rows).ok
      if (!asks) return tellWithRoom(target, events, ticket)
      return lackOfRoom(target, ticket) ?? ok('reopens')
    }
  }
}

/** Takes what a client says, if there is room for it. */
const tellWithRoom = (target: CommandTarget, events: EventSource, ticket: Ticket): Result<StepResult> =>
  lackOfRoom(target, ticket) ?? target.write(tell(target.rows, events, ticket, target.context))

/** A request that is repeated is answered as it was, however little room there is now. */
function lackOfRoom({ rows, context, refuse_without_room }: CommandTarget, ticket: Ticket) {
  const refused = refuse_without_room()
  return refused === null || findEarlierRequest(rows, ticket, context).kind !== 'none' ? null : refused
}
