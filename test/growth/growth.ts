/** How the time of a reader grows with its text. */
import { cpuOf, cpuWithin } from './measure.ts'
import type { Parser } from './parsers.ts'
import type { Shape } from './shapes.ts'

const SMALL_CHARS = 65_536
const LARGE_CHARS = 1_048_576
/** As often is the small text read, so that both sides compute, and leave behind, as much. */
const TIMES = LARGE_CHARS / SMALL_CHARS
/** Of 64 KB. */
const SMALL_MS = 250
/** Of the longest text that reaches a reader whose callers bound it. */
const REACHED_MS = 120
/** A line is 16, a square is 256. Beside other tests both runs do not have the same share of the caches. */
const RATIO_MAX = process.env['GROWTH'] === 'all' ? 20 : 48
/** Shorter runs say nothing of a ratio. A square of 64 KB that took 2 ms would take half a second for 1 MB. */
const LARGE_MS = 150
/** Of each length, in turn, until the ratio is held: a collector that falls into one of them is not the reader's doing. */
const ROUNDS = 4

export interface Growth {
  small_ms: number
  /** null: no text of this length reaches it. */
  large_ms: number | null
  /** What is too slow, in one line; null: nothing. */
  flaw: string | null
}

export async function growthOf(parser: Parser, shape: Shape): Promise<Growth> {
  const chars = parser.reaches?.chars ?? SMALL_CHARS
  const most = parser.reaches === undefined ? SMALL_MS : REACHED_MS
  const small = readingOf(parser, shape, chars)
  const once_ms = await cpuWithin(most, small)
  if (once_ms > most) {
    const flaw = `${chars} characters take ${ms(once_ms)}, more than ${most} ms`
    return { small_ms: once_ms, large_ms: null, flaw }
  }
  if (parser.reaches !== undefined) return { small_ms: once_ms, large_ms: null, flaw: null }
  const large = readingOf(parser, shape, LARGE_CHARS)
  let [small_ms, large_ms] = [once_ms, Infinity]
  for (let round = 0; round < ROUNDS; round++) {
    large_ms = Math.min(large_ms, await cpuOf(large))
    if (large_ms <= LARGE_MS) break
    small_ms = round === 0 ? await meanOf(small) : Math.min(small_ms, await meanOf(small))
    if (large_ms <= RATIO_MAX * small_ms) break
  }
  const isSlow = large_ms > Math.max(LARGE_MS, RATIO_MAX * small_ms)
  const flaw = isSlow ? `${ms(small_ms)} for 64 KB become ${ms(large_ms)} for 1 MB` : null
  return { small_ms, large_ms, flaw }
}

async function meanOf(act: () => unknown): Promise<number> {
  const whole = await cpuOf(async () => {
    for (let time = 0; time < TIMES; time++) await act()
  })
  return whole / TIMES
}

/** The text is one flat string: one that is still in pieces is put together where it is first read, which is the shape's cost. */
function readingOf(parser: Parser, shape: Shape, chars: number): () => unknown {
  const text = flat(shape(chars).slice(0, chars))
  return parser.prepared?.(text) ?? (() => parser.read(text))
}
const flat = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le')

const ms = (time: number) => `${time.toFixed(1)} ms`

const SHORT_CHARS = 4_096
/** What takes the cube of its length is over this by far, and is found out at once. */
const SHORT_MS = 100

/** The shapes that take longest, by a short run of each; and those that take too long already. */
export async function worstShapes(parser: Parser, shapes: Readonly<Record<string, Shape>>, count: number) {
  const runs: { name: string; ms: number }[] = []
  const chars = Math.min(SHORT_CHARS, parser.reaches?.chars ?? SHORT_CHARS)
  for (const [name, shape] of Object.entries(shapes))
    runs.push({ name, ms: await cpuOf(readingOf(parser, shape, chars)) })
  const ordered = runs.toSorted((one, other) => other.ms - one.ms)
  return ordered.filter(({ ms: took }, at) => at < count || took > SHORT_MS).map(({ name }) => name)
}
