/** Finds out whose request it is. The tenant comes only from the credential (API1, API2). */
import type { Config } from '../../config.ts'
import type { ApiKey } from '../../config-keys.ts'
import { sha256, toHex } from '../../shell/hex.ts'
import type { PathLinkName } from '../../shell/links/path-links.ts'
import type { LinkName, Readable } from '../../shell/links/read-links.ts'
import { keyMistake } from './hints/key-mistake.ts'
import { refuse, type HttpResult } from '../shapes/http-refusal.ts'
import type { Ports } from '../endpoint.ts'

/** One token of the characters of RFC 6750. Any other header is not a key. */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]{1,512})$/i

/** The owner of a key. */
export interface KeyHolder {
  tenant: string
  /** A name for a key of workers (U21) that does not reveal the key; null: it is not a key for workers. */
  worker: string | null
}
/** The bytes of its SHA-256 that name a key. They are enough to tell the keys of a tenant apart. */
const KEY_NAME_BYTES = 8

/** Finds the holder of a request's key. Both keys are hashed first, so that each comparison takes the same time. */
export function authenticator(config: Config): (request: Request) => Promise<HttpResult<KeyHolder>> {
  let known: Awaited<ReturnType<typeof digestOf>>[] | null = null
  return async (request) => {
    const header = request.headers.get('authorization')
    const key = BEARER.exec(header ?? '')?.[1]
    const mistake = keyMistake(request)
    if (mistake !== null) return refuse({ code: 'unauthorized', given: header !== null, mistake })
    if (key === undefined) return refuse({ code: 'unauthorized', given: header !== null })
    known ??= await Promise.all(config.api_keys.map(digestOf))
    const digest = await sha256(key)
    const matches = known.filter((candidate) => equal(candidate.digest, digest))
    const [match] = matches
    return match === undefined
      ? refuse({ code: 'unauthorized', given: true })
      : { ok: true, value: { tenant: match.tenant, worker: match.worker ? nameOf(match.digest) : null } }
  }
}

/** Whether a request has a key, valid or not. A link counts only without a key. */
export const hasKey = (request: Request) => (request.headers.get('authorization') ?? '') !== ''

const nameOf = (digest: Uint8Array) => toHex(digest.slice(0, KEY_NAME_BYTES))

/** Opens the links of tenants that still have a key. Links of other tenants open nothing. */
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
