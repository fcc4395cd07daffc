/** One round of a step (S3-05): a thought, the decision about the step and the plan, the action; or all three in one reply. */
import type { EventOf, Note } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { replyOf } from '../../mode/reply.ts'
import { cut } from '../../terms/text.ts'
import { adjust, guard } from './adjust.ts'
import { ActionReply, DecisionReply, MoveReply, NO_ACTION, type Action, type Decision } from './contract.ts'
import { fillPlaceholders } from './data.ts'
import { readThought, STEPS, withProperName } from './replies.ts'
import { judge, markOf, remember } from './repeat.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { currentId } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { DECISIONS_MAX, roundPhase, spentBy, type DynamicState } from './state.ts'
import { completeStep, failStep } from './step.ts'

type T = HandlerResult<DynamicState>
type Replied = EventOf<'model_replied'>

/** Of a thought or a reason in an event; the journal has them whole. */
const TOLD_CHARS = 2_000

/** The working time of an effect is that of its step. */
export function addWorkingTime(state: DynamicState, { elapsed_ms }: Context): DynamicState {
  return { ...state, step: { ...state.step, worked_ms: state.step.worked_ms + elapsed_ms } }
}

export function recordObservation(state: DynamicState, { seq, brief }: Context): DynamicState {
  const observations = pushBounded(state.observations, seq, brief.settings.observation_history_limit)
  return { ...state, observations, step: { ...state.step, observed: state.step.observed + 1 } }
}

/** A reply that could not be used is an observation the next prompt shows (S3-19). */
function contractFailure(state: DynamicState, context: Context, reason: string): T {
  return {
    state: recordObservation(addWorkingTime(state, context), context),
    notes: [],
    failure: { kind: 'contract', reason },
  }
}

const thoughtNote = (state: DynamicState, phase: string, decision: string, text: string, more = {}): Note => ({
  type: 'thought_decided',
  payload: { phase, item_id: currentId(STEPS, state.plan), decision, text: cut(text, TOLD_CHARS), ...more },
})

const decisionNote = (state: DynamicState, { is_complete, reason }: Decision): Note =>
  thoughtNote(state, 'step_decision', is_complete ? 'done' : 'continue', reason, {
    is_complete,
    reason: cut(reason, TOLD_CHARS),
  })

export function onThought(state: DynamicState, event: Replied, context: Context): T {
  const read = readThought(event)
  if (!read.ok) return contractFailure(state, context, read.reason)
  const { step, ...rest } = addWorkingTime(state, context)
  return {
    state: { ...rest, phase: 'deciding', step: { ...step, thought: context.seq } },
    notes: [thoughtNote(state, 'think', 'think', read.value)],
  }
}

export function onDecision(state: DynamicState, event: Replied, context: Context): T {
  const read = replyOf(DecisionReply, event)
  if (!read.ok) return contractFailure(state, context, read.reason)
  return decided(state, read.value, context)
}

/** First the plan is changed, then the step goes on, or ends (R18). */
function decided(before: DynamicState, decision: Decision, context: Context): T {
  const { settings } = context.brief
  // Whether it was the last one counts from what the model was told.
  const spent = spentBy(before, settings)
  const state = addWorkingTime(before, context)
  const { plan, notes, added } = adjust(state.plan, decision, context)
  const [id] = currentItem(plan) ?? [0]
  const told = [decisionNote(state, decision), ...notes]
  const next: DynamicState = {
    ...state,
    plan,
    decisions: pushBounded(state.decisions, [context.seq, id], DECISIONS_MAX),
    step: { ...state.step, decision: context.seq, added },
  }
  if (decision.is_complete) return completeStep(next, told, context)
  if (spent !== null) return failStep(next, spent, told, context)
  // Its time ran out with this very call: no action is chosen any more, one last look is taken.
  const phase = spentBy(next, settings) === null ? 'choosing' : roundPhase(settings)
  return { state: { ...next, phase }, notes: told }
}

export function onAction(state: DynamicState, event: Replied, context: Context): T {
  const read = replyOf(ActionReply, event)
  if (!read.ok) return contractFailure(state, context, read.reason)
  return chosen(addWorkingTime(state, context), withProperName(read.value, context.brief), context)
}

function chosen(before: DynamicState, action: Action, context: Context): T {
  const { settings } = context.brief
  const input = fillPlaceholders(action.input, before, context.recall)
  const mark = markOf(action.tool, input)
  const repeat = remember(before.step.repeat, mark)
  const { times, beyond } = judge(repeat, settings.repeat_action_limit)
  const state: DynamicState = { ...before, step: { ...before.step, repeat } }
  const repeating = [guard('repeated_action', times, [`${action.tool}: ${action.input}`])]
  if (beyond > 1) return failStep(state, 'loop', repeating, context)
  if (beyond === 1) return refused(state, repeating, context)
  const payload = { item_id: currentId(STEPS, state.plan), tool: action.tool, input: cut(input, TOLD_CHARS) }
  const warned = beyond === 0 && times > 1 ? repeating : []
  return {
    state: { ...state, phase: 'acting', by: context.seq },
    notes: [...warned, { type: 'action_started', payload }],
  }
}

/** Not run: a failed observation, and one of the step's actions (R20). */
function refused(state: DynamicState, notes: Note[], context: Context): T {
  const { step, ...rest } = recordObservation(state, context)
  const phase = roundPhase(context.brief.settings)
  return { state: { ...rest, phase, step: { ...step, actions: step.actions + 1 } }, notes, undecided: true }
}

/** merged_calls: what the three calls would have come to, from one reply. */
export function onMove(state: DynamicState, event: Replied, context: Context): T {
  const read = replyOf(MoveReply, event)
  if (!read.ok) return contractFailure(state, context, read.reason)
  const move = read.value
  if (move.action === null && !move.is_complete && spentBy(state, context.brief.settings) === null)
    return contractFailure(state, context, NO_ACTION)
  const thought = thoughtNote(state, 'think', 'think', move.thought)
  const thinking: DynamicState = { ...state, step: { ...state.step, thought: context.seq } }
  const turn = decided(thinking, move, context)
  if (turn.state.phase !== 'choosing' || move.action === null) return { ...turn, notes: [thought, ...turn.notes] }
  const acting = chosen(turn.state, withProperName(move.action, context.brief), context)
  return { ...acting, notes: [thought, ...turn.notes, ...acting.notes] }
}
