/** Where the operations of a document are reached, and what is sent for its security schemes. */
import type { Attempt } from '../../core/terms/attempt.ts'
import type { HttpCall, HttpPart, OpenApiSource } from '../../core/terms/tools/client-tools.ts'
import { secretNames } from '../../shell/secrets/references.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { nameHint, nameList } from '../../core/terms/values/known-names.ts'
import {
  own,
  ownList,
  ownRecord,
  ownText,
  resolvePart,
  quoteValue,
  type Members,
  type OpenApiDocument,
} from './document.ts'
import type { Operation } from './operations.ts'
import { isHeaderName, isReservedHeader } from './parameters.ts'

/** The base address of an operation, without a slash at its end. `error` follows the name of the operation. */
export function serverOf(
  { root }: OpenApiDocument,
  { operation, item }: Operation,
  { server, document }: Pick<OpenApiSource, 'server' | 'document'>,
): Attempt<string, string> {
  if (server !== null)
    return baseOf(URL.parse(server), `\`server\` must be a whole address such as https://api.example.com`)
  const listed = [operation, item, root].map((part) => ownList(part, 'servers')).find((list) => list.length > 0)
  const [first = {}] = listed ?? []
  const written = isRecord(first) ? withVariables(first) : ''
  const base = 'url' in document ? document.url : undefined
  const error =
    base === undefined
      ? 'has no server with a whole address: say in `server` where it is'
      : `has the server ${JSON.stringify(quoteValue(written))}, which is no address: say in \`server\` where it is`
  return baseOf(URL.parse(written === '' ? '/' : written, base), error)
}

/**
 * Why credentials that the source spells out may not go to this address of a document. null: they may, because the client has named the host.
 * A secret is bound to its hosts already. The error follows the name of the operation.
 */
export function spelledOutError(
  { server, document, security, headers }: Pick<OpenApiSource, 'server' | 'document' | 'security' | 'headers'>,
  address: string,
): string | null {
  const named = server ?? ('url' in document ? document.url : '')
  const { origin } = new URL(address)
  if (URL.parse(named)?.origin === origin) return null
  const spelled_out = Object.entries({ ...headers, ...security }).find(([, text]) => !namesSecret(text))
  if (spelled_out === undefined) return null
  const [name] = spelled_out
  return `is at ${origin}, which only the document names: give \`${quoteValue(name)}\` as \`secret:NAME\`, or say the address in \`server\``
}

function namesSecret(text: string): boolean {
  const names = secretNames(text)
  return names.ok && names.value.length > 0
}

/** The parser percent-encodes braces, so that no text of a server looks like the place of an argument. */
function baseOf(url: URL | null, error: string): Attempt<string, string> {
  // `blob:` has the origin of the address within it, and that address as its path.
  if (url === null || url.origin === 'null' || url.protocol === 'blob:') return { ok: false, error }
  return { ok: true, value: `${url.origin}${url.pathname.replace(/\/$/, '')}` }
}

/** A path in which each place has the name of its argument, and everything else is written as an address has it. */
export function pathTemplate(path: string, argumentOf: (name: string) => string): string {
  const pieces = path.toWellFormed().split(/\{([^{}]+)\}/)
  return pieces.map((piece, index) => (index % 2 === 1 ? `{${argumentOf(piece)}}` : encodedLiteral(piece))).join('')
}

const encodedLiteral = (text: string) =>
  text.replaceAll(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%?]+/g, (char) => encodeURIComponent(char))

const URL_CHARS_MAX = 2_000

/** Each variable has its default value. */
function withVariables(server: Members): string {
  const variables = ownRecord(server, 'variables')
  return ownText(server, 'url')
    .slice(0, URL_CHARS_MAX)
    .replaceAll(/\{([^{}]+)\}/g, (_, name: string) => quoteValue(own(ownRecord(variables, name), 'default') ?? ''))
}

export interface Credentials {
  headers: HttpPart[]
  query: HttpPart[]
  cookies: HttpPart[]
}
type Security = Pick<OpenApiSource, 'security' | 'headers'>

/** Why what the source gives does not fit the schemes of the document. `error` follows the name of the document. */
export function securityError({ root }: OpenApiDocument, { security }: Security): string | null {
  const known = Object.keys(ownRecord(ownRecord(root, 'components'), 'securitySchemes'))
  const unknown = Object.keys(security).find((name) => !known.includes(name))
  if (unknown === undefined) return null
  const hint = nameHint(unknown, known) || (known.length === 0 ? '' : `; it has ${nameList(known.map(quoteValue))}`)
  return `has no security scheme ${JSON.stringify(quoteValue(unknown))}${hint}`
}

/**
 * What is sent for an operation: that of the first alternative whose schemes are all given. A header of the source that says the same counts
 * as given. `error` follows the name of the operation.
 */
export function credentialsOf(
  document: OpenApiDocument,
  { operation }: Operation,
  source: Security,
  note: (text: string) => void,
): Attempt<Credentials, string> {
  const written = own(operation, 'security') ?? own(document.root, 'security')
  const alternatives = Array.isArray(written) ? written.filter(isRecord).map((one) => Object.keys(one)) : []
  const none: Credentials = { headers: [], query: [], cookies: [] }
  const schemes = ownRecord(ownRecord(document.root, 'components'), 'securitySchemes')
  const problems: string[] = []
  for (const names of alternatives.filter((one) => one.length > 0)) {
    const parts = names.map((name) => credentialOf(document, schemes, name, source))
    if (parts.every((part) => part.ok)) return { ok: true, value: joined(parts.map(({ value }) => value)) }
    problems.push(parts.flatMap((part) => (part.ok ? [] : part.error)).join(' and '))
  }
  if (problems.length === 0) return { ok: true, value: none }
  const asked = problems.slice(0, ALTERNATIVES_SHOWN).join(' or ')
  if (!alternatives.some((one) => one.length === 0)) return { ok: false, error: `needs ${asked}` }
  note(`it is called without what it can also take: ${asked}`)
  return { ok: true, value: none }
}

const ALTERNATIVES_SHOWN = 5

const joined = (parts: readonly Credentials[]): Credentials => ({
  headers: parts.flatMap(({ headers }) => headers),
  query: parts.flatMap(({ query }) => query),
  cookies: parts.flatMap(({ cookies }) => cookies),
})

/** `error` says what to give. */
function credentialOf(
  document: OpenApiDocument,
  schemes: Members,
  name: string,
  { security, headers }: Security,
): Attempt<Credentials, string> {
  const scheme = resolvePart(document, own(schemes, name))
  const sent = scheme.ok ? sentFor(scheme.value) : null
  const shown = quoteValue(name)
  if (sent === null) return { ok: false, error: `the security scheme ${shown}, which this service does not know` }
  const value = own(security, name)
  const is_in_headers =
    sent.place === 'headers' && Object.keys(headers).some((header) => header.toLowerCase() === sent.name.toLowerCase())
  const none: Credentials = { headers: [], query: [], cookies: [] }
  if (typeof value === 'string') return { ok: true, value: { ...none, [sent.place]: [sent.part(value)] } }
  return is_in_headers ? { ok: true, value: none } : { ok: false, error: `\`security.${shown}\` (${sent.what})` }
}

interface SentCredential {
  place: keyof Credentials
  name: string
  /** What a client has to give, in words. */
  what: string
  part: (value: string) => HttpPart
}

const AUTHORIZATION = 'authorization'
const BEARER = /^bearer\s/i
const bearer = (what: string): SentCredential => ({
  place: 'headers',
  name: AUTHORIZATION,
  what,
  part: (value) => ({ name: AUTHORIZATION, value: BEARER.test(value) ? value : `Bearer ${value}` }),
})
const PLACES: Readonly<Record<string, keyof HttpCall & keyof Credentials>> = {
  header: 'headers',
  query: 'query',
  cookie: 'cookies',
}

/** null: the scheme is none that can be sent with a request. */
function sentFor(scheme: Members): SentCredential | null {
  const type = ownText(scheme, 'type')
  if (type === 'oauth2' || type === 'openIdConnect') return bearer('an access token')
  if (type === 'http') {
    const kind = ownText(scheme, 'scheme').toLowerCase()
    if (kind === 'bearer') return bearer('a bearer token')
    const part = (value: string): HttpPart => ({ name: AUTHORIZATION, value, basic: true })
    return kind === 'basic' ? { place: 'headers', name: AUTHORIZATION, what: '`user:password`', part } : null
  }
  if (type !== 'apiKey') return null
  const name = ownText(scheme, 'name')
  const place = own(PLACES, ownText(scheme, 'in'))
  if (name === '' || (place !== 'headers' && place !== 'query' && place !== 'cookies')) return null
  const is_refused = isReservedHeader(name) && name.toLowerCase() !== AUTHORIZATION
  if (place === 'headers' && (!isHeaderName(name) || is_refused)) return null
  return { place, name, what: 'an API key', part: (value) => ({ name, value }) }
}
