/** A person edits the list of steps, or approves, rejects or wants to change the plan or the next action (U15, U18). */
import { isPlanToApprove, PLAN_EDITED, withheldNote, withheldText } from '../plan/actions.ts'
import { editPlan } from '../plan/human-edits.ts'
import { currentId } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { addRemark } from '../plan/remarks.ts'
import type { EventOf, Note } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { actionOf, STEPS } from './replies.ts'
import { recordObservation } from './round.ts'
import { ENDED_MAX, isWaiting, roundPhase, withoutRepeats, type DynamicPlan, type DynamicState } from './state.ts'
import { completeTask, startStep, waitingPlan } from './step.ts'

type T = HandlerResult<DynamicState>

/** Replaces the open steps. The next thought is about the step that is current then, which may be the same. */
export function onEdit(state: DynamicState, event: EventOf<'plan_edited'>, context: HandlerContext): T {
  const { plan, note } = editPlan(STEPS, state.plan, event, context, ENDED_MAX)
  const withdrawn =
    state.phase === 'acting' && context.awaits === null ? [withheldAction(state, PLAN_EDITED, context)] : []
  const notes = [...withdrawn, note]
  const waits = isWaiting(state)
  const next: DynamicState = {
    ...state,
    plan: withCauses(plan, state.plan),
    by: waits ? state.by : null,
    change: null,
  }
  if (currentItem(plan) === null) return completeTask(next, notes)
  if (isPlanToApprove(state, context)) return { state: waitingPlan(next, context), notes }
  if (state.phase !== 'planning' && currentId(STEPS, plan) === currentId(STEPS, state.plan))
    return { state: waits ? next : withNewThought(next, context), notes }
  const started = startStep(next, context)
  // An open question stays open, and so does the wait for a file: the thought about the step that is current then heeds the answer.
  const begun = waits ? { ...started.state, phase: state.phase, by: state.by } : started.state
  return { ...started, state: begun, notes: [...notes, ...started.notes] }
}

/** The plan with the causes of the steps that stay. */
const withCauses = (plan: DynamicPlan, old: DynamicPlan): DynamicPlan => ({
  ...plan,
  causes: old.causes.slice(old.ends.length - plan.ends.length),
})

/** The step keeps its actions and its used time. */
function withNewThought(state: DynamicState, { brief }: HandlerContext): DynamicState {
  const step = { ...withoutRepeats(state.step), thought: null }
  return { ...state, phase: roundPhase(brief.settings), step }
}

/** An approved plan starts. If the user wants changes, the plan is made again with them. A rejected plan has ended the task already. */
export function onPlanAnswered(
  state: DynamicState,
  { verdict }: EventOf<'approval_answered'>,
  context: HandlerContext,
): T {
  if (verdict === 'approved') return startStep(state, context)
  return { state: { ...addRemark(state, context.seq), phase: 'planning', change: context.seq }, notes: [] }
}

/** An action without approval is an observation, and the mode thinks again. Only a rejection uses up an action of the step. */
export function onActionAnswered(state: DynamicState, event: EventOf<'approval_answered'>, context: HandlerContext): T {
  if (event.verdict === 'approved') return { state, notes: [] }
  const changes = event.verdict === 'changes'
  const { step, ...next } = recordObservation(state, context)
  return {
    state: {
      ...(changes ? addRemark(next, context.seq) : next),
      phase: roundPhase(context.brief.settings),
      by: null,
      step: changes ? withoutRepeats(step) : { ...step, actions: step.actions + 1 },
    },
    notes: [withheldAction(state, withheldText(event), context)],
  }
}

/** The action that was chosen and is not run. */
function withheldAction(state: DynamicState, text: string, { recall }: HandlerContext): Note {
  const tool = state.by === null ? '' : (actionOf(recall, state.by)?.tool ?? '')
  return withheldNote(currentId(STEPS, state.plan), tool, text)
}
