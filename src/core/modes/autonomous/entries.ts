/** A row of the journal as the message it is: replies with their blocks (R13), and results as JSON (O1-07). Words of the user stand elsewhere (S1-02). */
import { callAt, callsAt } from '../conversation/calls.ts'
import { LOST_CALL, refusalText, resultChars, type Entry, type Reading } from '../conversation/entry.ts'
import { parseWellFormedJson } from '../../mode/reply.ts'
import { cut } from '../../terms/text.ts'
import { isEmpty, saidIn } from './said.ts'
import { flawOf } from './tasks.ts'

/** Less says nothing. */
const TEXT_CHARS_MIN = 50

export function entryOf(row: number, { recall, brief }: Reading): Entry | null {
  const { event, effect } = recall(row)
  if (event.kind === 'model_replied') {
    const said = saidIn(event)
    // One that is empty, or whose list is beyond its bounds, is no part of the conversation.
    return isEmpty(said) || flawOf(said) !== null ? null : { kind: 'assistant', text: said.text, calls: said.calls }
  }
  if (event.kind === 'approval_answered') {
    const { action, verdict, text } = event
    if (action === null || verdict === 'approved' || !isCalled(action.by)) return null
    const { tool } = callAt(recall, action.by, action.call)
    return entry(tool, action, { ok: false, text: refusalText(brief.locale, verdict, text) }, { recall, brief })
  }
  if (effect?.kind !== 'run_tool' || !isCalled(effect.by)) return null
  const { by, call, tool } = effect
  if (event.kind === 'tool_returned') return entry(tool, { by, call }, event, { recall, brief })
  if (event.kind !== 'outcome_unknown') return null
  return entry(tool, { by, call }, { ok: false, text: LOST_CALL[brief.locale] }, { recall, brief })
}

/** Row 1 is the brief: the program's own look at the data answers no call. */
const isCalled = (by: number) => by > 1

function entry(
  tool: string,
  { by, call }: { by: number; call: number },
  result: { ok: boolean; text: string },
  { recall, brief }: Reading,
): Entry {
  const room = resultChars(brief.settings, callsAt(recall, by).length)
  return { kind: 'tool', by, call, text: asJson(tool, result, room) }
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
