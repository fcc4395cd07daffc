/** Reads a goal that names a tool and its arguments, so that a tool of the client can be tried without a key (U63). */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'

export interface NamedCall {
  tool: string
  /** The JSON object of the arguments. */
  input: string
}

/** A longer goal is no such request, and its title has room in a plan item. */
const CHARS_MAX = 400
const CALL =
  /^(?:please )?(?:call|use|run|invoke|请?(?:调用|使用)) ?((?:the )?tool |工具 ?)?[`"“]?([A-Za-z][\w.-]{0,99})[`"”]? ?(?:with |[:：,，] ?|参数 ?)?(.*)$/iu
/** Without the word `tool` a name has an underscore, or its arguments are JSON: `call mum`, `run main.py` and `use booking.com` name none. */
const LOOKS_LIKE_TOOL = /^[A-Za-z][\w.-]*_\w/u

/** null: the goal names no tool, or has arguments that cannot be read. */
export function namedCallIn(goal: string): NamedCall | null {
  const text = goal.replace(/\s+/gu, ' ').trim()
  if (text.length > CHARS_MAX) return null
  const [, word, tool = '', given = ''] = CALL.exec(text) ?? []
  const isNamed = word !== undefined || LOOKS_LIKE_TOOL.test(tool) || given.startsWith('{')
  if (tool === '' || !isNamed) return null
  const args = given.startsWith('{') ? membersIn(given) : pairsIn(given.replace(/[.。!！]$/u, ''))
  const input = args === null ? '' : JSON.stringify(args)
  return input === '' || /[[\]]/u.test(input) ? null : { tool: tool.replace(/[.-]+$/u, ''), input }
}

/** Brackets would end the details of a title, so a list or an object within is not read. */
function membersIn(json: string): object | null {
  const value = jsonOrNull(json)
  return isRecord(value) && Object.values(value).every((one) => typeof one !== 'object') ? value : null
}

const PAIR = /^([A-Za-z_]\w{0,63}) ?(?:=|:|：| ) ?(\S.*)$/u

/** `room=Oak, day: 2026-11-27`, `room Oak and day 2026-11-27`: every value is a text. */
function pairsIn(text: string): object | null {
  if (text === '') return {}
  const pairs = text.split(/[,，;；] ?(?:and )?| and |和/iu).map((part) => PAIR.exec(part.trim()))
  return pairs.some((pair) => pair === null)
    ? null
    : Object.fromEntries(
        pairs.map((pair) => [pair?.[1] ?? '', (pair?.[2] ?? '').replace(/^["“](.*)["”]$/u, '$1').trim()]),
      )
}

/** Behind the label of a title stands the call as it is made: `book_room {"room":"Oak"}`. */
export const callText = ({ tool, input }: NamedCall): string => `${tool} ${input}`

export function callOf(text: string): NamedCall | null {
  const at = text.indexOf(' ')
  return at > 0 && text[at + 1] === '{' ? { tool: text.slice(0, at), input: text.slice(at + 1) } : null
}
