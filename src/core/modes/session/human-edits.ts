/** An edit of the plan by hand (U18): what is done stays, the others are replaced, and later declarations go behind them. */
import { editedItems, editNote } from '../human-edits.ts'
import type { Handler } from '../../mode/mode.ts'
import { startedNote, titlesOf } from './plan.ts'
import { cursorOf, itemId, nextId, planOf, type SessionPlan, type SessionState } from './state.ts'

/** Completed steps that stay in a list that is edited. */
const DONE_MAX = 100

export const onEdit: Handler<SessionState, 'plan_edited'> = (state, event, { seq, recall, brief }) => {
  const plan = planOf(state)
  // The run whose plan it was may be over since it was said.
  if (plan === null) return { state, notes: [] }
  const listed = (one: SessionPlan) =>
    titlesOf(one, recall, brief).map((title, index) => ({ id: itemId(one, index) ?? '', title }))
  const before = listed(plan)
  const open = before.slice(cursorOf(plan))
  const over = new Set(before.slice(0, cursorOf(plan)).map(({ id }) => id))
  const { placed, dropped } = editedItems(open, over, event.items)
  const edited = withItems(plan, placed, seq)
  const list = { items: listed(edited), cursor: cursorOf(edited), revision: edited.revision }
  const ids = open.map(({ id }) => id)
  const note = editNote(event, list, ids, dropped)
  if (itemId(edited, cursorOf(edited)) === itemId(plan, cursorOf(plan)))
    return { state: { ...state, plan: edited }, notes: [note] }
  // What a reply whose calls are being made says of its step was said of the one that was.
  const next = { ...state, plan: { ...edited, ...BEGINS }, advanced: state.advanced || state.phase !== 'turning' }
  return { state: next, notes: [note, ...startedNote(edited, titlesOf(edited, recall, brief))] }
}
const BEGINS = { rounds: 0, spent: 0, recent: [], reading: true }

function withItems(plan: SessionPlan, placed: ReturnType<typeof editedItems>['placed'], seq: number): SessionPlan {
  const numbers = plan.steps.map((_, index) => plan.edited?.ids[index] ?? plan.first_id + index)
  const known = new Map(numbers.map((number, index) => [itemId(plan, index), number]))
  // Of a very long list the oldest completed steps leave: what the head refers to stays bounded.
  const first = Math.max(0, plan.done.length - DONE_MAX)
  let next_id = nextId(plan)
  const ids = placed.map(({ id }) => (id === null ? undefined : known.get(id)) ?? next_id++)
  const kept = plan.steps.slice(first, plan.done.length)
  return {
    ...plan,
    revision: plan.revision + 1,
    edited: { row: seq, ids: [...numbers.slice(first, plan.done.length), ...ids], next_id },
    steps: [...kept, ...placed.map(({ at }): [number, number] => [seq, at])],
    done: plan.done.slice(first),
  }
}
