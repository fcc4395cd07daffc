/**
 * Reads an object that is written loosely: with signs in full width, other quotation marks, names without marks, a comma too many,
 * or quotation marks in a text that lack their backslash. It reads the text once. A sign is replaced only where a member begins
 * or ends, so that no text is changed. Where it is unclear how far a text goes, nothing is read.
 */
import { isRecord } from '../../terms/plain/is-record.ts'
import { parseBoundedJson } from '../json-text.ts'

type Expected = 'value' | 'key' | 'colon' | 'separator' | 'end'

interface Cursor {
  text: string
  at: number
  /** The JSON of what was read. */
  parts: string[]
  /** The brackets that are open, and whether something stands in each. */
  open: { bracket: '{' | '['; isEmpty: boolean }[]
}

/** undefined: it cannot be read in this way. */
export function readLooseJson(text: string): object | undefined {
  const cursor: Cursor = { text, at: 0, parts: [], open: [] }
  let expected: Expected | null = 'value'
  while (expected !== null) {
    cursor.at = afterBlanks(text, cursor.at)
    if (cursor.at >= text.length) break
    expected = READERS[expected](cursor)
  }
  if (expected !== 'separator' && expected !== 'end') return undefined
  const ends = cursor.open.map(({ bracket }) => CLOSING[bracket]).toReversed()
  const value = parseBoundedJson([...cursor.parts, ...ends].join(''))
  return isRecord(value) ? value : undefined
}

const BLANK = /\s*/y
function afterBlanks(text: string, at: number): number {
  BLANK.lastIndex = at
  BLANK.test(text)
  return BLANK.lastIndex
}

const CLOSING = { '{': '}', '[': ']' } as const
const BRACKETS = new Map<string, '{' | '['>([
  ['{', '{'],
  ['｛', '{'],
  ['[', '['],
  ['［', '['],
])
const CLOSED_BRACKETS = new Map<string, '{' | '['>([
  ['}', '{'],
  ['｝', '{'],
  [']', '['],
  ['］', '['],
])
const isComma = (char: string) => char === ',' || char === '，'
const isColon = (char: string) => char === ':' || char === '：'

/** Each reads one token, and says what is expected behind it. null: the token does not stand there. */
const READERS: Record<Expected, (cursor: Cursor) => Expected | null> = {
  value: readValue,
  key: readKey,
  colon(cursor) {
    if (!isColon(take(cursor))) return null
    cursor.parts.push(':')
    return 'value'
  },
  separator(cursor) {
    if (CLOSED_BRACKETS.has(next(cursor))) return close(cursor)
    return isComma(take(cursor)) ? (cursor.open.at(-1)?.bracket === '{' ? 'key' : 'value') : null
  },
  // Brackets too many say nothing.
  end: (cursor) => (CLOSED_BRACKETS.has(take(cursor)) ? 'end' : null),
}

const next = ({ text, at }: Cursor): string => text.charAt(at)
function take(cursor: Cursor): string {
  const char = next(cursor)
  cursor.at += 1
  return char
}

/** Begins a member or an entry. A comma is written where one follows, so that a comma too many is left out. */
function begin({ open, parts }: Cursor): void {
  const inner = open.at(-1)
  if (inner?.isEmpty === false) parts.push(',')
  if (inner !== undefined) inner.isEmpty = false
}

function close(cursor: Cursor): Expected | null {
  const bracket = CLOSED_BRACKETS.get(take(cursor))
  if (bracket === undefined || cursor.open.pop()?.bracket !== bracket) return null
  cursor.parts.push(CLOSING[bracket])
  return cursor.open.length === 0 ? 'end' : 'separator'
}

const NAME = /[A-Za-z_$][\w$]*/y
const WORD = /[-+.\w]+/y
const WORDS = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

function wordAt({ text, at }: Cursor, word: RegExp): string | null {
  word.lastIndex = at
  return word.exec(text)?.[0] ?? null
}

function readKey(cursor: Cursor): Expected | null {
  if (CLOSED_BRACKETS.has(next(cursor))) return close(cursor)
  const name = MARKS.has(next(cursor)) ? null : wordAt(cursor, NAME)
  begin(cursor)
  if (name !== null) {
    cursor.parts.push(`"${name}"`)
    cursor.at += name.length
    return 'colon'
  }
  return readText(cursor, endOfName) ? 'colon' : null
}

function readValue(cursor: Cursor): Expected | null {
  const char = next(cursor)
  const bracket = BRACKETS.get(char)
  if (CLOSED_BRACKETS.has(char)) return cursor.open.at(-1)?.bracket === '[' ? close(cursor) : null
  if (cursor.open.at(-1)?.bracket === '[') begin(cursor)
  if (bracket !== undefined) {
    cursor.at += 1
    cursor.parts.push(bracket)
    cursor.open.push({ bracket, isEmpty: true })
    return bracket === '{' ? 'key' : 'value'
  }
  if (MARKS.has(char)) return readText(cursor, endOfText) ? 'separator' : null
  const word = wordAt(cursor, WORD)
  if (word === null) return null
  cursor.at += word.length
  cursor.parts.push(WORDS.get(word) ?? word)
  return 'separator'
}

/** The quotation marks that begin a text, with those that end it. */
const MARKS = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
])

/** What a mark that may end a text is. `unclear`: it may as well stand in the text. */
type MarkMeaning = 'end' | 'inside' | 'unclear'
/** `at` is behind the mark. `isBalanced`: the marks in the text so far are pairs. */
type MarkReader = (cursor: Cursor, at: number, isBalanced: boolean) => MarkMeaning

/** Reads a text with its marks. false: it does not end, or it is unclear where. */
function readText(cursor: Cursor, meaningOf: MarkReader): boolean {
  const { text } = cursor
  const opening = take(cursor)
  const closing = MARKS.get(opening)
  if (closing === undefined) return false
  const from = cursor.at
  /** Marks within the text: how many pairs are open, or how many marks there are if both marks of a pair look the same. */
  let inner = 0
  for (let i = from; i < text.length; i++) {
    const char = text.charAt(i)
    if (char === '\\') i += 1
    else if (char === opening && opening !== closing) inner += 1
    else if (char === closing && opening !== closing && inner > 0) inner -= 1
    else if (char === closing) {
      const meaning = meaningOf(cursor, i + 1, inner % 2 === 0)
      if (meaning === 'unclear') return false
      if (meaning === 'end') {
        cursor.parts.push(`"${escaped(text.slice(from, i))}"`)
        cursor.at = i + 1
        return true
      }
      if (opening === closing) inner += 1
    }
  }
  return false
}

/** The content of a JSON string. A backslash that escapes neither a sign of JSON nor a quotation mark is one of the text. */
const escaped = (content: string): string =>
  content.replaceAll(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4}|['“”‘’])|[\\"\u0000-\u001f]/g, escapedSign)

function escapedSign(sign: string): string {
  if (sign.length === 1) return JSON.stringify(sign).slice(1, -1)
  return /['“”‘’]/.test(sign) ? sign.slice(1) : sign
}

const endOfName: MarkReader = ({ text }, at) => (isColon(text.charAt(afterBlanks(text, at))) ? 'end' : 'unclear')

/** As JSON has them, a bracket or a comma ends a text. In full width they may stand in it, so what follows them decides. */
const endOfText: MarkReader = ({ text, open }, at, isBalanced) => {
  const place = afterBlanks(text, at)
  const char = text.charAt(place)
  const bracket = open.at(-1)?.bracket ?? '{'
  if (char === '' || ',}]'.includes(char)) return 'end'
  if (CLOSED_BRACKETS.has(char)) return CLOSED_BRACKETS.get(char) === bracket ? 'end' : 'inside'
  if (char === '，') {
    if (!follows(bracket === '{' ? NEXT_MEMBER : NEXT_VALUE, text, place + 1)) return 'inside'
    return isBalanced ? 'end' : 'unclear'
  }
  // It would be a name, so the text before has swallowed its own end.
  if (isColon(char)) return follows(VALUE, text, place + 1) ? 'unclear' : 'inside'
  // Two marks behind each other: the second may end the text, or a comma is missing between them.
  if (MARKS.has(char)) return follows(BEHIND_TEXT, text, place + 1) ? 'inside' : 'unclear'
  return 'inside'
}

const VALUE = /\s*(?:["“'‘[{［｛\d-]|(?:true|false|null|True|False|None)\b)/y
const NEXT_VALUE = /\s*(?:["“'‘[{［｛\]］\d-]|(?:true|false|null|True|False|None)\b)/y
const NEXT_MEMBER =
  /\s*(?:[}｝]|(?:["“'‘][^"“”'‘’\n]{1,100}["”'’]|[A-Za-z_$][\w$]{0,60})\s*[:：]\s*(?:["“'‘[{［｛\d-]|(?:true|false|null|True|False|None)\b))/y
const BEHIND_TEXT = /\s*(?:[,，:：\]］}｝]|$)/y

function follows(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
