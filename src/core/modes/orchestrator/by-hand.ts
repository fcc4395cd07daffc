/** What a person does: answers, remarks, edits the list, approves a plan or a command (S2-17, U2, U15, U18). */
import { editedItems, editNote } from '../human-edits.ts'
import type { EventOf } from '../../terms/effect.ts'
import type { Context, Turn } from '../../mode/mode.ts'
import { keep } from '../../terms/values/bounded-list.ts'
import { aborted } from './evaluating.ts'
import { failed } from './failing.ts'
import {
  currentId,
  itemId,
  LOG_MAX,
  openAsk,
  REMARKS_MAX,
  requestId,
  type Item,
  type Place,
  type Plan,
  type State,
} from './state.ts'
import { endedOf, endStep, goOn, titled, unbegun } from './steps.ts'
import { meaningOf } from './words.ts'

type T = Turn<State>

/** The step is left out, the task is ended, or the step is tried again with what the person says in place of its description. */
export function onAnswer(before: State, { text }: EventOf<'user_answered'>, context: Context): T {
  const ask = openAsk(before)
  if (ask === null) throw new Error('an answer met no question')
  const { seq } = context
  const asks = [...before.asks.slice(0, -1), { ...ask, answer: seq }]
  const state: State = { ...before, asks, log: keep(before.log, seq, LOG_MAX) }
  const notes = [{ type: 'clarification_answered' as const, payload: { request_id: requestId(ask.row), answer: text } }]
  switch (meaningOf(text)) {
    case 'skip':
      return endStep(state, 'skipped', notes, context)
    case 'abort':
      return aborted(state, notes, context)
    case 'instruction':
      return { state: instructed(state, seq), notes }
  }
}

/** It is counted anew from here (R17). */
const instructed = (state: State, row: number): State => ({
  ...state,
  phase: 'dispatching',
  by: row,
  step: { ...state.step, failures: 0, failure: null, instruction: row },
})

/** For the next command and the next evaluation. */
export const onRemark = (state: State, _event: EventOf<'user_remarked'>, { seq }: Context): T => ({
  state: { ...state, remarks: keep(state.remarks, seq, REMARKS_MAX) },
  notes: [],
})

/** The unfinished steps are replaced. A command for a step that stays the current one stays out; for another one it is withdrawn. */
export function onEdit(before: State, event: EventOf<'plan_edited'>, context: Context): T {
  const { recall, seq } = context
  const open = titled(before.plan.items.slice(before.plan.cursor), recall)
  const { plan, dropped } = edited(before.plan, open, event, context)
  const list = { items: titled(plan.items, recall), cursor: plan.cursor, revision: plan.revision }
  const ids = open.map(({ id }) => id)
  const notes = [editNote(event, list, ids, dropped)]
  const state: State = { ...before, plan, change: null, log: keep(before.log, seq, LOG_MAX) }
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

const instructedByEdit = (state: State, row: number): State => ({
  ...state,
  phase: 'dispatching',
  by: row,
  step: { ...state.step, failures: 0, instruction: null },
})

function edited(plan: Plan, open: { id: string; title: string }[], event: EventOf<'plan_edited'>, { seq }: Context) {
  const over = new Set(plan.items.slice(0, plan.cursor).map(({ id }) => itemId(id)))
  const { placed, dropped } = editedItems(open, over, event.items)
  const known = new Map(plan.items.map((item) => [itemId(item.id), item]))
  let { next_id } = plan
  const items = placed.map(({ id, at }): Item => {
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
export function onPlanAnswered(state: State, { verdict }: EventOf<'approval_answered'>, context: Context): T {
  if (verdict === 'approved') return goOn(state, [], context)
  const remarks = keep(state.remarks, context.seq, REMARKS_MAX)
  return { state: { ...state, remarks, phase: 'planning', change: context.seq }, notes: [] }
}

/** Of a command: what is to be changed about it is its new instruction, a rejected one an attempt that failed. */
export function onCommandAnswered(state: State, { verdict }: EventOf<'approval_answered'>, context: Context): T {
  if (verdict === 'approved') return { state, notes: [] }
  return verdict === 'changes' ? { state: instructed(state, context.seq), notes: [] } : failed(state, [], context)
}
