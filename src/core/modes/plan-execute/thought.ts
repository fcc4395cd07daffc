/** What a thought decides about the current item: act, ask, or done (S0-50…S0-55, S0-64). It never changes the plan (S0-37). */
import { resolveToolName } from '../../terms/client-tools.ts'
import type { EventOf } from '../../terms/effect.ts'
import { isSameQuestion } from '../../terms/failure-streak.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { replyOf } from '../../mode/reply.ts'
import { ThoughtReply } from './contract.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { currentId, itemNote } from '../plan/items.ts'
import { currentItem, endItem } from '../plan/plan.ts'
import { FINISHED_MAX, ITEMS, requestId, type PlanExecuteState, thoughtOf } from './state.ts'

type T = HandlerResult<PlanExecuteState>

/** Two in a row hand over to replan with a warning (O0-12, R11). */
const REPEATS_MAX = 2

/** A failed attempt is an observation the next prompt shows (O0-07). */
export function contractFailure(state: PlanExecuteState, context: Context, reason: string): T {
  const observations = pushBounded(state.observations, context.seq, context.brief.settings.observation_history_limit)
  return { state: { ...state, observations }, notes: [], failure: { kind: 'contract', reason } }
}

export function onThought(state: PlanExecuteState, event: EventOf<'model_replied'>, context: Context): T {
  const reply = replyOf(ThoughtReply, event)
  if (!reply.ok) return contractFailure(state, context, reply.reason)
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

const decided = (state: PlanExecuteState, thought: ThoughtReply, text: string | null, reason?: string) => {
  const payload = {
    phase: 'thought',
    item_id: currentId(ITEMS, state.plan),
    decision: thought.status,
    text: text ?? '',
  }
  return { type: 'thought_decided' as const, payload: reason === undefined ? payload : { ...payload, reason } }
}

function onContinue(state: PlanExecuteState, thought: ThoughtReply, context: Context): T {
  const { action_failures } = state
  if (action_failures >= context.brief.settings.failure_limit) {
    return contractFailure(
      state,
      context,
      `${action_failures} actions in a row failed: only ask_user or done is allowed now`,
    )
  }
  const item_id = currentId(ITEMS, state.plan)
  const { tool = '', input = '' } = thought.next_action ?? {}
  const action = { item_id, tool: resolveToolName(context.brief.tools, tool), input }
  return {
    state: { ...state, phase: 'acting', by: context.seq, repeats: 0, idle: 0 },
    notes: [decided(state, thought, thought.current_step), { type: 'action_started', payload: action }],
  }
}

function onAskUser(state: PlanExecuteState, thought: ThoughtReply, context: Context): T {
  const question = thought.question ?? ''
  const refused = refusesQuestion(state, question, context)
  if (refused !== null) return onRefusedQuestion(state, thought, refused, context)
  return {
    state: { ...state, phase: 'asking', by: context.seq, repeats: 0, idle: 0 },
    notes: [
      decided(state, thought, thought.current_step),
      { type: 'clarification_requested', payload: { request_id: requestId(context.seq), question } },
    ],
  }
}

type Guard = 'max_clarifications' | 'repeated_question'

function refusesQuestion(state: PlanExecuteState, question: string, context: Context): Guard | null {
  if (state.clarifications.length >= context.brief.settings.max_clarifications) return 'max_clarifications'
  const last = state.clarifications.at(-1)
  if (last === undefined) return null
  const asked = thoughtOf(context.recall, last[0]).question ?? ''
  return isSameQuestion(asked, question) ? 'repeated_question' : null
}

/** O0-12: not shown, a failed observation, no failure of the streak (U9); the second in a row goes to replan. */
function onRefusedQuestion(state: PlanExecuteState, thought: ThoughtReply, guard: Guard, context: Context): T {
  const repeats = state.repeats + 1
  const observations = pushBounded(state.observations, context.seq, context.brief.settings.observation_history_limit)
  const handsOver = repeats >= REPEATS_MAX
  return {
    state: {
      ...state,
      observations,
      repeats: handsOver ? 0 : repeats,
      phase: handsOver ? 'replanning' : 'thinking',
      warning: handsOver ? guard : state.warning,
    },
    notes: [
      decided(state, thought, thought.current_step, guard),
      { type: 'loop_guard', payload: { guard, count: repeats, evidence: thought.question } },
    ],
    undecided: true,
  }
}

/** S0-64: the item ends, the cursor moves on, replan is next; only replan may close the task (R3). */
function onItemDone(state: PlanExecuteState, thought: ThoughtReply, context: Context): T {
  const { plan } = state
  const item = currentItem(plan)
  const conclusion = thought.response === null ? state.conclusion : context.seq
  const note = decided(state, thought, thought.response ?? thought.current_step)
  const over = { ...state, phase: 'replanning' as const, conclusion, action_failures: 0, repeats: 0, started: null }
  if (item === null) {
    const idle = state.idle + 1
    return { state: { ...over, idle, warning: idle >= REPEATS_MAX ? 'idle' : state.warning }, notes: [note] }
  }
  const [, row, index] = item
  const finished = pushBounded<[number, number]>(state.finished, [row, index], FINISHED_MAX)
  return {
    state: { ...over, plan: endItem(plan, 'completed', context.seq), finished, idle: 0 },
    notes: [note, itemNote(ITEMS, 'item_completed', plan, context.recall)],
  }
}
