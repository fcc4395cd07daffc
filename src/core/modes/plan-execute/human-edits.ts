/** What a person does to the plan and to the next action: edits the list, approves, rejects, or wants it changed (U15, U18). */
import type { EventOf, Note } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { isPlanToApprove, PLAN_EDITED, withheldNote, withheldText } from '../plan/actions.ts'
import { editPlan } from '../plan/human-edits.ts'
import { currentId } from '../plan/items.ts'
import { currentItem, type Plan } from '../plan/plan.ts'
import { addRemark } from '../plan/remarks.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { startItem } from './plan-list.ts'
import { FINISHED_MAX, ITEMS, type PlanExecuteState, thoughtOf } from './state.ts'

type T = HandlerResult<PlanExecuteState>

/** Where the task goes on with another list; a replan that is due comes all the same. */
const AFTER: Record<PlanExecuteState['phase'], PlanExecuteState['phase']> = {
  planning: 'thinking',
  thinking: 'thinking',
  // The action was chosen for the item that was current: the next thought is about the one that is now.
  acting: 'thinking',
  asking: 'asking',
  replanning: 'replanning',
  ended: 'ended',
}

/** The open items are replaced; the next thought works on the item that is then current. */
export function onEdit(state: PlanExecuteState, event: EventOf<'plan_edited'>, context: Context): T {
  const { plan, note } = editPlan(ITEMS, state.plan, event, context, FINISHED_MAX)
  const withdrawn =
    state.phase === 'acting' && context.awaits === null ? [withheldAction(state, PLAN_EDITED, context)] : []
  const notes = [...withdrawn, note]
  const edited = withPlan(state, plan)
  if (edited.phase !== 'thinking' || isPlanToApprove(state, context)) return { state: edited, notes }
  const started = startItem(edited, context.recall)
  return { state: started.state, notes: [...notes, ...started.notes] }
}

function withPlan(state: PlanExecuteState, plan: Plan): PlanExecuteState {
  const acts = state.phase === 'acting'
  return {
    ...state,
    phase: acts && state.remarked ? 'replanning' : AFTER[state.phase],
    plan,
    edited: true,
    by: acts ? null : state.by,
    remarked: false,
    change: null,
    action_failures: 0,
    repeats: 0,
    idle: currentItem(plan) === null ? state.idle : 0,
  }
}

/** An approved plan starts; another one is made again with what was said about it. A rejected one has ended the task. */
export function onPlanAnswered(
  state: PlanExecuteState,
  { verdict }: EventOf<'approval_answered'>,
  { seq, recall }: Context,
): T {
  if (verdict === 'approved') return startItem(state, recall)
  return { state: { ...addRemark(state, seq), phase: 'planning', change: seq }, notes: [] }
}

/** An action that was not approved is an observation, and the mode thinks again. Only a rejection is a failure of the action. */
export function onActionAnswered(state: PlanExecuteState, event: EventOf<'approval_answered'>, context: Context): T {
  if (event.verdict === 'approved') return { state, notes: [] }
  const changes = event.verdict === 'changes'
  return {
    state: {
      ...(changes ? addRemark(state, context.seq) : state),
      observations: pushBounded(state.observations, context.seq, context.brief.settings.observation_history_limit),
      phase: state.remarked ? 'replanning' : 'thinking',
      remarked: false,
      by: null,
      action_failures: state.action_failures + (changes ? 0 : 1),
    },
    notes: [withheldAction(state, withheldText(event), context)],
  }
}

/** The action that was chosen and is not run. */
function withheldAction(state: PlanExecuteState, text: string, { recall }: Context): Note {
  const tool = state.by === null ? '' : (thoughtOf(recall, state.by).next_action?.tool ?? '')
  return withheldNote(currentId(ITEMS, state.plan), tool, text)
}
