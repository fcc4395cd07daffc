/** AUTH_*: whose tokens are accepted beside keys, and which tenant and scopes a token has (docs/login.md). */
import * as z from 'zod'
import { isTenantName, TENANT_NAME_RULE } from './core/registry/records.ts'
import { Scope, TENANT_SCOPES } from './core/registry/scopes.ts'
import { isListedHost, isLoopback, type Reach } from './shell/network/address.ts'
import { isRecord } from './core/terms/plain/is-record.ts'
import { parseJson } from './core/terms/values/parse-json.ts'

/** How a claim becomes one of our own words. The claim is a name, or a path such as `realm_access.roles`. */
interface ClaimRule<T> {
  /** null: no claim is looked at, and all have `fallback`. */
  claim: string | null
  /** What each value of the claim stands for; a value that is not listed stands for nothing. null: a value stands for itself. */
  map: ReadonlyMap<string, T> | null
  /** What a token without the claim has. */
  fallback: T
}

export interface LoginConfig {
  /** As the issuer writes itself in `iss`: the two are compared sign by sign. */
  issuer: string
  /** A token is for this service if its `aud` has one of these. */
  audiences: readonly string[]
  /** Where the keys of the issuer are. null: its discovery document says where. */
  jwks_url: string | null
  /** Whether Cloudflare Access stands in front, which adds its token to each request by a header of its own. */
  is_access: boolean
  tenant: ClaimRule<string | null>
  scopes: ClaimRule<readonly Scope[]>
  /** As what the console signs in. null: it asks for a key only. */
  client: { id: string; scope: string } | null
}

const Text = z.string().optional()
/** The variables by name; `src/config.ts` reads them with all others. */
export const LOGIN_VARIABLES = {
  AUTH_ISSUER: Text,
  AUTH_AUDIENCE: Text,
  AUTH_PROVIDER: Text,
  AUTH_JWKS_URL: Text,
  AUTH_TENANT: Text,
  AUTH_TENANT_CLAIM: Text,
  AUTH_TENANT_MAP: Text,
  AUTH_SCOPES: Text,
  AUTH_SCOPES_CLAIM: Text,
  AUTH_SCOPES_MAP: Text,
  AUTH_CLIENT_ID: Text,
  AUTH_CLIENT_SCOPE: Text,
}
export type LoginVariables = { [name in keyof typeof LOGIN_VARIABLES]?: string | undefined }
const NAMES = Object.keys(LOGIN_VARIABLES) as (keyof LoginVariables)[] // exactly the names of the table above

/** Keycloak, Okta and Auth0 write claims and audiences of this length at most. */
const TEXT_MAX = 256
const AUDIENCES_MAX = 10
const MAP_MAX = 1_000

/** `reach` says from which hosts documents may come by http. Each error is a sentence without the value. */
export function readLogin(given: LoginVariables, reach: Reach): { login: LoginConfig | null; errors: string[] } {
  const { AUTH_ISSUER: issuer } = given
  if (issuer === undefined) {
    const stray = NAMES.filter((name) => given[name] !== undefined)
    return { login: null, errors: stray.map((name) => `${name} is set, but no AUTH_ISSUER`) }
  }
  const errors: string[] = []
  const note = <T>({ value, error }: Read<T>): T => {
    if (error !== null) errors.push(error)
    return value
  }
  const is_access = note(readProvider(given.AUTH_PROVIDER, issuer))
  const login: LoginConfig = {
    issuer: note(readUrl('AUTH_ISSUER', issuer, reach)),
    audiences: note(readAudiences(given.AUTH_AUDIENCE)),
    jwks_url: given.AUTH_JWKS_URL === undefined ? null : note(readUrl('AUTH_JWKS_URL', given.AUTH_JWKS_URL, reach)),
    is_access,
    tenant: {
      claim: note(readClaim('AUTH_TENANT_CLAIM', given.AUTH_TENANT_CLAIM)),
      map: note(readMap('AUTH_TENANT_MAP', given.AUTH_TENANT_MAP, given.AUTH_TENANT_CLAIM, tenantOf)),
      fallback: note(readTenant(given)),
    },
    scopes: {
      claim: note(readClaim('AUTH_SCOPES_CLAIM', given.AUTH_SCOPES_CLAIM)),
      map: note(readMap('AUTH_SCOPES_MAP', given.AUTH_SCOPES_MAP, given.AUTH_SCOPES_CLAIM, scopesOf)),
      fallback: note(readScopes(given)),
    },
    client: note(readClient(given, is_access)),
  }
  return { login: errors.length > 0 ? null : login, errors }
}

/** Whether a token could be of a tenant. Where a claim names any tenant, it could be of each. */
export function mayLogIn({ tenant: { claim, map, fallback } }: LoginConfig, tenant: string): boolean {
  if (fallback === tenant) return true
  return claim !== null && (map === null || [...map.values()].includes(tenant))
}

/** A part that was read, with what is wrong with it. */
interface Read<T> {
  value: T
  error: string | null
}
const right = <T>(value: T): Read<T> => ({ value, error: null })

/** Without the variable a bare team domain of Cloudflare is Access: it has no other use as an issuer. */
function readProvider(text: string | undefined, issuer: string): Read<boolean> {
  if (text === undefined) return right(/^https:\/\/[a-z0-9-]+\.cloudflareaccess\.com$/.test(issuer))
  const is_access = text === 'cloudflare-access'
  if (is_access || text === 'oidc') return right(is_access)
  return { value: false, error: 'AUTH_PROVIDER must be one of oidc, cloudflare-access' }
}

/** An issuer by http could be played by anyone on the way, so that is for this machine and for hosts that the operator names. */
function readUrl(name: string, text: string, { loopback, allowed_hosts }: Reach): Read<string> {
  const url = text.length <= 2_000 && /^https?:\/\/[^\s?#@\\]+$/.test(text) ? URL.parse(text) : null
  if (url === null) return { value: text, error: `${name} must be an https URL without user, query and fragment` }
  const is_near = (loopback && isLoopback(url.hostname)) || isListedHost(url, allowed_hosts)
  if (url.protocol === 'https:' || is_near) return right(text)
  return { value: text, error: `${name} must begin with https://, or its host must be among ALLOWED_HOSTS` }
}

function readAudiences(text: string | undefined): Read<readonly string[]> {
  const all = text === undefined ? [] : text.split(',').map((entry) => entry.trim())
  if (text === undefined) {
    return { value: all, error: 'AUTH_ISSUER needs AUTH_AUDIENCE: whom its tokens for this service name in aud' }
  }
  const is_right = all.length <= AUDIENCES_MAX && all.every((one) => one !== '' && one.length <= TEXT_MAX)
  const error = `AUTH_AUDIENCE must be 1 to ${AUDIENCES_MAX} names, comma-separated, of at most ${TEXT_MAX} characters`
  return { value: all, error: is_right ? null : error }
}

function readClaim(name: string, text: string | undefined): Read<string | null> {
  if (text === undefined) return right(null)
  const error = `${name} must be the name of a claim, or a path such as realm_access.roles`
  return { value: text, error: /^[\x21-\x7e]{1,256}$/.test(text) ? null : error }
}

function readTenant({ AUTH_TENANT: text, AUTH_TENANT_CLAIM: claim }: LoginVariables): Read<string | null> {
  if (text === undefined) {
    const error = 'AUTH_ISSUER needs AUTH_TENANT_CLAIM, or AUTH_TENANT where all logins are of one tenant'
    return { value: null, error: claim === undefined ? error : null }
  }
  return { value: text, error: isTenantName(text) ? null : `AUTH_TENANT ${TENANT_FORM}` }
}
const TENANT_FORM = `must be the name of a tenant: ${TENANT_NAME_RULE}`

/** With a claim for scopes a token without it may do nothing, unless AUTH_SCOPES says otherwise. */
function readScopes({ AUTH_SCOPES: text, AUTH_SCOPES_CLAIM: claim }: LoginVariables): Read<readonly Scope[]> {
  if (text === undefined) return right(claim === undefined ? TENANT_SCOPES : [])
  const scopes = scopesOf(text)
  return { value: scopes ?? [], error: scopes === null ? `AUTH_SCOPES ${SCOPES_FORM}` : null }
}
const SCOPES_FORM = `must name scopes of ${Scope.options.join(', ')}, with blanks between them`

/** Each scope once, in one order. Words that are no scopes are left out. */
export const scopesIn = (words: readonly string[]): Scope[] => Scope.options.filter((name) => words.includes(name))

function scopesOf(value: unknown): readonly Scope[] | null {
  const words = typeof value === 'string' ? value.split(/[ ,]/).filter((word) => word !== '') : []
  return words.length > 0 && words.every((word) => Scope.safeParse(word).success) ? scopesIn(words) : null
}

const tenantOf = (value: unknown): string | null => (typeof value === 'string' && isTenantName(value) ? value : null)

const MAP_FORMS: Record<string, string> = {
  AUTH_TENANT_MAP: 'must be JSON such as {"org_2x9": "acme"}, with the name of a tenant for each value of the claim',
  AUTH_SCOPES_MAP: `must be JSON such as {"operators": "tasks:read admin"}, with scopes of ${Scope.options.join(', ')} for each value of the claim`,
}

function readMap<T>(
  name: keyof LoginVariables,
  text: string | undefined,
  claim: string | undefined,
  meaningOf: (value: unknown) => T | null,
): Read<ReadonlyMap<string, T> | null> {
  if (text === undefined) return right(null)
  const nothing = new Map<string, T>()
  if (claim === undefined) return { value: nothing, error: `${name} is set, but no ${name.replace('_MAP', '_CLAIM')}` }
  const json = parseJson(text)
  const entries = isRecord(json) ? Object.entries(json) : []
  const read = entries.flatMap(([value, meant]): [string, T][] => {
    const meaning = meaningOf(meant)
    return meaning === null ? [] : [[value, meaning]]
  })
  const is_right = read.length > 0 && read.length === entries.length && read.length <= MAP_MAX
  return is_right ? right(new Map(read)) : { value: nothing, error: `${name} ${MAP_FORMS[name] ?? ''}` }
}

/** `openid` makes the issuer say who has signed in; an issuer that gives refresh tokens may want `offline_access` too. */
const USUAL_CLIENT_SCOPE = 'openid profile'

function readClient(given: LoginVariables, is_access: boolean): Read<LoginConfig['client']> {
  const { AUTH_CLIENT_ID: id, AUTH_CLIENT_SCOPE: scope = USUAL_CLIENT_SCOPE } = given
  if (id === undefined) {
    const error = given.AUTH_CLIENT_SCOPE === undefined ? null : 'AUTH_CLIENT_SCOPE is set, but no AUTH_CLIENT_ID'
    return { value: null, error }
  }
  return { value: { id, scope }, error: clientError(id, scope, is_access) }
}

function clientError(id: string, scope: string, is_access: boolean): string | null {
  if (is_access) return 'AUTH_CLIENT_ID is of no use behind Cloudflare Access, which signs in whoever opens the console'
  if (!/^[\x20-\x7e]{1,256}$/.test(id)) return 'AUTH_CLIENT_ID must be 1 to 256 visible ASCII characters'
  // The signs of a scope (RFC 6749, 3.3). Without `openid` no ID token comes, which the nonce is checked by.
  const is_scope = scope.length <= 1_000 && /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)
  if (!is_scope || !scope.split(' ').includes('openid'))
    return 'AUTH_CLIENT_SCOPE must name scopes with blanks between them, openid among them'
  return null
}
