/** Replies of any mode whose model reads files, changed so that their action reads one of these. */
import { modeOf } from '../../src/core/modes/index.ts'
import { isRecord } from '../../src/core/terms/plain/is-record.ts'
import { parseJson } from '../../src/core/terms/values/parse-json.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'
import type { Said } from './random-reply.ts'

export const readsFiles = ({ metadata }: Pick<ModelRequest, 'metadata'>): boolean =>
  modeOf(metadata.mode).tools.includes('read_file')

export const readingFile = (said: Said, name: string): Said => actingWith(said, 'read_file', JSON.stringify({ name }))

/** The reply with this action in place of its own. A reply without an action stays as it is. */
export function actingWith(said: Said, tool: string, args: string): Said {
  const [first, ...others] = said.tool_calls ?? []
  if (first !== undefined) return { ...said, tool_calls: [{ ...first, name: tool, arguments: args }, ...others] }
  const reply = parseJson(said.text)
  if (!isRecord(reply)) return said
  const action = { tool, input: args, save_as: null }
  const { next_action } = reply
  if (isRecord(next_action))
    return { ...said, text: JSON.stringify({ ...reply, next_action: { ...next_action, tool, input: args } }) }
  if ('tool' in reply) return { ...said, text: JSON.stringify({ ...reply, ...action }) }
  if (!('is_complete' in reply)) return said
  // The step goes on, with an action in this reply or in the next one.
  const more = isRecord(reply['action']) ? reply['action'] : {}
  const acting = 'action' in reply ? { action: { ...more, ...action } } : {}
  return { ...said, text: JSON.stringify({ ...reply, is_complete: false, ...acting }) }
}
