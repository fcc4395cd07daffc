/** Prompts and results as attributes of a span, in the form that the GenAI conventions give them. Only sent where somebody has asked for it. */
import type { Attributes } from '../../core/replay/export/span-draft.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import type { JournalEntry } from '../../core/terms/view.ts'

/** The characters of all messages of a prompt together. Each gets the same share, and the newest are the ones that are kept. */
const PROMPT_CHARS_MAX = 12_000
const MESSAGES_MAX = 40
const RESULT_CHARS_MAX = 12_000

export function contentOf({ request, reply }: JournalEntry): Attributes {
  const asked = isRecord(request) ? request : {}
  const answered = isRecord(reply) ? reply : {}
  if (Array.isArray(asked['messages'])) return promptOf(asked['messages'], answered)
  const result = answered['text']
  return {
    ...(typeof asked['input'] === 'string'
      ? { 'gen_ai.tool.call.arguments': cutTo(asked['input'], RESULT_CHARS_MAX) }
      : {}),
    ...(typeof result === 'string' ? { 'gen_ai.tool.call.result': cutTo(result, RESULT_CHARS_MAX) } : {}),
  }
}

function promptOf(messages: readonly unknown[], reply: Record<string, unknown>): Attributes {
  const newest = messages.slice(-MESSAGES_MAX)
  const share = Math.floor(PROMPT_CHARS_MAX / Math.max(1, newest.length))
  const input = newest.flatMap((message) =>
    isRecord(message) && typeof message['content'] === 'string'
      ? [{ role: message['role'], parts: [textPart(message['content'], share)] }]
      : [],
  )
  const { text } = reply
  const output = typeof text === 'string' ? [{ role: 'assistant', parts: [textPart(text, RESULT_CHARS_MAX)] }] : []
  return {
    'gen_ai.input.messages': JSON.stringify(input),
    ...(output.length === 0 ? {} : { 'gen_ai.output.messages': JSON.stringify(output) }),
  }
}

const textPart = (content: string, max: number) => ({ type: 'text', content: cutTo(content, max) })
const cutTo = (text: string, max: number) => (text.length > max ? text.slice(0, max).toWellFormed() : text)
