/** A row of the journal as a message: replies with their blocks (R13), and results as JSON (O1-07). Texts of the user stand in the first message (S1-02). */
import { callEntry, type Entry, type EntryContext } from '../conversation/entry.ts'
import { isEmpty } from '../conversation/replies.ts'
import { parseWellFormedJson } from '../../mode/json-text.ts'
import { cut } from '../../terms/text.ts'
import { replyIn } from './replies.ts'
import { listError } from './tasks.ts'

/** A shorter text would be useless. */
const TEXT_CHARS_MIN = 50

export function entryOf(row: number, context: EntryContext): Entry | null {
  const fact = context.recall(row)
  if (fact.event.kind !== 'model_replied')
    return callEntry(fact, context, (outcome, room) => asJson(outcome.tool, outcome, room), false)
  const { event } = fact
  const reply = replyIn(event, context.brief)
  // A reply that is empty or cut, or whose list exceeds its bounds, is not part of the conversation.
  return isEmpty(reply) || event.finish === 'length' || listError(reply) !== null
    ? null
    : { kind: 'assistant', text: reply.text, calls: reply.calls, reasoning: event.reasoning }
}

/** The result as a JSON object. Tools of this mode answer such an object, and any other text is put into one. */
export function asJson(tool: string, { ok, text }: { ok: boolean; text: string }, room: number): string {
  if (text.length <= room && isJsonOfTool(text)) return text
  const frame = { tool, status: ok ? 'success' : 'error' }
  const frame_chars = JSON.stringify(frame).length + 10
  // In JSON, quotation marks and line ends take two characters each.
  for (let chars = Math.max(TEXT_CHARS_MIN, room - frame_chars); ; chars = Math.floor(chars / 2)) {
    const excerpt = cut(text, chars)
    const json = JSON.stringify({ ...frame, [ok ? 'text' : 'error']: excerpt })
    if (json.length <= room || chars <= TEXT_CHARS_MIN) return json
  }
}

const isJsonOfTool = (text: string) => {
  const value = text.startsWith('{"tool":') ? parseWellFormedJson(text) : undefined
  return typeof value === 'object' && value !== null
}
