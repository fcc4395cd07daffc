/** API_KEYS: who may speak to the service, and for which tenant (U21, U41). */
import type { EnvironmentName } from './config-environment.ts'

/** The one error with which the service starts all the same, and refuses every request (U21). */
export const NO_KEYS = 'API_KEYS must be set in production: comma-separated tenant:key or tenant:sha256:<hex>'

/** A key of a tenant: plain as configured, or the SHA-256 of one in lower-case hex. Workers' keys open delegations only. */
export interface ApiKey {
  tenant: string
  secret: { kind: 'plain'; key: string } | { kind: 'sha256'; hex: string }
  worker: boolean
}

/** The key of a fresh checkout; never valid in production. */
const DEV_KEY: ApiKey = { tenant: 'dev', secret: { kind: 'plain', key: 'dev-key' }, worker: false }

/** `has_login`: tokens of a login are accepted too, so there may be no keys at all. */
export function readKeys(
  text: string | undefined,
  environment: EnvironmentName,
  has_login: boolean,
): { keys: ApiKey[]; errors: string[] } {
  if (text === undefined) {
    if (environment === 'development') return { keys: [DEV_KEY], errors: [] }
    return { keys: [], errors: has_login ? [] : [NO_KEYS] }
  }
  const entries = text.split(',').map((entry) => entry.trim())
  const parsed = entries.map(parseKey)
  const errors = parsed.flatMap((key, index) =>
    key === null
      ? [`API_KEYS entry ${index + 1} is not tenant:key or tenant:sha256:<64 hex digits>, each with :worker or without`]
      : [],
  )
  const keys = parsed.filter((key) => key !== null)
  const secrets = new Set(keys.map(({ secret }) => JSON.stringify(secret)))
  if (secrets.size < keys.length) errors.push('API_KEYS has the same key twice')
  return { keys, errors }
}

const KEY =
  /^(?<tenant>[A-Za-z0-9._-]{1,64}):(?:sha256:(?<hex>[0-9a-f]{64})|(?<key>[A-Za-z0-9._~+/=-]{1,512}))(?<worker>:worker)?$/i

function parseKey(entry: string): ApiKey | null {
  const { tenant, hex, key, worker } = KEY.exec(entry)?.groups ?? {}
  if (tenant === undefined) return null
  if (hex !== undefined)
    return { tenant, secret: { kind: 'sha256', hex: hex.toLowerCase() }, worker: worker !== undefined }
  return key === undefined ? null : { tenant, secret: { kind: 'plain', key }, worker: worker !== undefined }
}
