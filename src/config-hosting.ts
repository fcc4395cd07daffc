/** What makes a service safe to host: the secret of its links, and the private hosts it may reach (U41). */
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

const HOST = /^(?:[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/
const HOSTS_MAX = 100

/** Hosts, each with a port or for every port, that may be reached although their addresses are private. */
export function readAllowedHosts(text: string | undefined): { allowed_hosts: ReadonlySet<string>; errors: string[] } {
  const entries = text === undefined ? [] : text.split(',').map((entry) => entry.trim().toLowerCase())
  const errors = entries.flatMap((entry, index) => {
    const port = HOST.exec(entry)
    const fits = port !== null && (port[1] === undefined || (Number(port[1]) >= 1 && Number(port[1]) <= 65_535))
    return fits ? [] : [`ALLOWED_HOSTS entry ${index + 1} is not host or host:port, such as models.internal:8000`]
  })
  if (entries.length > HOSTS_MAX) errors.push(`ALLOWED_HOSTS must name at most ${HOSTS_MAX} hosts`)
  return { allowed_hosts: new Set(errors.length > 0 ? [] : entries), errors }
}
