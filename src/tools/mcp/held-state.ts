/** What a held call to an MCP server goes on from. The row of the call keeps it as a text. */
import * as z from 'zod'
import { parseBoundedJson } from '../../core/mode/json-text.ts'
import { Inquiry } from './questions.ts'

const STATE_CHARS_MAX = 65_536

const Answered = z.object({
  inquiry: Inquiry,
  action: z.enum(['accept', 'decline']),
  content: z.record(z.string(), z.unknown()).nullable(),
})
const Session = z.object({ id: z.string(), revision: z.string() })

const McpState = z.discriminatedUnion('kind', [
  /** The server gets the answers with the same call, and with what it has asked to be given back. */
  z.object({
    kind: z.literal('round'),
    asked: z.array(Inquiry),
    request_state: z.string().nullable(),
    questions: z.int(),
  }),
  /** A server of 2025 asks in the middle of a call. The call is made again, and the same question gets the answer of a person. */
  z.object({ kind: z.literal('again'), answers: z.array(Answered), asked: Inquiry }),
  /** The server works on it. */
  z.object({
    kind: z.literal('task'),
    id: z.string(),
    is_modern: z.boolean(),
    session: Session.nullable(),
    asked: z.array(Inquiry),
    /** The keys of the questions that have an answer. */
    answered: z.array(z.string()),
    /** The request of a server of 2025 that waits for the answer. */
    request_id: z.union([z.string(), z.number()]).nullable(),
    questions: z.int(),
  }),
])
export type McpState = z.infer<typeof McpState>
export type TaskState = Extract<McpState, { kind: 'task' }>

/** null: it is too long to be kept. */
export function stateText(state: McpState): string | null {
  const text = JSON.stringify(state)
  return text.length <= STATE_CHARS_MAX ? text : null
}

/** null: it cannot be read. */
export function readState(text: string): McpState | null {
  const read = McpState.safeParse(parseBoundedJson(text))
  return read.success ? read.data : null
}
