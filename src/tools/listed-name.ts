/** The names of tools that a source lists. */
import { looseName } from '../core/terms/tools/client-tools.ts'
import { fingerprint } from '../core/terms/values/hash.ts'

const NAME_CHARS_MAX = 64
/** A longer hash tells those apart that share the shorter one. */
const HASH_CHARS = [6, 16]

/**
 * `<source>.<tool>` where it is short enough and differs from the taken ones also without case and signs, otherwise with a hash at its end.
 * `key` is what the source calls the tool, so the name stays the same from list to list.
 */
export function freeName(name: string, key: string, taken: ReadonlySet<string>): string {
  // Of a name of other letters nothing may be left.
  const is_empty = name.endsWith('.')
  const hash = fingerprint(key)
  const hashed = HASH_CHARS.map(
    (chars) => `${name.slice(0, NAME_CHARS_MAX - chars - 1)}${is_empty ? '' : '_'}${hash.slice(0, chars)}`,
  )
  const candidates = is_empty || name.length > NAME_CHARS_MAX ? hashed : [name, ...hashed]
  return candidates.find((one) => !taken.has(looseName(one))) ?? candidates.at(-1) ?? name
}
