/**
 * The forms that a cell may be read in, as bits. The forms of a column are those that all its cells share: one cell that does not fit makes the
 * column text, and a day beyond the twelfth settles which number is the month.
 */
import { dateForms } from './dates.ts'

/** `1,234.5`: a number with a decimal point. */
export const DOT = 1
/** `1.234,5`: a number with a decimal comma. */
export const COMMA = 1 << 1
/** The number has no comma, so nothing suggests a decimal comma. */
export const NO_COMMA = 1 << 2
/** The number has no fraction when it is read with a decimal point, or with a decimal comma. */
export const DOT_WHOLE = 1 << 3
export const COMMA_WHOLE = 1 << 4
/** The sign beside a number: none, a currency sign or `%`. A bare number may stand among amounts of money, never among percents. */
export const BARE = 1 << 5
export const PERCENT = 1 << 6
const MONEY = new Map([
  ['$', 1 << 7],
  ['€', 1 << 8],
  ['£', 1 << 9],
  ['¥', 1 << 10],
  ['￥', 1 << 10],
  ['₹', 1 << 11],
])
const ANY_MONEY = [...MONEY.values()].reduce((all, bit) => all | bit, 0)
export const BOOLEAN = 1 << 12
// The bits 13 to 17 belong to dates.ts.
export const EVERY = (1 << 18) - 1
/** The signs; a column is numeric only while its cells share one of them. */
export const SIGNS = BARE | PERCENT | ANY_MONEY

/** A longer cell is text. */
const CHARS_MAX = 48

export const TRUE_WORDS: ReadonlySet<string> = new Set(['true', 'yes', '是'])
const BOOLEAN_WORDS: ReadonlySet<string> = new Set([...TRUE_WORDS, 'false', 'no', '否'])

/** The forms in which a cell can be read, one bit each. It expects a trimmed text that is not missing. 0: it is nothing but text. */
export function formBits(text: string): number {
  if (text.length > CHARS_MAX) return 0
  const plain = plainForms(text)
  if (plain !== 0) return plain | BARE | ANY_MONEY
  const digit = /\d/.test(text)
  if (!digit) return BOOLEAN_WORDS.has(text.toLowerCase()) ? BOOLEAN : 0
  return dateForms(text) | signedForms(text)
}

// A number that begins with 0 is a code, such as a postal code or a phone number.
const PLAIN = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/
const WHOLE = /^[+-]?\d+$/
const DOTS_GROUP = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+$/
const COMMAS_GROUP = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(\.\d+)?$/
const FRACTION_COMMA = /^[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|0|[1-9]\d*),\d+$/

/** The forms of a number without thousands separators and signs. A number that would lose digits is the id of something and gets none. */
function plainForms(text: string): number {
  if (!PLAIN.test(text)) return 0
  if (WHOLE.test(text)) return Number.isSafeInteger(Number(text)) ? DOT | COMMA | NO_COMMA | DOT_WHOLE | COMMA_WHOLE : 0
  if (!Number.isFinite(Number(text))) return 0
  return DOT | NO_COMMA | (DOTS_GROUP.test(text) ? COMMA | COMMA_WHOLE : 0)
}

function signedForms(text: string): number {
  const { body, sign } = withoutSign(text)
  const plain = plainForms(body)
  if (plain !== 0) return plain | sign
  const grouped = COMMAS_GROUP.exec(body)
  const dot = grouped === null ? 0 : DOT | (grouped[1] === undefined ? DOT_WHOLE : 0)
  const comma = FRACTION_COMMA.test(body) || DOTS_GROUP.test(body)
  const forms = dot | (comma ? COMMA | (body.includes(',') ? 0 : COMMA_WHOLE) : 0)
  return forms === 0 ? 0 : forms | sign
}

function withoutSign(text: string): { body: string; sign: number } {
  if (text.endsWith('%')) return { body: text.slice(0, -1).trimEnd(), sign: PERCENT }
  const minus = /^[+-]/.exec(text)?.[0] ?? ''
  const rest = text.slice(minus.length)
  const before = MONEY.get(rest.charAt(0))
  if (before !== undefined) return { body: join(minus, rest.slice(1).trimStart()), sign: before }
  const behind = MONEY.get(rest.slice(-1))
  if (behind !== undefined) return { body: join(minus, rest.slice(0, -1).trimEnd()), sign: behind }
  return { body: text, sign: BARE | ANY_MONEY }
}

/** `-$5` and `$-5` are the same number; `-$-5` is no number. */
const join = (minus: string, body: string) => (minus !== '' && /^[+-]/.test(body) ? '' : minus + body)

/** Expects a text that has the forms of a number with this decimal mark. */
export function cellNumber(text: string, style: 'dot' | 'comma'): number {
  if (style === 'dot') {
    const plain = Number(text)
    if (!Number.isNaN(plain)) return plain
    return Number(text.replace(/[^\d.eE+-]/g, ''))
  }
  return Number(text.replace(/[^\d,eE+-]/g, '').replace(',', '.'))
}
