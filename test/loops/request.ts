/** What a model can read in its request: messages and tools, and nothing else. */
import { isRecord } from '../../src/core/terms/plain/is-record.ts'
import { parseWellFormedJson } from '../../src/core/mode/json-text.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'

type Members = Record<string, unknown>

/** The request as one text, in the order in which endpoints see it: the tools first. */
export const textOf = ({ tools, messages }: ModelRequest): string =>
  [
    ...tools.map((tool) => JSON.stringify(tool)),
    ...messages.map(
      ({ role, content, ...more }) =>
        `${role}: ${content} ${'tool_calls' in more ? JSON.stringify(more.tool_calls) : ''}`,
    ),
  ].join('\n')

/** The JSON object in the latest message of the user that is one. It is empty in a conversation. */
export function contextOf({ messages }: ModelRequest): Members {
  for (const { role, content } of messages.toReversed()) {
    const value = role === 'user' ? parseWellFormedJson(content) : undefined
    if (isRecord(value)) return value
  }
  return {}
}

/** The code of a name, as a sentence or a booking of the request says it. null: the request does not have it. */
export function codeIn(text: string, name: string): string | null {
  const found = new RegExp(`The ${name} code is ([A-Z2-9]{8})\\b`).exec(text)
  return found?.[1] ?? null
}

/** All objects in a value, the value itself included. */
function objectsIn(value: unknown): Members[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  return isRecord(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : []
}

/** Whether an action whose input has these words was made and succeeded, as the request shows it. */
export const wasMade = (context: Members, words: string): boolean =>
  objectsIn(context).some(({ input, ok }) => typeof input === 'string' && input.includes(words) && ok !== false)

/** Whether the user has answered a question with these words. */
export const wasAnswered = (context: Members, words: string): boolean =>
  objectsIn(context).some(
    ({ question, answer }) => typeof question === 'string' && question.includes(words) && typeof answer === 'string',
  )

export const textAt = (members: unknown, name: string): string => {
  const value = isRecord(members) ? members[name] : undefined
  return typeof value === 'string' ? value : ''
}

const OPEN = new Set(['pending', 'running', 'waiting', 'open', 'paused'])

/** The titles of the items that are not finished, in their order. */
export function openTitles({ plan, cursor }: Members): string[] {
  const list = Array.isArray(plan) ? plan : isRecord(plan) && Array.isArray(plan.items) ? plan.items : []
  const start = typeof cursor === 'number' ? cursor : 0
  return list.flatMap((item, index) => {
    const title = typeof item === 'string' ? item : textAt(item, 'title') || textAt(item, 'name')
    const status = textAt(item, 'status')
    const isOpen = status === '' ? index >= start : OPEN.has(status)
    return isOpen ? [title] : []
  })
}
