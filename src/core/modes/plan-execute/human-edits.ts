/** A person edits the plan, or approves, rejects or wants to change the plan or the next action (U15, U18). */
import type { EventOf, Note } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { isPlanToApprove, PLAN_EDITED, withheldNote, withheldText } from '../plan/actions.ts'
import { editPlan } from '../plan/human-edits.ts'
import { currentId } from '../plan/items.ts'
import { currentItem, type Plan } from '../plan/plan.ts'
import { addRemark } from '../plan/remarks.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { startItem } from './plan-list.ts'
import { thoughtOf } from './replies.ts'
import { ITEMS, type PlanExecuteState } from './state.ts'

type T = HandlerResult<PlanExecuteState>

/** The phase in which the task goes on after an edit. A replan that is due is still made. */
const PHASE_AFTER_EDIT: Record<PlanExecuteState['phase'], PlanExecuteState['phase']> = {
  planning: 'thinking',
  thinking: 'thinking',
  // The action was chosen for the old current item, so a new thought about the new one comes first.
  acting: 'thinking',
  asking: 'asking',
  replanning: 'replanning',
  ended: 'ended',
}

/** At most this many ended items stay in an edited list. */
const ENDED_MAX = 100

/** Replaces the open items. The next thought is about the item that is current then. */
export function onEdit(state: PlanExecuteState, event: EventOf<'plan_edited'>, context: HandlerContext): T {
  const { plan, note } = editPlan(ITEMS, state.plan, event, context, ENDED_MAX)
  const withdrawn =
    state.phase === 'acting' && context.awaits === null ? [withheldAction(state, PLAN_EDITED, context)] : []
  const notes = [...withdrawn, note]
  const next = withPlan(state, plan)
  if (next.phase !== 'thinking' || isPlanToApprove(state, context)) return { state: next, notes }
  const started = startItem(next, context.recall)
  return { state: started.state, notes: [...notes, ...started.notes] }
}

function withPlan(state: PlanExecuteState, plan: Plan): PlanExecuteState {
  const isActing = state.phase === 'acting'
  return {
    ...state,
    phase: isActing && state.remarked ? 'replanning' : PHASE_AFTER_EDIT[state.phase],
    plan,
    edited: true,
    by: isActing ? null : state.by,
    remarked: false,
    change: null,
    action_failures: 0,
    repeats: 0,
    idle: currentItem(plan) === null ? state.idle : 0,
  }
}

/** An approved plan starts. If the user wants changes, the plan is made again with them. A rejected plan has ended the task already. */
export function onPlanAnswered(
  state: PlanExecuteState,
  { verdict }: EventOf<'approval_answered'>,
  { seq, recall }: HandlerContext,
): T {
  if (verdict === 'approved') return startItem(state, recall)
  return { state: { ...addRemark(state, seq), phase: 'planning', change: seq }, notes: [] }
}

/** An action without approval is an observation, and the mode thinks again. Only a rejection counts as a failure of the action. */
export function onActionAnswered(
  state: PlanExecuteState,
  event: EventOf<'approval_answered'>,
  context: HandlerContext,
): T {
  if (event.verdict === 'approved') return { state, notes: [] }
  const changes = event.verdict === 'changes'
  return {
    state: {
      ...(changes ? addRemark(state, context.seq) : state),
      observations: pushBounded(state.observations, context.seq, context.brief.settings.observation_history_limit),
      phase: state.remarked ? 'replanning' : 'thinking',
      remarked: false,
      heard: state.heard || changes,
      by: null,
      action_failures: state.action_failures + (changes ? 0 : 1),
    },
    notes: [withheldAction(state, withheldText(event), context)],
  }
}

/** The action that was chosen and is not run. */
function withheldAction(state: PlanExecuteState, text: string, { recall }: HandlerContext): Note {
  const tool = state.by === null ? '' : (thoughtOf(recall, state.by).next_action?.tool ?? '')
  return withheldNote(currentId(ITEMS, state.plan), tool, text)
}
