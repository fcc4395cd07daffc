/**
 * Reads calls that a model has written as text instead of calling natively. They count as calls if nothing else stands in the
 * reply but marks for the program. Beside other text they may be an example, so the model is told how to call.
 */
import { isRecord } from '../../terms/plain/is-record.ts'
import { isSameToolName, resolveToolName } from '../../terms/tools/client-tools.ts'
import type { ToolCall } from '../../terms/effect.ts'
import { isTooDeep, parseWellFormedJson } from '../../mode/json-text.ts'
import { removeThinking } from '../../mode/reply.ts'

export interface WrittenCalls {
  calls: readonly ToolCall[]
  /** The reply without the calls. */
  rest: string
}
const NONE: WrittenCalls = { calls: [], rest: '' }

/** The most blocks that are read of one reply. */
const BLOCKS_MAX = 32

const OPEN_TAG = '<tool_call>'
const CLOSE_TAG = '</tool_call>'
const FENCE = '```'

interface Block {
  from: number
  end: number
  json: string
}

/** `names`: the tools that the model may mean. A block that names none of them is no call. */
export function writtenCalls(reply: string, names: readonly string[]): WrittenCalls {
  const text = removeThinking(reply).trim()
  const call = functionCallIn(text, names)
  if (call !== null) return { calls: [{ id: 'written_1', ...call }], rest: '' }
  const blocks = text.includes('{') ? blocksIn(text) : []
  const found = blocks.flatMap((block) => {
    const call = callIn(block.json, names)
    return call === null ? [] : [{ ...block, ...call }]
  })
  if (found.length === 0 || found.length !== blocks.length) return NONE
  const rest = found.map(({ from }, index) => text.slice(found[index - 1]?.end ?? 0, from))
  return {
    calls: found.map(({ name, arguments: args }, index) => ({ id: `written_${index + 1}`, name, arguments: args })),
    rest: [...rest, text.slice(found.at(-1)?.end ?? 0)].join('\n').trim(),
  }
}

/** The text itself if it is JSON, or else its tagged parts, or else its fenced parts. */
function blocksIn(text: string): Block[] {
  if (text.startsWith('{') && text.endsWith('}')) return [{ from: 0, end: text.length, json: text }]
  const tagged = regionsIn(text, OPEN_TAG, CLOSE_TAG)
  return tagged.length > 0 ? tagged : regionsIn(text, FENCE, FENCE)
}

/** The parts of a text between two marks. The mark that closes the last part may be missing. */
function regionsIn(text: string, open: string, close: string): Block[] {
  const blocks: Block[] = []
  for (let from = text.indexOf(open); from !== -1 && blocks.length < BLOCKS_MAX;) {
    const start = from + open.length
    const closed = text.indexOf(close, start)
    const end = closed === -1 ? text.length : closed + close.length
    blocks.push({ from, end, json: withoutLanguage(text.slice(start, closed === -1 ? text.length : closed)) })
    from = text.indexOf(open, end)
  }
  return blocks
}

/** A fence may name its language before the first brace of the JSON. */
function withoutLanguage(inner: string): string {
  const brace = inner.indexOf('{')
  const language = inner.slice(0, Math.max(0, brace)).trim()
  return (/^\w{0,16}$/.test(language) ? inner.slice(Math.max(0, brace)) : inner).trim()
}

/** A text that is one call of a function: `todo({"command":"/todo list"})`. */
function functionCallIn(text: string, names: readonly string[]): Pick<ToolCall, 'name' | 'arguments'> | null {
  const open = text.indexOf('(')
  if (open < 1 || !text.endsWith(')')) return null
  const name = nameIn(text.slice(0, open), names)
  const args = text.slice(open + 1, -1).trim()
  if (name === undefined || isTooDeep(args)) return null
  return isRecord(parseWellFormedJson(args)) ? { name, arguments: args } : null
}

const nameIn = (given: string, names: readonly string[]): string | undefined =>
  names.find((known) => isSameToolName(known, resolveToolName([], given)))

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function']
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input']

/** One call as models write it: a name and its arguments, sometimes within a member `function`. */
function callIn(json: string, names: readonly string[]): Pick<ToolCall, 'name' | 'arguments'> | null {
  const value = isTooDeep(json) ? undefined : parseWellFormedJson(json)
  if (!isRecord(value)) return null
  const inner = isRecord(value['function']) ? value['function'] : value
  const given = NAME_KEYS.map((key) => inner[key]).find((one) => typeof one === 'string')
  const name = typeof given === 'string' ? nameIn(given, names) : undefined
  const args = ARGUMENT_KEYS.map((key) => inner[key]).find((one) => typeof one === 'string' || isRecord(one))
  if (name === undefined || args === undefined) return null
  return { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
}
