/** Whose request this is: the tenant comes from the credential and from nothing else (API1, API2). */
import type { Config } from '../../config.ts'
import type { ApiKey } from '../../config-keys.ts'
import { toHex } from '../../shell/hex.ts'
import type { PathLinkName } from '../../shell/links/path-links.ts'
import type { LinkName, Readable } from '../../shell/links/read-links.ts'
import type { HttpResult } from '../shapes/http-refusal.ts'
import type { Ports } from '../endpoint.ts'

/** One token, of the characters of RFC 6750; anything else in the header is no key. */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]{1,512})$/i

/** Whose key it is. */
export interface KeyHolder {
  tenant: string
  /** What names a key for workers (U21), without telling it; null: it is none. */
  worker: string | null
}
/** Of its SHA-256: enough to tell the keys of a tenant apart. */
const KEY_NAME_BYTES = 8

/** Who holds the key of a request. Both sides are hashed first, so the comparison sees equal lengths and takes equal time. */
export function authenticator(config: Config): (request: Request) => Promise<HttpResult<KeyHolder>> {
  let known: Awaited<ReturnType<typeof digestOf>>[] | null = null
  return async (request) => {
    const header = request.headers.get('authorization')
    const key = BEARER.exec(header ?? '')?.[1]
    if (key === undefined) return { ok: false, refusal: { code: 'unauthorized', given: header !== null } }
    known ??= await Promise.all(config.api_keys.map(digestOf))
    const digest = await sha256(key)
    const matches = known.filter((candidate) => equal(candidate.digest, digest))
    const [match] = matches
    return match === undefined
      ? { ok: false, refusal: { code: 'unauthorized', given: true } }
      : { ok: true, value: { tenant: match.tenant, worker: match.worker ? nameOf(match.digest) : null } }
  }
}

/** Whether a request brings a key, good or not; a link counts only where there is none. */
export const hasKey = (request: Request) => (request.headers.get('authorization') ?? '') !== ''

const nameOf = (digest: Uint8Array) => toHex(digest.slice(0, KEY_NAME_BYTES))

/** Links of a tenant that has no key any more open nothing, whatever their kind. */
export function linkOpener(
  { api_keys }: Config,
  { links, path_links, now }: Pick<Ports, 'links' | 'path_links' | 'now'>,
) {
  const tenants = new Set(api_keys.filter(({ worker }) => !worker).map(({ tenant }) => tenant))
  return {
    async read(kind: LinkName, token: string): Promise<Readable | null> {
      const readable = await links[kind].open(token, now())
      return readable !== null && tenants.has(readable.tenant) ? readable : null
    },
    async path(kind: PathLinkName, token: string): Promise<string | null> {
      const tenant = await path_links[kind](token)
      return tenant !== null && tenants.has(tenant) ? tenant : null
    },
  }
}

async function digestOf({ tenant, secret, worker }: ApiKey) {
  return { tenant, worker, digest: secret.kind === 'plain' ? await sha256(secret.key) : fromHex(secret.hex) }
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  )
}

/** Looks at every byte, whatever it finds. */
function equal(one: Uint8Array, other: Uint8Array): boolean {
  return (
    one.reduce((differing, byte, index) => differing | (byte ^ (other[index] ?? -1)), one.length ^ other.length) === 0
  )
}
