/** What a message about an unknown name adds: where the name belongs, or the known name that was probably meant, or which names there are. */
import * as z from 'zod'
import { nameList, nearestName } from '../../../core/terms/values/known-names.ts'
import { innerSchema, shapeOf } from '../inner-schema.ts'

/** The other parts of a request, by the names that its route reads there. */
export interface OtherParts {
  query: readonly string[]
  headers: readonly string[]
  /** The fields of the body, for names in the query. */
  body: readonly string[]
}
export const NO_OTHER_PARTS: OtherParts = { query: [], headers: [], body: [] }

/** An object of the body, which `path` leads to. */
interface Surroundings {
  schema: z.core.$ZodType
  path: readonly PropertyKey[]
}

/** Some fields, and what other services call them. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  goal: ['prompt', 'query', 'task', 'objective', 'message', 'text', 'question'],
  input: ['message', 'text', 'answer', 'reply', 'response', 'content'],
  command: ['text', 'message', 'input'],
  callback_url: ['webhook', 'webhook_url', 'callback'],
  locale: ['lang', 'language'],
  timezone: ['tz', 'zone'],
  metadata: ['labels', 'tags'],
  drive: ['background', 'async'],
  max_cost_usd: ['budget', 'max_cost', 'max_usd'],
  limit: ['page_size', 'per_page', 'count', 'size'],
  after: ['cursor', 'page', 'offset', 'next_cursor'],
}
/** What a parameter takes that other services call otherwise. The built service has no descriptions of its schemas. */
const ABOUT: Readonly<Record<string, string>> = { after: 'next_cursor of the page before' }
/** Names under which other services take a key. */
const KEY_WORDS: ReadonlySet<string> = new Set(['api_key', 'apikey', 'authorization', 'access_token', 'bearer'])

/** A name that is only similar counts elsewhere if at most a fifth of it differs, because there are many names elsewhere. */
const ELSEWHERE_SHARE = 5

/** The end of the message about a field that the object at `path` of the body does not have. */
export function fieldHint(key: string, body: z.ZodObject, path: readonly PropertyKey[], others: OtherParts): string {
  const [here, ...outer] = surroundingsOf(body, path)
  const near = [...inner(here), ...outer.flatMap((one) => [one, ...inner(one)])]
  const place = near.find(({ schema }) => Object.hasOwn(shapeOf(schema), key))
  if (place !== undefined) return `; it belongs in ${placeName(place.path)}${besideOf(place.path, path)}`
  const part = otherPart(key, others)
  if (part !== null) return `; ${part}`
  const names = Object.keys(shapeOf(here.schema))
  const meant = meantName(key, names)
  if (meant !== null) return `; did you mean "${meant}"?`
  for (const { schema, path: at } of near) {
    const there = Object.keys(shapeOf(schema))
    const similar = meantName(key, there, ELSEWHERE_SHARE)
    if (similar !== null) return `; did you mean "${similar}" in ${placeName(at)}?`
  }
  return knownNames(names)
}

/** The end of the message about a query parameter that the route does not read. */
export function parameterHint(key: string, names: readonly string[], others: OtherParts): string {
  if (others.body.includes(key)) return '; it belongs in the body'
  const part = otherPart(key, others)
  if (part !== null) return `; ${part}`
  const meant = meantName(key, names)
  if (meant === null) return knownNames(names)
  // A name that is only misspelt is known to its writer; another word for it needs to be told.
  const about = OTHER_WORDS[meant]?.includes(key.toLowerCase()) === true ? ABOUT[meant] : undefined
  return about === undefined ? `; did you mean "${meant}"?` : `; did you mean "${meant}" (${about})?`
}

const knownNames = (names: readonly string[]) =>
  names.length === 0 ? '; leave it out, nothing is known here' : `; known: ${nameList(names)}`

/** A similar name, another word for one, or the only name that has the word as a part, such as `cost_usd` for `cost`. */
function meantName(key: string, names: readonly string[], share?: number): string | null {
  const word = key.toLowerCase()
  const meant = nearestName(key, names, share) ?? names.find((name) => OTHER_WORDS[name]?.includes(word))
  if (meant !== undefined) return meant
  const [only, ...more] = names.filter((name) => name.split('_').includes(word))
  return more.length === 0 ? (only ?? null) : null
}

const plainName = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '')

function otherPart(key: string, { query, headers }: OtherParts): string | null {
  if (query.includes(key)) return `it belongs in the query: ?${key}=…`
  if (KEY_WORDS.has(key.toLowerCase())) return 'a key is sent as the header Authorization: Bearer <key>'
  const header = key.length > 64 ? undefined : headers.find((name) => plainName(name) === plainName(key))
  return header === undefined ? null : `it is the header ${header}`
}

/** The object at `path`, and the objects around it from inside out. */
function surroundingsOf(body: z.ZodObject, path: readonly PropertyKey[]): [Surroundings, ...Surroundings[]] {
  let around: [Surroundings, ...Surroundings[]] = [{ schema: body, path: [] }]
  for (const [depth, key] of path.entries()) {
    const schema = memberAt(around[0].schema, key)
    if (schema === undefined) break
    around = [{ schema, path: path.slice(0, depth + 1) }, ...around]
  }
  return around
}

function memberAt(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  const outer = innerSchema(schema)
  if (outer instanceof z.ZodArray) return outer.element
  if (outer instanceof z.ZodRecord) return outer.valueType
  const shape = shapeOf(outer)
  return Object.hasOwn(shape, key) ? shape[String(key)] : undefined
}

/** The objects one level deeper, and the entries of lists that are required. */
const inner = ({ schema, path }: Surroundings): Surroundings[] =>
  Object.entries(shapeOf(schema)).flatMap(([key, member]) => {
    // A list that may be left out is not what the body is about.
    return member instanceof z.ZodArray
      ? [{ schema: member.element, path: [...path, key, 0] }]
      : [{ schema: member, path: [...path, key] }]
  })

function placeName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the body itself'
  const last = path.at(-1)
  const names = path.filter((key) => typeof key === 'string').join('.')
  return typeof last === 'number' ? `an entry of "${names}"` : `"${names}"`
}

/** Tells where the body itself is, as seen from an object in it. */
const besideOf = (place: readonly PropertyKey[], from: readonly PropertyKey[]) =>
  place.length === 0 && from.length > 0 ? `, beside "${String(from[0])}"` : ''
