/**
 * Builds one column while its cells are read. It starts as numbers, with how each was written, because the cell that makes the column text may be
 * the last. What is no plain number is a word, and each word is kept once. Once the column can no longer be numeric, every cell is a word.
 */
import type { Column } from './table.ts'
import { isMissingCell, ownText } from './cells/text.ts'
import { COMMA, DOT, EVERY, formBits, cellNumber, SIGNS } from './cells/forms.ts'
import { columnKindOf, cellValueOf, type ColumnKind, type DecimalMark } from './cells/column-kind.ts'
import { wordBytes } from './tally.ts'

/** How a number was written: with 0 to 15 decimals, or as JavaScript writes it. WORD means that the value is the code of a word. */
const MISSING = 0
const DECIMALS = 1
const SHORTEST = 30
const WORD = 31
/** A number with more digits cannot be written back as it was. */
const DIGITS_MAX = 15
const CHARS_MAX = 25

const WHOLE_FORMS = formBits('1')
const FRACTION_FORMS = formBits('1.5')

export interface ColumnBuilder {
  /** Rows come in order; a row that is left out is missing. */
  set(row: number, text: string): void
  bytes(): number
  kind(decimal_comma: boolean): ColumnKind
  /** Uses the builder up. It is absent where only the kind of the column was wanted. */
  build?(name: string, length: number, kind: ColumnKind): Column
}

export function newColumnBuilder(): ColumnBuilder {
  const words = newWords()
  let values: Float64Array | null = new Float64Array()
  let hows = new Uint8Array()
  let codes = new Uint32Array()
  let [forms, some] = [EVERY, false]

  const toCodes = (numbers: Float64Array) => {
    codes = Uint32Array.from(hows, (how, row) => codeOf(how, numbers[row] ?? 0, words))
    values = null
    hows = new Uint8Array()
  }
  return {
    set(row, text) {
      const how = values === null ? WORD : howOf(text)
      const found = how === WORD ? (words.has(text) ? forms : formsOfWord(text)) : formsOfPlain(text, how)
      if (found === null) return
      some = true
      forms &= found
      if (values !== null && ((forms & SIGNS) === 0 || (forms & (DOT | COMMA)) === 0)) toCodes(values)
      if (values === null) {
        if (row >= codes.length) codes = copyInto(codes, new Uint32Array(roomFor(row)))
        codes[row] = words.codeOf(text)
        return
      }
      if (row >= values.length) {
        values = copyInto(values, new Float64Array(roomFor(row)))
        hows = copyInto(hows, new Uint8Array(values.length))
      }
      values[row] = how === WORD ? words.codeOf(text) : Number(text)
      hows[row] = how
    },
    bytes: () => (values?.byteLength ?? 0) + hows.byteLength + codes.byteLength + words.bytes(),
    kind: (decimal_comma) => columnKindOf(forms, some, decimal_comma),
    build(name, length, kind) {
      if ('style' in kind) return { name, type: kind.type, values: numbersOf(values, hows, length, words.list(), kind) }
      if (values !== null) toCodes(values)
      const whole = copyInto(codes.subarray(0, length), new Uint32Array(length))
      codes = new Uint32Array()
      return { name, type: kind.type, ...mergeWords(whole, words.list(), kind) }
    },
  }
}

/** The number of remembered words, which covers most columns of categories. */
const KNOWN_MAX = 1_000

/** For a column that was not asked for: finds its kind without keeping its cells. */
export function newKindBuilder(): ColumnBuilder {
  const known = new Map<string, number | null>()
  let [forms, some] = [EVERY, false]
  return {
    set(_row, text) {
      // The column is text already, and no further cell can change that.
      if (text === '' || (some && forms === 0)) return
      const seen = known.get(text)
      if (seen !== undefined) return
      const how = howOf(text)
      const found = how === WORD ? formsOfWord(text) : formsOfPlain(text, how)
      if (how === WORD && known.size < KNOWN_MAX) known.set(ownText(text), found)
      if (found === null) return
      some = true
      forms &= found
    },
    bytes: () => 0,
    kind: (decimal_comma) => columnKindOf(forms, some, decimal_comma),
  }
}

/** null: the cell is missing. */
function formsOfWord(text: string): number | null {
  const trimmed = text.trim()
  return isMissingCell(trimmed) ? null : formBits(trimmed)
}

const roomFor = (row: number) => Math.max(64, Math.ceil((row + 1) * 1.25))

function copyInto<T extends Float64Array | Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

type Words = ReturnType<typeof newWords>

function newWords() {
  const codes = new Map<string, number>()
  const list: string[] = []
  let bytes = 0
  return {
    has: (word: string) => codes.has(word),
    codeOf(word: string): number {
      const known = codes.get(word)
      if (known !== undefined) return known
      const own = ownText(word)
      bytes += wordBytes(word)
      codes.set(own, list.push(own))
      return list.length
    },
    list: () => list,
    bytes: () => bytes,
  }
}

const [MINUS, POINT, ZERO, NINE] = [45, 46, 48, 57]

/** Most numbers of most files pass here, so it reads each character once. */
function howOf(text: string): number {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  let point = -1
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === POINT && point === -1 && at > start) point = at
    else if (code < ZERO || code > NINE) return shortestOf(text)
  }
  const end = point === -1 ? text.length : point
  const digits = text.length - start - (point === -1 ? 0 : 1)
  const decimals = text.length - end - (point === -1 ? 0 : 1)
  if (digits > DIGITS_MAX) return shortestOf(text)
  if (end === start || (end - start > 1 && text.charCodeAt(start) === ZERO) || (point !== -1 && decimals === 0))
    return WORD
  return start === 1 && Number(text) === 0 ? WORD : DECIMALS + decimals
}

function shortestOf(text: string): number {
  if (text.length > CHARS_MAX) return WORD
  const value = Number(text)
  return Number.isFinite(value) && String(value) === text && (formBits(text) & DOT) !== 0 ? SHORTEST : WORD
}

function formsOfPlain(text: string, how: number): number {
  if (how === DECIMALS) return WHOLE_FORMS
  // Three decimals may be a group of thousands.
  return how === DECIMALS + 3 || how === SHORTEST ? formBits(text) : FRACTION_FORMS
}

const writeNumber = (how: number, value: number) => (how === SHORTEST ? String(value) : value.toFixed(how - DECIMALS))

function codeOf(how: number, value: number, words: Words): number {
  if (how === MISSING) return 0
  return how === WORD ? value : words.codeOf(writeNumber(how, value))
}

function numbersOf(
  values: Float64Array | null,
  hows: Uint8Array,
  length: number,
  words: readonly string[],
  kind: ColumnKind & { style: DecimalMark },
): Float64Array {
  const all = new Float64Array(length).fill(Number.NaN)
  if (values === null) return all
  const ofWords = words.map((word) => Number(cellValueOf(kind, word)))
  for (let row = 0; row < Math.min(length, values.length); row++) {
    const [how, value] = [hows[row] ?? MISSING, values[row] ?? 0]
    if (how === WORD) all[row] = ofWords[value - 1] ?? Number.NaN
    else if (how !== MISSING) {
      all[row] = kind.style === 'comma' && how > DECIMALS ? cellNumber(writeNumber(how, value), 'comma') : value
    }
  }
  return all
}

/** The words of the column after conversion: two that mean the same become one. */
function mergeWords(codes: Uint32Array, words: string[], kind: ColumnKind): { codes: Uint32Array; words: string[] } {
  if (kind.type === 'text') return { codes, words }
  const values = newWords()
  const places = Uint32Array.from([0, ...words.map((word) => values.codeOf(String(cellValueOf(kind, word))))])
  for (let row = 0; row < codes.length; row++) codes[row] = places[codes[row] ?? 0] ?? 0
  return { codes, words: values.list() }
}
