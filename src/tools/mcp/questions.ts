/** What an MCP server asks in the middle of a call, as a question to a person, and the answer as the server wants it. */
import * as z from 'zod'
import type { ElicitResult } from '@modelcontextprotocol/client'
import type { Attempt } from '../../core/terms/attempt.ts'
import type { EventOf } from '../../core/terms/effect.ts'
import type { Locale } from '../../core/terms/locale.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { appliedSchema } from '../../core/terms/schema/tool-parameters.ts'
import { cut } from '../../core/terms/text.ts'
import type { HeldState } from '../../shell/tool-ports.ts'
import { mcpFailure, RESULT_WORDS, type McpFailure } from './texts.ts'

/** The most questions of one call, over all its rounds. */
export const QUESTIONS_MAX = 5
const MESSAGE_CHARS_MAX = 2_000
const URL_CHARS_MAX = 2_000
const SCHEMA_CHARS_MAX = 16_000

/** One question of a server. `key`: its name among those that it asks at once. */
export const Inquiry = z.object({
  key: z.string(),
  message: z.string(),
  /** What is asked for, an object. null: a person opens the address and says when it is done. */
  schema: z.record(z.string(), z.unknown()).nullable(),
  url: z.string().nullable(),
})
export type Inquiry = z.infer<typeof Inquiry>

const failed = (kind: McpFailure['kind'], detail = '') => ({ ok: false as const, error: mcpFailure(kind, detail) })

/** The questions of a result that wants input. A request of another kind cannot be met. */
export function readInquiries(requests: unknown): Attempt<Inquiry[], McpFailure> {
  const entries = Object.entries(isRecord(requests) ? requests : {})
  if (entries.length > QUESTIONS_MAX) return failed('many_questions', String(QUESTIONS_MAX))
  const inquiries: Inquiry[] = []
  for (const [key, request] of entries) {
    const method = isRecord(request) && typeof request['method'] === 'string' ? request['method'] : 'an unknown input'
    if (method !== 'elicitation/create') return failed('unsupported_input', cut(method, 100))
    const inquiry = readInquiry(key, isRecord(request) ? request['params'] : null)
    if (!inquiry.ok) return inquiry
    inquiries.push(inquiry.value)
  }
  return { ok: true, value: inquiries }
}

export function readInquiry(key: string, params: unknown): Attempt<Inquiry, McpFailure> {
  if (!isRecord(params) || typeof params['message'] !== 'string')
    return failed('no_protocol', 'a question without a message')
  const message = cut(params['message'], MESSAGE_CHARS_MAX)
  if (params['mode'] === 'url') {
    const url = params['url']
    const isShown =
      typeof url === 'string' && url.length <= URL_CHARS_MAX && /^https?:$/.test(URL.parse(url)?.protocol ?? '')
    return isShown
      ? { ok: true, value: { key, message, schema: null, url } }
      : failed('no_protocol', 'a question with an address that cannot be opened')
  }
  const schema = params['requestedSchema']
  if (!isRecord(schema) || JSON.stringify(schema).length > SCHEMA_CHARS_MAX)
    return failed('no_protocol', 'a question without a form, or with one that is too large')
  const applied = appliedSchema(schema)
  if (!applied.ok) return failed('no_protocol', `the form of a question ${applied.error}`)
  return { ok: true, value: { key, message, schema, url: null } }
}

/** One question for all that is asked at once. Of several the answer has a member each. */
export function toolQuestionOf(inquiries: readonly Inquiry[], locale: Locale): EventOf<'tool_asked'>['question'] {
  const words = RESULT_WORDS[locale]
  const textOf = ({ message, url }: Inquiry) => (url === null ? message : words.opened(message, url))
  const [first] = inquiries
  if (inquiries.length === 1 && first !== undefined) return { text: textOf(first), schema: first.schema }
  const text = [words.several, ...inquiries.map((inquiry) => `${inquiry.key}: ${textOf(inquiry)}`)].join('\n')
  const members = inquiries.map((inquiry) => [
    inquiry.key,
    inquiry.schema ?? { type: 'boolean', description: inquiry.message },
  ])
  const required = inquiries.map(({ key }) => key)
  return { text, schema: { type: 'object', properties: Object.fromEntries(members), required } }
}

type Answer = NonNullable<HeldState['answer']>

/** The answers by the keys of the questions. */
export function answersTo(inquiries: readonly Inquiry[], answer: Answer): Record<string, ElicitResult> {
  const is_one = inquiries.length === 1
  return Object.fromEntries(
    inquiries.map((inquiry) => [
      inquiry.key,
      answerTo(inquiry, answer, is_one ? answer.content : answer.content?.[inquiry.key]),
    ]),
  )
}

function answerTo({ schema }: Inquiry, { action }: Answer, content: unknown): ElicitResult {
  if (action === 'decline' || content === false) return { action: 'decline' }
  if (schema === null) return { action: 'accept' }
  // The content was held to the form when the person answered. A form takes texts, numbers, yes or no, and lists of texts.
  return { action: 'accept', content: (isRecord(content) ? content : {}) as NonNullable<ElicitResult['content']> }
}
