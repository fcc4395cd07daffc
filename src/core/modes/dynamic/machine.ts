/**
 * Mode dynamic (S3): a plan that is only a start. Each step is worked off in rounds of think → decide → act, and each decision may
 * change the steps behind it. The transition table is the loop of S3-05; only executed actions have a price (R24).
 */
import { COMMON_TOOLS } from '../../mode/tools.ts'
import { COMMAND_TOOLS } from '../../mode/workspace-tools.ts'
import type { Effect, EventOf } from '../../terms/effect.ts'
import { briefOf, type HandlerContext, type Mode, type HandlerResult } from '../../mode/mode.ts'
import { rememberAction } from '../../mode/repeat-guard.ts'
import { finishedNote } from '../plan/actions.ts'
import { currentId, listNote } from '../plan/items.ts'
import { replaceItems } from '../plan/list.ts'
import { addRemark } from '../plan/remarks.ts'
import { onActionAnswered, onEdit, onPlanAnswered } from './human-edits.ts'
import { CONTRACTS, ITEMS_MAX } from './contract.ts'
import { fillPlaceholders, withResult } from './data.ts'
import { promptFor } from './prompt.ts'
import { promptBytes } from './prompt-bytes.ts'
import { FEW, MOVE } from './moves.ts'
import {
  fileRequest,
  mayAwaitFile,
  noteCall,
  onAnswer,
  onAnswerForFile,
  onFileArrived,
  questionAt,
  waitIfMissing,
} from './questions.ts'
import { actionOf, readPlan, STEPS } from './replies.ts'
import { recordObservation, onAction, onDecision, onMove, onThought, addWorkingTime } from './round.ts'
import type { Settings } from '../../terms/settings.ts'
import {
  ENDED_MAX,
  isMerged,
  isWaiting,
  roundPhase,
  SEEN_MAX,
  startState,
  withoutRepeats,
  DynamicState,
} from './state.ts'
import { endStep, startStep, waitingPlan } from './step.ts'
import { progressOf, viewOf } from './view.ts'

type T = HandlerResult<DynamicState>

function onPlan(state: DynamicState, event: EventOf<'model_replied'>, context: HandlerContext): T {
  const reply = readPlan(event, context.brief.settings)
  if (!reply.ok) return { state, notes: [], failure: { kind: 'contract', reason: reply.reason } }
  const names = reply.value.steps.map(({ name }) => name)
  const plan = replaceItems(STEPS, state.plan, names, context, ENDED_MAX)
  const note = listNote(STEPS, 'plan_created', plan, context.recall)
  const next: DynamicState = { ...state, plan, change: null }
  // No step of a plan starts before the plan is approved.
  if (context.brief.settings.approve === 'plan') return { state: waitingPlan(next, context), notes: [note] }
  const started = startStep(next, context)
  return { ...started, notes: [note, ...started.notes] }
}

/** S3-05: the action is recorded on its step, and its result can be used by later actions (S3-15). It may have found a file missing. */
function onActionEnd(current: DynamicState, ok: boolean, context: HandlerContext): T {
  const { seq, brief, recall } = context
  const state = recordObservation(addWorkingTime(current, context), context)
  const step = withAction(state, context)
  const ended: DynamicState = { ...noteCall(state, context), step, phase: roundPhase(brief.settings), by: null }
  const wait = waitIfMissing(ended, context)
  const next = ok ? withResult(ended, seq) : ended
  const notes = [finishedNote(recall(seq)), ...wait.notes]
  // The file is read again when it is there, so the action that missed it uses up none of the step.
  if (ended.missing !== null) return { state: { ...wait.state, step: { ...step, actions: state.step.actions } }, notes }
  return ok && finishesStep(current, recall) ? endStep(next, 'completed', seq, notes, context) : { state: next, notes }
}

/** The step after its action, whose result the guard against repetition remembers. */
function withAction(state: DynamicState, { recall, seq }: HandlerContext): DynamicState['step'] {
  const { step, by } = state
  const action = by === null ? null : actionOf(recall, by)
  const { event } = recall(seq)
  const result = event.kind === 'tool_returned' ? event.text : event.kind
  const seen =
    action === null
      ? step.seen
      : rememberAction(step.seen, { ...action, input: fillPlaceholders(action.input, state, recall) }, result)
  return { ...step, actions: step.actions + 1, seen: seen.slice(-SEEN_MAX) }
}

/** Whether the success of the action finishes its step. The last step needs a decision, which answers the goal. */
function finishesStep({ plan, by }: DynamicState, recall: HandlerContext['recall']): boolean {
  return by !== null && plan.cursor < plan.items.length - 1 && actionOf(recall, by)?.ends_item === true
}

/** A remark leads to a new thought and resets the repetition guard. An action that was chosen already is run first. */
function onRemark(current: DynamicState, _event: EventOf<'user_remarked'>, { seq, brief }: HandlerContext): T {
  const state = addRemark(current, seq)
  if (state.phase === 'planning') return { state, notes: [] }
  const phase = state.phase === 'acting' || isWaiting(state) ? state.phase : roundPhase(brief.settings)
  return { state: { ...state, phase, step: withoutRepeats(state.step) }, notes: [] }
}

/** A lost or failed call took working time of its step as well. */
const onLost = (state: DynamicState, _event: unknown, context: HandlerContext): T => ({
  state: addWorkingTime(state, context),
  notes: [],
})

const callEvents = { model_failed: onLost, effect_orphaned: onLost, user_remarked: onRemark, plan_edited: onEdit }
/** The events at the start of a round. A plan waits for its approval there. */
const roundStartEvents = { ...callEvents, approval_answered: onPlanAnswered }

/**
 * A round ends in an action or a question. One round of each step may end without one, and after each action, question and start
 * of a step at most three are refused.
 */
const roundsMax = ({ max_steps, max_clarifications }: Settings) => 4 * (max_steps + max_clarifications + ITEMS_MAX)

export const dynamic: Mode<DynamicState> = {
  name: 'dynamic',
  state: DynamicState,
  counter: { unit: 'actions', max: ({ max_steps }) => max_steps },
  own_settings: [
    'max_steps',
    'plan_retries',
    'calls',
    'observation_history_limit',
    'max_actions_per_step',
    'repeat_action_limit',
    'step_timeout_s',
    'max_adjustments',
    'dynamic_planning',
    'merged_calls',
  ],
  presets: { max_steps: 100 },
  tools: [...COMMAND_TOOLS, 'todo', 'schedule', 'internet_search', ...COMMON_TOOLS],
  takes_tools: true,
  model_phases: ['plan', 'think', 'step_decision', 'action'],
  calls_max: (settings) =>
    1 + settings.plan_retries + settings.failure_limit * (isMerged(settings) ? 1 : 3) * roundsMax(settings),
  tool_calls_max: ({ max_steps }) => max_steps,
  prompt_bytes: promptBytes,
  cost: {
    planning: 0,
    thinking: 0,
    deciding: 0,
    choosing: 0,
    moving: 0,
    acting: 1,
    asking: 0,
    waiting: 0,
    ended: 0,
    result: 0,
  },
  opens_round: new Set<DynamicState['phase']>(['thinking', 'moving']),
  planning: new Set<DynamicState['phase']>(['planning']),
  side_phase: null,
  reopens: false,
  transitions: {
    planning: { model_replied: onPlan, user_remarked: onRemark, plan_edited: onEdit },
    thinking: { model_replied: onThought, ...roundStartEvents },
    deciding: { model_replied: onDecision, ...callEvents },
    choosing: { model_replied: onAction, ...callEvents },
    moving: { model_replied: onMove, ...roundStartEvents },
    acting: {
      tool_returned: (state, { ok }, context) => onActionEnd(state, ok, context),
      outcome_unknown: (state, _event, context) => onActionEnd(state, false, context),
      user_remarked: onRemark,
      plan_edited: onEdit,
      approval_answered: onActionAnswered,
    },
    asking: { user_answered: onAnswer, user_remarked: onRemark, plan_edited: onEdit },
    waiting: {
      file_arrived: onFileArrived,
      user_answered: onAnswerForFile,
      user_remarked: onRemark,
      plan_edited: onEdit,
    },
    ended: {},
  },
  start: startState,
  next(state, recall) {
    switch (state.phase) {
      case 'ended':
        return { kind: 'stop' }
      case 'asking':
        return { kind: 'wait', for: 'answer' }
      case 'waiting':
        return { kind: 'wait', for: 'file' }
      case 'acting':
        return { kind: 'run', effect: actionEffect(state, recall) }
      case 'moving':
        return { kind: 'run', effect: briefOf(recall).settings.calls === 'few' ? FEW_CALL : MOVE_CALL }
      default:
        return { kind: 'run', effect: CALLS[state.phase] }
    }
  },
  failure_limit: (phase, settings) => (phase === 'planning' ? 1 + settings.plan_retries : settings.failure_limit),
  prompt: (state, _phase, context) => promptFor(state, context),
  contracts: CONTRACTS,
  view: viewOf,
  progress: progressOf,
  fileRequest,
  mayAwaitFile,
  questionAt,
}

const CALLS: Record<'planning' | 'thinking' | 'deciding' | 'choosing', Effect> = {
  planning: { kind: 'call_model', phase: 'plan' },
  thinking: { kind: 'call_model', phase: 'think' },
  deciding: { kind: 'call_model', phase: 'step_decision' },
  choosing: { kind: 'call_model', phase: 'action' },
}
const MOVE_CALL: Effect = { kind: 'call_model', phase: 'step_decision', contract: MOVE }
const FEW_CALL: Effect = { kind: 'call_model', phase: 'step_decision', contract: FEW }

function actionEffect(state: DynamicState, recall: HandlerContext['recall']): Effect {
  if (state.by === null) throw new Error('acting without a choice')
  const action = actionOf(recall, state.by)
  if (action === null) throw new Error(`row ${state.by} chose no action`)
  const input = fillPlaceholders(action.input, state, recall)
  const item_id = currentId(STEPS, state.plan)
  return { kind: 'run_tool', phase: 'act', tool: action.tool, input, by: state.by, call: 0, item_id }
}
