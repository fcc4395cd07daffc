/** What a person does to the steps and to the next action: edits the list, approves, rejects, or wants it changed (U15, U18). */
import { editedItems, editNote, sameItems, type ItemPlace } from '../human-edits.ts'
import type { EventOf, Note, Recall } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import type { StepReply } from './contract.ts'
import { REJECTED } from './prompt-history.ts'
import { actionOf, nameOf } from './replies.ts'
import { recordObservation } from './round.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import {
  currentId,
  currentOf,
  ENDED_MAX,
  itemId,
  NO_REPEAT,
  REMARKS_MAX,
  roundPhase,
  type DynamicItem,
  type DynamicPlan,
  type DynamicState,
} from './state.ts'
import { allDone, startStep, unbegun } from './step.ts'

type T = HandlerResult<DynamicState>

const withTitles = (items: readonly DynamicItem[], recall: Recall) =>
  items.map((item) => ({ id: itemId(item[0]), title: nameOf(recall, item) }))

/** Each under the number of the step it is, else under one that was never used. */
function numbered(
  plan: DynamicPlan,
  row: number,
  placed: readonly ItemPlace[],
): Pick<DynamicPlan, 'items' | 'next_id'> {
  const numbers = new Map(plan.items.map(([id]) => [itemId(id), id]))
  let { next_id } = plan
  const items = placed.map(({ id, at }): DynamicItem => [
    (id === null ? undefined : numbers.get(id)) ?? next_id++,
    row,
    at,
  ])
  return { items, next_id }
}

/** A plan of the model: the first one, or that one again with what was wanted changed about it. */
export function replacePlan(plan: DynamicPlan, steps: readonly StepReply[], { seq, recall }: Context): DynamicPlan {
  const ids = sameItems(
    withTitles(plan.items, recall),
    steps.map(({ name }) => ({ title: name })),
  )
  const placed = ids.map((id, at) => ({ id, at }))
  return { ...plan, row: seq, revision: plan.revision + 1, ...numbered(plan, seq, placed) }
}

/** The unfinished steps are replaced; the next thought is about the one that is then current, which may be the same. */
export function onEdit(state: DynamicState, event: EventOf<'plan_edited'>, context: Context): T {
  const { recall } = context
  const open = withTitles(state.plan.items.slice(state.plan.cursor), recall)
  const { plan, dropped } = editPlan(state.plan, open, event, context)
  const list = { items: withTitles(plan.items, recall), cursor: plan.cursor, revision: plan.revision }
  const ids = open.map(({ id }) => id)
  const withdrawn = state.phase === 'acting' && context.awaits === null ? [notRun(state, NOT_BEGUN, context)] : []
  const notes = [...withdrawn, editNote(event, list, ids, dropped)]
  const edited: DynamicState = { ...state, plan, by: null, change: null }
  if (currentOf(plan) === null) return allDone(edited, notes)
  if (waitsForApproval(state, context)) return { state: unbegun(edited, context), notes }
  if (state.phase !== 'planning' && currentId(edited) === currentId(state))
    return { state: thinksAnew(edited, context), notes }
  const started = startStep(edited, context)
  return { ...started, notes: [...notes, ...started.notes] }
}
const NOT_BEGUN = 'not run: the plan was edited'

/** What a step has done and used stays with it. */
function thinksAnew(state: DynamicState, { brief }: Context): DynamicState {
  const step = { ...state.step, thought: null, repeat: NO_REPEAT }
  return { ...state, phase: roundPhase(brief.settings), step }
}

const waitsForApproval = ({ phase }: DynamicState, { awaits, brief }: Context) =>
  awaits === 'plan' || (phase === 'planning' && brief.settings.approve === 'plan')

type Titled = ReturnType<typeof withTitles>

function editPlan(plan: DynamicPlan, open: Titled, event: EventOf<'plan_edited'>, { seq }: Context) {
  // Of a very long list the oldest ended steps leave: what the head refers to stays bounded.
  const first = Math.max(0, plan.cursor - ENDED_MAX)
  const gone = new Set(plan.items.slice(0, first).map(([id]) => id))
  const before = plan.items.slice(first, plan.cursor)
  const failed = plan.failed.filter(([id]) => !gone.has(id))
  const over = new Set(plan.items.slice(0, plan.cursor).map(([id]) => itemId(id)))
  const { placed, dropped } = editedItems(open, over, event.items)
  const { items, next_id } = numbered(plan, seq, placed)
  const edited: DynamicPlan = {
    ...plan,
    row: seq,
    revision: plan.revision + 1,
    cursor: before.length,
    items: [...before, ...items],
    ends: plan.ends.slice(first),
    failed,
    next_id,
    left: plan.left + first - (plan.failed.length - failed.length),
  }
  return { plan: edited, dropped }
}

/** Of the plan: approved it is begun, else made again with what was said about it. A rejected one has ended the task. */
export function onPlanAnswered(state: DynamicState, { verdict }: EventOf<'approval_answered'>, context: Context): T {
  if (verdict === 'approved') return startStep(state, context)
  const remarks = pushBounded(state.remarks, context.seq, REMARKS_MAX)
  return { state: { ...state, remarks, phase: 'planning', change: context.seq }, notes: [] }
}

/** Of an action: what was not approved is an observation, and the mode thinks again. Only a rejection uses up an action of the step. */
export function onActionAnswered(
  state: DynamicState,
  { verdict, text }: EventOf<'approval_answered'>,
  context: Context,
): T {
  if (verdict === 'approved') return { state, notes: [] }
  const changes = verdict === 'changes'
  const { step, ...rest } = recordObservation(state, context)
  const heard = changes ? { remarks: pushBounded(state.remarks, context.seq, REMARKS_MAX) } : {}
  return {
    state: {
      ...rest,
      ...heard,
      phase: roundPhase(context.brief.settings),
      by: null,
      step: changes ? { ...step, repeat: NO_REPEAT } : { ...step, actions: step.actions + 1 },
    },
    notes: [notRun(state, changes ? `not run: ${text}` : REJECTED, context)],
  }
}

/** The action that was chosen and will not be run. */
function notRun(state: DynamicState, text: string, { recall }: Context): Note {
  const tool = state.by === null ? '' : (actionOf(recall, state.by)?.tool ?? '')
  const payload = { item_id: currentId(state), tool, ok: false, status: 'error', text }
  return { type: 'action_finished', payload }
}
