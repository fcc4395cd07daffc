/** The first place where two values of JSON differ, and what stands there: small enough for an answer, whatever the values are. */
import { cut } from '../text.ts'

export interface Differing {
  /** As in RFC 6901. */
  path: string
  expected: unknown
  found: unknown
}

const SHOWN_CHARS = 200

/** A member that is undefined is one that is not there. */
export function firstDifference(expected: unknown, found: unknown, path = ''): Differing | null {
  if (Object.is(expected, found)) return null
  if (!isContainer(expected) || !isContainer(found) || Array.isArray(expected) !== Array.isArray(found)) {
    return { path, expected: shorten(expected), found: shorten(found) }
  }
  const [one, other] = [new Map(Object.entries(expected)), new Map(Object.entries(found))]
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const inner = firstDifference(one.get(name), other.get(name), `${path}/${escaped(name)}`)
    if (inner !== null) return inner
  }
  return null
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const escaped = (name: string) => cut(name.replaceAll('~', '~0').replaceAll('/', '~1'), SHOWN_CHARS)

/** The value itself where it is short, else the beginning of its JSON; null for what is not there. */
export function shorten(value: unknown): unknown {
  const text = JSON.stringify(value)
  if (text === undefined) return null
  return text.length <= SHOWN_CHARS ? value : `${cut(text, SHOWN_CHARS)}`
}
