/**
 * Mode orchestrator (S2): the goal is split into steps. Each step is handed to an external worker as a command, and the report is
 * evaluated. The transition table is the loop of S2-03. Only commands have a price (R24).
 */
import type { Effect, EventOf } from '../../terms/effect.ts'
import type { HandlerContext, Mode, HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { jsonReader } from '../../mode/reply.ts'
import { DELEGATE } from '../../terms/delegation.ts'
import { onAnswer, onCommandAnswered, onEdit, onPlanAnswered, onRemark, onResumed } from './human-edits.ts'
import { commandOf, endCommandOf } from './command.ts'
import { CONTRACTS } from './contract.ts'
import { onEvaluation, onSummary, recordSummary } from './evaluation.ts'
import { missionDocuments } from './mission.ts'
import { promptFor } from './prompt.ts'
import { promptBytes } from './prompt-bytes.ts'
import { readPlan, STEPS } from './replies.ts'
import { onDispatched, onNotDispatched, onOverdue, onReport, onReportOfFailedDispatch, idleNotes } from './reports.ts'
import { LOG_MAX, startState, OrchestratorState } from './state.ts'
import { currentId, listNote } from '../plan/items.ts'
import { continuePlan, replaceSteps, waitingPlan } from './steps.ts'
import { askedOf, progressOf, viewOf } from './view.ts'

type T = HandlerResult<OrchestratorState>

function onPlan(state: OrchestratorState, event: EventOf<'model_replied'>, context: HandlerContext): T {
  const { seq, brief, recall } = context
  const reply = readPlan(event, brief.settings)
  if (!reply.ok)
    return { state: { ...state, refused: seq }, notes: [], failure: { kind: 'contract', reason: reply.reason } }
  const plan = replaceSteps(state.plan, reply.value.steps, context)
  const notes = [listNote(STEPS, 'plan_created', plan, recall)]
  const next: OrchestratorState = {
    ...state,
    plan,
    change: null,
    refused: null,
    log: pushBounded(state.log, seq, LOG_MAX),
  }
  // No step of a plan starts before the plan is approved.
  return brief.settings.approve === 'plan'
    ? { state: waitingPlan(next, context), notes }
    : continuePlan(next, notes, context)
}

/** In this phase either the plan or a command may wait for its approval. */
const onApproval = (state: OrchestratorState, event: EventOf<'approval_answered'>, context: HandlerContext): T =>
  context.awaits === 'plan' ? onPlanAnswered(state, event, context) : onCommandAnswered(state, event, context)

const endWithoutSummary = (state: OrchestratorState, _event: unknown, context: HandlerContext): T =>
  recordSummary(state, null, context)

const user_events = { user_remarked: onRemark, plan_edited: onEdit, resumed: onResumed }

export const orchestrator: Mode<OrchestratorState> = {
  name: 'orchestrator',
  state: OrchestratorState,
  counter: { unit: 'commands', max: ({ max_steps }) => max_steps },
  own_settings: ['max_steps', 'plan_retries', 'worker_pool', 'max_retries_per_step', 'max_replans', 'command_budget'],
  presets: { max_steps: 100 },
  tools: [DELEGATE],
  takes_tools: false,
  model_phases: ['plan', 'evaluate', 'summary'],
  calls_max: ({ plan_retries, max_steps, failure_limit }) => 1 + plan_retries + failure_limit * max_steps + 1,
  tool_calls_max: ({ max_steps }) => max_steps,
  prompt_bytes: promptBytes,
  cost: { planning: 0, dispatching: 1, awaiting: 0, evaluating: 0, asking: 0, summarizing: 0, ended: 0, result: 0 },
  opens_round: new Set<OrchestratorState['phase']>(['dispatching', 'evaluating', 'summarizing']),
  planning: new Set<OrchestratorState['phase']>(['planning']),
  side_phase: null,
  reopens: false,
  transitions: {
    planning: { model_replied: onPlan, ...user_events },
    dispatching: {
      tool_returned: (state, { ok }, context) => (ok ? onDispatched(state, context) : onNotDispatched(state, context)),
      outcome_unknown: (state, _event, context) => onDispatched(state, context),
      approval_answered: onApproval,
      report_arrived: onReportOfFailedDispatch,
      ...user_events,
    },
    awaiting: { report_arrived: onReport, report_expired: onOverdue, ...user_events },
    evaluating: { model_replied: onEvaluation, ...user_events },
    // Remarks and edits during the evaluation are applied after it, when the question is open (U2).
    asking: { user_answered: onAnswer, ...user_events },
    summarizing: {
      model_replied: onSummary,
      model_failed: endWithoutSummary,
      effect_orphaned: endWithoutSummary,
      ...user_events,
    },
    ended: {},
  },
  start: startState,
  next(state, recall) {
    switch (state.phase) {
      case 'planning':
        return { kind: 'run', effect: { kind: 'call_model', phase: 'plan' } }
      case 'dispatching':
        return { kind: 'run', effect: dispatch(state, recall) }
      case 'awaiting':
        return { kind: 'wait', for: 'report' }
      case 'evaluating':
        return { kind: 'run', effect: { kind: 'call_model', phase: 'evaluate' } }
      case 'asking':
        return { kind: 'wait', for: 'answer' }
      case 'summarizing':
        return { kind: 'run', effect: { kind: 'call_model', phase: 'summary' } }
      case 'ended':
        return { kind: 'stop' }
    }
  },
  failure_limit: (phase, settings) => (phase === 'planning' ? 1 + settings.plan_retries : settings.failure_limit),
  prompt: (state, _phase, context) => promptFor(state, context),
  contracts: CONTRACTS,
  reader: jsonReader,
  view: viewOf,
  progress: progressOf,
  documents: missionDocuments,
  idleNotes,
  currentCommand: commandOf,
  awaitedCommandRow: ({ phase, command }) => (phase === 'awaiting' ? command : null),
  finalCommand: endCommandOf,
  questionAt: askedOf,
}

/** The effect that dispatches a command. Its input is shown for approval; workers see the command itself. */
function dispatch(state: OrchestratorState, recall: HandlerContext['recall']): Effect {
  if (state.by === null) throw new Error('nothing has decided that a command is to be sent')
  const { type, session_id, task, constraints, expected_output } = commandOf(state, { recall })
  const input = JSON.stringify({ command_type: type, session_id, task, constraints, expected_output })
  return {
    kind: 'run_tool',
    phase: 'dispatch',
    tool: DELEGATE,
    input,
    by: state.by,
    call: 0,
    item_id: currentId(STEPS, state.plan),
  }
}
