/** The sentences that a language has for slash commands. */
import type { Todo, ScheduleEvent } from '../book.ts'
import type { Problem, Span, View } from '../command.ts'

/** The objects that are passed in have times in the caller's zone and texts that fit on one line. */
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
  /** A usage error: the workspace has no room for another todo or event. */
  full: (max: number) => string
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
  /** `from` and `to` are the first and the last day, `YYYY-MM-DD`. null: the list has no span. */
  schedule: (span: Span | null, from: string, to: string) => string
  noEvents: (span: Span | null, from: string, to: string) => string
  moreRows: (more: number) => string
  conflict: string
  moreConflicts: (more: number) => string
}
/** The filter of a list of todos. null: that part filters nothing. */
export type TodoFilter = { tag: string | null; view: View | null; keyword: string | null }
