/** The list of tasks that the model keeps (S1-13…S1-16, S1-28, S1-30). Each reply may contain the whole list, and a task that is the same keeps its id (U18). */
import type { Note, Recall } from '../../terms/effect.ts'
import { itemId, listItems, titleOf, titlesOf } from '../plan/items.ts'
import { keepTexts, replaceItems } from '../plan/list.ts'
import {
  currentItem,
  endedInList,
  endOf,
  hasEnded,
  withEnds,
  withGone,
  type Item,
  type ItemEnd,
  type Plan,
} from '../plan/plan.ts'
import type { TaskLine } from '../../mode/tags.ts'
import { cut } from '../../terms/text.ts'
import { TASKS, type TaggedReply } from './replies.ts'
import { isReportTask } from './report.ts'

/** Bounds of a plan (U24). */
const TASKS_MAX = 100
const NAME_MAX = 500

/** The error of a list. null: there is none. */
export function listError({ tasks }: TaggedReply): string | null {
  if (tasks === null) return null
  if (tasks.length > TASKS_MAX) return `the task list has ${tasks.length} tasks; at most ${TASKS_MAX} are kept`
  const long = tasks.findIndex(({ name }) => name.length > NAME_MAX)
  return long === -1 ? null : `task ${long + 1} has a name of more than ${NAME_MAX} characters`
}

/** The list of a reply. It is compared with all tasks of the old list, also with ticked ones. */
export function replaceTasks(old: Plan, tasks: readonly TaskLine[], seq: number, recall: Recall): Plan {
  const names = tasks.map(({ name }) => name)
  const list = keepTexts(replaceItems(TASKS, { ...old, ends: [] }, names, { seq, recall }, 0), old)
  const isSame =
    list.items.length === old.items.length && list.items.every(([id], index) => id === old.items[index]?.[0])
  const numbers = new Set(list.items.map(([number]) => number))
  const leaving = endedInList(old).flatMap(({ item }) => (numbers.has(item[0]) ? [] : [item]))
  return withEnds(
    { ...withGone(list, leaving), revision: old.revision + (isSame ? 0 : 1) },
    tasks.map(({ done }) => (done ? ['completed', null] : null)),
  )
}

/** Ends the current task. `row` holds what came of it. */
export const endTask = (plan: Plan, how: ItemEnd[0], row: number): Plan =>
  withEnds(
    plan,
    plan.items.map((_, index) => (index === plan.cursor ? [how, row] : endOf(plan, index))),
  )

const TITLE_CHARS = 220
const taskNote = (
  type: 'item_started' | 'item_completed' | 'item_failed',
  item: Item,
  index: number,
  recall: Recall,
): Note => ({
  type,
  payload: { item_id: itemId(TASKS, item[0]), title: cut(titleOf(TASKS, item, recall), TITLE_CHARS), index },
})

/** The events of a list that has changed: as a plan, and as the model's own tasks (S1-22, S1-32). */
export function taskNotes(old: Plan, plan: Plan, source: 'llm' | 'system', recall: Recall): Note[] {
  const items = listItems(TASKS, plan.items, recall)
  const tasks = items.map(({ title }, index) => ({
    id: index + 1,
    name: title,
    status: endOf(plan, index)?.[0] ?? ('pending' as const),
  }))
  const old_ends = new Map(old.items.map(([id], index) => [id, endOf(old, index)?.[0]]))
  const endNotes = plan.items.flatMap((item, index): Note[] => {
    const how = endOf(plan, index)?.[0]
    if (how === undefined || old_ends.get(item[0]) === how) return []
    return [taskNote(how === 'completed' ? 'item_completed' : 'item_failed', item, index, recall)]
  })
  return [
    ...(old.row === null ? [{ type: 'plan_created' as const, payload: { items, cursor: plan.cursor } }] : []),
    { type: 'tasks_updated', payload: { tasks, source } },
    ...endNotes,
    ...startNotes(old, plan, recall),
  ]
}

function startNotes(old: Plan, plan: Plan, recall: Recall): Note[] {
  const item = currentItem(plan)
  if (item === null || currentItem(old)?.[0] === item[0]) return []
  return [taskNote('item_started', item, plan.cursor, recall)]
}

/** The titles of the tasks that are not completed. */
export const openTitles = (plan: Plan, recall: Recall): string[] =>
  titlesOf(TASKS, plan, recall).filter((_, index) => !hasEnded(plan, index, 'completed'))

/** The titles of the tasks that a report leaves open. The report does the task to write it. */
export const openTasks = (plan: Plan, recall: Recall): string[] =>
  openTitles(plan, recall).filter((title) => !isReportTask(title))

/** The titles of the tasks with this end. */
export const titlesOfEnded = (plan: Plan, how: ItemEnd[0], recall: Recall): string[] =>
  titlesOf(TASKS, plan, recall).filter((_, index) => hasEnded(plan, index, how))
