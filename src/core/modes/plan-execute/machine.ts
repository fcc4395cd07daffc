/**
 * Mode plan_execute (S0): plan → thought → act → observe → replan. The transition table is the state diagram of
 * S0-12…S0-22. The prices are those of S0-28…S0-32.
 */
import { COMMON_TOOLS } from '../../mode/tools.ts'
import { COMMAND_TOOLS } from '../../mode/workspace-tools.ts'
import type { Effect, EventOf, Recall } from '../../terms/effect.ts'
import { briefOf, type HandlerContext, type Mode, type HandlerResult } from '../../mode/mode.ts'
import { CORRECTION_CHARS } from '../../mode/correction.ts'
import { IMAGES_BYTES, NESTED_CHAR_BYTES } from '../../mode/prompt-bytes.ts'
import { NOTHING_SEEN, rememberAction } from '../../mode/repeat-guard.ts'
import type { Settings } from '../../terms/settings.ts'
import { CONTRACTS, THOUGHT_FEW, type ThoughtReply } from './contract.ts'
import { endCurrentItem } from './item-end.ts'
import { finishedNote } from '../plan/actions.ts'
import { currentId, listNote } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { addRemark } from '../plan/remarks.ts'
import { replacePlan, startItem } from './plan-list.ts'
import { onActionAnswered, onEdit, onPlanAnswered } from './human-edits.ts'
import { promptFor } from './prompt.ts'
import { OBSERVATIONS_CHARS_MAX, RESULTS_CHARS_MAX } from './prompt-history.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { planIn, replanIn, replyErrorOf, thoughtOf } from './replies.ts'
import { planExecuteReader } from './reader.ts'
import { ITEMS, requestId, startState, PlanExecuteState } from './state.ts'
import { chosenAction, contractFailure, onThought } from './thought.ts'
import { askedOf, progressOf, viewOf } from './view.ts'

type T = HandlerResult<PlanExecuteState>
type ReplyEvent = EventOf<'model_replied'>

function onPlan(state: PlanExecuteState, event: ReplyEvent, context: HandlerContext): T {
  const reply = planIn(event, context.brief)
  if (!reply.ok) return contractFailure(state, context, reply.reason)
  const plan = replacePlan(state, reply.value.plan, context)
  const next: PlanExecuteState = { ...state, phase: 'thinking', plan, change: null, refused: null }
  const note = listNote(ITEMS, 'plan_created', plan, context.recall)
  // No item of a plan starts before the plan is approved.
  if (context.brief.settings.approve === 'plan') return { state: next, notes: [note] }
  const started = startItem(next, context.recall)
  return { state: started.state, notes: [note, ...started.notes] }
}

/**
 * S0-65, S0-85: the observation is recorded. A tool leads to a replan only if the user said something meanwhile. With
 * `calls: few` a successful action may end its item.
 */
function onObserved(state: PlanExecuteState, result: { ok: boolean; text: string | null }, context: HandlerContext): T {
  const { seq, recall, brief } = context
  const { ok, text } = result
  const thought = state.by === null ? null : thoughtOf(recall, state.by)
  const observed: PlanExecuteState = {
    ...state,
    observations: pushBounded(state.observations, seq, brief.settings.observation_history_limit),
    seen: text === null || thought === null ? state.seen : withAction(state.seen, thought, text, context),
    phase: state.remarked ? 'replanning' : 'thinking',
    remarked: false,
    by: null,
    action_failures: ok ? 0 : state.action_failures + 1,
  }
  const note = finishedNote(recall(seq))
  const endsItem = brief.settings.calls === 'few' && thought?.next_action?.ends_item === true
  if (!ok || !endsItem || currentItem(state.plan) === null) return { state: observed, notes: [note] }
  const ended = endCurrentItem({ ...observed, conclusion: null }, { how: 'completed', row: seq }, context)
  return { ...ended, notes: [note, ...ended.notes] }
}

function withAction(seen: PlanExecuteState['seen'], thought: ThoughtReply, text: string, { brief }: HandlerContext) {
  const action = chosenAction(thought, brief)
  return action === null ? seen : rememberAction(seen, action, text)
}

function onAnswer(state: PlanExecuteState, event: EventOf<'user_answered'>, context: HandlerContext): T {
  if (state.by === null) throw new Error('an answer met no question')
  const payload = { request_id: requestId(state.by), answer: event.text }
  // With `calls: few` the item goes on with the answer, and the replan follows when it has ended.
  const goesOn = context.brief.settings.calls === 'few' && currentItem(state.plan) !== null
  return {
    state: {
      ...state,
      phase: goesOn ? 'thinking' : 'replanning',
      heard: true,
      seen: NOTHING_SEEN,
      clarifications: [...state.clarifications, [state.by, context.seq]],
      by: null,
      action_failures: 0,
    },
    notes: [{ type: 'clarification_answered', payload }],
  }
}

/** A remark leads to a replan. */
function onRemark(before: PlanExecuteState, _event: EventOf<'user_remarked'>, { seq }: HandlerContext): T {
  // What a person says may change what an action brings, so the guard begins anew.
  const state = { ...addRemark(before, seq), heard: true, seen: NOTHING_SEEN }
  switch (state.phase) {
    case 'thinking':
      return { state: { ...state, phase: 'replanning' }, notes: [] }
    case 'acting':
      return { state: { ...state, remarked: true }, notes: [] }
    default:
      return { state, notes: [] }
  }
}

function onReplan(state: PlanExecuteState, event: ReplyEvent, context: HandlerContext): T {
  const reply = replanIn(event, context.brief)
  if (!reply.ok) return contractFailure(state, context, reply.reason)
  const counts = { replans: 1 }
  if (reply.value.status === 'done') {
    return {
      state: { ...state, phase: 'ended', conclusion: context.seq, warning: null, refused: null, heard: false },
      notes: [],
      counts,
      stop: { status: 'completed', reason: 'done' },
    }
  }
  const plan = replacePlan(state, reply.value.plan, context)
  const idle = currentItem(plan) === null ? state.idle : 0
  const next: PlanExecuteState = {
    ...state,
    phase: 'thinking',
    plan,
    conclusion: null,
    warning: null,
    refused: null,
    heard: false,
    idle,
    action_failures: 0,
    repeats: 0,
  }
  const started = startItem(next, context.recall)
  const note = listNote(ITEMS, 'plan_replanned', plan, context.recall)
  return { state: started.state, notes: [note, ...started.notes], counts }
}

/** The most bytes of a prompt without what is counted below: instructions, goal, plan, answers and remarks. */
const PROMPT_BYTES_MAX = 600_000
const HISTORY_BYTES_MAX = NESTED_CHAR_BYTES * (RESULTS_CHARS_MAX + CORRECTION_CHARS)
/** The built-in tools are sent once more when they are offered natively. */
const NATIVE_TOOLS_BYTES = 20_000

/** A character of an observation takes up to three bytes. */
const promptBytes = ({ observation_char_limit, observation_history_limit, calls }: Settings) =>
  PROMPT_BYTES_MAX +
  IMAGES_BYTES +
  HISTORY_BYTES_MAX +
  (calls === 'few' ? NATIVE_TOOLS_BYTES : 0) +
  3 * Math.min(OBSERVATIONS_CHARS_MAX, observation_char_limit * observation_history_limit)

export const planExecute: Mode<PlanExecuteState> = {
  name: 'plan_execute',
  state: PlanExecuteState,
  counter: { unit: 'steps', max: ({ max_steps }) => max_steps },
  own_settings: ['max_steps', 'plan_retries', 'calls', 'observation_history_limit'],
  presets: {},
  tools: [...COMMAND_TOOLS, 'todo', 'schedule', 'internet_search', ...COMMON_TOOLS],
  takes_tools: true,
  model_phases: ['plan', 'thought', 'replan'],
  // A round may end one step above the maximum (D1).
  calls_max: ({ plan_retries, max_steps }) => 1 + plan_retries + max_steps + 1,
  // Each tool call has a thought before it.
  tool_calls_max: ({ max_steps }) => Math.ceil(max_steps / 2),
  prompt_bytes: promptBytes,
  cost: { planning: 0, thinking: 1, acting: 1, asking: 0, replanning: 1, ended: 0, result: 1 },
  opens_round: new Set<PlanExecuteState['phase']>(['thinking', 'replanning']),
  planning: new Set<PlanExecuteState['phase']>(['planning']),
  side_phase: null,
  reopens: false,
  transitions: {
    planning: { model_replied: onPlan, user_remarked: onRemark, plan_edited: onEdit },
    thinking: {
      model_replied: onThought,
      user_remarked: onRemark,
      plan_edited: onEdit,
      approval_answered: onPlanAnswered,
    },
    acting: {
      tool_returned: onObserved,
      outcome_unknown: (state, _event, context) => onObserved(state, { ok: false, text: null }, context),
      user_remarked: onRemark,
      plan_edited: onEdit,
      approval_answered: onActionAnswered,
    },
    // Remarks and edits during the thought are applied after the thought, when the question is open (U2).
    asking: { user_answered: onAnswer, user_remarked: onRemark, plan_edited: onEdit },
    replanning: { model_replied: onReplan, user_remarked: onRemark, plan_edited: onEdit },
    ended: {},
  },
  start: startState,
  next(state, recall) {
    if (state.phase === 'ended') return { kind: 'stop' }
    if (state.phase === 'asking') return { kind: 'wait', for: 'answer' }
    return { kind: 'run', effect: effectOf(state, state.phase, recall) }
  },
  failure_limit: (phase, settings) => (phase === 'planning' ? 1 + settings.plan_retries : settings.failure_limit),
  prompt: promptFor,
  contracts: CONTRACTS,
  reader: planExecuteReader,
  replyError: replyErrorOf,
  view: viewOf,
  progress: progressOf,
  questionAt: askedOf,
}

const CALLS = {
  planning: { kind: 'call_model', phase: 'plan' },
  thinking: { kind: 'call_model', phase: 'thought' },
  replanning: { kind: 'call_model', phase: 'replan' },
} as const

function effectOf(
  state: PlanExecuteState,
  phase: Exclude<PlanExecuteState['phase'], 'asking' | 'ended'>,
  recall: Recall,
): Effect {
  if (phase === 'acting') return actionOf(state, recall)
  const isFew = phase === 'thinking' && briefOf(recall).settings.calls === 'few'
  return isFew ? { ...CALLS.thinking, contract: THOUGHT_FEW } : CALLS[phase]
}

function actionOf(state: PlanExecuteState, recall: Recall) {
  if (state.by === null) throw new Error('acting without a thought')
  const action = chosenAction(thoughtOf(recall, state.by), briefOf(recall))
  if (action === null) throw new Error(`row ${state.by} chose no action`)
  const item_id = currentId(ITEMS, state.plan)
  return { kind: 'run_tool' as const, phase: 'act', ...action, by: state.by, call: 0, item_id }
}
