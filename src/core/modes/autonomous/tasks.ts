/** The list of tasks a model keeps (S1-13…S1-16, S1-28, S1-30): each reply may bring it anew; what is the same task keeps its id (U18). */
import type { Note, Recall } from '../../terms/effect.ts'
import { itemId, listItems, titleOf, titlesOf } from '../plan/items.ts'
import { keepTexts, replaceItems } from '../plan/list.ts'
import { currentItem, endOf, hasEnded, withEnds, type Item, type ItemEnd, type Plan } from '../plan/plan.ts'
import type { TaskLine } from '../../mode/tags.ts'
import { cut } from '../../terms/text.ts'
import { TASKS, type TaggedReply } from './replies.ts'

/** Bounds of a plan (U24). */
const TASKS_MAX = 100
const NAME_MAX = 500

/** What is wrong with a list; null: nothing. */
export function listError({ tasks }: TaggedReply): string | null {
  if (tasks === null) return null
  if (tasks.length > TASKS_MAX) return `the task list has ${tasks.length} tasks; at most ${TASKS_MAX} are kept`
  const long = tasks.findIndex(({ name }) => name.length > NAME_MAX)
  return long === -1 ? null : `task ${long + 1} has a name of more than ${NAME_MAX} characters`
}

/** The list as the reply of a row has it: tasks that were ticked before are compared as well. */
export function replaceTasks(before: Plan, tasks: readonly TaskLine[], seq: number, recall: Recall): Plan {
  const names = tasks.map(({ name }) => name)
  const replaced = keepTexts(replaceItems(TASKS, { ...before, ends: [] }, names, { seq, recall }, 0), before)
  const isSame =
    replaced.items.length === before.items.length &&
    replaced.items.every(([id], index) => id === before.items[index]?.[0])
  return withEnds(
    { ...replaced, revision: before.revision + (isSame ? 0 : 1) },
    tasks.map(({ done }) => (done ? ['completed', null] : null)),
  )
}

/** The current task has ended. */
export const endTask = (plan: Plan, how: ItemEnd[0]): Plan =>
  withEnds(
    plan,
    plan.items.map((_, index) => (index === plan.cursor ? [how, null] : endOf(plan, index))),
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

/** What observers are told of a list that has changed from `before`: as a plan, and as the model's own tasks (S1-22, S1-32). */
export function taskNotes(before: Plan, after: Plan, source: 'llm' | 'system', recall: Recall): Note[] {
  const items = listItems(TASKS, after.items, recall)
  const tasks = items.map(({ title }, index) => ({
    id: index + 1,
    name: title,
    status: endOf(after, index)?.[0] ?? 'pending',
  }))
  const was = new Map(before.items.map(([id], index) => [id, endOf(before, index)?.[0]]))
  const ended = after.items.flatMap((item, index): Note[] => {
    const how = endOf(after, index)?.[0]
    if (how === undefined || was.get(item[0]) === how) return []
    return [taskNote(how === 'completed' ? 'item_completed' : 'item_failed', item, index, recall)]
  })
  return [
    ...(before.row === null ? [{ type: 'plan_created' as const, payload: { items, cursor: after.cursor } }] : []),
    { type: 'tasks_updated', payload: { tasks, source } },
    ...ended,
    ...startNotes(before, after, recall),
  ]
}

function startNotes(before: Plan, after: Plan, recall: Recall): Note[] {
  const item = currentItem(after)
  if (item === null || currentItem(before)?.[0] === item[0]) return []
  return [taskNote('item_started', item, after.cursor, recall)]
}

/** Of the tasks that have ended in one way. */
export const titlesOfEnded = (plan: Plan, how: ItemEnd[0], recall: Recall): string[] =>
  titlesOf(TASKS, plan, recall).filter((_, index) => hasEnded(plan, index, how))
