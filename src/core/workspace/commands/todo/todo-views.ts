/** Selects todos by view, tag or keyword, and sorts them (requirements 2.3). */
import type { Todo } from '../book.ts'
import type { TodoFilter, View } from '../command.ts'
import { toCallerMinute, type CallerContext } from '../context.ts'
import { DAY_MINUTES, dayStart } from '../../../terms/plain/minutes.ts'

/** Whether a view shows the todo. `due` and `now` are minutes of the caller's clock. Only `all` shows todos that are done. */
export function isInView(view: View, done: boolean, due: number | null, now: number): boolean {
  if (view === 'all') return true
  if (done) return false
  if (due === null) return view === 'inbox'
  const tomorrow = dayStart(now) + DAY_MINUTES
  switch (view) {
    case 'inbox':
      return false
    case 'today':
      return dayStart(due) === dayStart(now)
    case 'overdue':
      return due < now
    case 'upcoming':
      return due >= tomorrow && due <= now + 7 * DAY_MINUTES
  }
}

const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Whether the content contains the keyword. ASCII letters match in either case, all other characters (also `%`, `_`) exactly. */
export function containsKeyword(content: string, keyword: string): boolean {
  return asciiLower(content).includes(asciiLower(keyword))
}

/** The most urgent first, then the oldest. */
const compareUrgency = (a: Todo, b: Todo) => a.priority - b.priority || a.id - b.id

/** The todos that pass a filter, in order. */
export function selectTodos(todos: Todo[], { tag, view, keyword }: TodoFilter, context: CallerContext): Todo[] {
  const now = toCallerMinute(context.now, context)
  const dueOf = (todo: Todo) => (todo.due_at === null ? null : toCallerMinute(todo.due_at, context))
  return todos
    .filter((todo) => tag === null || todo.tag === tag)
    .filter((todo) => keyword === null || containsKeyword(todo.content, keyword))
    .filter((todo) => view === null || isInView(view, todo.done, dueOf(todo), now))
    .sort(compareUrgency)
}
