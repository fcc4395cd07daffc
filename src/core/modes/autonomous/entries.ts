/** A row of the journal as the message it is: replies with their blocks (R13), and results as JSON (O1-07). Words of the user stand elsewhere (S1-02). */
import { callEntry, type Entry, type Reading } from '../conversation/entry.ts'
import { isEmpty } from '../conversation/replies.ts'
import { parseWellFormedJson } from '../../mode/reply.ts'
import { cut } from '../../terms/text.ts'
import { replyIn } from './replies.ts'
import { listError } from './tasks.ts'

/** Less says nothing. */
const TEXT_CHARS_MIN = 50

export function entryOf(row: number, reading: Reading): Entry | null {
  const fact = reading.recall(row)
  if (fact.event.kind !== 'model_replied')
    return callEntry(fact, reading, (outcome, room) => asJson(outcome.tool, outcome, room), false)
  const said = replyIn(fact.event)
  // One that is empty, or whose list is beyond its bounds, is no part of the conversation.
  return isEmpty(said) || listError(said) !== null ? null : { kind: 'assistant', text: said.text, calls: said.calls }
}

/** What a tool of the mode answers is such an object already; whatever else there is to say is put into one. */
export function asJson(tool: string, { ok, text }: { ok: boolean; text: string }, room: number): string {
  if (text.length <= room && isJsonOfTool(text)) return text
  const frame = { tool, status: ok ? 'success' : 'error' }
  const around = JSON.stringify(frame).length + 10
  // Quotation marks and line ends take two characters each in it.
  for (let most = Math.max(TEXT_CHARS_MIN, room - around); ; most = Math.floor(most / 2)) {
    const shown = cut(text, most)
    const json = JSON.stringify({ ...frame, [ok ? 'text' : 'error']: shown })
    if (json.length <= room || most <= TEXT_CHARS_MIN) return json
  }
}

const isJsonOfTool = (text: string) => {
  const value = text.startsWith('{"tool":') ? parseWellFormedJson(text) : undefined
  return typeof value === 'object' && value !== null
}
