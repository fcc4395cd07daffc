/** Finds the first place where two JSON values differ. The result is small enough for an answer, however large they are. */
import { cut } from '../text.ts'

interface ValueDifference {
  /** A JSON pointer (RFC 6901). */
  path: string
  expected: unknown
  found: unknown
}

const SHOWN_CHARS = 200

/** The first difference, or null. An undefined member counts as a missing one. The paths in `ignored` are not compared. */
export function firstDifference(
  expected: unknown,
  found: unknown,
  path = '',
  ignored: readonly string[] = [],
): ValueDifference | null {
  if (Object.is(expected, found) || ignored.includes(path)) return null
  if (!isContainer(expected) || !isContainer(found) || Array.isArray(expected) !== Array.isArray(found)) {
    return { path, expected: shorten(expected), found: shorten(found) }
  }
  const [expectedMembers, foundMembers] = [new Map(Object.entries(expected)), new Map(Object.entries(found))]
  for (const name of new Set([...expectedMembers.keys(), ...foundMembers.keys()])) {
    const [one, other] = [expectedMembers.get(name), foundMembers.get(name)]
    if (Object.is(one, other)) continue
    const inner = firstDifference(one, other, `${path}/${escapePointer(name)}`, ignored)
    if (inner !== null) return inner
  }
  return null
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const escapePointer = (name: string) => cut(name.replaceAll('~', '~0').replaceAll('/', '~1'), SHOWN_CHARS)

/** The value itself if it is short, else the beginning of its JSON. A missing value becomes null. */
export function shorten(value: unknown): unknown {
  const text = JSON.stringify(value)
  if (text === undefined) return null
  return text.length <= SHOWN_CHARS ? value : `${cut(text, SHOWN_CHARS)}`
}
