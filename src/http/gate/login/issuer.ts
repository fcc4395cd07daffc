/**
 * What the issuer publishes: its discovery document and its keys. Both come through the bounded network of the service, are read under a cap,
 * and nothing that a token says (`jku`, `x5u`, `jwk`) leads anywhere.
 */
import { createLocalJWKSet } from 'jose/jwks/local'
import type { LoginConfig } from '../../../config-login.ts'
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { parseJson } from '../../../core/terms/values/parse-json.ts'
import { readAddress, type Reach } from '../../../shell/network/address.ts'
import { boundedFetch, withDeadline, noAnswer } from '../../../shell/network/bounded-fetch.ts'
import { cachedDocument, LOAD_MS, type CachedDocument, type Loaded } from './cached-document.ts'

/** The addresses of the issuer. Those that only a sign-in needs may be missing. */
interface Endpoints {
  jwks_url: string
  authorization: string | null
  token: string | null
}
/** Finds the key of a token. Throws an error of jose if there is none, or if there are several. */
type KeyFinder = ReturnType<typeof createLocalJWKSet>

export interface Issuer {
  endpoints(): Promise<Loaded<Endpoints>>
  keys: CachedDocument<KeyFinder>
}

/** What the issuer is asked by. `log` gets a line for each document that could not be had. */
export interface IssuerPorts {
  fetch: typeof fetch
  reach: Reach
  now_ms: () => number
  log: (line: Record<string, unknown>) => void
}

/** Keys that the issuer took back are accepted for so long at most, and for the second time where it cannot be asked. */
const KEY_AGES = { fresh_ms: 600_000, stale_ms: 6 * 3_600_000 }
/** Addresses change seldom. */
const ENDPOINT_AGES = { fresh_ms: 3_600_000, stale_ms: 24 * 3_600_000 }
/** Key sets of large issuers have a tenth of it. */
const DOCUMENT_BYTES_MAX = 262_144
/** Each of both documents has half of the time in which the keys have to be there. */
const FETCH_MS = LOAD_MS / 2

export function issuerOf(login: LoginConfig, ports: IssuerPorts): Issuer {
  const reach = withOwnHosts(ports.reach, login)
  const known = knownKeys(login)
  const endpoints = cachedDocument(() => discover(login, ports, reach), ENDPOINT_AGES, ports.now_ms)
  const keys = async () => {
    if (known !== null) return readKeySet(known, ports)
    const found = await endpoints.read()
    return found.ok ? readKeySet(found.value.jwks_url, ports) : null
  }
  return { endpoints: () => endpoints.read(), keys: cachedDocument(keys, KEY_AGES, ports.now_ms) }
}

/** Access has its keys at a path of its own, and a discovery document only where it is a provider for others. */
function knownKeys({ jwks_url, is_access, issuer }: LoginConfig): string | null {
  return jwks_url ?? (is_access ? `${withoutSlash(issuer)}/cdn-cgi/access/certs` : null)
}
const withoutSlash = (url: string) => url.replace(/(?<!\/)\/+$/, '')

/** The operator has named these hosts, so the issuer may name other addresses on them. */
function withOwnHosts(reach: Reach, { issuer, jwks_url }: LoginConfig): Reach {
  const own = [issuer, jwks_url ?? issuer].map((url) => new URL(url).host)
  return { ...reach, allowed_hosts: new Set([...(reach.allowed_hosts ?? []), ...own]) }
}

async function discover(login: LoginConfig, ports: IssuerPorts, reach: Reach): Promise<Endpoints | null> {
  const url = `${withoutSlash(login.issuer)}/.well-known/openid-configuration`
  const document = await readDocument(url, ports)
  if (document === null) return null
  // A document of another issuer would bring the keys of another issuer.
  if (document['issuer'] !== login.issuer) {
    ports.log({ url, reason: `the document is of another issuer than AUTH_ISSUER; compare both sign by sign` })
    return null
  }
  const address = (name: string): string | null => {
    const text = document[name]
    const read = typeof text === 'string' ? readAddress(text, reach) : null
    if (typeof text !== 'string' || read?.ok !== true) return null
    // The own hosts are no way from https to http.
    const isWeaker = read.value.protocol === 'http:' && login.issuer.startsWith('https:')
    return isWeaker && !readAddress(text, ports.reach).ok ? null : read.value.href
  }
  const jwks_url = address('jwks_uri')
  if (jwks_url === null) {
    ports.log({ url, reason: 'jwks_uri of the document is missing, or leads where the service may not go' })
    return null
  }
  return { jwks_url, authorization: address('authorization_endpoint'), token: address('token_endpoint') }
}

async function readKeySet(url: string, ports: IssuerPorts): Promise<KeyFinder | null> {
  const document = await readDocument(url, ports)
  if (document === null) return null
  const keys = Array.isArray(document['keys']) ? document['keys'].filter(isVerifier) : []
  if (keys.length === 0) {
    ports.log({ url, reason: 'the document has no public key for signatures' })
    return null
  }
  return createLocalJWKSet({ keys })
}

/** A symmetric key in a public document is no secret, so it verifies nothing. */
const isVerifier = (key: unknown): key is { kty: string } =>
  isRecord(key) && typeof key['kty'] === 'string' && key['kty'] !== 'oct'

async function readDocument(url: string, { fetch, log }: IssuerPorts): Promise<Record<string, unknown> | null> {
  const answer = await withDeadline(FETCH_MS, noAnswer('timed out'), (signal) =>
    boundedFetch(fetch, url, { signal, headers: { accept: 'application/json' } }, { bytes_max: DOCUMENT_BYTES_MAX }),
  )
  const body = answer.kind === 'answered' ? parseJson(new TextDecoder().decode(answer.body)) : undefined
  if (answer.kind === 'answered' && answer.status === 200 && isRecord(body)) return body
  const reason = answer.kind === 'unanswered' ? answer.reason : `HTTP ${answer.status}, and no JSON object`
  log({ url, reason })
  return null
}
