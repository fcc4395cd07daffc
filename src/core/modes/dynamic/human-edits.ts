/** What a person does to the steps and to the next action: edits the list, approves, rejects, or wants it changed (U15, U18). */
import { isPlanToApprove, PLAN_EDITED, withheldNote, withheldText } from '../plan/actions.ts'
import { editPlan } from '../plan/human-edits.ts'
import { currentId } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { addRemark } from '../plan/remarks.ts'
import type { EventOf, Note } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { actionOf, STEPS } from './replies.ts'
import { recordObservation } from './round.ts'
import { ENDED_MAX, NO_REPEAT, roundPhase, type DynamicPlan, type DynamicState } from './state.ts'
import { completeTask, startStep, waitingPlan } from './step.ts'

type T = HandlerResult<DynamicState>

/** The open steps are replaced; the next thought is about the one that is then current, which may be the same. */
export function onEdit(state: DynamicState, event: EventOf<'plan_edited'>, context: Context): T {
  const { plan, note } = editPlan(STEPS, state.plan, event, context, ENDED_MAX)
  const withdrawn =
    state.phase === 'acting' && context.awaits === null ? [withheldAction(state, PLAN_EDITED, context)] : []
  const notes = [...withdrawn, note]
  const edited: DynamicState = { ...state, plan: withCauses(plan, state.plan), by: null, change: null }
  if (currentItem(plan) === null) return completeTask(edited, notes)
  if (isPlanToApprove(state, context)) return { state: waitingPlan(edited, context), notes }
  if (state.phase !== 'planning' && currentId(STEPS, plan) === currentId(STEPS, state.plan))
    return { state: withNewThought(edited, context), notes }
  const started = startStep(edited, context)
  return { ...started, notes: [...notes, ...started.notes] }
}

/** Of the steps that left the list only those that were completed are counted. */
function withCauses(plan: DynamicPlan, before: DynamicPlan): DynamicPlan {
  const first = before.ends.length - plan.ends.length
  const failed = before.causes.slice(0, first).filter((cause) => cause !== null).length
  return { ...plan, causes: before.causes.slice(first), left: plan.left - failed }
}

/** What a step has done and used stays with it. */
function withNewThought(state: DynamicState, { brief }: Context): DynamicState {
  const step = { ...state.step, thought: null, repeat: NO_REPEAT }
  return { ...state, phase: roundPhase(brief.settings), step }
}

/** An approved plan starts; another one is made again with what was said about it. A rejected one has ended the task. */
export function onPlanAnswered(state: DynamicState, { verdict }: EventOf<'approval_answered'>, context: Context): T {
  if (verdict === 'approved') return startStep(state, context)
  return { state: { ...addRemark(state, context.seq), phase: 'planning', change: context.seq }, notes: [] }
}

/** An action that was not approved is an observation, and the mode thinks again. Only a rejection uses up an action of the step. */
export function onActionAnswered(state: DynamicState, event: EventOf<'approval_answered'>, context: Context): T {
  if (event.verdict === 'approved') return { state, notes: [] }
  const changes = event.verdict === 'changes'
  const { step, ...observed } = recordObservation(state, context)
  return {
    state: {
      ...(changes ? addRemark(observed, context.seq) : observed),
      phase: roundPhase(context.brief.settings),
      by: null,
      step: changes ? { ...step, repeat: NO_REPEAT } : { ...step, actions: step.actions + 1 },
    },
    notes: [withheldAction(state, withheldText(event), context)],
  }
}

/** The action that was chosen and is not run. */
function withheldAction(state: DynamicState, text: string, { recall }: Context): Note {
  const tool = state.by === null ? '' : (actionOf(recall, state.by)?.tool ?? '')
  return withheldNote(currentId(STEPS, state.plan), tool, text)
}
