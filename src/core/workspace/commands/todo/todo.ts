/** The commands of todos (requirements 2.3). */
import type { Todo } from '../book.ts'
import { ENTRIES_MAX, fitRows } from '../bounds.ts'
import type { TodoChange, TodoEntry, TodoFilter } from '../command.ts'
import { toCallerMoment, type DisplayZone, type CommandEnvironment } from '../context.ts'
import { withPastNotes, type GivenMoments } from '../past.ts'
import { resultOf, type CommandKind, type CommandResult } from '../result.ts'
import { cleanCell, tableText } from '../table.ts'
import { selectTodos } from './todo-views.ts'

const DEFAULT_TAG = 'default'

/** The todo with its times in the zone of the caller. */
function todoForCaller(todo: Todo, context: DisplayZone): Todo {
  return {
    ...todo,
    created_at: toCallerMoment(todo.created_at, context) ?? todo.created_at,
    completed_at: toCallerMoment(todo.completed_at, context),
    due_at: toCallerMoment(todo.due_at, context),
    remind_at: toCallerMoment(todo.remind_at, context),
  }
}

/** The row on the wire, in the order of the table's columns. */
export function todoRow(todo: Todo, context: DisplayZone) {
  const { id, done, tag, priority, content, ...times } = todoForCaller(todo, context)
  return {
    id,
    status: done ? ('done' as const) : ('open' as const),
    tag,
    priority,
    content,
    created_at: times.created_at,
    completed_at: times.completed_at,
    due: times.due_at,
    remind: times.remind_at,
  }
}

function todoTable(todos: Todo[], { context, texts }: CommandEnvironment) {
  const rows = todos.map((todo) => todoRow(todo, context))
  const cells = rows.map((row) => Object.values({ ...row, status: texts.status[row.status] }))
  return { rows, table: tableText(texts.todoColumns, cells) }
}

/** A result about one todo: a sentence, its row and its id. `given` are the moments that the command named. */
function aboutTodo(
  kind: CommandKind,
  todo: Todo,
  sentence: (todo: Todo) => string,
  environment: CommandEnvironment,
  given: GivenMoments = {},
): CommandResult {
  const local = todoForCaller(todo, environment.context)
  const line = sentence({ ...local, content: cleanCell(local.content), tag: cleanCell(local.tag) })
  const text = withPastNotes(line, given, environment)
  return resultOf(kind, text, [todoRow(todo, environment.context)], { id: todo.id })
}

/** Runs `act` on the stored todo. Without such a todo the result is not_found. */
function withTodo(id: number, { book, texts }: CommandEnvironment, act: (todo: Todo) => CommandResult): CommandResult {
  const todo = book.todo(id)
  return todo === null ? resultOf('not_found', texts.todoNotFound(id)) : act(todo)
}

const momentsOf = ({ due_at, remind_at }: TodoChange) => ({ due: due_at, remind: remind_at })

export function addTodo(entry: TodoEntry, environment: CommandEnvironment): CommandResult {
  if (environment.book.todoCount() >= ENTRIES_MAX) return resultOf('usage_error', environment.texts.full(ENTRIES_MAX))
  const todo = environment.book.addTodo({
    content: entry.content,
    tag: entry.tag ?? DEFAULT_TAG,
    priority: entry.priority ?? 0,
    done: false,
    created_at: environment.context.now,
    completed_at: null,
    due_at: entry.due_at,
    remind_at: entry.remind_at,
  })
  return aboutTodo('todo_added', todo, environment.texts.todoAdded, environment, momentsOf(entry))
}

/** The todo has to exist before the rule of reminders is checked. Fields that are not given stay, and so does `done`. */
export function updateTodo(id: number, entry: TodoChange, environment: CommandEnvironment): CommandResult {
  return withTodo(id, environment, (stored) => {
    const due_at = entry.due_at ?? stored.due_at
    if (entry.remind_at !== null && due_at === null) {
      return resultOf('remind_requires_due', environment.texts.remindRequiresDue(id))
    }
    const todo: Todo = {
      ...stored,
      content: entry.content ?? stored.content,
      tag: entry.tag ?? stored.tag,
      priority: entry.priority ?? stored.priority,
      due_at,
      remind_at: entry.remind_at ?? stored.remind_at,
    }
    environment.book.saveTodo(todo)
    return aboutTodo('todo_updated', todo, environment.texts.todoUpdated, environment, momentsOf(entry))
  })
}

/** Finishing a todo twice succeeds too, and keeps the first completion time. */
export function finishTodo(id: number, environment: CommandEnvironment): CommandResult {
  return withTodo(id, environment, (stored) => {
    const todo = stored.done ? stored : { ...stored, done: true, completed_at: environment.context.now }
    if (!stored.done) environment.book.saveTodo(todo)
    return aboutTodo('todo_done', todo, environment.texts.todoDone, environment)
  })
}

export function deleteTodo(id: number, { book, texts }: CommandEnvironment): CommandResult {
  if (!book.deleteTodo(id)) return resultOf('not_found', texts.todoNotFound(id))
  return resultOf('deleted', texts.todoDeleted(id), [], { id })
}

export function showTodo(id: number, environment: CommandEnvironment): CommandResult {
  return withTodo(id, environment, (todo) => {
    const { rows, table } = todoTable([todo], environment)
    return resultOf('todo_detail', `${environment.texts.todoDetail(id)}\n${table}`, rows, { id })
  })
}

/** The list, a view or a search. An empty result names its filter. */
export function listTodos(
  kind: 'todo_list' | 'todo_search',
  filter: TodoFilter,
  environment: CommandEnvironment,
): CommandResult {
  const todos = selectTodos(environment.book.todos(), filter, environment.context)
  if (todos.length === 0) return resultOf('empty_result', environment.texts.noTodos(filter))
  const { shown, more } = fitRows(todos, (todo) => todo.content + todo.tag)
  const { rows, table } = todoTable(shown, environment)
  const text = [environment.texts.todos(filter), table, ...(more > 0 ? [environment.texts.moreRows(more)] : [])].join(
    '\n',
  )
  return resultOf(kind, text, rows, more > 0 ? { more } : {})
}
