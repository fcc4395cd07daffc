/** The three contracts of plan_execute (S0-48…S0-59, R12). One schema validates the reply and gives the model its JSON schema. */
import * as z from 'zod'
import { isRecord } from '../../terms/plain/is-record.ts'
import { asksUser } from '../../mode/ask-user.ts'
import { ToolName } from '../../mode/tool-name.ts'
import { readVerdict, yesOrNo } from '../../mode/json/yes-no.ts'
import { Choices, ResponseSchema } from '../../terms/schema/answer-form.ts'

/** Bounds of a plan that a model may write (U24). */
const ITEMS_MAX = 100
const TITLE_MAX = 500

/** Null, missing and blank members become null (R12). Texts are trimmed, and status is lower-cased (O0-04). */
function normalize(fields: readonly string[]) {
  return (reply: unknown): unknown => {
    if (typeof reply !== 'object' || reply === null) return reply
    const source = new Map<string, unknown>(Object.entries(reply))
    return Object.fromEntries(fields.map((name) => [name, normalizeField(name, source.get(name))]))
  }
}

function normalizeField(name: string, value: unknown): unknown {
  if (name === 'next_action') return normalizeAction(value)
  if (name === 'plan') return Array.isArray(value) ? normalizeTitles(value) : value
  if (name === 'choices' && Array.isArray(value)) return emptyAsNull(normalizeTitles(value))
  if (name === 'response_schema' && typeof value === 'object') return schemaText(value)
  if (name === 'achieved') return readVerdict(value)
  const text = typeof value === 'string' ? value.trim() : value
  if (name === 'status' && typeof text === 'string') return text.toLowerCase()
  return text === '' || text === undefined ? null : text
}

function normalizeAction(value: unknown): unknown {
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return null
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const parts = new Map<string, unknown>(Object.entries(value))
  const trimmedPart = (name: string) => {
    const part = parts.get(name)
    return typeof part === 'string' ? part.trim() : part
  }
  const tool = trimmedPart('tool')
  const input = trimmedPart('input')
  // For a tool with parameters, models write the object itself.
  const text = typeof input === 'object' && input !== null && !Array.isArray(input) ? JSON.stringify(input) : input
  return { tool, input: text, ends_item: yesOrNo(parts.get('ends_item')) }
}

/** O0-05: items become trimmed texts, and blank ones are dropped. An empty list stays valid (R9). */
function normalizeTitles(titles: unknown[]): unknown[] {
  const text = (title: unknown) =>
    typeof title === 'number' || typeof title === 'boolean'
      ? String(title)
      : typeof title === 'string'
        ? title.trim()
        : title
  return titles.map(text).filter((title) => title !== '' && title !== null)
}

const emptyAsNull = (list: unknown[]) => (list.length === 0 ? null : list)

/** Models that do not follow our schema write the object itself. */
const schemaText = (schema: object | null) =>
  schema === null || Object.keys(schema).length === 0 ? null : JSON.stringify(schema)

const Titles = z.array(z.string().max(TITLE_MAX)).max(ITEMS_MAX)

export const PlanReply = z.preprocess(
  normalize(['status', 'plan']),
  z.strictObject({ status: z.literal('planned'), plan: Titles }),
)
export type PlanReply = z.infer<typeof PlanReply>

const ACTION = { tool: ToolName, input: z.string().min(1) }
/** With `calls: few` the item may end with its action (ruling 38). */
const Action = z.strictObject({
  ...ACTION,
  ends_item: z.boolean().nullable().describe('true: the step is finished if this succeeds'),
})

/** What a thought says stands before what follows from it, because a model writes its reply in this order. */
const thoughtFields = <A extends z.ZodType>(action: A) =>
  z.strictObject({
    current_step: z.string().nullable(),
    status: z.enum(['continue', 'ask_user', 'done']),
    next_action: action.nullable(),
    question: z.string().nullable(),
    response: z.string().nullable(),
    achieved: z.boolean().nullable().describe('with done: false if the step could not be done, else null'),
    choices: Choices.nullable().describe('with ask_user: a few answers to choose from, else null'),
    response_schema: ResponseSchema.nullable().describe(
      'with ask_user: a JSON Schema, as text, of the answer, else null',
    ),
  })
const ThoughtFields = thoughtFields(Action)
type ThoughtFields = z.infer<typeof ThoughtFields>
type Field = 'current_step' | 'next_action' | 'question' | 'response'

/** The field matrix of S0-51…S0-53: the fields that a status needs, and the fields that must be empty. */
const MATRIX: Record<ThoughtFields['status'], { needs: Field[]; empty: Field[] }> = {
  continue: { needs: ['current_step', 'next_action'], empty: ['question', 'response'] },
  ask_user: { needs: ['current_step', 'question'], empty: ['next_action', 'response'] },
  done: { needs: [], empty: ['next_action', 'question'] },
}

const THOUGHT = ['current_step', 'status', 'next_action', 'question', 'response', 'achieved'] as const
const NO_FORM = { choices: null, response_schema: null }

/** The form of an answer belongs to a question. In other replies it is dropped, as any unknown member is. */
function normalizeThought(reply: unknown): unknown {
  const normalized = normalize([...THOUGHT, 'choices', 'response_schema'])(reply)
  const isQuestion = isRecord(normalized) && normalized.status === 'ask_user'
  return isQuestion || typeof normalized !== 'object' ? normalized : { ...normalized, ...NO_FORM }
}

function checkThought(
  reply: Omit<ThoughtFields, 'next_action'> & { next_action: { tool: string } | null },
  issues: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  const { needs, empty } = MATRIX[reply.status]
  const report = (field: string, message: string) => issues.addIssue({ code: 'custom', path: [field], message })
  for (const field of needs) if (reply[field] === null) report(field, `required when status is ${reply.status}`)
  for (const field of empty) if (reply[field] !== null) report(field, `must be null when status is ${reply.status}`)
  // Asking is a status of its own, without an action (O0-09).
  if (reply.next_action !== null && asksUser(reply.next_action.tool))
    report('next_action.tool', 'ask_user is a status, not a tool: {"status":"ask_user","question":"…"}')
  if (reply.choices !== null && reply.response_schema !== null) report('response_schema', 'must be null beside choices')
}

/** By this contract thoughts are read. */
export const ThoughtReply = z.preprocess(normalizeThought, ThoughtFields.superRefine(checkThought))
export type ThoughtReply = z.infer<typeof ThoughtReply>

/** The thought of a task with `calls: exact`, in which no action ends its item. */
const ExactThought = z.preprocess(
  (reply) => {
    const normalized = normalizeThought(reply)
    if (!isRecord(normalized) || !isRecord(normalized.next_action)) return normalized
    const { ends_item: _, ...action } = normalized.next_action
    return { ...normalized, next_action: action }
  },
  thoughtFields(z.strictObject(ACTION)).superRefine(checkThought),
)

const Form = ThoughtFields.pick({ choices: true, response_schema: true }).loose()

/** A thought that was accepted before. In an earlier release it may have members of these names that were never checked. */
export const StoredThought = z.preprocess((reply) => {
  const normalized = normalizeThought(reply)
  const isValid = Form.safeParse(normalized).success
  return isValid || typeof normalized !== 'object' ? normalized : { ...normalized, ...NO_FORM }
}, ThoughtFields)

export const ReplanReply = z.preprocess(
  (reply: unknown) => {
    const normalized = normalize(['plan', 'response', 'achieved', 'status'])(reply)
    // A reply with status done needs no list (S0-56: the answer is its response).
    const isUnlisted = isRecord(normalized) && normalized.status === 'done' && (normalized.plan ?? null) === null
    return isUnlisted ? { ...normalized, plan: [] } : normalized
  },
  z
    .strictObject({
      plan: Titles,
      response: z.string().nullable(),
      achieved: z.boolean().nullable().describe('with done: whether the goal is reached, else null'),
      status: z.enum(['replanned', 'done']),
    })
    .superRefine((reply, issues) => {
      const report = (field: string, message: string) => issues.addIssue({ code: 'custom', path: [field], message })
      if (reply.status === 'replanned' && reply.plan.length === 0)
        report('plan', 'must not be empty when status is replanned')
      if (reply.status === 'done' && reply.response === null) report('response', 'required when status is done')
    }),
)
export type ReplanReply = z.infer<typeof ReplanReply>

/** The contract of a thought in a task with `calls: few`. */
export const THOUGHT_FEW = 'thought_few'
export const CONTRACTS = { plan: PlanReply, thought: ExactThought, [THOUGHT_FEW]: ThoughtReply, replan: ReplanReply }
