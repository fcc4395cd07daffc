/** What reads each kind of key: those of API_KEYS, ADMIN_KEY, and those of the registry (docs/keys.md). */
import type { ApiKey, KeySecret } from '../../../config-keys.ts'
import { isRegistryKey, isWholeKey } from '../../../core/registry/key-format.ts'
import { stateOf } from '../../../core/registry/records.ts'
import { TENANT_SCOPES, WORKER_SCOPES } from '../../../core/registry/scopes.ts'
import { sha256, toHex } from '../../../shell/hex.ts'
import type { Directory } from '../../../shell/registry/directory.ts'
import { refuse } from '../../shapes/http-refusal.ts'
import type { Verifier } from './key-holder.ts'

/** The bytes of its SHA-256 that name a key. They are enough to tell the keys of a tenant apart. */
const KEY_NAME_BYTES = 8

/** The keys of API_KEYS. Both keys are hashed first, so that each comparison takes the same time, and nothing outside this process is asked. */
export function configuredKeys(api_keys: readonly ApiKey[]): Verifier {
  let known: Awaited<ReturnType<typeof digestOf>>[] | null = null
  return async ({ digest }) => {
    known ??= await Promise.all(api_keys.map(digestOf))
    const [match] = known.filter((candidate) => equal(candidate.digest, digest))
    if (match === undefined) return null
    const scopes = match.worker ? WORKER_SCOPES : TENANT_SCOPES
    return { ok: true, value: { tenant: match.tenant, scopes, key_name: nameOf(match.digest), is_operator: false } }
  }
}

/** The token of the operator's scraper. It opens the metrics alone, so that a scraper holds no key of a tenant. */
export const metricsToken =
  (token: string): Verifier =>
  async ({ digest }) =>
    equal(await sha256(token), digest)
      ? { ok: true, value: { tenant: '', scopes: [], key_name: 'metrics', is_operator: true } }
      : null

/** The operators of the deployment, who administer all tenants and work for none. */
export function adminKeys(admin_keys: readonly KeySecret[]): Verifier {
  let known: Uint8Array[] | null = null
  return async ({ digest }) => {
    known ??= await Promise.all(admin_keys.map(secretDigest))
    const matches = known.filter((candidate) => equal(candidate, digest))
    return matches.length === 0 ? null : { ok: true, value: OPERATOR }
  }
}
const OPERATOR = { tenant: '', scopes: ['admin'], key_name: 'admin_key', is_operator: true } as const

/** The keys of the registry. One that is not whole is refused without asking anybody. Whether the tenant of the key is served is asked for every kind of key (auth.ts). */
export function registryKeys({ findKey }: Pick<Directory, 'findKey'>, now_ms: () => number): Verifier {
  return async ({ token, digest }) => {
    if (!isRegistryKey(token)) return null
    if (!isWholeKey(token)) return mistaken('damaged')
    const found = await findKey(toHex(digest))
    if (found === null) return refuse({ code: 'unauthorized', given: true })
    const { id, tenant, scopes, expires, state } = found
    if (state === 'revoked') return mistaken('revoked')
    // The key may have expired since it was looked up.
    if (state === 'expired' || stateOf({ revoked: null, expires }, now_ms()) === 'expired') return mistaken('expired')
    return { ok: true, value: { tenant, scopes, key_name: id, is_operator: false } }
  }
}

const mistaken = (kind: 'damaged' | 'expired' | 'revoked') =>
  refuse({ code: 'unauthorized', given: true, mistake: { kind } })

const CONFIGURED = 'env_'
const nameOf = (digest: Uint8Array) => `${CONFIGURED}${toHex(digest.slice(0, KEY_NAME_BYTES))}`
/** Whether this `key_name` is that of a key of API_KEYS. Those of the registry and of logins begin with other words. */
export const isConfiguredKey = (key_name: string): boolean => key_name.startsWith(CONFIGURED)

async function digestOf({ tenant, secret, worker }: ApiKey) {
  return { tenant, worker, digest: await secretDigest(secret) }
}

async function secretDigest(secret: KeySecret): Promise<Uint8Array> {
  return secret.kind === 'plain' ? await sha256(secret.key) : fromHex(secret.hex)
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  )
}

/** Compares every byte, so that the time does not depend on the first difference. */
function equal(one: Uint8Array, other: Uint8Array): boolean {
  return (
    one.reduce((differing, byte, index) => differing | (byte ^ (other[index] ?? -1)), one.length ^ other.length) === 0
  )
}
