/** A parsed slash command as data, and the problems that a command can have. */

export const VIEWS = ['all', 'today', 'overdue', 'upcoming', 'inbox'] as const
export type View = (typeof VIEWS)[number]
/** The filter of a list of todos. null: that part filters nothing. */
export type TodoFilter = { tag: string | null; view: View | null; keyword: string | null }
export const SPANS = ['day', 'week', 'month'] as const
export type Span = (typeof SPANS)[number]

/** The fields that the user wrote. null: the option was not given. Moments are already in the zone of the workspace. */
export type TodoEntry = {
  content: string
  tag: string | null
  priority: number | null
  due_at: string | null
  remind_at: string | null
}

export type EventEntry = {
  title: string
  start: string
  /** Minutes. */
  duration: number | null
  remind_at: string | null
  /** null: the event happens once. */
  rule: { interval: number; times: number; remind_start: string | null } | null
}

/** What changes of a todo. null: it stays. */
export type TodoChange = Omit<TodoEntry, 'content'> & { content: string | null }
/** What changes of an event. null: it stays. A rule of null ends the repetition. */
export type EventChange = Pick<EventEntry, 'duration' | 'remind_at'> & {
  title: string | null
  start: string | null
  rule: EventEntry['rule'] | 'stays'
}

export type Command =
  | { kind: 'help' }
  | { kind: 'view_names' }
  | { kind: 'todo_add'; entry: TodoEntry }
  | { kind: 'todo_list'; tag: string | null; view: View | null }
  | { kind: 'todo_search'; keyword: string; tag: string | null }
  | { kind: 'todo_select'; filter: TodoFilter }
  | { kind: 'todo_get' | 'todo_done' | 'todo_delete'; id: number }
  | { kind: 'todo_update'; id: number; entry: TodoChange }
  | { kind: 'schedule_list' }
  /** `anchor`: the minutes since 1970-01-01 00:00 on the caller's clock. null: now. */
  | { kind: 'schedule_view'; span: Span; anchor: number | null }
  | { kind: 'schedule_get' | 'schedule_delete'; id: number }
  | { kind: 'schedule_add'; entry: EventEntry }
  | { kind: 'schedule_update'; id: number; entry: EventChange }
  | { kind: 'schedule_repeat'; id: number; enabled: boolean }

export type OptionName =
  | 'tag'
  | 'view'
  | 'priority'
  | 'due'
  | 'remind'
  | 'interval'
  | 'duration'
  | 'times'
  | 'remind-start'

/** Why a known command could not be parsed. The usage text says it in words. */
export type Problem =
  /** The words after the command do not fit its form. */
  | { about: 'form' }
  /** The text, title or keyword is missing. */
  | { about: 'text' }
  | { about: 'id' }
  | { about: 'view' }
  /** The start of an event is missing, has another form, or is not a real moment. */
  | { about: 'start'; given: string }
  | { about: 'anchor' }
  /** The value is missing, has another form or is out of range, or the option is given twice. */
  | { about: 'option'; option: OptionName; given: string }
  | { about: 'needs'; option: OptionName; other: OptionName }
  /** The last occurrence would start after the year 9999. */
  | { about: 'span' }

export type ParseResult<T> = { ok: true; value: T } | { ok: false; problem: Problem }

export const parseOk = <T>(value: T): ParseResult<T> => ({ ok: true, value })
export const parseProblem = (problem: Problem): { ok: false; problem: Problem } => ({ ok: false, problem })
