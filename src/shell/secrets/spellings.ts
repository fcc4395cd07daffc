/** How JSON, addresses, HTML and forms write a character. What is read here is only found, so that it can be blotted out. */

/** Reads the spelling of one character at a position; null: there is none. */
type ReadSpelling = (text: string, at: number) => { code: number; length: number } | null
export interface Spelling {
  /** A text without this character has no such spelling. */
  mark: string
  read: ReadSpelling
}

/** `\"`, `\/`, `\n`, `\u0041`; other languages also write `\'` and `\x41`. */
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const HEX_DIGITS: Readonly<Record<string, number>> = { u: 4, x: 2 }

const readEscape: ReadSpelling = (text, at) => {
  if (text[at] !== '\\') return null
  const sign = text[at + 1] ?? ''
  const digits = HEX_DIGITS[sign]
  if (digits !== undefined) return hexAt(text, at + 2, digits, 2)
  if (`"'\\/`.includes(sign) && sign !== '') return { code: sign.charCodeAt(0), length: 2 }
  const control = ESCAPES[sign]
  return control === undefined ? null : { code: control.charCodeAt(0), length: 2 }
}

const readPercent: ReadSpelling = (text, at) => (text[at] === '%' ? hexAt(text, at + 1, 2, 1) : null)

/** A form writes a blank as `+`. */
const readForm: ReadSpelling = (text, at) => (text[at] === '+' ? { code: 32, length: 1 } : readPercent(text, at))

const HEX = /^[0-9a-f]+$/i
function hexAt(text: string, at: number, digits: number, before: number): ReturnType<ReadSpelling> {
  const hex = text.slice(at, at + digits)
  return hex.length === digits && HEX.test(hex) ? { code: Number.parseInt(hex, 16), length: before + digits } : null
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** `&#0000039;` is the longest that is read. */
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/iy

const readEntity: ReadSpelling = (text, at) => {
  if (text[at] !== '&') return null
  ENTITY.lastIndex = at
  const [whole = '', decimal, hex, name] = ENTITY.exec(text) ?? []
  const named = ENTITIES[(name ?? '').toLowerCase()]?.charCodeAt(0)
  const code = decimal === undefined ? (hex === undefined ? named : Number.parseInt(hex, 16)) : Number(decimal)
  return code === undefined ? null : { code, length: whole.length }
}

export const SPELLINGS: readonly Spelling[] = [
  { mark: '\\', read: readEscape },
  { mark: '%', read: readPercent },
  { mark: '&', read: readEntity },
]
export const FORM: Spelling = { mark: '+', read: readForm }
