/** The sentences that a language has for slash commands. */
import type { Todo, ScheduleEvent } from '../book.ts'
import type { Problem, Span, View } from '../command.ts'

/** Objects given to texts carry shown times, cleaned for one line. */
export type CommandTexts = {
  todoColumns: readonly string[]
  eventColumns: readonly string[]
  status: { open: string; done: string }
  help: string
  views: string
  usage: (syntax: string, problem: Problem) => string
  unknown: (input: string) => string
  emptyInput: string
  canceled: string
  noActiveTask: string
  llmNotConfigured: string
  /** A usage error: no room for a further todo or event. */
  full: (most: number) => string
  todoNotFound: (id: number) => string
  eventNotFound: (id: number) => string
  todos: (filter: TodoFilter) => string
  noTodos: (filter: TodoFilter) => string
  todoAdded: (todo: Todo) => string
  todoUpdated: (todo: Todo) => string
  todoDone: (todo: Todo) => string
  todoDetail: (id: number) => string
  todoDeleted: (id: number) => string
  remindRequiresDue: (id: number) => string
  todoReminder: (todo: Todo) => string
  eventReminder: (event: ScheduleEvent) => string
  eventAdded: (event: ScheduleEvent) => string
  eventUpdated: (event: ScheduleEvent) => string
  eventDetail: (id: number) => string
  eventDeleted: (id: number) => string
  repeatToggled: (id: number, enabled: boolean) => string
  noRepeatRule: (id: number) => string
  /** `from` and `to` are the first and the last day, `YYYY-MM-DD`; no span is the list. */
  schedule: (span: Span | null, from: string, to: string) => string
  noEvents: (span: Span | null, from: string, to: string) => string
  moreRows: (more: number) => string
  conflict: string
  moreConflicts: (more: number) => string
}
/** What a list of todos was narrowed to. */
export type TodoFilter = { tag: string | null; view: View | null; keyword: string | null }
