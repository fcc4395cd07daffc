/** The result of a slash command: a text for people, and kind, rows and data for programs (requirements 2.1). */
import * as z from 'zod'

export const CommandKind = z.enum([
  'help',
  'view_names',
  'todo_added',
  'todo_list',
  'todo_search',
  'todo_detail',
  'todo_updated',
  'todo_done',
  'deleted',
  'schedule_added',
  'schedule_list',
  'schedule_view',
  'schedule_detail',
  'schedule_updated',
  'repeat_toggled',
  'usage_error',
  'unknown_command',
  'not_found',
  'empty_result',
  'conflict',
  'remind_requires_due',
  'no_repeat_rule',
  'canceled',
  'no_active_task',
  'llm_not_configured',
  'empty_input',
])
export type CommandKind = z.infer<typeof CommandKind>

export const Row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
export type Row = z.infer<typeof Row>

export const CommandResult = z.strictObject({
  kind: CommandKind,
  ok: z.boolean(),
  text: z.string(),
  /** The objects in `text`: todos as `id, status, tag, …`, events as `id, start, duration, …` with one row per occurrence. */
  rows: z.array(Row),
  /** `{id}` of a single object, `{conflicts, more}`, `{views}`, or `{more}` if only the first rows are shown. */
  data: z.record(z.string(), z.unknown()),
})
export type CommandResult = z.infer<typeof CommandResult>

const FAILED_KINDS: ReadonlySet<CommandKind> = new Set<CommandKind>([
  'usage_error',
  'unknown_command',
  'not_found',
  'conflict',
  'remind_requires_due',
  'no_repeat_rule',
  'empty_input',
  'no_active_task',
  'llm_not_configured',
])
const CHANGING_KINDS: ReadonlySet<CommandKind> = new Set<CommandKind>([
  'todo_added',
  'todo_updated',
  'todo_done',
  'deleted',
  'schedule_added',
  'schedule_updated',
  'repeat_toggled',
])

/** Whether a result of this kind is a failed action (R10), which has changed nothing. */
export function isFailure(kind: CommandKind): boolean {
  return FAILED_KINDS.has(kind)
}

/** Whether a result of this kind may have changed the book. Then it has to be stored under the effect key (D4). */
export function isChange(kind: CommandKind): boolean {
  return CHANGING_KINDS.has(kind)
}

/** A result whose `ok` follows from its kind. */
export function resultOf(
  kind: CommandKind,
  text: string,
  rows: Row[] = [],
  data: Record<string, unknown> = {},
): CommandResult {
  return { kind, ok: !isFailure(kind), text, rows, data }
}
