/** Finds where a text stops being JSON, and says what to write there. The parsers of the runtimes say it in different words, or not at all. */

import { oneLine } from '../../../core/shown/line-text.ts'

/** `at`: the index in the text. `needed`: what to write, as the end of a sentence. */
interface JsonError {
  at: number
  needed: string
}

/** What may come next. */
type Place = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'next' | 'end'
interface Container {
  open: '{' | '['
  at: number
}

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y
const WORD = /[\w$.+-]+/y
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null'])
const QUOTES = /['`\u2018\u2019\u201C\u201D\u300C\u300D]/

/** The first error of a text; null: it is JSON. Each character is looked at once. */
export function findJsonError(text: string): JsonError | null {
  const open: Container[] = []
  let place: Place = 'value'
  for (let at = afterSpace(text, 0); ; at = afterSpace(text, at)) {
    if (place === 'end') return at === text.length ? null : { at, needed: 'nothing may follow the value' }
    if (at === text.length) return endError(text, at, open)
    const read = readPart(text, at, place, open)
    if ('needed' in read) return read
    ;({ at, place } = read)
  }
}

type Read = { at: number; place: Place } | JsonError
const matchAt = (pattern: RegExp, text: string, at: number): string | null => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}
const afterSpace = (text: string, at: number) => at + (matchAt(SPACE, text, at)?.length ?? 0)
const placeAfter = (open: readonly Container[]): Place => (open.length === 0 ? 'end' : 'next')

/** Reads one sign, text, number or word, and keeps `open` up to date. */
function readPart(text: string, at: number, place: Place, open: Container[]): Read {
  const sign = text.charAt(at)
  const inner = open.at(-1)
  const close = inner === undefined ? '' : inner.open === '{' ? '}' : ']'
  const isClosed = sign === close && close !== '' && ['next', 'first value', 'first name'].includes(place)
  if (isClosed) {
    open.pop()
    return { at: at + 1, place: placeAfter(open) }
  }
  if (sign === '/' && /[/*]/.test(text.charAt(at + 1))) return { at, needed: 'leave the comment out, JSON has none' }
  switch (place) {
    case 'colon':
      return sign === ':' ? { at: at + 1, place: 'value' } : { at, needed: 'write ":" after the name' }
    case 'next':
      if (sign === ',') return { at: at + 1, place: close === '}' ? 'name' : 'value' }
      return { at, needed: `write "," or "${close}" here` }
    case 'name':
    case 'first name':
      return readName(text, at)
    default:
      return readValue(text, at, open)
  }
}

function readName(text: string, at: number): Read {
  const sign = text.charAt(at)
  if (sign === '}') return { at, needed: 'leave out the comma before "}"' }
  if (sign !== '"') return { at, needed: 'write a name in double quotes, such as "goal"' }
  const read = readString(text, at)
  return 'needed' in read ? read : { at: read.at, place: 'colon' }
}

function readValue(text: string, at: number, open: Container[]): Read {
  const sign = text.charAt(at)
  if (sign === '{' || sign === '[') {
    open.push({ open: sign, at })
    return { at: at + 1, place: sign === '{' ? 'first name' : 'first value' }
  }
  if (sign === '"') {
    const read = readString(text, at)
    return 'needed' in read ? read : { at: read.at, place: placeAfter(open) }
  }
  if (sign === ']' || sign === '}') return { at, needed: `leave out the comma before "${sign}", or write a value` }
  if (QUOTES.test(sign)) return { at, needed: 'write texts in double quotes (")' }
  const number = matchAt(NUMBER, text, at)
  if (number !== null) return { at: at + number.length, place: placeAfter(open) }
  const word = matchAt(WORD, text, at) ?? ''
  if (WORDS.has(word)) return { at: at + word.length, place: placeAfter(open) }
  if (WORDS.has(word.toLowerCase())) return { at, needed: `write ${word.toLowerCase()} in lower case` }
  if (['None', 'undefined', 'NaN', 'nil', 'Infinity'].includes(word)) return { at, needed: 'write null' }
  if (/^[-+.]?\d/.test(word)) return { at, needed: 'write a number such as 0.5 or 10, or a text in double quotes' }
  return { at, needed: 'write a value: a text in double quotes, a number, true, false, null, {…} or […]' }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y

/** The index behind the text that begins at `at` with a double quote. */
function readString(text: string, start: number): { at: number } | JsonError {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return { at: at + 1 }
    if (code === 0x0a || code === 0x0d)
      return { at, needed: 'write a line break in a text as \\n, or close the text with a double quote' }
    if (code < 0x20) return { at, needed: 'write a control character in a text as \\t or \\u0009' }
    if (code !== 0x5c) continue
    const escape = matchAt(ESCAPE, text, at)
    if (escape === null) return { at, needed: 'write a backslash in a text as \\\\' }
    at += escape.length - 1
  }
  return { at: start, needed: 'close this text with a double quote' }
}

function endError(text: string, at: number, open: readonly Container[]): JsonError {
  const inner = open.at(-1)
  if (inner === undefined) return { at, needed: 'write a JSON object' }
  const { line, column } = lineAndColumn(text, inner.at)
  return { at, needed: `close the "${inner.open}" of line ${line}, column ${column}: the body ends before it` }
}

/** Both count from 1; a column is a character as people count them. */
function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 }
}

const SHOWN_MAX = 20

/** The place of the first error, what stands there, and what to write. `hide`: nothing of the text may be shown. */
export function describeJsonError(text: string, hide: boolean): string {
  const error = findJsonError(text)
  if (error === null) return 'The body is not valid JSON.'
  const { line, column } = lineAndColumn(text, error.at)
  const [rest = ''] = text.slice(error.at, error.at + 4 * SHOWN_MAX).split(/[\r\n]/, 1)
  const shown = oneLine(rest, SHOWN_MAX)
  const isCut = shown !== oneLine(rest, 2 * SHOWN_MAX)
  const found = shown === '' ? '' : ` The body has there: ${shown.toWellFormed()}${isCut ? '…' : ''}`
  return `The body is not valid JSON at line ${line}, column ${column}: ${error.needed}.${hide ? '' : found}`
}
