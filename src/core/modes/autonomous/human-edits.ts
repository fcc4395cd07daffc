/** What a person says on the way, and does to the list of tasks (U18): the model is told of both in the one user message (S1-02). */
import { editedItems, editNote } from '../human-edits.ts'
import type { Handler } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { titleOf } from './said.ts'
import { BEGUN, currentId, cursorOf, itemId, type AutonomousItem, type AutonomousState } from './state.ts'

const REMARKS_MAX = 50

export const keepRemark = (state: AutonomousState, row: number): AutonomousState => ({
  ...state,
  remarks: pushBounded(state.remarks, row, REMARKS_MAX),
})

export const onRemark: Handler<AutonomousState, 'user_remarked'> = (state, _event, { seq }) => ({
  state: keepRemark(state, seq),
  notes: [],
})

/** Where the program leads it goes on with what is open then, and reports when nothing is. */
function staged(state: AutonomousState, before: AutonomousState): AutonomousState {
  if (state.tasks === null || state.stage === 'free' || state.stage === 'plan') return state
  const stage = cursorOf(state.tasks) < state.tasks.items.length ? 'execute' : 'report'
  return currentId(state) === currentId(before) ? { ...state, stage } : { ...state, stage, ...BEGUN }
}

/** A plan with what was wanted changed about it is made again before anything acts (U15). */
export const onPlanAnswered: Handler<AutonomousState, 'approval_answered'> = (state, { verdict, action }, { seq }) =>
  verdict === 'changes' && action === null
    ? { state: { ...keepRemark(state, seq), stage: 'plan', ...BEGUN }, notes: [] }
    : { state, notes: [] }

/** What is over stays in front; what is sent takes the place of the open tasks. */
export const onEdit: Handler<AutonomousState, 'plan_edited'> = (state, event, { seq, recall }) => {
  const { tasks } = state
  if (tasks === null) return { state, notes: [] }
  const named = (items: readonly AutonomousItem[]) =>
    items.map((item) => ({ id: itemId(item), title: titleOf(item, recall), item }))
  const over = tasks.items.filter(([, , , is]) => is !== 'open')
  const open = named(tasks.items.filter(([, , , is]) => is === 'open'))
  const { placed, dropped } = editedItems(open, new Set(over.map(itemId)), event.items)
  let { next_id } = tasks
  const added = placed.map(({ id, at }): AutonomousItem => {
    const known = open.find((one) => one.id === id)?.item
    return [known?.[0] ?? next_id++, seq, at, 'open']
  })
  const edited = { row: seq, items: [...over, ...added], next_id, revision: tasks.revision + 1 }
  const list = { items: named(edited.items).map(({ id, title }) => ({ id, title })), revision: edited.revision }
  const note = editNote(
    event,
    { ...list, cursor: cursorOf(edited) },
    open.map(({ id }) => id),
    dropped,
  )
  return { state: staged({ ...state, tasks: edited }, state), notes: [note] }
}
