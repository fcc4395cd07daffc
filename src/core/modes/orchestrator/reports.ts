/** A command goes out, and its report comes back or does not (S2-03, S2-18). */
import { delegationId } from '../../terms/delegation-id.ts'
import type { EventOf, Note, Recall } from '../../terms/effect.ts'
import type { Context, IdleCause, HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { cut } from '../../terms/text.ts'
import { commandOf, farewellOf } from './command.ts'
import { failStep } from './failed-attempt.ts'
import { LOG_MAX, PITFALLS_MAX, type OrchestratorState } from './state.ts'

type T = HandlerResult<OrchestratorState>

/** Of each text of a report in an event; the delegation has them whole. */
const TOLD_CHARS = 2_000

const dispatched = (task: string, row: number, command_type: string): Note => ({
  type: 'command_dispatched',
  payload: { delegation_id: delegationId(task, row), command_type },
})

/** It may have been handed out even where its worker was lost: then its report comes, or does not. */
export function onDispatched(state: OrchestratorState, context: Context): T {
  const { task, seq, recall } = context
  return {
    state: { ...state, phase: 'awaiting', commands: state.commands + 1, command: seq },
    notes: [dispatched(task, seq, commandOf(state, { recall }).type)],
  }
}

/** One that could not be handed out is an attempt that failed. */
export const onNotDispatched = (state: OrchestratorState, context: Context): T => failStep(state, [], context)

export function onReport(state: OrchestratorState, event: EventOf<'report_arrived'>, context: Context): T {
  if (event.delegation !== state.command) return { state, notes: [] }
  const { task, seq } = context
  const { report } = event
  const named = report.session_id !== null
  const next: OrchestratorState = {
    ...state,
    phase: 'evaluating',
    command: null,
    by: seq,
    session: named ? seq : state.session,
    step: { ...state.step, report: seq, session: named ? seq : state.step.session },
    pitfalls: report.pitfalls === null ? state.pitfalls : pushBounded(state.pitfalls, seq, PITFALLS_MAX),
  }
  const short = (text: string | null) => (text === null ? null : cut(text, TOLD_CHARS))
  const told = {
    ...report,
    results: short(report.results),
    pitfalls: short(report.pitfalls),
    next_steps: short(report.next_steps),
    text: cut(report.text, TOLD_CHARS),
  }
  const payload = { delegation_id: delegationId(task, event.delegation), report: told }
  return { state: next, notes: [{ type: 'report_received', payload }] }
}

/** Its command was handed out, whatever the tool made of that: the attempt has not failed. */
export function onReportAfterAll(state: OrchestratorState, event: EventOf<'report_arrived'>, context: Context): T {
  if (event.delegation !== state.step.failure) return { state, notes: [] }
  const step = { ...state.step, failures: state.step.failures - 1, failure: null }
  const out: OrchestratorState = { ...state, command: event.delegation, failures: state.failures - 1, step }
  return onReport({ ...out, commands: state.commands + 1 }, event, context)
}

/** R17: a time-out is an attempt that failed; nobody has to judge it. */
export function onOverdue(state: OrchestratorState, event: EventOf<'report_expired'>, context: Context): T {
  if (event.delegation !== state.command) return { state, notes: [] }
  return failStep({ ...state, log: pushBounded(state.log, context.seq, LOG_MAX) }, [], context)
}

/** R17: a task that has ended tells the session it knows. */
export function onRest(state: OrchestratorState, { kind, task, row }: IdleCause, recall: Recall): Note[] {
  const isOver = kind !== 'paused' && farewellOf(state, { recall }) !== null
  return isOver ? [dispatched(task, row, 'end')] : []
}
