/**
 * Another outcome for a recorded row: what the model, a tool or the user might have said instead, in the shape `/journal` prints it.
 * What was said changes; what it cost stays as it was, but for an HTTP error, which costs nothing.
 */
import * as z from 'zod'
import { normalizeAnswer, type AnswerForm, type SchemaValidator } from '../terms/schema/answer-form.ts'
import { ReplyForm, ToolCall, type Event, type EventOf, type StoredEffect } from '../terms/effect.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'

/** Which of the members belong together depends on the row. */
export interface OutcomeEdit {
  text?: string | undefined
  reason?: string | undefined
  status?: number | null | undefined
  ok?: boolean | undefined
  code?: string | undefined
  tool_calls?: ToolCall[] | undefined
  negotiated?: ReplyForm[] | undefined
}
/** What is looked at of the row that is edited. */
interface EditableRow {
  seq: number
  kind: string
  effect: StoredEffect | null
  event: Event
  /** What its reply is to be constrained by, where a model said nothing. */
  form: ReplyForm
  /** The question that was open before it. */
  question: AnswerForm | null
}

/** Of a tool's result, and of a text from a person, as elsewhere. */
const RESULT_CHARS_MAX = 100_000
const WORD_CHARS_MAX = 16_000

const negotiated = z.array(ReplyForm).optional()
/** A result names its call by the id. */
const Calls = z
  .array(ToolCall)
  .min(1)
  .max(32)
  .refine((calls) => new Set(calls.map(({ id }) => id)).size === calls.length, 'must have an id of its own each')
const Said = z.strictObject({ text: z.string(), tool_calls: Calls.optional(), negotiated })
const Failed = z.strictObject({
  reason: z.string().min(1).max(1_000),
  status: z.int().min(100).max(599).nullable(),
  negotiated,
})
const Returned = z.strictObject({
  ok: z.boolean(),
  code: z.string().min(1).max(100),
  text: z.string().max(RESULT_CHARS_MAX),
})
const Word = z.strictObject({ text: z.string().trim().min(1).max(WORD_CHARS_MAX) })

/** Who said it: no model did. */
const EDITED = 'edited'

export function applyOutcome(row: EditableRow, outcome: OutcomeEdit, fits: SchemaValidator): Result<Event> {
  switch (row.effect?.kind ?? row.event.kind) {
    case 'call_model':
      return reply(row, outcome)
    case 'run_tool': {
      const read = Returned.safeParse(outcome)
      return read.success ? ok({ kind: 'tool_returned', ...read.data }) : misshapen(row, '{ok, code, text}', read.error)
    }
    case 'user_answered':
    case 'user_remarked':
    case 'user_asked_aside':
      return word(row, outcome, fits)
    default:
      return flaw(`of row ${row.seq}, ${row.kind}, cannot be edited: it has no outcome`)
  }
}

function reply(row: EditableRow, outcome: OutcomeEdit): Result<Event> {
  const { event } = row
  const usage = usageOf(event)
  if (outcome.reason === undefined) {
    const read = Said.safeParse(outcome)
    if (!read.success) return misshapen(row, '{text} or {reason, status}', read.error)
    const form = event.kind === 'model_replied' ? event.form : row.form
    return ok({ kind: 'model_replied', ...read.data, usage, model: EDITED, form })
  }
  const read = Failed.safeParse(outcome)
  if (!read.success) return misshapen(row, '{text} or {reason, status}', read.error)
  const known = usage === null ? {} : { usage }
  return ok({ kind: 'model_failed', ...read.data, retry_after_ms: null, ...known })
}

/** What was paid for the call; null: nobody knows, and the whole reservation is charged. */
function usageOf(event: Event): EventOf<'model_replied'>['usage'] {
  if (event.kind === 'model_replied') return event.usage
  if (event.kind !== 'model_failed') return null
  return event.status === null ? (event.usage ?? null) : { input_tokens: 0, output_tokens: 0 }
}

function word(row: EditableRow, outcome: OutcomeEdit, fits: SchemaValidator): Result<Event> {
  const read = Word.safeParse(outcome)
  if (!read.success) return misshapen(row, '{text}', read.error)
  const { text } = read.data
  const { kind } = row.event
  if (kind !== 'user_answered') return ok({ kind: kind === 'user_asked_aside' ? kind : 'user_remarked', text })
  const answer = row.question === null ? { ok: true as const, text } : normalizeAnswer(row.question, text, fits)
  return answer.ok ? ok({ kind: 'user_answered', text: answer.text }) : flaw(answer.message)
}

const flaw = (message: string) =>
  refuse({ code: 'validation_failed', errors: [{ pointer: '/edit/outcome', message: `edit.outcome ${message}` }] })

function misshapen({ seq, kind }: EditableRow, shape: string, { issues: [issue] }: z.ZodError) {
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return flaw(`of row ${seq}, ${kind}, must be ${shape}: ${where}${issue?.message ?? ''}`.slice(0, 300))
}
