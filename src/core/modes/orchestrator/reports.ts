/** Dispatches a command, and handles its report or its time-out (S2-03, S2-18). */
import { delegationId } from '../../terms/delegation-id.ts'
import type { EventOf, Note, Recall } from '../../terms/effect.ts'
import type { HandlerContext, IdleCause, HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { cut } from '../../terms/text.ts'
import type { CommandType, Report } from '../../terms/delegation.ts'
import { rememberAction, type RepeatGuard } from '../../mode/repeat-guard.ts'
import { commandFingerprint, commandOf, endCommandOf, sentAction } from './command.ts'
import { failStep } from './failed-attempt.ts'
import { LOG_MAX, PITFALLS_MAX, REPORTS_MAX, type OrchestratorState } from './state.ts'

type T = HandlerResult<OrchestratorState>

/** Characters of each text of a report in an event. The delegation has the full texts. */
const TEXT_CHARS = 2_000

const dispatchNote = (task: string, row: number, command_type: CommandType): Note => ({
  type: 'command_dispatched',
  payload: { delegation_id: delegationId(task, row), command_type },
})

/** A command whose dispatch was lost may have been dispatched. So the task waits for its report. */
export function onDispatched(state: OrchestratorState, context: HandlerContext): T {
  const { task, seq, recall } = context
  return {
    state: { ...withSent(state, context), phase: 'awaiting', commands: state.commands + 1, command: seq },
    notes: [dispatchNote(task, seq, commandOf(state, { recall }).type)],
  }
}

/** A command that could not be dispatched is a failed attempt. */
export const onNotDispatched = (state: OrchestratorState, context: HandlerContext): T =>
  failStep(withSent(state, context), [], context)

/** Remembers which command was sent, because what is said until its report comes would change it. */
const withSent = (state: OrchestratorState, context: HandlerContext): OrchestratorState => ({
  ...state,
  step: { ...state.step, sent: commandFingerprint(state, context) },
})

export function onReport(state: OrchestratorState, event: EventOf<'report_arrived'>, context: HandlerContext): T {
  if (event.delegation !== state.command) return { state, notes: [] }
  const { task, seq } = context
  const { report } = event
  const namesSession = report.session_id !== null
  const next: OrchestratorState = {
    ...state,
    phase: 'evaluating',
    command: null,
    by: seq,
    session: namesSession ? seq : state.session,
    step: { ...state.step, report: seq, session: namesSession ? seq : state.step.session },
    reports: pushBounded(state.reports, seq, REPORTS_MAX),
    report_count: state.report_count + 1,
    seen: rememberReport(state, report),
    pitfalls: report.pitfalls === null ? state.pitfalls : pushBounded(state.pitfalls, seq, PITFALLS_MAX),
  }
  const short = (text: string | null) => (text === null ? null : cut(text, TEXT_CHARS))
  const shortReport = {
    ...report,
    results: short(report.results),
    pitfalls: short(report.pitfalls),
    next_steps: short(report.next_steps),
    text: cut(report.text, TEXT_CHARS),
  }
  const payload = { delegation_id: delegationId(task, event.delegation), report: shortReport }
  const counts = commandCounts(event.delegation, report.status !== 'FAILED', context)
  return { state: next, notes: [{ type: 'report_received', payload }], counts }
}

/** A command was counted as an action when it was dispatched. From its end on it counts as what its worker reports. */
function commandCounts(delegation: number, ok: boolean, { recall }: HandlerContext): NonNullable<T['counts']> {
  const { event } = recall(delegation)
  const wasOk = event.kind === 'tool_returned' && event.ok
  if (ok === wasOk) return {}
  return ok ? { successful_actions: 1, failed_actions: -1 } : { successful_actions: -1, failed_actions: 1 }
}

/** Remembers what the latest command has brought, in whichever session it was worked on. */
function rememberReport({ seen, step: { sent } }: OrchestratorState, report: Report): RepeatGuard {
  // The parts are in a fixed order, because a stored report has its members in another one.
  const { status, results, pitfalls, next_steps, text } = report
  const result = JSON.stringify([status, results, pitfalls, next_steps, text])
  return sent === null ? seen : rememberAction(seen, sentAction(sent), result)
}

/** A report of a command whose dispatch failed shows that the command was dispatched. So the attempt has not failed. */
export function onReportOfFailedDispatch(
  state: OrchestratorState,
  event: EventOf<'report_arrived'>,
  context: HandlerContext,
): T {
  if (event.delegation !== state.step.failure) return { state, notes: [] }
  // An answer of a person may have set the failures of the step to zero since.
  const step = { ...state.step, failures: Math.max(0, state.step.failures - 1), failure: null }
  const next: OrchestratorState = { ...state, command: event.delegation, failures: state.failures - 1, step }
  return onReport({ ...next, commands: state.commands + 1 }, event, context)
}

/** R17: a time-out is a failed attempt, which needs no evaluation. */
export function onOverdue(state: OrchestratorState, event: EventOf<'report_expired'>, context: HandlerContext): T {
  if (event.delegation !== state.command) return { state, notes: [] }
  const failed = failStep({ ...state, log: pushBounded(state.log, context.seq, LOG_MAX) }, [], context)
  return { ...failed, counts: commandCounts(event.delegation, false, context) }
}

/** R17: a task that has ended sends an `end` command to its session. */
export function idleNotes(state: OrchestratorState, { kind, task, row }: IdleCause, recall: Recall): Note[] {
  const isOver = kind !== 'paused' && endCommandOf(state, { recall }) !== null
  return isOver ? [dispatchNote(task, row, 'end')] : []
}
