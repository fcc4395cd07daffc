/**
 * Reads objects as earlier releases did. Replies that they accepted are read again from the journal, also where today's reading
 * would refuse them: two objects of which one was taken, or a repair that is too long. Nothing new is accepted by this reading.
 */
import { jsonrepair } from 'jsonrepair'
import { isRecord } from '../../terms/plain/is-record.ts'
import { parseBoundedJson } from '../json-text.ts'
import { regionFrom } from './regions.ts'
import { isCut } from './repair.ts'

/** undefined: no object can be read. */
export function findObjectAsBefore(text: string): Record<string, unknown> | undefined {
  const [object, ...others] = objectsIn(text)
  if (others.length > 0) return undefined
  if (object !== undefined) return object
  const from = text.indexOf('{')
  const repaired = from === -1 ? undefined : repairJsonAsBefore(regionFrom(text, from))
  return isRecord(repaired) ? repaired : undefined
}

/** The objects that stand in a text beside each other. An object within another one does not count. */
function objectsIn(text: string): Record<string, unknown>[] {
  const objects: Record<string, unknown>[] = []
  for (const region of balancedRegions(text)) {
    const value = parseBoundedJson(region)
    if (isRecord(value) && Object.keys(value).length > 0) objects.push(value)
  }
  return objects
}

/** The parts of a text from an opening brace to the brace that closes it. Braces in strings do not count. The text is read once. */
function balancedRegions(text: string): string[] {
  const regions: string[] = []
  let start = -1
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (quoted) {
      if (char === '\\') i += 1
      else if (char === '"') quoted = false
    } else if (char === '{') {
      if (depth === 0) start = i
      depth += 1
    } else if (depth > 0 && char === '"') quoted = true
    else if (depth > 0 && char === '}') {
      depth -= 1
      if (depth === 0) regions.push(text.slice(start, i + 1))
    }
  }
  return regions
}

/** The library compares the rest of a text at each quotation mark that it doubts, and calls itself for each bracket. */
const COMPARISONS_MAX = 100_000_000
const BRACKETS_MAX = 2_000

/** undefined: the text cannot be read, or that would have taken too long. */
export function repairJsonAsBefore(text: string): unknown {
  const isSlow = text.length * countOf(text, /["'“”‘’`]/g) > COMPARISONS_MAX || countOf(text, /[[{(+]/g) > BRACKETS_MAX
  if (isSlow || isCut(text)) return undefined
  try {
    return parseBoundedJson(jsonrepair(withAsciiSigns(text)))
  } catch {
    return undefined
  }
}

const ASCII_SIGNS = new Map([
  ['：', ':'],
  ['，', ','],
  ['｛', '{'],
  ['｝', '}'],
  ['［', '['],
  ['］', ']'],
])
const STRING_ENDS = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
])

/** Models that write Chinese write the signs between members in full width. Signs within strings stay. Each sign keeps its place. */
function withAsciiSigns(text: string): string {
  let result = ''
  let end: string | undefined
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (end !== undefined && char === '\\') result += char + text.charAt(++i)
    else {
      result += end === undefined ? (ASCII_SIGNS.get(char) ?? char) : char
      end = end === undefined ? STRING_ENDS.get(char) : char === end ? undefined : end
    }
  }
  return result
}

const countOf = (text: string, chars: RegExp): number => text.match(chars)?.length ?? 0
