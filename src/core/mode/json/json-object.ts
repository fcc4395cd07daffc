/**
 * Finds the one JSON object that a model meant, in a text around which it has written prose or a fence, and mends small mistakes in it
 * (ruling 32). Of two objects nobody knows which one is meant, unless they are equal or one is a part of the other.
 */
import { isRecord } from '../../terms/plain/is-record.ts'
import { parseBoundedJson } from '../json-text.ts'
import { LIBRARY_CHARS_MAX, mendJson } from './repair.ts'
import { objectRegions, REGIONS_MAX } from './regions.ts'

type JsonObject = Record<string, unknown>
export type FoundObject = { ok: true; value: JsonObject } | { ok: false; reason: string }

/** Twice as long as any reply that is kept. Of longer texts only the whole one is parsed, which costs little for each character. */
const CHARS_MAX = 131_072

const MANY = (count: string | number) => `the reply has ${count} JSON objects; give one`
const NONE = 'the reply has no JSON object'
const LIST = 'the reply is a JSON list, but not an object'

export const isTooLong = ({ length }: string): boolean => length > CHARS_MAX
const TOO_LONG = ({ length }: string) =>
  `the reply is not valid JSON, and ${length} characters are too many to look for an object in it (at most ${CHARS_MAX})`

/** `text` is trimmed. */
export function findObject(text: string): FoundObject {
  const whole = parseBoundedJson(text)
  if (isRecord(whole)) return { ok: true, value: whole }
  if (Array.isArray(whole)) return { ok: false, reason: LIST }
  if (isTooLong(text)) return { ok: false, reason: TOO_LONG(text) }
  const regions = objectRegions(text)
  const [region] = regions
  if (region === undefined) return { ok: false, reason: NONE }
  if (regions.length > REGIONS_MAX) return { ok: false, reason: MANY(`more than ${REGIONS_MAX}`) }
  return regions.length === 1 ? readRegion(region) : onlyObject(regions)
}

const exactObject = (region: string): JsonObject | null => {
  const value = parseBoundedJson(region)
  return isRecord(value) ? value : null
}

function readRegion(region: string): FoundObject {
  const exact = exactObject(region)
  if (exact !== null) return { ok: true, value: exact }
  const mended = mendJson(region)
  if (!mended.ok) return mended
  const { value } = mended
  if (isRecord(value)) return { ok: true, value }
  // Objects on lines of their own are read as a list.
  return { ok: false, reason: Array.isArray(value) ? MANY(value.length) : NONE }
}

/** The object of which all others are parts. An object that cannot be read is another one. */
function onlyObject(regions: readonly string[]): FoundObject {
  const exact = regions.map((region) => ({ region, object: exactObject(region) }))
  const broken_chars = exact.reduce((sum, { region, object }) => sum + (object === null ? region.length : 0), 0)
  const isMended = broken_chars <= LIBRARY_CHARS_MAX
  const objects = exact.map(({ region, object }) => object ?? (isMended ? mendedObject(region) : null))
  const readable = objects.filter((object) => object !== null).map(withParts)
  const distinct = readable.filter((one, index) => !readable.some((other, at) => isPart(one, other, at < index)))
  const count = distinct.length + (objects.length - readable.length)
  const [only] = distinct
  return count === 1 && only !== undefined ? { ok: true, value: only.object } : { ok: false, reason: MANY(count) }
}

function mendedObject(region: string): JsonObject | null {
  const mended = readRegion(region)
  return mended.ok ? mended.value : null
}

interface ObjectParts {
  object: JsonObject
  /** The object as a text that does not depend on the order of its members, and the same of each object within it. */
  text: string
  parts: ReadonlySet<string>
}

function withParts(object: JsonObject): ObjectParts {
  const parts = new Set<string>()
  return { object, text: orderedText(object, parts), parts }
}

function orderedText(value: unknown, parts: Set<string>): string {
  if (Array.isArray(value)) return `[${value.map((one) => orderedText(one, parts)).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${orderedText(one, parts)}`)
  const text = `{${members.toSorted().join(',')}}`
  parts.add(text)
  return text
}

/** Of equal objects the first one counts. */
const isPart = (one: ObjectParts, other: ObjectParts, isEarlier: boolean): boolean =>
  other.parts.has(one.text) && (one.text !== other.text || isEarlier)
