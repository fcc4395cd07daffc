/**
 * Finds the one JSON object that a model meant, in a text around which it has written prose or a fence, and mends small
 * mistakes in it: a trailing comma, smart or single quotes, a missing bracket at the end (ruling 32). The result depends on
 * the text alone, and the time is bounded.
 */
import { jsonrepair, JSONRepairError } from 'jsonrepair'
import { isRecord } from '../../terms/plain/is-record.ts'
import { isTooDeep, parseWellFormedJson } from '../json-text.ts'

type FoundObject = { ok: true; value: object } | { ok: false; reason: string }

const MANY = (count: number) => `the reply has ${count} JSON objects; give one`
const NONE = 'the reply has no JSON object'
const BROKEN = 'the JSON object of the reply cannot be read'
const LIST = 'the reply is a JSON list, but not an object'

/** `text` is trimmed and is no JSON object itself. */
export function findObject(text: string): FoundObject {
  if (Array.isArray(parseWellFormedJson(text))) return { ok: false, reason: LIST }
  const objects = objectsIn(text)
  const [object] = objects
  if (objects.length > 1) return { ok: false, reason: MANY(objects.length) }
  if (object !== undefined) return { ok: true, value: object }
  const from = text.indexOf('{')
  if (from === -1) return { ok: false, reason: NONE }
  const region = regionFrom(text, from)
  const repaired = repairJson(region)
  return isRecord(repaired) ? { ok: true, value: repaired } : { ok: false, reason: `${BROKEN}${placeIn(region)}` }
}

/** The objects that stand in a text beside each other. An object within another one does not count. */
function objectsIn(text: string): object[] {
  const objects: object[] = []
  for (const region of balancedRegions(text)) {
    const value = isTooDeep(region) ? undefined : parseWellFormedJson(region)
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

/** From the first brace to the last one, or to the end of a text whose last brace is missing. A fence at the end is left out. */
function regionFrom(text: string, from: number): string {
  const inner = withoutFence(text.slice(from))
  const last = inner.lastIndexOf('}')
  const rest = inner.slice(last + 1)
  // Behind the last brace stands prose, unless the text goes on in JSON.
  return last === -1 || /^\s*[\],}"']/.test(rest) ? inner : inner.slice(0, last + 1)
}

function withoutFence(text: string): string {
  const trimmed = text.trimEnd()
  let end = trimmed.length
  while (trimmed[end - 1] === '`') end -= 1
  return trimmed.slice(0, end).trimEnd()
}

/** The library compares the rest of a text at each quotation mark that it doubts, and calls itself for each bracket. */
const COMPARISONS_MAX = 100_000_000
const BRACKETS_MAX = 2_000

/** The value of a JSON text with mistakes that can be mended. undefined: it cannot be read, or that would take too long. */
export function repairJson(text: string): unknown {
  const { json } = repair(text)
  return json === null || isTooDeep(json) ? undefined : parseWellFormedJson(json)
}

/** The mended text, or where the library has given up. */
function repair(text: string): { json: string; at: null } | { json: null; at: number | null } {
  const isSlow = text.length * countOf(text, /["'“”‘’`]/g) > COMPARISONS_MAX || countOf(text, /[[{(+]/g) > BRACKETS_MAX
  if (isSlow || isCut(text)) return { json: null, at: isSlow ? null : text.length }
  try {
    return { json: jsonrepair(withAsciiSigns(text)), at: null }
  } catch (error) {
    return { json: null, at: error instanceof JSONRepairError ? error.position : null }
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

/** A text that ends within a value was cut. Nobody knows how the value goes on, so it is not completed. */
function isCut(text: string): boolean {
  return !VALUE_ENDS.has(text.trimEnd().slice(-1)) || endsInString(text)
}

const VALUE_ENDS = new Set(['}', ']', '"', "'", '”', '’'])

function endsInString(text: string): boolean {
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '"') quoted = !quoted
  }
  // A quotation mark within a text may lack its backslash, so the number of marks tells nothing behind a closed object.
  return quoted && !text.trimEnd().endsWith('}')
}

const SHOWN_CHARS = 60

/** The text around the place where the object stops being JSON, so that a model finds its mistake. */
function placeIn(region: string): string {
  const { at } = repair(region)
  if (at === null) return ''
  const before = region.slice(Math.max(0, at - SHOWN_CHARS), at)
  return `: it stops being JSON behind ${JSON.stringify(before)}`
}
