/** One round of a step (S3-05): a thought, the decision about the step and the plan, and the action. One reply may contain all three. */
import type { EventOf, Note, NoteOf } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { isRefused } from '../../mode/repeat-guard.ts'
import { cut } from '../../terms/text.ts'
import { adjust, guard } from './adjust.ts'
import { ActionReply, DecisionReply, type Action, type Decision } from './contract.ts'
import { fillPlaceholders } from './data.ts'
import { actionError, asksQuestion, decisionBefore, FEW, MOVE, moveError, readMove, readNew } from './moves.ts'
import { ask, refuse } from './questions.ts'
import { readThought, STEPS, withProperName } from './replies.ts'
import { judge, markOf, remember } from './repeat.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { currentId } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { DECISIONS_MAX, isActionHint, roundPhase, spentBy, type DynamicState } from './state.ts'
import { endStep, failStep } from './step.ts'

type T = HandlerResult<DynamicState>
type ReplyEvent = EventOf<'model_replied'>

/** Characters of a thought or a reason in an event. The journal has the full text. */
const TEXT_CHARS = 2_000

/** Adds the working time of an effect to its step. */
export function addWorkingTime(state: DynamicState, { elapsed_ms }: HandlerContext): DynamicState {
  return { ...state, step: { ...state.step, worked_ms: state.step.worked_ms + elapsed_ms } }
}

export const recordObservation = (state: DynamicState, { seq, brief }: HandlerContext): DynamicState => ({
  ...state,
  observations: pushBounded(state.observations, seq, brief.settings.observation_history_limit),
})

/** The next prompt shows a reply that could not be used, and what was wrong with it (S3-19). */
const contractFailure = (state: DynamicState, context: HandlerContext, reason: string): T => ({
  state: addWorkingTime(state, context),
  notes: [],
  failure: { kind: 'contract', reason },
})

type Decided = NoteOf<'thought_decided'>['payload']

const thoughtNote = (state: DynamicState, { text, ...decided }: Omit<Decided, 'item_id'>): Note => ({
  type: 'thought_decided',
  payload: { ...decided, item_id: currentId(STEPS, state.plan), text: cut(text, TEXT_CHARS) },
})

const decisionNote = (state: DynamicState, { is_complete, reason }: Decision): Note =>
  thoughtNote(state, {
    phase: 'step_decision',
    decision: is_complete ? 'done' : 'continue',
    text: reason,
    is_complete,
    reason: cut(reason, TEXT_CHARS),
  })

export function onThought(state: DynamicState, event: ReplyEvent, context: HandlerContext): T {
  const reply = readThought(event, context.brief.settings)
  if (!reply.ok) return contractFailure(state, context, reply.reason)
  const { step, ...others } = addWorkingTime(state, context)
  return {
    state: { ...others, phase: 'deciding', step: { ...step, thought: context.seq } },
    notes: [thoughtNote(state, { phase: 'think', decision: 'think', text: reply.value })],
  }
}

export function onDecision(state: DynamicState, event: ReplyEvent, context: HandlerContext): T {
  const reply = readNew(DecisionReply, event, context.brief.settings)
  if (!reply.ok) return contractFailure(state, context, reply.reason)
  return applyDecision(state, reply.value, context)
}

/** First the plan is changed. Then the step goes on or ends (R18). */
function applyDecision(current: DynamicState, decision: Decision, context: HandlerContext): T {
  const { settings } = context.brief
  // Whether this decision is the last one depends on the state that the model saw.
  const spent = spentBy(current, settings)
  const state = addWorkingTime(current, context)
  const { plan, notes, added, hints } = adjust(state.plan, decision, context)
  if (lacksAnswer(current, plan, decision, context)) return askForAnswer(state, context)
  const [id] = currentItem(plan) ?? [0]
  const decisionNotes = [decisionNote(state, decision), ...notes]
  const next: DynamicState = {
    ...state,
    plan,
    decisions: pushBounded(state.decisions, [context.seq, id], DECISIONS_MAX),
    hints: [...state.hints.filter(isActionHint), ...hints],
    step: { ...state.step, decision: context.seq, added },
  }
  if (decision.is_complete) {
    const how = decision.achieved === false ? 'failed' : 'completed'
    return endStep(next, how, context.seq, decisionNotes, context)
  }
  if (spent !== null) return failStep(next, spent, decisionNotes, context)
  // If the time ran out during this call, no action is chosen, and one last decision follows.
  const phase = spentBy(next, settings) === null ? 'choosing' : roundPhase(settings)
  return { state: { ...next, phase }, notes: decisionNotes }
}

/** Whether a decision ends the task without an answer to the goal. It is told once, and then the reason of the decision is the answer. */
function lacksAnswer(
  { hints }: DynamicState,
  { items, cursor }: DynamicState['plan'],
  { is_complete, achieved, answer }: Decision,
  { brief }: HandlerContext,
): boolean {
  const isTold = brief.settings.strict_replies || hints.some(({ kind }) => kind === 'no_answer')
  return is_complete && achieved !== false && answer === null && cursor === items.length - 1 && !isTold
}

/** The same decision is asked for once more. Nothing of it is applied. */
const askForAnswer = (state: DynamicState, { seq }: HandlerContext): T => ({
  state: { ...state, hints: [...state.hints, { kind: 'no_answer', row: seq, indexes: [] }] },
  notes: [],
  undecided: true,
})

export function onAction(state: DynamicState, event: ReplyEvent, context: HandlerContext): T {
  const reply = readNew(ActionReply, event, context.brief.settings)
  if (!reply.ok) return contractFailure(state, context, reply.reason)
  const problem = actionError(reply.value, context.brief)
  if (problem !== null) return contractFailure(state, context, problem)
  return applyAction(addWorkingTime(state, context), withProperName(reply.value, context.brief), 1, context)
}

/** An action is refused once it has brought the same result this many times (core/mode/repeat-guard.ts). */
const SAME_RESULTS = 2

/** Runs the action, asks the question, or refuses both. `calls`: how many calls the reply has, of which this is the first. */
function applyAction(before: DynamicState, action: Action, calls: number, context: HandlerContext): T {
  const { settings } = context.brief
  const current = { ...before, arrived: null, hints: before.hints.filter((hint) => !isActionHint(hint)) }
  if (asksQuestion(action, context.brief)) return ask(current, action, context)
  const input = fillPlaceholders(action.input, current, context.recall)
  const mark = markOf(action.tool, input)
  const repeat = remember(current.step.repeat, mark)
  const { times, beyond } = judge(repeat, settings.repeat_action_limit)
  const state: DynamicState = { ...current, step: { ...current.step, repeat } }
  const evidence = [`${action.tool}: ${action.input}`]
  const repeatNotes = [guard('repeated_action', times, evidence)]
  if (beyond > 1) return failStep(state, 'loop', repeatNotes, context)
  if (beyond === 1) return refuse(state, 'repeated', repeatNotes, context)
  const warnings = beyond === 0 && times > 1 ? repeatNotes : []
  if (isRefused(state.step.seen, { tool: action.tool, input }))
    return refuse(state, 'same_result', [...warnings, guard('same_result', SAME_RESULTS, evidence)], context)
  const payload = { item_id: currentId(STEPS, state.plan), tool: action.tool, input: cut(input, TEXT_CHARS) }
  const hints = calls > 1 ? [{ kind: 'one_call' as const, row: context.seq, indexes: [] }] : []
  return {
    state: {
      ...state,
      phase: 'acting',
      by: context.seq,
      hints: [...state.hints, ...hints],
      step: { ...state.step, refused: 0 },
    },
    notes: [...warnings, { type: 'action_started', payload }],
  }
}

/** With merged_calls or `calls: few`, one reply contains the results of the three calls. */
export function onMove(state: DynamicState, event: ReplyEvent, context: HandlerContext): T {
  const { settings } = context.brief
  const reply = readMove(event, settings.calls === 'few' ? FEW : MOVE, context.brief)
  if (!reply.ok) return contractFailure(state, context, reply.reason)
  const { thought, action, calls, ...decided } = reply.value
  const mayAct = spentBy(state, settings) === null
  const problem = moveError(reply.value, context.brief)
  if (problem !== null && mayAct) return contractFailure(state, context, problem)
  const note = thoughtNote(state, { phase: 'think', decision: 'think', text: thought })
  const stateWithThought: DynamicState = { ...state, step: { ...state.step, thought: context.seq } }
  // A step that may not act any more ends as the reply says.
  const decision = applyDecision(stateWithThought, mayAct ? decisionBefore(action, decided) : decided, context)
  if (decision.state.phase !== 'choosing' || action === null) return { ...decision, notes: [note, ...decision.notes] }
  const result = applyAction(decision.state, withProperName(action, context.brief), calls, context)
  return { ...result, notes: [note, ...decision.notes, ...result.notes] }
}
