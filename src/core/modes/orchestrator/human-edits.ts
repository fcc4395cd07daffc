/** What a person does: answers, remarks, edits the list, approves a plan or a command (S2-17, U2, U15, U18). */
import { editedItems, editNote } from '../human-edits.ts'
import type { EventOf } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { abort } from './evaluating.ts'
import { failStep } from './failing.ts'
import {
  currentId,
  itemId,
  LOG_MAX,
  openAsk,
  REMARKS_MAX,
  requestId,
  type OrchestratorItem,
  type Place,
  type OrchestratorPlan,
  type OrchestratorState,
} from './state.ts'
import { endedOf, endStep, goOn, withTitles, unbegun } from './steps.ts'
import { meaningOf } from './words.ts'

type T = HandlerResult<OrchestratorState>

/** The step is left out, the task is ended, or the step is tried again with what the person says in place of its description. */
export function onAnswer(before: OrchestratorState, { text }: EventOf<'user_answered'>, context: Context): T {
  const ask = openAsk(before)
  if (ask === null) throw new Error('an answer met no question')
  const { seq } = context
  const asks = [...before.asks.slice(0, -1), { ...ask, answer: seq }]
  const state: OrchestratorState = { ...before, asks, log: pushBounded(before.log, seq, LOG_MAX) }
  const notes = [{ type: 'clarification_answered' as const, payload: { request_id: requestId(ask.row), answer: text } }]
  switch (meaningOf(text)) {
    case 'skip':
      return endStep(state, 'skipped', notes, context)
    case 'abort':
      return abort(state, notes, context)
    case 'instruction':
      return { state: instructed(state, seq), notes }
  }
}

/** It is counted anew from here (R17). */
const instructed = (state: OrchestratorState, row: number): OrchestratorState => ({
  ...state,
  phase: 'dispatching',
  by: row,
  step: { ...state.step, failures: 0, failure: null, instruction: row },
})

/** For the next command and the next evaluation. */
export const onRemark = (state: OrchestratorState, _event: EventOf<'user_remarked'>, { seq }: Context): T => ({
  state: { ...state, remarks: pushBounded(state.remarks, seq, REMARKS_MAX) },
  notes: [],
})

/** The unfinished steps are replaced. A command for a step that stays the current one stays out; for another one it is withdrawn. */
export function onEdit(before: OrchestratorState, event: EventOf<'plan_edited'>, context: Context): T {
  const { recall, seq } = context
  const open = withTitles(before.plan.items.slice(before.plan.cursor), recall)
  const { plan, dropped } = edited(before.plan, open, event, context)
  const list = { items: withTitles(plan.items, recall), cursor: plan.cursor, revision: plan.revision }
  const ids = open.map(({ id }) => id)
  const notes = [editNote(event, list, ids, dropped)]
  const state: OrchestratorState = { ...before, plan, change: null, log: pushBounded(before.log, seq, LOG_MAX) }
  const waits = context.awaits === 'plan' || (before.phase === 'planning' && context.brief.settings.approve === 'plan')
  if (waits && plan.items.length > plan.cursor) return { state: unbegun(state, context), notes }
  const stays = before.phase !== 'planning' && currentId(before) !== null && currentId(state) === currentId(before)
  if (!stays) return goOn(state, notes, context)
  // What was asked about the step as it was is answered by the edit.
  return {
    state: before.phase === 'asking' || before.phase === 'dispatching' ? instructedByEdit(state, seq) : state,
    notes,
  }
}

const instructedByEdit = (state: OrchestratorState, row: number): OrchestratorState => ({
  ...state,
  phase: 'dispatching',
  by: row,
  step: { ...state.step, failures: 0, instruction: null },
})

function edited(
  plan: OrchestratorPlan,
  open: { id: string; title: string }[],
  event: EventOf<'plan_edited'>,
  { seq }: Context,
) {
  const over = new Set(plan.items.slice(0, plan.cursor).map(({ id }) => itemId(id)))
  const { placed, dropped } = editedItems(open, over, event.items)
  const known = new Map(plan.items.map((item) => [itemId(item.id), item]))
  let { next_id } = plan
  const items = placed.map(({ id, at }): OrchestratorItem => {
    const before = id === null ? undefined : known.get(id)
    const constraints: Place | undefined = before === undefined ? undefined : (before.constraints ?? before.at)
    const number = before?.id ?? next_id++
    return { id: number, at: [seq, at], ...(constraints === undefined ? {} : { constraints }) }
  })
  const ended = endedOf(plan)
  const revision = plan.revision + 1
  return { plan: { ...plan, ...ended, row: seq, revision, items: [...ended.items, ...items], next_id }, dropped }
}

/** Of the plan: approved it is begun, else made again with what was said about it. A rejected one has ended the task. */
export function onPlanAnswered(
  state: OrchestratorState,
  { verdict }: EventOf<'approval_answered'>,
  context: Context,
): T {
  if (verdict === 'approved') return goOn(state, [], context)
  const remarks = pushBounded(state.remarks, context.seq, REMARKS_MAX)
  return { state: { ...state, remarks, phase: 'planning', change: context.seq }, notes: [] }
}

/** Of a command: what is to be changed about it is its new instruction, a rejected one an attempt that failed. */
export function onCommandAnswered(
  state: OrchestratorState,
  { verdict }: EventOf<'approval_answered'>,
  context: Context,
): T {
  if (verdict === 'approved') return { state, notes: [] }
  return verdict === 'changes' ? { state: instructed(state, context.seq), notes: [] } : failStep(state, [], context)
}
