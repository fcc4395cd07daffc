/**
 * Mode dynamic (S3): a plan that is only a start. Each step is worked off in rounds of think → decide → act, and each decision may
 * change the steps behind it. The transition table is the loop of S3-05; only executed actions have a price (R24).
 */
import type { Effect, EventOf } from '../../terms/effect.ts'
import type { Context, Mode, HandlerResult } from '../../mode/mode.ts'
import { replyOf } from '../../mode/reply.ts'
import { finishedNote } from '../plan/actions.ts'
import { currentId, listNote } from '../plan/items.ts'
import { replaceItems } from '../plan/list.ts'
import { addRemark } from '../plan/remarks.ts'
import { onActionAnswered, onEdit, onPlanAnswered } from './human-edits.ts'
import { CONTRACTS, ITEMS_MAX, DynamicPlanReply } from './contract.ts'
import { fillPlaceholders } from './data.ts'
import { promptFor } from './prompt.ts'
import { promptBytes } from './prompt-bytes.ts'
import { actionOf, MOVE, STEPS } from './replies.ts'
import { recordObservation, onAction, onDecision, onMove, onThought, addWorkingTime } from './round.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { ENDED_MAX, NO_REPEAT, RESULTS_MAX, roundPhase, startState, DynamicState } from './state.ts'
import { startStep, waitingPlan } from './step.ts'
import { progressOf, viewOf } from './view.ts'

type T = HandlerResult<DynamicState>

function onPlan(state: DynamicState, event: EventOf<'model_replied'>, context: Context): T {
  const reply = replyOf(DynamicPlanReply, event)
  if (!reply.ok) return { state, notes: [], failure: { kind: 'contract', reason: reply.reason } }
  const names = reply.value.steps.map(({ name }) => name)
  const plan = replaceItems(STEPS, state.plan, names, context, ENDED_MAX)
  const note = listNote(STEPS, 'plan_created', plan, context.recall)
  const made: DynamicState = { ...state, plan, change: null }
  // Nothing starts of a plan that is still to be approved.
  if (context.brief.settings.approve === 'plan') return { state: waitingPlan(made, context), notes: [note] }
  const started = startStep(made, context)
  return { ...started, notes: [note, ...started.notes] }
}

/** S3-05: the action is recorded on its step, and what it brought is there for the next (S3-15). */
function onActed(before: DynamicState, ok: boolean, context: Context): T {
  const { seq, brief, recall } = context
  const state = recordObservation(addWorkingTime(before, context), context)
  const results = ok
    ? { results: pushBounded(state.results, seq, RESULTS_MAX), results_count: state.results_count + 1 }
    : { results: state.results, results_count: state.results_count }
  const step = { ...state.step, actions: state.step.actions + 1 }
  return {
    state: { ...state, ...results, step, phase: roundPhase(brief.settings), by: null },
    notes: [finishedNote(recall(seq))],
  }
}

/** A remark leads back to thinking, and what was repeated before it counts no more; an action that was chosen is run first. */
function onRemark(before: DynamicState, _event: EventOf<'user_remarked'>, { seq, brief }: Context): T {
  const state = addRemark(before, seq)
  if (state.phase === 'planning') return { state, notes: [] }
  const phase = state.phase === 'acting' ? 'acting' : roundPhase(brief.settings)
  return { state: { ...state, phase, step: { ...state.step, repeat: NO_REPEAT } }, notes: [] }
}

/** A call that brought nothing took time of its step all the same. */
const onLost = (state: DynamicState, _event: unknown, context: Context): T => ({
  state: addWorkingTime(state, context),
  notes: [],
})

const asked = { model_failed: onLost, effect_orphaned: onLost, user_remarked: onRemark, plan_edited: onEdit }
/** Where a plan waits that is to be approved. */
const roundBegins = { ...asked, approval_answered: onPlanAnswered }

/** A round ends in an action, one of the rounds of a step may not, and a refused one comes after one that was run. */
const roundsMax = (max_steps: number) => 2 * max_steps + 2 * ITEMS_MAX

export const dynamic: Mode<DynamicState> = {
  name: 'dynamic',
  state: DynamicState,
  counter: { unit: 'actions', max: ({ max_steps }) => max_steps },
  presets: { max_steps: 100 },
  tools: ['todo', 'schedule', 'internet_search', 'read_file', 'write_file', 'list_files', 'think'],
  takes_tools: true,
  model_phases: ['plan', 'think', 'step_decision', 'action'],
  calls_max: ({ plan_retries, max_steps, failure_limit, merged_calls }) =>
    1 + plan_retries + failure_limit * (merged_calls ? 1 : 3) * roundsMax(max_steps),
  tool_calls_max: ({ max_steps }) => max_steps,
  prompt_bytes: promptBytes,
  cost: { planning: 0, thinking: 0, deciding: 0, choosing: 0, moving: 0, acting: 1, ended: 0 },
  opens_round: new Set<DynamicState['phase']>(['thinking', 'moving']),
  planning: new Set<DynamicState['phase']>(['planning']),
  side_phase: null,
  reopens: false,
  transitions: {
    planning: { model_replied: onPlan, user_remarked: onRemark, plan_edited: onEdit },
    thinking: { model_replied: onThought, ...roundBegins },
    deciding: { model_replied: onDecision, ...asked },
    choosing: { model_replied: onAction, ...asked },
    moving: { model_replied: onMove, ...roundBegins },
    acting: {
      tool_returned: (state, { ok }, context) => onActed(state, ok, context),
      outcome_unknown: (state, _event, context) => onActed(state, false, context),
      user_remarked: onRemark,
      plan_edited: onEdit,
      approval_answered: onActionAnswered,
    },
    ended: {},
  },
  start: startState,
  next(state, recall) {
    if (state.phase === 'ended') return { kind: 'stop' }
    return { kind: 'run', effect: state.phase === 'acting' ? toRun(state, recall) : CALLS[state.phase] }
  },
  failure_limit: (phase, settings) => (phase === 'planning' ? 1 + settings.plan_retries : settings.failure_limit),
  prompt: (state, _phase, context) => promptFor(state, context),
  contracts: CONTRACTS,
  view: viewOf,
  progress: progressOf,
  // It never asks.
  questionAt: () => null,
}

const CALLS: Record<Exclude<DynamicState['phase'], 'acting' | 'ended'>, Effect> = {
  planning: { kind: 'call_model', phase: 'plan' },
  thinking: { kind: 'call_model', phase: 'think' },
  deciding: { kind: 'call_model', phase: 'step_decision' },
  choosing: { kind: 'call_model', phase: 'action' },
  moving: { kind: 'call_model', phase: 'step_decision', contract: MOVE },
}

function toRun(state: DynamicState, recall: Context['recall']): Effect {
  if (state.by === null) throw new Error('acting without a choice')
  const action = actionOf(recall, state.by)
  if (action === null) throw new Error(`row ${state.by} chose no action`)
  const input = fillPlaceholders(action.input, state, recall)
  const item_id = currentId(STEPS, state.plan)
  return { kind: 'run_tool', phase: 'act', tool: action.tool, input, by: state.by, call: 0, item_id }
}
