/**
 * Mends the JSON of a model within bounds: a trailing comma, smart or single quotes, a missing bracket at the end (ruling 32). The
 * result depends on the text alone, and what is not mended has a reason.
 */
import { jsonrepair, JSONRepairError } from 'jsonrepair'
import { parseBoundedJson } from '../json-text.ts'
import { readLooseJson } from './loose-json.ts'

type MendedJson = { ok: true; value: unknown } | { ok: false; reason: string }

/** The time of the library may grow with the square of a text. Longer ones are only read as loose JSON, in one pass. */
export const LIBRARY_CHARS_MAX = 16_384

export function mendJson(text: string): MendedJson {
  if (isCut(text)) return refused(placeOf(text, text.length))
  const isLong = text.length > LIBRARY_CHARS_MAX
  // The library drops backslashes and changes quotation marks within texts, so it only gets what the loose reading cannot read.
  const value = isLong || !SCRIPT.test(text) ? readLooseJson(text) : undefined
  if (value !== undefined) return { ok: true, value }
  if (TRIPLE_MARKS.test(text) || (FULL_WIDTH.test(text) && STRUCTURE_IN_FULL_WIDTH.test(text))) return refused(UNCLEAR)
  return isLong ? refused(tooLong(text.length)) : repairByLibrary(text)
}

const refused = (why: string): MendedJson => ({ ok: false, reason: `${BROKEN}${why}` })
const BROKEN = 'the JSON object of the reply cannot be read'
const tooLong = (chars: number) =>
  `: it is not valid JSON, and ${chars} characters are too many to mend it (at most ${LIBRARY_CHARS_MAX})`
const TOO_MANY = ': it has more mistakes than can be mended'
const UNCLEAR = String.raw`: it is unclear where a text in it ends; within a text write \" for a quotation mark, and between members the signs , and : of ASCII`

const SHOWN_CHARS = 60

/** The text before the place where the object stops being JSON, so that a model finds its mistake. */
const placeOf = (text: string, at: number): string =>
  `: it stops being JSON behind ${JSON.stringify(text.slice(Math.max(0, at - SHOWN_CHARS), at))}`

/** Texts that are added together, and comments. The loose reading would take them for parts of a text. */
const SCRIPT = /["']\s{0,20}\+\s{0,20}["']|[\n,{["'\d]\s{0,20}\/\/ |\/\*/
/** Three marks around a text of several lines, as in Python. The library would make two texts of it. */
const TRIPLE_MARKS = /""""?[^",:}\]]|'''/

const FULL_WIDTH = /[：，｛｝［］]/

/** A sign in full width where a member may begin or end. The library would take it for a part of a text. */
const STRUCTURE_IN_FULL_WIDTH =
  /(?<!\\)["']\s{0,20}(?:[：，｝］]|:\s{0,20}[｛［])|[{,，]\s{0,20}[“‘][^“”‘’\n]{1,100}[”’]\s{0,20}：|，\s{0,20}["'][^"'\n]{1,100}["']\s{0,20}[:：]|[}\]]\s{0,20}，\s{0,20}["“'‘{[]/

/** The library calls itself for each bracket. */
const BRACKETS_MAX = 2_000

function repairByLibrary(text: string): MendedJson {
  if ((text.match(/[[{(+]/g)?.length ?? 0) > BRACKETS_MAX) return refused(TOO_MANY)
  try {
    const value = parseBoundedJson(jsonrepair(meteredText(text)))
    return value === undefined ? refused('') : { ok: true, value }
  } catch (error) {
    return refused(error instanceof JSONRepairError ? placeOf(text, error.position) : TOO_MANY)
  }
}

/** Where the library doubts a quotation mark, it goes back and reads the rest of the text again, for each mark in it. */
const READS_PER_CHAR = 1.5
const READS_MIN = 8_000

/**
 * The text for the library, which throws once it was read too often. The library walks along a text by these two methods, so that
 * they count its work. A string object has the characters and the other methods of its text.
 */
function meteredText(text: string): string {
  let left = READS_MIN + READS_PER_CHAR * text.length
  const count = () => {
    left -= 1
    if (left < 0) throw new RangeError('the text was read too often')
  }
  return Object.assign(Object(text), {
    charAt(index: number) {
      count()
      return text.charAt(index)
    },
    charCodeAt(index: number) {
      count()
      return text.charCodeAt(index)
    },
  })
}

/** A text that ends within a value was cut. Nobody knows how the value goes on, so it is not completed. */
export function isCut(text: string): boolean {
  const last = text.trimEnd().slice(-1)
  return !VALUE_ENDS.has(last) || (endsInString(text) && !CLOSING_BRACES.has(last))
}

const VALUE_ENDS = new Set('}]｝］"\'”’')
/** A quotation mark within a text may lack its backslash, so the number of marks tells nothing behind a closed object. */
const CLOSING_BRACES = new Set('}｝')

function endsInString(text: string): boolean {
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '"') quoted = !quoted
  }
  return quoted
}
