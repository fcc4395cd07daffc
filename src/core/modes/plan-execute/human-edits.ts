/** What a person does to the plan and to the next action: edits the list, approves, rejects, or wants it changed (U15, U18). */
import type { EventOf, Note } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { editedItems, editNote } from '../plan/human-edits.ts'
import { startItem } from './plan-list.ts'
import { REJECTED } from './prompt-history.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import {
  currentId,
  FINISHED_MAX,
  itemId,
  placeOf,
  REMARKS_MAX,
  type Place,
  type PlanExecuteState,
  thoughtOf,
  titlesOf,
} from './state.ts'

type T = HandlerResult<PlanExecuteState>

/** Where the task goes on with another list; a replan that is due comes all the same. */
const AFTER: Record<PlanExecuteState['phase'], PlanExecuteState['phase']> = {
  planning: 'thinking',
  thinking: 'thinking',
  // It was chosen for the item that was: the next thought is about the one that is now.
  acting: 'thinking',
  asking: 'asking',
  replanning: 'replanning',
  ended: 'ended',
}

/** The unfinished items are replaced; the next thought works on the item that is then current. */
export function onEdit(state: PlanExecuteState, event: EventOf<'plan_edited'>, context: Context): T {
  const titles = titlesOf(context.recall, state.plan)
  const listed = state.plan.ids.map((id, index) => ({ id: itemId(id), title: titles[index] ?? '' }))
  const open = listed.slice(state.plan.cursor)
  const { plan, dropped } = editPlan(state.plan, listed, event, context.seq)
  const after = titlesOf(context.recall, plan)
  const items = plan.ids.map((id, index) => ({ id: itemId(id), title: after[index] ?? '' }))
  const list = { items, cursor: plan.cursor, revision: plan.revision }
  const ids = open.map(({ id }) => id)
  const unbegun = state.phase === 'acting' && context.awaits === null ? [notRun(state, NOT_BEGUN, context)] : []
  const notes = [...unbegun, editNote(event, list, ids, dropped)]
  const edited = settled(state, plan)
  if (edited.phase !== 'thinking' || waitsForApproval(state, context)) return { state: edited, notes }
  const started = startItem(edited, after)
  return { state: started.state, notes: [...notes, ...started.notes] }
}
const NOT_BEGUN = 'not run: the plan was edited'

function settled(state: PlanExecuteState, plan: PlanExecuteState['plan']): PlanExecuteState {
  const acts = state.phase === 'acting'
  return {
    ...state,
    phase: acts && state.remarked ? 'replanning' : AFTER[state.phase],
    plan,
    by: acts ? null : state.by,
    remarked: false,
    change: null,
    action_failures: 0,
    repeats: 0,
    idle: currentId(plan) === null ? state.idle : 0,
  }
}

const waitsForApproval = ({ phase }: PlanExecuteState, { awaits, brief }: Context) =>
  awaits === 'plan' || (phase === 'planning' && brief.settings.approve === 'plan')

interface Listed {
  id: string
  title: string
}

function editPlan(plan: PlanExecuteState['plan'], listed: Listed[], event: EventOf<'plan_edited'>, row: number) {
  // Of a very long list the oldest finished items leave: what the head refers to stays bounded.
  const first = Math.max(0, plan.cursor - FINISHED_MAX)
  const finished = listed.slice(0, plan.cursor)
  const over = new Set(finished.map(({ id }) => id))
  const { placed, dropped } = editedItems(listed.slice(plan.cursor), over, event.items)
  const numbers = new Map(plan.ids.map((id) => [itemId(id), id]))
  let { next_id } = plan
  const ids = placed.map(({ id }) => (id === null ? undefined : numbers.get(id)) ?? next_id++)
  const before = plan.ids.slice(first, plan.cursor)
  const places = before.map((_, index): Place => placeOf(plan, first + index) ?? [row, index])
  const edited: PlanExecuteState['plan'] = {
    row,
    revision: plan.revision + 1,
    cursor: before.length,
    ids: [...before, ...ids],
    done: plan.done.slice(first),
    next_id,
    places: [...places, ...placed.map(({ at }): Place => [row, at])],
  }
  return { plan: edited, dropped }
}

/** Of a plan: approved it is begun, else made again with what was said about it. A rejected one has ended the task. */
export function onPlanAnswered(
  state: PlanExecuteState,
  { verdict }: EventOf<'approval_answered'>,
  context: Context,
): T {
  if (verdict === 'approved') return startItem(state, titlesOf(context.recall, state.plan))
  const remarks = pushBounded(state.remarks, context.seq, REMARKS_MAX)
  return { state: { ...state, remarks, phase: 'planning', change: context.seq }, notes: [] }
}

/** Of an action: what was not approved is an observation, and the mode thinks again. Only a rejection is a failure of the action. */
export function onActionAnswered(
  state: PlanExecuteState,
  { verdict, text }: EventOf<'approval_answered'>,
  context: Context,
): T {
  if (verdict === 'approved') return { state, notes: [] }
  const changes = verdict === 'changes'
  return {
    state: {
      ...state,
      observations: pushBounded(state.observations, context.seq, context.brief.settings.observation_history_limit),
      remarks: changes ? pushBounded(state.remarks, context.seq, REMARKS_MAX) : state.remarks,
      phase: state.remarked ? 'replanning' : 'thinking',
      remarked: false,
      by: null,
      action_failures: state.action_failures + (changes ? 0 : 1),
    },
    notes: [notRun(state, changes ? `not run: ${text}` : REJECTED, context)],
  }
}

/** The action that was chosen and will not be run. */
function notRun(state: PlanExecuteState, text: string, { recall }: Context): Note {
  const tool = state.by === null ? '' : (thoughtOf(recall, state.by).next_action?.tool ?? '')
  const id = currentId(state.plan)
  const item_id = id === null ? null : itemId(id)
  return { type: 'action_finished', payload: { item_id, tool, ok: false, status: 'error', text } }
}
