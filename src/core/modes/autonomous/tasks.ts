/** The list of tasks a model keeps (S1-13…S1-16, S1-28, S1-30): each reply may bring it anew; what is the same task keeps its id (U18). */
import type { Note, Recall } from '../../terms/effect.ts'
import { sameItems } from '../human-edits.ts'
import type { Task } from '../../mode/tags.ts'
import { cut } from '../../terms/text.ts'
import { titleOf, type TaggedReply } from './said.ts'
import { cursorOf, itemId, type AutonomousItem, type ItemState, type AutonomousState, type Tasks } from './state.ts'

/** Bounds of a plan (U24). */
const TASKS_MAX = 100
const NAME_MAX = 500

/** What is wrong with a list; null: nothing. */
export function flawOf({ tasks }: TaggedReply): string | null {
  if (tasks === null) return null
  if (tasks.length > TASKS_MAX) return `the task list has ${tasks.length} tasks; at most ${TASKS_MAX} are kept`
  const long = tasks.findIndex(({ name }) => name.length > NAME_MAX)
  return long === -1 ? null : `task ${long + 1} has a name of more than ${NAME_MAX} characters`
}

const NO_TASKS: Tasks = { row: 1, items: [], next_id: 1, revision: 0 }

/** The list as the reply in row `row` has it. */
export function replaceTasks(before: Tasks | null, tasks: readonly Task[], row: number, recall: Recall): Tasks {
  const known = before ?? NO_TASKS
  const items = known.items.map((item) => ({ id: itemId(item), title: titleOf(item, recall), item }))
  const same = sameItems(
    items,
    tasks.map(({ name }) => ({ title: name })),
  )
  let { next_id } = known
  const next = tasks.map(({ done }, at): AutonomousItem => {
    const kept = items.find(({ id }) => id === same[at])?.item
    const [number, from, index] = kept ?? [next_id++, row, at]
    return [number, from, index, done ? 'done' : 'open']
  })
  const isSame = next.length === known.items.length && next.every(([id], index) => id === known.items[index]?.[0])
  return { row, items: next, next_id, revision: known.revision + (isSame ? 0 : 1) }
}

/** With the state of one task changed. */
export const markTask = (tasks: Tasks, index: number, state: ItemState): Tasks => ({
  ...tasks,
  items: tasks.items.map((item, at): AutonomousItem => (at === index ? [item[0], item[1], item[2], state] : item)),
})

const TITLE_CHARS = 220
const shown = (item: AutonomousItem, index: number, recall: Recall) => ({
  item_id: itemId(item),
  title: cut(titleOf(item, recall), TITLE_CHARS),
  index,
})

/** R16: four states on the wire; a list of the model has two of them. */
const STATUS = { open: 'pending', done: 'completed', failed: 'failed' } as const

/** What observers are told of a list that has changed from `before`: as a plan, and as the model's own tasks (S1-22, S1-32). */
export function taskNotes(before: Tasks | null, after: Tasks, source: 'llm' | 'system', recall: Recall): Note[] {
  const tasks = after.items.map((item, index) => ({
    id: index + 1,
    name: titleOf(item, recall),
    status: STATUS[item[3]],
  }))
  const items = after.items.map((item) => ({ id: itemId(item), title: titleOf(item, recall) }))
  const was = new Map(before?.items.map((item) => [itemId(item), item[3]]))
  const ended = after.items.flatMap((item, index): Note[] => {
    const [, , , state] = item
    if (state === 'open' || was.get(itemId(item)) === state) return []
    return [{ type: state === 'done' ? 'item_completed' : 'item_failed', payload: shown(item, index, recall) }]
  })
  return [
    ...(before === null ? [{ type: 'plan_created' as const, payload: { items, cursor: cursorOf(after) } }] : []),
    { type: 'tasks_updated', payload: { tasks, source } },
    ...ended,
    ...begunNotes(before, after, recall),
  ]
}

function begunNotes(before: Tasks | null, after: Tasks, recall: Recall): Note[] {
  const index = cursorOf(after)
  const item = after.items[index]
  const was = before?.items[cursorOf(before)]
  if (item === undefined || (was !== undefined && itemId(was) === itemId(item))) return []
  return [{ type: 'item_started', payload: shown(item, index, recall) }]
}

export const openTitles = ({ tasks }: AutonomousState, recall: Recall): string[] => titlesOf(tasks, 'open', recall)
export const titlesOf = (tasks: Tasks | null, state: ItemState, recall: Recall): string[] =>
  (tasks?.items ?? []).filter((item) => item[3] === state).map((item) => titleOf(item, recall))
