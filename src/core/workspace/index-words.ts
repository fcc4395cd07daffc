/**
 * The words by which an index database finds tasks of a tenant: parts of a goal or an id, and labels. A search looks for all parts of its
 * text and then compares the text itself, so that a part that two texts share finds nothing wrong.
 *
 * Letters of an alphabet are kept in threes. A Chinese character says as much as a word, so each is kept by itself and in pairs. Each word
 * begins with the tenant. A word is letters and digits of ASCII only, so that no tokenizer divides it.
 */
import { foldCase } from './search-match.ts'

/** From here on, a character of Unicode says about as much as a word: Chinese, Japanese, Korean, symbols. */
const WIDE = 0x2e80
const isWide = (char: string): boolean => (char.codePointAt(0) ?? 0) >= WIDE

/** What an index keeps of an entry to find it by. */
interface IndexedWords {
  id: string
  mode: string
  goal: string
  metadata: Record<string, string>
  agent: string
  /** Empty: it is no fork. null: unknown, as of a task of an earlier release. */
  forked_from: string | null
}

/** The parts of a folded text. Empty for one or two letters of an alphabet. */
function gramsOf(text: string): Set<string> {
  const chars = [...text]
  const parts = new Set<string>()
  chars.forEach((char, at) => {
    const [second, third] = [chars[at + 1], chars[at + 2]]
    if (isWide(char)) parts.add(char)
    if (second === undefined) return
    if (isWide(char) || isWide(second)) parts.add(char + second)
    else if (third !== undefined && !isWide(third)) parts.add(char + second + third)
  })
  return parts
}

/** All words of an entry, separated by spaces. */
export function entryWords(tenant: string, entry: IndexedWords): string {
  const { id, mode, goal, metadata, agent, forked_from } = entry
  const own = namesOf(tenant)
  const labels = Object.entries(metadata).map(([key, value]) => own.label(key, value))
  const made_by = agent === '' ? [] : [own.agent(agent)]
  const parent = forked_from === '' ? [] : [own.fork(forked_from)]
  const parts = [...new Set([...gramsOf(foldCase(id)), ...gramsOf(goal)])].map(own.part)
  return [own.mode(mode), ...labels, ...made_by, ...parent, ...parts].join(' ')
}

/** The names of words of a tenant. */
export function namesOf(tenant: string) {
  const own = digest(tenant)
  return {
    part: (part: string) => `${own}g${spelled(part)}`,
    mode: (mode: string) => `${own}o${digest(mode)}`,
    label: (key: string, value: string) => `${own}m${digest(`${key}\0${value}`)}`,
    agent: (name: string) => `${own}a${digest(name)}`,
    fork: (parent: string | null) => `${own}f${parent === null ? '' : digest(parent)}`,
  }
}

/** The most parts of a search that are looked for; the text itself is compared anyway. */
const PARTS_MAX = 24

/** The words that every entry has that contains this folded text. Empty: the text is too short to have any. */
export function wordsOfSearch(tenant: string, text: string): string[] {
  const parts = [...gramsOf(text)]
  // A pair of Chinese characters is rarer than either of them.
  const pairs = parts.filter((part) => [...part].length > 1)
  const telling = pairs.length > 0 ? pairs : parts
  const every = Math.max(1, telling.length / PARTS_MAX)
  const chosen = Array.from({ length: Math.min(telling.length, PARTS_MAX) }, (_, n) => telling[Math.floor(n * every)])
  return chosen.map((part) => namesOf(tenant).part(part ?? ''))
}

/** `z` begins and ends the number of a character that is no letter or digit. */
const spelled = (part: string): string =>
  [...part].map((char) => (/[a-y0-9]/.test(char) ? char : `z${char.codePointAt(0)?.toString(16)}z`)).join('')

const DIGEST_CHARS = 11

/**
 * 53 bits of a text, as letters and digits. Two texts with the same digest are told apart by whoever reads what was found: no answer depends
 * on it.
 */
function digest(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  const number = 4_294_967_296 * (2_097_151 & low) + (high >>> 0)
  return number.toString(36).padStart(DIGEST_CHARS, '0')
}
