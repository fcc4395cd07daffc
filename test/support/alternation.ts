/** What providers demand of a conversation: the user begins, no two replies stand in a row, and each call has its result behind its reply. */
import type { Message } from '../../src/core/terms/effect.ts'

/** What is wrong with the messages of a request. Empty: nothing is. */
export function alternationErrors([system, first, ...rest]: readonly Message[]): string[] {
  const errors: string[] = []
  if (system?.role !== 'system' || first?.role !== 'user') errors.push('the user does not begin')
  let before = first
  let open: string[] = []
  for (const message of rest) {
    if (message.role === 'system') errors.push('a system message stands in the middle')
    if (message.role === 'tool') {
      if (message.tool_call_id !== open.shift())
        errors.push(`a result of ${message.tool_call_id} has no call before it`)
    } else if (open.length > 0) errors.push(`no result of ${open.join(', ')} stands behind its call`)
    if (message.role === 'assistant') {
      if (before?.role === 'assistant') errors.push(`two replies stand in a row: ${message.content}`)
      open = (message.tool_calls ?? []).map(({ id }) => id)
    }
    before = message
  }
  if (open.length > 0) errors.push(`no result of ${open.join(', ')} ends the request`)
  if (before?.role === 'assistant') errors.push('a reply ends the request')
  return errors
}
