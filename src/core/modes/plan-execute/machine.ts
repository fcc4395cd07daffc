/**
 * Mode plan_execute (S0): plan → thought → act → observe → replan. The transition table is the state diagram of
 * S0-12…S0-22; prices are S0-28…S0-32.
 */
import { resolveToolName } from '../../terms/client-tools.ts'
import type { EventOf } from '../../terms/effect.ts'
import { briefOf, type Context, type Mode, type HandlerResult } from '../../mode/mode.ts'
import { replyOf } from '../../mode/reply.ts'
import type { Settings } from '../../terms/settings.ts'
import { CONTRACTS, PlanReply, ReplanReply } from './contract.ts'
import { finishedNote } from '../plan/actions.ts'
import { currentId, listNote } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { addRemark } from '../plan/remarks.ts'
import { replacePlan, startItem } from './plan-list.ts'
import { onActionAnswered, onEdit, onPlanAnswered } from './human-edits.ts'
import { promptFor } from './prompt.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { ITEMS, requestId, startState, PlanExecuteState, thoughtOf } from './state.ts'
import { contractFailure, onThought } from './thought.ts'
import { askedOf, progressOf, viewOf } from './view.ts'

type T = HandlerResult<PlanExecuteState>
type Replied = EventOf<'model_replied'>

function onPlan(state: PlanExecuteState, event: Replied, context: Context): T {
  const reply = replyOf(PlanReply, event)
  if (!reply.ok) return { state, notes: [], failure: { kind: 'contract', reason: reply.reason } }
  const plan = replacePlan(state, reply.value.plan, context)
  const made: PlanExecuteState = { ...state, phase: 'thinking', plan, change: null }
  const note = listNote(ITEMS, 'plan_created', plan, context.recall)
  // Nothing starts of a plan that is still to be approved.
  if (context.brief.settings.approve === 'plan') return { state: made, notes: [note] }
  const started = startItem(made, context.recall)
  return { state: started.state, notes: [note, ...started.notes] }
}

/** S0-65, S0-85: the observation is kept; a tool never leads to replan, unless the user spoke meanwhile. */
function onObserved(state: PlanExecuteState, ok: boolean, context: Context): T {
  const observations = pushBounded(state.observations, context.seq, context.brief.settings.observation_history_limit)
  return {
    state: {
      ...state,
      observations,
      phase: state.remarked ? 'replanning' : 'thinking',
      remarked: false,
      by: null,
      action_failures: ok ? 0 : state.action_failures + 1,
    },
    notes: [finishedNote(context.recall(context.seq))],
  }
}

function onAnswer(state: PlanExecuteState, event: EventOf<'user_answered'>, context: Context): T {
  if (state.by === null) throw new Error('an answer met no question')
  const payload = { request_id: requestId(state.by), answer: event.text }
  return {
    state: {
      ...state,
      phase: 'replanning',
      clarifications: [...state.clarifications, [state.by, context.seq]],
      by: null,
      action_failures: 0,
    },
    notes: [{ type: 'clarification_answered', payload }],
  }
}

/** A remark makes the mode look at the plan again. */
function onRemark(before: PlanExecuteState, _event: EventOf<'user_remarked'>, { seq }: Context): T {
  const state = addRemark(before, seq)
  switch (state.phase) {
    case 'thinking':
      return { state: { ...state, phase: 'replanning' }, notes: [] }
    case 'acting':
      return { state: { ...state, remarked: true }, notes: [] }
    default:
      return { state, notes: [] }
  }
}

function onReplan(state: PlanExecuteState, event: Replied, context: Context): T {
  const reply = replyOf(ReplanReply, event)
  if (!reply.ok) return contractFailure(state, context, reply.reason)
  const counts = { replans: 1 }
  if (reply.value.status === 'done') {
    return {
      state: { ...state, phase: 'ended', conclusion: context.seq, warning: null },
      notes: [],
      counts,
      stop: { status: 'completed', reason: 'done' },
    }
  }
  const plan = replacePlan(state, reply.value.plan, context)
  const idle = currentItem(plan) === null ? state.idle : 0
  const cleared: PlanExecuteState = {
    ...state,
    phase: 'thinking',
    plan,
    conclusion: null,
    warning: null,
    idle,
    action_failures: 0,
    repeats: 0,
  }
  const started = startItem(cleared, context.recall)
  const note = listNote(ITEMS, 'plan_replanned', plan, context.recall)
  return { state: started.state, notes: [note, ...started.notes], counts }
}

/** Bytes a prompt can have beside its observations: goal, plan, answers, remarks and instructions at their longest. */
const PROMPT_BYTES_MAX = 600_000
const OBSERVATIONS_CHARS_MAX = 1_000_000

/** Text is three bytes a character; all observations together are bounded by their own limit. */
const promptBytes = ({ observation_char_limit, observation_history_limit }: Settings) =>
  PROMPT_BYTES_MAX + 3 * Math.min(OBSERVATIONS_CHARS_MAX, observation_char_limit * observation_history_limit)

export const planExecute: Mode<PlanExecuteState> = {
  name: 'plan_execute',
  state: PlanExecuteState,
  counter: { unit: 'steps', max: ({ max_steps }) => max_steps },
  presets: {},
  tools: ['todo', 'schedule', 'internet_search'],
  takes_tools: true,
  model_phases: ['plan', 'thought', 'replan'],
  // A round may end one step above the maximum (D1).
  calls_max: ({ plan_retries, max_steps }) => 1 + plan_retries + max_steps + 1,
  // A thought goes before each.
  tool_calls_max: ({ max_steps }) => Math.ceil(max_steps / 2),
  prompt_bytes: promptBytes,
  cost: { planning: 0, thinking: 1, acting: 1, asking: 0, replanning: 1, ended: 0 },
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
      tool_returned: (state, { ok }, context) => onObserved(state, ok, context),
      outcome_unknown: (state, _event, context) => onObserved(state, false, context),
      user_remarked: onRemark,
      plan_edited: onEdit,
      approval_answered: onActionAnswered,
    },
    // What was said while the thought was under way that asks is heard behind it (U2).
    asking: { user_answered: onAnswer, user_remarked: onRemark, plan_edited: onEdit },
    replanning: { model_replied: onReplan, user_remarked: onRemark, plan_edited: onEdit },
    ended: {},
  },
  start: startState,
  next(state, recall) {
    switch (state.phase) {
      case 'planning':
        return { kind: 'run', effect: { kind: 'call_model', phase: 'plan' } }
      case 'thinking':
        return { kind: 'run', effect: { kind: 'call_model', phase: 'thought' } }
      case 'replanning':
        return { kind: 'run', effect: { kind: 'call_model', phase: 'replan' } }
      case 'acting':
        return { kind: 'run', effect: actionOf(state, recall) }
      case 'asking':
        return { kind: 'wait', for: 'answer' }
      case 'ended':
        return { kind: 'stop' }
    }
  },
  failure_limit: (phase, settings) => (phase === 'planning' ? 1 + settings.plan_retries : settings.failure_limit),
  prompt: promptFor,
  contracts: CONTRACTS,
  view: viewOf,
  progress: progressOf,
  questionAt: askedOf,
}

function actionOf(state: PlanExecuteState, recall: Context['recall']) {
  if (state.by === null) throw new Error('acting without a thought')
  const action = thoughtOf(recall, state.by).next_action
  if (action === null) throw new Error(`row ${state.by} chose no action`)
  return {
    kind: 'run_tool' as const,
    phase: 'act',
    tool: resolveToolName(briefOf(recall).tools, action.tool),
    input: action.input,
    by: state.by,
    call: 0,
    item_id: currentId(ITEMS, state.plan),
  }
}
