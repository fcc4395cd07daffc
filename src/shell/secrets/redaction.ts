/**
 * Blots the values of secrets out of a text. A value is found as it is, in the spellings of JSON, of percent-encoding and of HTML, also one
 * within another, and in base64, alone or behind a user name; also where base64 holds it as a query or Basic carries it. Time is linear in the text: whoever wrote it may know the value.
 */
import { FORM, SPELLINGS, type Spelling } from './spellings.ts'

/** A text with some spelling decoded. `starts` says at which character of the whole text each of its characters begins, and where it ends. */
interface DecodedText {
  text: string
  starts: Uint32Array
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

/** How many characters may still be looked through, each again for each spelling that is tried. */
interface WorkBudget {
  left: number
}

/** A text of 1 MB as JSON writes it, or of 100 kB that are made to cost the most. So much takes about a tenth of a second. */
const WORK_CHARS_MAX = 6_553_600
export const newWorkBudget = (): WorkBudget => ({ left: WORK_CHARS_MAX })

/** A text is looked through piece by piece, so that a long one takes no more memory than a short one. */
const PIECE_CHARS = 49_152
/** A character in two spellings takes at most so many. */
const SPELLED_CHARS = 100
/** The pieces overlap by so much of a value at most. */
const OVERLAP_CHARS_MAX = 16_384

/** What stands in place of a piece for which no work is left. */
const LEFT_OUT = '[left out: too long to be searched for secrets]'

export interface Redactor {
  /** `budget` is the work that is left for all texts of one answer; a text alone has its own. */
  redact: (text: string, budget?: WorkBudget) => string
  /** The same for a text of any length. Other requests are served between its pieces. */
  redactLong: (text: string, pause: () => Promise<void>) => Promise<string>
}

export function redactor(values: Iterable<readonly [name: string, value: string]>): Redactor {
  const find = blotFinder(values)
  return {
    redact(text, budget = newWorkBudget()) {
      return blotOut(
        text,
        piecesOf(text).flatMap((piece) => find(text, piece, budget)),
      )
    },
    async redactLong(text, pause) {
      const blots: Blot[] = []
      for (const piece of piecesOf(text)) {
        blots.push(...find(text, piece, { left: Number.POSITIVE_INFINITY }))
        await pause()
      }
      return blotOut(text, blots)
    },
  }
}

interface Piece {
  start: number
  end: number
}

function piecesOf(text: string): Piece[] {
  const starts = Array.from({ length: Math.ceil(text.length / PIECE_CHARS) }, (_, index) => index * PIECE_CHARS)
  return starts.map((start) => ({ start, end: Math.min(text.length, start + PIECE_CHARS) }))
}

/** Finds what is to be blotted out of a piece of a text. */
function blotFinder(values: Iterable<readonly [name: string, value: string]>) {
  const pairs = [...values]
  const needles = pairs.flatMap(([name, value]) => needlesFor(`[secret:${name}]`, value))
  const spellings = pairs.some(([, value]) => value.includes(' ')) ? [...SPELLINGS, FORM] : SPELLINGS
  const marks = spellings.map(({ mark }) => mark)
  const starts = [...new Set(needles.map(({ pattern }) => pattern.slice(0, START_CHARS)))]
  const overlap = Math.min(OVERLAP_CHARS_MAX, SPELLED_CHARS * Math.max(0, ...pairs.map(([, value]) => value.length)))
  return (text: string, { start, end }: Piece, budget: WorkBudget): Blot[] => {
    const from = Math.max(0, start - overlap)
    const piece = text.slice(from, end + overlap)
    // Where there is neither a mark of a spelling nor the start of a value there is nothing to find.
    if (needles.length === 0 || ![...marks, ...starts].some((part) => piece.includes(part))) return []
    const blots = blotsIn(asWritten(piece, from), { needles, spellings, budget }, LAYERS_MAX)
    return budget.left < 0 ? [{ start, end, label: LEFT_OUT }] : blots
  }
}

function asWritten(text: string, from: number): DecodedText {
  const starts = new Uint32Array(text.length + 1)
  for (let at = 0; at < starts.length; at++) starts[at] = from + at
  return { text, starts }
}

interface Search {
  needles: readonly Needle[]
  spellings: readonly Spelling[]
  budget: WorkBudget
}

/** With no work left the blots are not all that there are. */
function blotsIn(decoded: DecodedText, search: Search, layers: number): Blot[] {
  search.budget.left -= decoded.text.length
  if (search.budget.left < 0) return []
  const own = search.needles.flatMap((needle) => blotsOf(decoded, needle))
  if (layers === 0) return own
  const inner = search.spellings.flatMap((spelling) => {
    const next = decodeSpelling(decoded, spelling, search.budget)
    return next === null ? [] : blotsIn(next, search, layers - 1)
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

/** null: the text has no such spelling, or no work is left. */
function decodeSpelling(
  { text, starts }: DecodedText,
  { mark, read }: Spelling,
  budget: WorkBudget,
): DecodedText | null {
  if (!text.includes(mark)) return null
  budget.left -= text.length
  if (budget.left < 0) return null
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
