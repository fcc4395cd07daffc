/**
 * Makes the request of a plain HTTP tool from its arguments. An argument stays at its place: it can change neither the host nor the path, end
 * no header, and name no secret, because secrets are looked for in the fixed text of a template only.
 */
import type { Attempt } from '../../core/terms/attempt.ts'
import type { HttpCall, HttpPart } from '../../core/terms/tools/client-tools.ts'
import { fillText, placeholdersIn, urlParts } from '../../core/terms/values/http-template.ts'
import type { SecretFiller } from '../../shell/secrets/filler.ts'
import { readReference } from '../../shell/secrets/references.ts'
import { readAddress, type Reach } from '../../shell/network/address.ts'
import { encodeBody, fillTemplate } from './body.ts'
import { pairsOf, simpleText, textOfValue, type Encode } from './serialize.ts'
import type { CallProblem } from './texts.ts'

type Arguments = Record<string, unknown>
interface BuiltRequest {
  address: string
  headers: Record<string, string>
  body: BodyInit | null
}
type Built<T> = Attempt<T, CallProblem>
type Reveal = (name: string) => Promise<Attempt<string, string>>
const fail = (kind: CallProblem['kind'], detail = '') => ({ ok: false as const, error: { kind, detail } })
const ok = <T>(value: T): Built<T> => ({ ok: true, value })

/** An argument that is null counts as not given, except in a JSON body. */
function argumentOf(args: Arguments, name: string): unknown {
  const value = Object.hasOwn(args, name) ? args[name] : undefined
  return value === null ? undefined : value
}

const plain: Encode = (text) => text

/** The text of a template with its arguments. null: one of them is not given. */
function filled(text: string, args: Arguments, encode: Encode): string | null {
  return fillText(text, (name) => {
    const value = argumentOf(args, name)
    return value === undefined ? null : encode(textOfValue(value))
  })
}

/** Secrets are revealed for an address that was judged, whose query is still missing. */
export async function buildRequest(
  { url, call, args }: { url: string; call: HttpCall; args: Arguments },
  reach: Reach,
  secrets: Pick<SecretFiller, 'fill' | 'hide'>,
): Promise<Built<BuiltRequest>> {
  const parts = urlParts(url)
  if (placeholdersIn(parts.origin).length > 0) return fail('address', 'must have no argument in its host')
  const path = pathOf(parts.path, call.path, args)
  if (!path.ok) return path
  const address = readAddress(parts.origin + path.value, reach)
  if (!address.ok) return fail('address', address.error)
  const reveal: Reveal = (name) => secrets.fill(`secret:${name}`, address.value)
  const query = await pairsIn(call.query, args, reveal, encodeURIComponent)
  if (!query.ok) return query
  const pairs = [...queryIn(parts.query, args), ...query.value].join('&')
  const headers = await headersOf(call, args, reveal, secrets.hide)
  if (!headers.ok) return headers
  const whole = `${address.value.href}${pairs === '' ? '' : `?${pairs}`}`
  const body = call.body === null ? undefined : fillTemplate(call.body.template, args)
  if (call.body === null || body === undefined) return ok({ address: whole, headers: headers.value, body: null })
  const encoded = encodeBody(call.body.type, body)
  if (encoded === null) return fail('body', call.body.type)
  // The type of a multipart body names its boundary, so the request sets it.
  const type: Record<string, string> = call.body.type.startsWith('multipart/') ? {} : { 'content-type': call.body.type }
  return ok({ address: whole, headers: { ...headers.value, ...type }, body: encoded })
}

/** A segment that is empty, `.` or `..` would name another place, so arguments may not make one. */
function pathOf(template: string, parts: readonly HttpPart[], args: Arguments): Built<string> {
  const segments: string[] = []
  for (const segment of template.split('/')) {
    const names = placeholdersIn(segment)
    const missing = names.find((name) => argumentOf(args, argumentFor(name, parts)) === undefined)
    if (missing !== undefined) return fail('missing', argumentFor(missing, parts))
    const text = fillText(segment, (name) => pathText(name, parts, args)) ?? ''
    if (names.length > 0 && /^(?:\.|%2e){0,2}$/i.test(text)) return fail('path', argumentFor(names[0] ?? '', parts))
    segments.push(text)
  }
  return ok(segments.join('/'))
}

const argumentFor = (placeholder: string, parts: readonly HttpPart[]): string => {
  const part = parts.find(({ name }) => name === placeholder)
  return part !== undefined && 'argument' in part ? part.argument : placeholder
}

function pathText(placeholder: string, parts: readonly HttpPart[], args: Arguments): string {
  const part = parts.find(({ name }) => name === placeholder)
  const value = argumentOf(args, argumentFor(placeholder, parts))
  return part !== undefined && 'argument' in part
    ? simpleText(part, value, encodeURIComponent)
    : encodeURIComponent(textOfValue(value))
}

/** The query that the url has. A pair whose argument is not given is left out. */
const queryIn = (query: string | null, args: Arguments): string[] =>
  query === null || query === '' ? [] : query.split('&').flatMap((pair) => filled(pair, args, encodeURIComponent) ?? [])

/** Pairs `name=value` of a query or of cookies. */
async function pairsIn(
  parts: readonly HttpPart[],
  args: Arguments,
  reveal: Reveal,
  encodeFixed: Encode,
): Promise<Built<string[]>> {
  const pairs: string[] = []
  for (const part of parts) {
    if ('argument' in part) {
      const value = argumentOf(args, part.argument)
      if (value !== undefined) pairs.push(...pairsOf(part, value, encodeURIComponent))
      continue
    }
    // The fixed text of a cookie is as its server has set it, so only its arguments are encoded.
    const text = await textWithSecret(part.value, args, reveal, encodeFixed === plain ? encodeURIComponent : plain)
    if (!text.ok) return text
    if (text.value !== null) pairs.push(`${encodeFixed(part.name)}=${encodeFixed(text.value)}`)
  }
  return ok(pairs)
}

/** The secret is looked for before the arguments are filled in. null: an argument is not given. */
async function textWithSecret(
  template: string,
  args: Arguments,
  reveal: Reveal,
  encode: Encode,
): Promise<Built<string | null>> {
  const reference = readReference(template)
  if (!reference.ok) return fail('secret', reference.error)
  const { text: before, name } = reference.value
  const text = filled(before, args, encode)
  if (name === null || text === null) return ok(text)
  const value = await reveal(name)
  return value.ok ? ok(text + value.value) : fail('secret', value.error)
}

/** Other characters end a header, or are read differently by each server. */
const HEADER_TEXT = /^[\t\x20-\x7e]*$/

async function headersOf(
  { headers: parts, cookies }: HttpCall,
  args: Arguments,
  reveal: Reveal,
  hide: SecretFiller['hide'],
): Promise<Built<Record<string, string>>> {
  const headers: Record<string, string> = {}
  for (const part of parts) {
    const text = await headerText(part, args, reveal, hide)
    if (!text.ok) return text
    if (text.value === null) continue
    if (!HEADER_TEXT.test(text.value)) return fail('header', part.name)
    headers[part.name.toLowerCase()] = text.value
  }
  const pairs = await pairsIn(cookies, args, reveal, plain)
  if (!pairs.ok) return pairs
  const wrong = pairs.value.find((pair) => !HEADER_TEXT.test(pair) || pair.includes(';'))
  if (wrong !== undefined) return fail('header', 'cookie')
  const cookie = [...(headers['cookie'] === undefined ? [] : [headers['cookie']]), ...pairs.value].join('; ')
  return ok(cookie === '' ? headers : { ...headers, cookie })
}

/** A user name and a password as Basic authentication wants them. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

async function headerText(part: HttpPart, args: Arguments, reveal: Reveal, hide: SecretFiller['hide']) {
  if (!('argument' in part)) {
    const text = await textWithSecret(part.value, args, reveal, plain)
    if (part.basic !== true || !text.ok || text.value === null) return text
    // A server sees the password alone, and may repeat it alone.
    hide(text.value.slice(text.value.indexOf(':') + 1))
    return ok(`Basic ${base64(text.value)}`)
  }
  const value = argumentOf(args, part.argument)
  return ok(value === undefined ? null : simpleText(part, value, plain))
}
