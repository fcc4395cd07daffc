/**
 * Blots the values of secrets out of a text. A value is found as it is, in the spellings of JSON, of percent-encoding and of HTML, also one
 * within another, and in base64, alone or behind a user name; also where base64 holds it as a query or Basic carries it. Time is linear in the text: whoever wrote it may know the value.
 */

/** A text with some spelling decoded. `starts` says at which character of the whole text each of its characters begins, and where it ends. */
interface DecodedText {
  text: string
  starts: Uint32Array
}

/** Reads the spelling of one character at a position; null: there is none. */
type ReadSpelling = (text: string, at: number) => { code: number; length: number } | null
interface Spelling {
  /** A text without this character has no such spelling. */
  mark: string
  read: ReadSpelling
}

/** The spellings are decoded so many times: an answer in JSON may have a text that is JSON. */
const LAYERS_MAX = 2

/** A part of the whole text. */
interface Blot {
  start: number
  end: number
  label: string
}

/** What is looked for: a value, or its characters in base64. */
interface Needle {
  pattern: string
  label: string
  /** How many characters of base64 before and after have some bits of the value. */
  before: number
  after: number
}

/** How many characters may still be looked through for other spellings. */
interface WorkBudget {
  left: number
}

/** More than is ever shown of an answer. Looking through so many costs about a tenth of a second where a text is made to cost the most. */
const WORK_CHARS_MAX = 131_072
export const newWorkBudget = (): WorkBudget => ({ left: WORK_CHARS_MAX })

/** A text is looked through piece by piece, so that a long one takes no more memory than a short one. */
const PIECE_CHARS = 49_152
/** A character in two spellings takes at most so many. */
const SPELLED_CHARS = 100
/** The pieces overlap by so much of a value at most. */
const OVERLAP_CHARS_MAX = 16_384

/** What stands in place of a piece for which no work is left. */
const LEFT_OUT = '…'

/** Looks for the values in a text. `budget` is the work that is left for all texts of one answer; a text alone has its own. */
type Redact = (text: string, budget?: WorkBudget) => string

export function redactor(values: Iterable<readonly [name: string, value: string]>): Redact {
  const pairs = [...values]
  const needles = pairs.flatMap(([name, value]) => needlesFor(`[secret:${name}]`, value))
  const spellings = pairs.some(([, value]) => value.includes(' ')) ? [...SPELLINGS, FORM] : SPELLINGS
  if (needles.length === 0) return (text) => text
  const marks = spellings.map(({ mark }) => mark)
  const starts = [...new Set(needles.map(({ pattern }) => pattern.slice(0, START_CHARS)))]
  const overlap = Math.min(OVERLAP_CHARS_MAX, SPELLED_CHARS * Math.max(...pairs.map(([, value]) => value.length)))
  return (text, budget = newWorkBudget()) => {
    const blots: Blot[] = []
    for (let at = 0; at < text.length; at += PIECE_CHARS) {
      const from = Math.max(0, at - overlap)
      const piece = text.slice(from, at + PIECE_CHARS + overlap)
      // Where there is neither a mark of a spelling nor the start of a value there is nothing to find.
      if (![...marks, ...starts].some((part) => piece.includes(part))) continue
      budget.left -= piece.length
      if (budget.left < 0) blots.push({ start: at, end: Math.min(text.length, at + PIECE_CHARS), label: LEFT_OUT })
      else blots.push(...blotsIn(asWritten(piece, from), needles, spellings, LAYERS_MAX))
    }
    return blots.length === 0 ? text : blotOut(text, blots)
  }
}

function asWritten(text: string, from: number): DecodedText {
  const starts = new Uint32Array(text.length + 1)
  for (let at = 0; at < starts.length; at++) starts[at] = from + at
  return { text, starts }
}

function blotsIn(decoded: DecodedText, needles: Needle[], spellings: readonly Spelling[], layers: number): Blot[] {
  const own = needles.flatMap((needle) => blotsOf(decoded, needle))
  if (layers === 0) return own
  const inner = spellings.flatMap((spelling) => {
    const next = decodeSpelling(decoded, spelling)
    return next === null ? [] : blotsIn(next, needles, spellings, layers - 1)
  })
  return [...own, ...inner]
}

function blotsOf({ text, starts }: DecodedText, { pattern, label, before, after }: Needle): Blot[] {
  const blots: Blot[] = []
  for (const at of positionsOf(pattern, text)) {
    const first = before > 0 && isBase64(text, at - 1) ? at - 1 : at
    const end = at + pattern.length
    const last = after > 0 && isBase64(text, end) ? end + 1 : end
    const blot = { start: starts[first] ?? 0, end: starts[last] ?? 0, label }
    const previous = blots.at(-1)
    // The value may overlap itself.
    if (previous !== undefined && blot.start <= previous.end) previous.end = Math.max(previous.end, blot.end)
    else blots.push(blot)
  }
  return blots
}

/** The parts between the blots, with a label for each group of blots that overlap. */
function blotOut(text: string, blots: Blot[]): string {
  const parts: string[] = []
  let done = 0
  for (const { start, end, label } of blots.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (start >= done) parts.push(text.slice(done, start), label)
    done = Math.max(done, end)
  }
  return parts.join('') + text.slice(done)
}

const BASE64 = /^[A-Za-z0-9+/_-]$/
const isBase64 = (text: string, at: number): boolean => BASE64.test(text.charAt(at))

/** Where the value begins within three bytes of what was encoded: alone, or behind a user name of any length. */
const SHIFTS = [0, 1, 2]
const BITS = 6

function needlesFor(label: string, value: string): Needle[] {
  const text = value.toWellFormed()
  // A request carries a value percent-encoded in its query and in base64 as Basic, and a server may write either in base64.
  const carried = new Set([text, encodeURIComponent(text), btoa(bytesOf(text))])
  const encoded = [...carried].flatMap((one) => base64Needles(label, bytesOf(one)))
  return [{ pattern: value, label, before: 0, after: 0 }, ...encoded]
}

/** Each byte of UTF-8 as a character, as `btoa` wants them: a token that a server has made may have any characters. */
const bytesOf = (text: string): string => Array.from(new TextEncoder().encode(text), charOf).join('')
const charOf = (code: number): string => String.fromCharCode(code)

function base64Needles(label: string, bytes: string): Needle[] {
  return SHIFTS.flatMap((shift) => {
    const bits = 8 * (shift + bytes.length)
    // Only characters without a bit of a neighbour are the same in every text.
    const whole = btoa('\0'.repeat(shift) + bytes).slice(Math.ceil((8 * shift) / BITS), Math.floor(bits / BITS))
    const edges = { label, before: shift === 0 ? 0 : 1, after: bits % BITS === 0 ? 0 : 1 }
    const alphabets = new Set([whole, whole.replaceAll('+', '-').replaceAll('/', '_')])
    return [...alphabets].map((pattern) => ({ pattern, ...edges }))
  })
}

/** A start of this length is looked for first. It is so short that even the worst text costs little. */
const START_CHARS = 8

/** Where the pattern begins, in order, overlapping ones too. The way of Knuth, Morris and Pratt: no character is compared again and again. */
function* positionsOf(pattern: string, text: string): Generator<number> {
  const start = text.indexOf(pattern.slice(0, START_CHARS))
  if (start === -1) return
  const borders = bordersOf(pattern)
  let matched = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (matched > 0 && code !== pattern.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
    if (code === pattern.charCodeAt(matched)) matched++
    if (matched < pattern.length) continue
    yield at - pattern.length + 1
    matched = borders[matched - 1] ?? 0
  }
}

/** For each start of the pattern, the length of the longest shorter start that it ends with. */
function bordersOf(pattern: string): Uint32Array {
  const borders = new Uint32Array(pattern.length)
  let matched = 0
  for (let at = 1; at < pattern.length; at++) {
    while (matched > 0 && pattern.charCodeAt(at) !== pattern.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
    if (pattern.charCodeAt(at) === pattern.charCodeAt(matched)) matched++
    borders[at] = matched
  }
  return borders
}

/** null: the text has no such spelling. */
function decodeSpelling({ text, starts }: DecodedText, { mark, read }: Spelling): DecodedText | null {
  if (!text.includes(mark)) return null
  const codes = new Uint16Array(text.length)
  const decoded_starts = new Uint32Array(text.length + 1)
  let length = 0
  for (let at = 0; at < text.length; length++) {
    const spelled = read(text, at)
    codes[length] = spelled?.code ?? text.charCodeAt(at)
    decoded_starts[length] = starts[at] ?? 0
    at += spelled?.length ?? 1
  }
  if (length === text.length && mark !== FORM.mark) return null
  decoded_starts[length] = starts[text.length] ?? 0
  return { text: textOf(codes.subarray(0, length)), starts: decoded_starts }
}

/** So many codes fit into the arguments of one call. */
const CODES_PER_CALL = 8_192

function textOf(codes: Uint16Array): string {
  const parts: string[] = []
  for (let at = 0; at < codes.length; at += CODES_PER_CALL)
    parts.push(String.fromCharCode(...codes.subarray(at, at + CODES_PER_CALL)))
  return parts.join('')
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

const SPELLINGS: readonly Spelling[] = [
  { mark: '\\', read: readEscape },
  { mark: '%', read: readPercent },
  { mark: '&', read: readEntity },
]
const FORM: Spelling = { mark: '+', read: readForm }
