/** Texts of an OpenAPI document as models read them, and the names of its tools. */
import { looseName } from '../../core/terms/client-tools.ts'
import { fingerprint } from '../../core/terms/values/hash.ts'

/** Marks take room too. */
const READ_FACTOR = 4

/** A text without tags, invisible characters and layout, cut at `chars_max`. */
export function plainText(text: string, chars_max: number): string {
  const plain = text
    .slice(0, chars_max * READ_FACTOR)
    .replaceAll(/<\/?[A-Za-z][^<>]*>/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
  if (plain.length <= chars_max) return plain
  // The cut may divide a character.
  return chars_max === 0 ? '' : `${plain.slice(0, chars_max - 1).replace(/\p{Cs}$/u, '')}…`
}

const NAME_CHARS_MAX = 64
/** A longer hash tells those apart that share the shorter one. */
const HASH_CHARS = [6, 16]
const DASH = '_'

/** `<source>.<operation>` of A-Z a-z 0-9 _ -, at most 64 characters, different from the taken ones also without case and signs. */
export function toolName(source: string, operation: { id: string; key: string }, taken: ReadonlySet<string>): string {
  const id = operation.id.replaceAll(/[^A-Za-z0-9_-]+/g, DASH).replaceAll(/^_+|_+$/g, '')
  const name = `${source}.${id}`
  // A name of other letters has nothing left.
  if (id !== '' && name.length <= NAME_CHARS_MAX && !taken.has(looseName(name))) return name
  const [short = name, long = name] = HASH_CHARS.map((chars) => {
    const hash = fingerprint(operation.key).slice(0, chars)
    return `${name.slice(0, NAME_CHARS_MAX - chars - 1)}${id === '' ? '' : DASH}${hash}`
  })
  return taken.has(looseName(short)) ? long : short
}

const ARGUMENT_CHARS_MAX = 64

/** A name that all providers take for an argument. */
export const argumentName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, DASH)
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, ARGUMENT_CHARS_MAX) || 'value'
