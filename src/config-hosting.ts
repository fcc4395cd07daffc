/** What makes a service safe to host: the secret of its links, the hosts it may and may not reach (U41), and the pages that may call it (U53). */
import type { EnvironmentName } from './config-environment.ts'
import type { ApiKey } from './config-keys.ts'

const SECRET_CHARS_MIN = 16
/** A secret that is being replaced, one that replaces it, and one to spare. */
const SECRETS_MAX = 3
const MAKE_ONE = 'make one with: openssl rand -base64 32'
export const NO_SIGNING_SECRET = `SIGNING_SECRET must be set in production, where links are signed with it; ${MAKE_ONE}`
/** Development signs for nobody else. */
const DEVELOPMENT_SECRET = 'development only'

/** The first secret signs and all verify, so that a secret can be replaced without ending the links of the one before. */
export function readSigningSecrets(
  text: string | undefined,
  environment: EnvironmentName,
  keys: readonly ApiKey[],
): { signing_secrets: string[]; errors: string[] } {
  if (text === undefined) {
    const missing = environment === 'production'
    return { signing_secrets: missing ? [] : [DEVELOPMENT_SECRET], errors: missing ? [NO_SIGNING_SECRET] : [] }
  }
  const secrets = text.split(',').map((secret) => secret.trim())
  const errors: string[] = []
  if (secrets.some((secret) => secret.length < SECRET_CHARS_MIN))
    errors.push(`SIGNING_SECRET must have at least ${SECRET_CHARS_MIN} characters, each of several too; ${MAKE_ONE}`)
  if (secrets.length > SECRETS_MAX) errors.push(`SIGNING_SECRET must name at most ${SECRETS_MAX} secrets, newest first`)
  if (new Set(secrets).size < secrets.length) errors.push('SIGNING_SECRET names the same secret twice')
  // The holder of a link can test guesses of the secret without asking the service.
  if (secrets.some((secret) => keys.some((key) => key.secret.kind === 'plain' && secret.endsWith(key.secret.key))))
    errors.push(`SIGNING_SECRET must not be a key of API_KEYS; ${MAKE_ONE}`)
  return { signing_secrets: errors.length > 0 ? [] : secrets, errors }
}

const HOST = /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/
const HOSTS_MAX = 100

interface HostLists {
  allowed_hosts: ReadonlySet<string>
  denied_hosts: ReadonlySet<string>
  errors: string[]
}

/** Hosts that may be reached although their addresses are private, and hosts that may not be reached although they are public. */
export function readHosts(lists: { ALLOWED_HOSTS?: string | undefined; DENIED_HOSTS?: string | undefined }): HostLists {
  const [allowed, denied] = [
    readList('ALLOWED_HOSTS', lists.ALLOWED_HOSTS),
    readList('DENIED_HOSTS', lists.DENIED_HOSTS),
  ]
  return { allowed_hosts: allowed.hosts, denied_hosts: denied.hosts, errors: [...allowed.errors, ...denied.errors] }
}

function readList(name: string, text: string | undefined): { hosts: ReadonlySet<string>; errors: string[] } {
  const entries = text === undefined ? [] : text.split(',').map((entry) => entry.trim().toLowerCase())
  const read = entries.map(hostIn)
  const errors = read.flatMap((host, index) =>
    host === null
      ? [`${name} entry ${index + 1} is not host, host:port or *.domain, such as models.internal:8000`]
      : [],
  )
  if (entries.length > HOSTS_MAX) errors.push(`${name} must name at most ${HOSTS_MAX} hosts`)
  return { hosts: new Set(errors.length > 0 ? [] : read.flatMap((host) => host ?? [])), errors }
}

/** The host as addresses are compared with it: `0x7f.1` is `127.0.0.1`. null: it is none. */
function hostIn(entry: string): string | null {
  const match = HOST.exec(entry)
  if (match === null) return null
  const port = match[1]
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null
  const host = port === undefined ? entry : entry.slice(0, -port.length - 1)
  const url = URL.parse(`http://${host}`)
  return url === null ? null : url.hostname + (port === undefined ? '' : `:${Number(port)}`)
}

/** Whose pages may call the API from a browser: pages of these origins, or of any. */
export type CorsOrigins = '*' | readonly string[]

/** Without the variable no page of another origin may. An origin is kept as browsers send it. */
export function readOrigins(text: string | undefined): { cors_origins: CorsOrigins; errors: string[] } {
  const entries = text === undefined ? [] : text.split(',').map((entry) => entry.trim())
  if (entries.length === 1 && entries[0] === '*') return { cors_origins: '*', errors: [] }
  const origins = entries.map(originIn)
  const errors = origins.flatMap((origin, index) =>
    origin === null
      ? [`CORS_ORIGINS entry ${index + 1} is not an origin such as https://app.example.com, without a path; or * alone`]
      : [],
  )
  return { cors_origins: errors.length > 0 ? [] : origins.flatMap((origin) => origin ?? []), errors }
}

/** Scheme, host and port in lower case, without the usual port. null: it is more than that, or less. */
function originIn(entry: string): string | null {
  const url = /^https?:\/\/[^\s/?#@\\]+$/i.test(entry) ? URL.parse(entry) : null
  return url === null || url.hostname.includes('*') ? null : url.origin
}
