/**
 * The port of the slash commands: the todos and the schedule of one workspace, as rows. It is SQL in the Durable Object of
 * the workspace, and memory in tests. Both are synchronous, so that one command is one transaction.
 * All times are wall-clock texts in the zone of the workspace: `YYYY-MM-DD HH:MM`. created_at and completed_at have `:SS` too.
 */
import * as z from 'zod'

const Moment = z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/)
const Instant = z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
const Id = z.int().min(1)

/** Something to do (requirements 2.3). */
export const Todo = z.strictObject({
  id: Id,
  content: z.string().min(1),
  tag: z.string().min(1),
  /** Smaller is more urgent. */
  priority: z.int().min(0),
  done: z.boolean(),
  created_at: Instant,
  completed_at: Instant.nullable(),
  due_at: Moment.nullable(),
  remind_at: Moment.nullable(),
})
export type Todo = z.infer<typeof Todo>

/** How an event repeats: occurrence k starts at the start of the event + k × interval (requirements 2.4). */
export const RepeatRule = z.strictObject({
  /** Minutes. */
  interval: z.int().min(1),
  /** The number of occurrences with the first one. −1 repeats without end. */
  times: z.union([z.literal(-1), z.int().min(2)]),
  remind_start: Moment.nullable(),
  /** false: only the first occurrence counts. */
  enabled: z.boolean(),
})
export type RepeatRule = z.infer<typeof RepeatRule>

export const ScheduleEvent = z.strictObject({
  id: Id,
  title: z.string().min(1),
  start: Moment,
  /** Minutes. */
  duration: z.int().min(1),
  remind_at: Moment.nullable(),
  created_at: Instant,
  rule: RepeatRule.nullable(),
})
export type ScheduleEvent = z.infer<typeof ScheduleEvent>

/** The book assigns ids. They count up from 1 per kind and are never used again, not even after a delete. Lists have no order. */
export interface Book {
  todos(): Todo[]
  todoCount(): number
  todo(id: number): Todo | null
  addTodo(fields: Omit<Todo, 'id'>): Todo
  /** Replaces the row of the same id. */
  saveTodo(todo: Todo): void
  /** Answers whether there was such a row. */
  deleteTodo(id: number): boolean
  events(): ScheduleEvent[]
  eventCount(): number
  event(id: number): ScheduleEvent | null
  addEvent(fields: Omit<ScheduleEvent, 'id'>): ScheduleEvent
  /** Replaces the row of the same id and its rule. A null rule removes the stored one. */
  saveEvent(event: ScheduleEvent): void
  /** Removes the event with its rule, and answers whether there was such a row. */
  deleteEvent(id: number): boolean
}
