/** The keys of API_KEYS. All of them are compared in the same time, and nothing outside this process is asked. */
import type { ApiKey } from '../../../config-keys.ts'
import { TENANT_SCOPES, WORKER_SCOPES } from '../../../core/registry/scopes.ts'
import { sha256, toHex } from '../../../shell/hex.ts'
import type { Verifier } from './key-holder.ts'

/** The bytes of its SHA-256 that name a key. They are enough to tell the keys of a tenant apart. */
const KEY_NAME_BYTES = 8

/** Both keys are hashed first, so that each comparison takes the same time. */
export function configuredKeys(api_keys: readonly ApiKey[]): Verifier {
  let known: Awaited<ReturnType<typeof digestOf>>[] | null = null
  return async ({ digest }) => {
    known ??= await Promise.all(api_keys.map(digestOf))
    const matches = known.filter((candidate) => equal(candidate.digest, digest))
    const [match] = matches
    if (match === undefined) return null
    const scopes = match.worker ? WORKER_SCOPES : TENANT_SCOPES
    return { ok: true, value: { tenant: match.tenant, scopes, key_name: nameOf(match.digest), is_operator: false } }
  }
}

const nameOf = (digest: Uint8Array) => `env_${toHex(digest.slice(0, KEY_NAME_BYTES))}`

async function digestOf({ tenant, secret, worker }: ApiKey) {
  return { tenant, worker, digest: secret.kind === 'plain' ? await sha256(secret.key) : fromHex(secret.hex) }
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  )
}

/** The token of the operator's scraper. It opens the metrics alone, so that a scraper holds no key of a tenant. */
export const metricsToken =
  (token: string): Verifier =>
  async ({ digest }) =>
    equal(await sha256(token), digest)
      ? { ok: true, value: { tenant: '', scopes: [], key_name: 'metrics', is_operator: true } }
      : null

/** Compares every byte, so that the time does not depend on the first difference. */
function equal(one: Uint8Array, other: Uint8Array): boolean {
  return (
    one.reduce((differing, byte, index) => differing | (byte ^ (other[index] ?? -1)), one.length ^ other.length) === 0
  )
}
