/** Writes an argument as API descriptions want it (OpenAPI "style" and "explode"). */
import type { HttpPart } from '../../core/terms/tools/client-tools.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'

type ArgumentPart = Extract<HttpPart, { argument: string }>
/** Writes a text so that it cannot be read as anything else at its place. */
export type Encode = (text: string) => string

/** One value as text. What has parts is JSON. */
export const textOfValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

const isGiven = (value: unknown) => value !== undefined && value !== null
const membersOf = (value: Record<string, unknown>) => Object.entries(value).filter(([, member]) => isGiven(member))

/** For a path or a header: `a,b`, `k,v,k,v`, or exploded `k=v,k=v`. */
export function simpleText({ style, explode }: ArgumentPart, value: unknown, encode: Encode): string {
  if (style === 'json') return encode(JSON.stringify(value))
  const text = (one: unknown) => encode(textOfValue(one))
  if (Array.isArray(value)) return value.map(text).join(',')
  if (!isRecord(value)) return text(value)
  return membersOf(value)
    .map(([key, member]) => `${encode(key)}${explode ? '=' : ','}${text(member)}`)
    .join(',')
}

/** What stands between the values of one pair. */
const DELIMITERS: Record<ArgumentPart['style'], string> = {
  simple: ',',
  form: ',',
  space: '%20',
  pipe: '%7C',
  deep: ',',
  json: ',',
}

/** For a query or cookies: pairs `name=value`. An empty list or object has none. */
export function pairsOf({ name, style, explode }: ArgumentPart, value: unknown, encode: Encode): string[] {
  if (style === 'json') return [`${encode(name)}=${encode(JSON.stringify(value))}`]
  if (style === 'deep') return deepPairs(name, value, encode)
  const text = (one: unknown) => encode(textOfValue(one))
  const pair = (key: string, one: unknown) => `${encode(key)}=${text(one)}`
  const joined = (texts: string[]) => (texts.length === 0 ? [] : [`${encode(name)}=${texts.join(DELIMITERS[style])}`])
  if (Array.isArray(value)) return explode ? value.map((one) => pair(name, one)) : joined(value.map(text))
  if (!isRecord(value)) return [pair(name, value)]
  const members = membersOf(value)
  return explode
    ? members.map(([key, member]) => pair(key, member))
    : joined(members.flatMap(([key, member]) => [encode(key), text(member)]))
}

/** `name[key]=value`, also deeper, as in `filter[price][min]=5`. Arguments nest no deeper than they are read. */
function deepPairs(name: string, value: unknown, encode: Encode): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => deepPairs(name, one, encode))
  if (isRecord(value)) return membersOf(value).flatMap(([key, member]) => deepPairs(`${name}[${key}]`, member, encode))
  return isGiven(value) ? [`${encode(name)}=${encode(textOfValue(value))}`] : []
}
