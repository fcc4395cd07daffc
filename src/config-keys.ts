/** API_KEYS and ADMIN_KEY: who may speak to the service, and for which tenant (U21, U41). */
import type { EnvironmentName } from './config-environment.ts'
import { isTenantName } from './core/registry/records.ts'

/** The one error with which the service starts all the same, and refuses every request (U21). */
export const NO_KEYS =
  'API_KEYS must be set in production: comma-separated tenant:key or tenant:sha256:<hex>; or ADMIN_KEY'

/** A key: plain as configured, or the SHA-256 of one in lower-case hex. */
export type KeySecret = { kind: 'plain'; key: string } | { kind: 'sha256'; hex: string }
/** A key of a tenant. Workers' keys open delegations only. */
export interface ApiKey {
  tenant: string
  secret: KeySecret
  worker: boolean
}

/** The key of a fresh checkout; never valid in production. */
const DEV_KEY: ApiKey = { tenant: 'dev', secret: { kind: 'plain', key: 'dev-key' }, worker: false }

/** `has_others`: there is a login, or a key of operators, so there may be no keys here. */
export function readKeys(
  text: string | undefined,
  environment: EnvironmentName,
  has_others: boolean,
): { keys: ApiKey[]; errors: string[] } {
  if (text === undefined) {
    if (environment === 'development') return { keys: [DEV_KEY], errors: [] }
    return { keys: [], errors: has_others ? [] : [NO_KEYS] }
  }
  const entries = text.split(',').map((entry) => entry.trim())
  const parsed = entries.map(parseKey)
  const errors = parsed.flatMap((key, index) =>
    key === null
      ? [`API_KEYS entry ${index + 1} is not tenant:key or tenant:sha256:<64 hex digits>, each with :worker or without`]
      : [],
  )
  const keys = parsed.filter((key) => key !== null)
  const secrets = namesOf(keys.map(({ secret }) => secret))
  if (new Set(secrets).size < keys.length) errors.push('API_KEYS has the same key twice')
  return { keys, errors }
}

const KEY =
  /^(?<tenant>[^:]{1,64}):(?:sha256:(?<hex>[0-9a-f]{64})|(?<key>[A-Za-z0-9._~+/=-]{1,512}))(?<worker>:worker)?$/i

function parseKey(entry: string): ApiKey | null {
  const { tenant, hex, key, worker } = KEY.exec(entry)?.groups ?? {}
  if (tenant === undefined || !isTenantName(tenant)) return null
  if (hex !== undefined)
    return { tenant, secret: { kind: 'sha256', hex: hex.toLowerCase() }, worker: worker !== undefined }
  return key === undefined ? null : { tenant, secret: { kind: 'plain', key }, worker: worker !== undefined }
}

/**
 * Equal for the same key in both of its spellings. Without a SHA-256 among them, or without one spelled out, the spellings tell as much, and
 * no start loads what computes them.
 */
function namesOf(secrets: readonly KeySecret[]): string[] {
  const isMixed = new Set(secrets.map(({ kind }) => kind)).size > 1
  const digest = isMixed ? nodeDigest() : null
  return secrets.map((secret) => {
    if (secret.kind === 'sha256') return secret.hex
    return digest === null ? `plain ${secret.key}` : digest(secret.key)
  })
}

interface NodeCrypto {
  createHash(name: 'sha256'): { update(text: string): { digest(form: 'hex'): string } }
}
/** Workers and Node both have it, and it answers at once, which crypto.subtle does not. null: a runtime that lacks it. */
function nodeDigest(): ((text: string) => string) | null {
  // No type declares it for both runtimes.
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => NodeCrypto | undefined } }
  const crypto = process?.getBuiltinModule?.('node:crypto')
  return crypto === undefined ? null : (text) => crypto.createHash('sha256').update(text).digest('hex')
}

/** Whoever has the key has every tenant, so it must not be one that can be guessed. */
const ADMIN_KEY_CHARS_MIN = 32
/** A key that is being replaced, and the one that replaces it. */
const ADMIN_KEYS_MAX = 2
const ADMIN_KEY = /^(?:sha256:(?<hex>[0-9a-f]{64})|(?<key>[A-Za-z0-9._~+/=-]{32,512}))$/i

/** The keys of operators, who administer all tenants (docs/keys.md). Without one there is no registry. */
export function readAdminKeys(
  text: string | undefined,
  api_keys: readonly ApiKey[],
): { admin_keys: KeySecret[]; errors: string[] } {
  const entries = text === undefined ? [] : text.split(',').map((entry) => entry.trim())
  const admin_keys = entries.map(adminSecret).filter((secret) => secret !== null)
  const errors: string[] = []
  if (admin_keys.length < entries.length)
    errors.push(
      `ADMIN_KEY must be at least ${ADMIN_KEY_CHARS_MIN} of A-Z a-z 0-9 . _ ~ + / = -, or sha256:<64 hex digits>; make one with: openssl rand -hex 32`,
    )
  if (entries.length > ADMIN_KEYS_MAX)
    errors.push(`ADMIN_KEY must name at most ${ADMIN_KEYS_MAX} keys, with a comma between them`)
  const names = namesOf([...admin_keys, ...api_keys.map(({ secret }) => secret)])
  const own = names.slice(0, admin_keys.length)
  if (own.some((name) => names.indexOf(name, admin_keys.length) >= 0))
    errors.push('ADMIN_KEY must not be a key of API_KEYS, also where one of them is a SHA-256')
  if (new Set(own).size < own.length) errors.push('ADMIN_KEY names the same key twice')
  return { admin_keys: errors.length > 0 ? [] : admin_keys, errors }
}

function adminSecret(entry: string): KeySecret | null {
  const { hex, key } = ADMIN_KEY.exec(entry)?.groups ?? {}
  if (hex !== undefined) return { kind: 'sha256', hex: hex.toLowerCase() }
  return key === undefined ? null : { kind: 'plain', key }
}
