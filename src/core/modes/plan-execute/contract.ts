/** The three contracts of plan_execute (S0-48…S0-59, R12). One schema validates the reply and gives the model its JSON schema. */
import * as z from 'zod'
import { Choices, ResponseSchema } from '../../terms/schema/answer-form.ts'

/** Bounds of a plan a model may write (U24). */
const ITEMS_MAX = 100
const TITLE_MAX = 500

/** Empty means null, missing or blank (R12); texts are trimmed, status and tool are lower-cased (O0-04). */
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
  const text = typeof value === 'string' ? value.trim() : value
  if (name === 'status' && typeof text === 'string') return text.toLowerCase()
  return text === '' || text === undefined ? null : text
}

function normalizeAction(value: unknown): unknown {
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return null
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const parts = new Map<string, unknown>(Object.entries(value))
  const trimmed = (name: string) => {
    const part = parts.get(name)
    return typeof part === 'string' ? part.trim() : part
  }
  const tool = trimmed('tool')
  const input = trimmed('input')
  // Of a tool with arguments models write the object itself.
  const text = typeof input === 'object' && input !== null && !Array.isArray(input) ? JSON.stringify(input) : input
  return { tool: typeof tool === 'string' ? tool.toLowerCase() : tool, input: text }
}

/** O0-05: items are stringified and trimmed, blanks are dropped; an empty list stays valid (R9). */
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

/** Models that are not held to our schema write the object itself. */
const schemaText = (schema: object | null) =>
  schema === null || Object.keys(schema).length === 0 ? null : JSON.stringify(schema)

const Titles = z.array(z.string().max(TITLE_MAX)).max(ITEMS_MAX)

export const PlanReply = z.preprocess(
  normalize(['status', 'plan']),
  z.strictObject({ status: z.literal('planned'), plan: Titles }),
)
export type PlanReply = z.infer<typeof PlanReply>

const Action = z.strictObject({ tool: z.string().min(1), input: z.string().min(1) })
const ThoughtFields = z.strictObject({
  status: z.enum(['continue', 'ask_user', 'done']),
  current_step: z.string().nullable(),
  next_action: Action.nullable(),
  question: z.string().nullable(),
  response: z.string().nullable(),
  choices: Choices.nullable().describe('with ask_user: the only answers there are, else null'),
  response_schema: ResponseSchema.nullable().describe(
    'with ask_user: a JSON Schema, as text, of the answer, else null',
  ),
})
type ThoughtFields = z.infer<typeof ThoughtFields>
type Field = Exclude<keyof ThoughtFields, 'status' | 'choices' | 'response_schema'>

/** The field matrix of S0-51…S0-53: what a status needs and what must be empty. */
const MATRIX: Record<ThoughtFields['status'], { needs: Field[]; empty: Field[] }> = {
  continue: { needs: ['current_step', 'next_action'], empty: ['question', 'response'] },
  ask_user: { needs: ['current_step', 'question'], empty: ['next_action', 'response'] },
  done: { needs: [], empty: ['next_action', 'question'] },
}

const THOUGHT = ['status', 'current_step', 'next_action', 'question', 'response'] as const
const NO_FORM = { choices: null, response_schema: null }

/** The form of an answer belongs to a question; elsewhere it is left out like anything that nobody asked for. */
function normalizeThought(reply: unknown): unknown {
  const normalized = normalize([...THOUGHT, 'choices', 'response_schema'])(reply)
  const asking = z.object({ status: z.literal('ask_user') }).safeParse(normalized).success
  return asking || typeof normalized !== 'object' ? normalized : { ...normalized, ...NO_FORM }
}

export const ThoughtReply = z.preprocess(
  normalizeThought,
  ThoughtFields.superRefine((reply, issues) => {
    const { needs, empty } = MATRIX[reply.status]
    const report = (field: string, message: string) => issues.addIssue({ code: 'custom', path: [field], message })
    for (const field of needs) if (reply[field] === null) report(field, `required when status is ${reply.status}`)
    for (const field of empty) if (reply[field] !== null) report(field, `must be null when status is ${reply.status}`)
    // Asking is a status of its own, free of an action (O0-09).
    if (reply.next_action?.tool === 'ask_user') report('next_action.tool', 'ask_user is a status, not a tool')
    if (reply.choices !== null && reply.response_schema !== null)
      report('response_schema', 'must be null beside choices')
  }),
)
export type ThoughtReply = z.infer<typeof ThoughtReply>

/** A thought that was accepted before: one of an earlier release may hold members of these names that nobody looked at. */
export const KeptThought = z.preprocess((reply) => {
  const normalized = normalizeThought(reply)
  const fine = ThoughtFields.pick({ choices: true, response_schema: true }).loose().safeParse(normalized).success
  return fine || typeof normalized !== 'object' ? normalized : { ...normalized, ...NO_FORM }
}, ThoughtFields)

export const ReplanReply = z.preprocess(
  (reply: unknown) => {
    const normalized = normalize(['status', 'plan', 'response'])(reply)
    // A closing reply needs no list (S0-56: the answer is its response).
    const closing = z.object({ status: z.literal('done'), plan: z.undefined().or(z.null()) }).safeParse(normalized)
    return closing.success ? { ...(normalized as object), plan: [] } : normalized // normalize() keeps an object an object
  },
  z
    .strictObject({ status: z.enum(['replanned', 'done']), plan: Titles, response: z.string().nullable() })
    .superRefine((reply, issues) => {
      const report = (field: string, message: string) => issues.addIssue({ code: 'custom', path: [field], message })
      if (reply.status === 'replanned' && reply.plan.length === 0)
        report('plan', 'must not be empty when status is replanned')
      if (reply.status === 'done' && reply.response === null) report('response', 'required when status is done')
    }),
)
export type ReplanReply = z.infer<typeof ReplanReply>

export const CONTRACTS = { plan: PlanReply, thought: ThoughtReply, replan: ReplanReply }
