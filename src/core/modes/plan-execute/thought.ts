/** A thought decides about the current item: act, ask, or done (S0-50…S0-55, S0-64). It never changes the plan (S0-37). */
import type { Brief, EventOf, Note } from '../../terms/effect.ts'
import { wasAsked } from '../../terms/failure-streak.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { properToolName } from '../../mode/ask-user.ts'
import { isRefused } from '../../mode/repeat-guard.ts'
import type { ThoughtReply } from './contract.ts'
import { endCurrentItem } from './item-end.ts'
import { currentId } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { thoughtIn, thoughtOf } from './replies.ts'
import { ITEMS, requestId, type PlanExecuteState, type Refusal } from './state.ts'

type T = HandlerResult<PlanExecuteState>

/** This many repeated questions, repeated actions or idle conclusions in a row lead to a replan with a warning (O0-12, R11). */
const REPEATS_MAX = 2

/** The next prompt shows a refused reply with its problem (ruling 33). */
export function contractFailure(state: PlanExecuteState, { seq }: HandlerContext, reason: string): T {
  return { state: { ...state, refused: [seq, 'contract'] }, notes: [], failure: { kind: 'contract', reason } }
}

export function onThought(before: PlanExecuteState, event: EventOf<'model_replied'>, context: HandlerContext): T {
  const reply = thoughtIn(event, context.brief)
  if (!reply.ok) return contractFailure(before, context, reply.reason)
  const state = { ...before, refused: null }
  const thought = reply.value
  switch (thought.status) {
    case 'continue':
      return onContinue(state, thought, context)
    case 'ask_user':
      return onAskUser(state, thought, context)
    case 'done':
      return onItemDone(state, thought, context)
  }
}

const decisionNote = (state: PlanExecuteState, thought: ThoughtReply, text: string | null, reason?: string): Note => {
  const payload = {
    phase: 'thought' as const,
    item_id: currentId(ITEMS, state.plan),
    decision: thought.status,
    text: text ?? '',
  }
  return { type: 'thought_decided', payload: reason === undefined ? payload : { ...payload, reason } }
}

/** The action of a thought, with the proper name of its tool. null: it chose none. */
export function chosenAction({ next_action }: ThoughtReply, { tools }: Pick<Brief, 'tools'>) {
  return next_action === null ? null : { tool: properToolName(tools, next_action.tool), input: next_action.input }
}

function onContinue(state: PlanExecuteState, thought: ThoughtReply, context: HandlerContext): T {
  const { action_failures } = state
  const { settings } = context.brief
  if (action_failures >= settings.failure_limit) {
    const reason = `${action_failures} actions in a row failed: only ask_user or done is allowed now`
    return {
      state: { ...state, refused: [context.seq, 'failed_actions'] },
      notes: [],
      failure: { kind: 'contract', reason },
    }
  }
  const action = chosenAction(thought, context.brief) ?? { tool: '', input: '' }
  if (isRefused(state.seen, action)) {
    const evidence = `${action.tool}: ${action.input}`
    return onRepetition(state, thought, { guard: 'repeated_action', evidence }, context)
  }
  const item_id = currentId(ITEMS, state.plan)
  return {
    state: { ...state, phase: 'acting', by: context.seq, repeats: 0, idle: 0 },
    notes: [
      decisionNote(state, thought, thought.current_step),
      { type: 'action_started', payload: { item_id, ...action } },
    ],
  }
}

function onAskUser(state: PlanExecuteState, thought: ThoughtReply, context: HandlerContext): T {
  const question = thought.question ?? ''
  const guard = refusesQuestion(state, question, context)
  if (guard !== null) return onRepetition(state, thought, { guard, evidence: question }, context)
  return {
    state: { ...state, phase: 'asking', by: context.seq, repeats: 0, idle: 0 },
    notes: [
      decisionNote(state, thought, thought.current_step),
      { type: 'clarification_requested', payload: { request_id: requestId(context.seq), question } },
    ],
  }
}

type Guard = Exclude<Refusal, 'contract' | 'failed_actions'>

function refusesQuestion(state: PlanExecuteState, question: string, context: HandlerContext): Guard | null {
  if (state.clarifications.length >= context.brief.settings.max_clarifications) return 'max_clarifications'
  const asked = state.clarifications.map(([row]) => thoughtOf(context.recall, row).question ?? '')
  return wasAsked(asked, question) ? 'repeated_question' : null
}

/**
 * O0-12: a repeated question is not shown, and a repeated action is not run. The next prompt says so. It is no part of the
 * failure streak (U9). The second one in a row leads to a replan.
 */
function onRepetition(
  state: PlanExecuteState,
  thought: ThoughtReply,
  { guard, evidence }: { guard: Guard; evidence: string },
  { seq }: HandlerContext,
): T {
  const repeats = state.repeats + 1
  const isLimit = repeats >= REPEATS_MAX
  return {
    state: {
      ...state,
      refused: [seq, guard],
      repeats: isLimit ? 0 : repeats,
      phase: isLimit ? 'replanning' : 'thinking',
      warning: isLimit ? guard : state.warning,
    },
    notes: [
      decisionNote(state, thought, thought.current_step, guard),
      { type: 'loop_guard', payload: { guard, count: repeats, evidence } },
    ],
    undecided: true,
  }
}

/** S0-64: the item ends, and the cursor moves on. Only a replan may end the task (R3). */
function onItemDone(state: PlanExecuteState, thought: ThoughtReply, context: HandlerContext): T {
  const conclusion = thought.response === null ? state.conclusion : context.seq
  const note = decisionNote(state, thought, thought.response ?? thought.current_step)
  if (currentItem(state.plan) === null) {
    const idle = state.idle + 1
    const warning = idle >= REPEATS_MAX ? 'idle' : state.warning
    const next = { ...state, conclusion, action_failures: 0, repeats: 0, started: null }
    return { state: { ...next, phase: 'replanning', idle, warning }, notes: [note] }
  }
  const how = thought.achieved === false ? 'failed' : 'completed'
  const ended = endCurrentItem({ ...state, conclusion }, { how, row: resultRow(state, thought, context) }, context)
  return { ...ended, notes: [note, ...ended.notes] }
}

/** The row with the result of the item. If the thought tells none, it is that of the latest successful action for this item. */
function resultRow(state: PlanExecuteState, thought: ThoughtReply, { seq, recall }: HandlerContext): number {
  if (thought.response !== null || thought.achieved === false) return seq
  const item_id = currentId(ITEMS, state.plan)
  // A replan may have replaced the item that other actions were made for.
  const isSuccess = (row: number) => {
    const { event, effect } = recall(row)
    return event.kind === 'tool_returned' && event.ok && effect?.kind === 'run_tool' && effect.item_id === item_id
  }
  return state.observations.findLast(isSuccess) ?? seq
}
