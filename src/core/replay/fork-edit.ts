/**
 * Gives a recorded row another outcome: another reply of the model, result of a tool or text of the user, in the form of
 * `/journal`. The cost of the row stays as it was, except that an HTTP error costs nothing.
 */
import * as z from 'zod'
import { normalizeAnswer, type AnswerForm, type SchemaValidator } from '../terms/schema/answer-form.ts'
import { ReplyForm, ToolCall, type Event, type EventOf, type StoredEffect } from '../terms/effect.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'

/** The new outcome. The row decides which of the members belong together. */
export interface OutcomeEdit {
  text?: string | undefined
  reason?: string | undefined
  status?: number | null | undefined
  ok?: boolean | undefined
  code?: string | undefined
  tool_calls?: ToolCall[] | undefined
  negotiated?: ReplyForm[] | undefined
}
/** The parts of a row that an edit depends on. */
interface EditableRow {
  seq: number
  kind: string
  effect: StoredEffect | null
  event: Event
  /** The form of the new reply, if the row has no reply of a model. */
  form: ReplyForm
  /** The question that was open before the row. */
  question: AnswerForm | null
}

/** The same bounds as for a result of a tool, and for a text of a person. */
const RESULT_CHARS_MAX = 100_000
const WORD_CHARS_MAX = 16_000

const negotiated = z.array(ReplyForm).optional()
/** The ids of calls have to differ, because a result names its call by the id. */
const Calls = z
  .array(ToolCall)
  .min(1)
  .max(32)
  .refine((calls) => new Set(calls.map(({ id }) => id)).size === calls.length, 'must have an id of its own each')
const ReplyOutcome = z.strictObject({ text: z.string(), tool_calls: Calls.optional(), negotiated })
const FailureOutcome = z.strictObject({
  reason: z.string().min(1).max(1_000),
  status: z.int().min(100).max(599).nullable(),
  negotiated,
})
const ToolOutcome = z.strictObject({
  ok: z.boolean(),
  code: z.string().min(1).max(100),
  text: z.string().max(RESULT_CHARS_MAX),
})
const InputOutcome = z.strictObject({ text: z.string().trim().min(1).max(WORD_CHARS_MAX) })

/** The model name of an edited reply, which no model has written. */
const EDITED = 'edited'

export function applyOutcome(row: EditableRow, outcome: OutcomeEdit, fits: SchemaValidator): Result<Event> {
  switch (row.effect?.kind ?? row.event.kind) {
    case 'call_model':
      return modelEvent(row, outcome)
    case 'run_tool': {
      const parsed = ToolOutcome.safeParse(outcome)
      return parsed.success
        ? ok({ kind: 'tool_returned', ...parsed.data })
        : invalidShape(row, '{ok, code, text}', parsed.error)
    }
    case 'user_answered':
    case 'user_remarked':
    case 'user_asked_aside':
      return inputEvent(row, outcome, fits)
    default:
      return invalidOutcome(`of row ${row.seq}, ${row.kind}, cannot be edited: it has no outcome`)
  }
}

function modelEvent(row: EditableRow, outcome: OutcomeEdit): Result<Event> {
  const { event } = row
  const usage = usageOf(event)
  if (outcome.reason === undefined) {
    const parsed = ReplyOutcome.safeParse(outcome)
    if (!parsed.success) return invalidShape(row, '{text} or {reason, status}', parsed.error)
    const form = event.kind === 'model_replied' ? event.form : row.form
    return ok({ kind: 'model_replied', ...parsed.data, usage, model: EDITED, form })
  }
  const parsed = FailureOutcome.safeParse(outcome)
  if (!parsed.success) return invalidShape(row, '{text} or {reason, status}', parsed.error)
  const charged = usage === null ? {} : { usage }
  return ok({ kind: 'model_failed', ...parsed.data, retry_after_ms: null, ...charged })
}

/** The usage of the recorded call. null: it is unknown, so the whole reservation is charged. */
function usageOf(event: Event): EventOf<'model_replied'>['usage'] {
  if (event.kind === 'model_replied') return event.usage
  if (event.kind !== 'model_failed') return null
  return event.status === null ? (event.usage ?? null) : { input_tokens: 0, output_tokens: 0 }
}

function inputEvent(row: EditableRow, outcome: OutcomeEdit, fits: SchemaValidator): Result<Event> {
  const parsed = InputOutcome.safeParse(outcome)
  if (!parsed.success) return invalidShape(row, '{text}', parsed.error)
  const { text } = parsed.data
  const { event } = row
  if (event.kind !== 'user_answered')
    return ok({ kind: event.kind === 'user_asked_aside' ? event.kind : 'user_remarked', text })
  const answer = row.question === null ? { ok: true as const, text } : normalizeAnswer(row.question, text, fits)
  return answer.ok ? ok({ ...event, text: answer.text }) : invalidOutcome(answer.message)
}

const invalidOutcome = (message: string) =>
  refuse({ code: 'validation_failed', errors: [{ pointer: '/edit/outcome', message: `edit.outcome ${message}` }] })

function invalidShape({ seq, kind }: EditableRow, shape: string, { issues: [issue] }: z.ZodError) {
  const path = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return invalidOutcome(`of row ${seq}, ${kind}, must be ${shape}: ${path}${issue?.message ?? ''}`.slice(0, 300))
}
