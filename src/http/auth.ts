/** Whose request this is: the tenant comes from the credential and from nothing else (API1, API2). */
import type { ApiKey, Config } from '../config.ts'
import type { LinkName, Readable, ReadLinks } from '../shell/read-link.ts'
import type { Outcome } from './errors.ts'

/** One token, of the characters of RFC 6750; anything else in the header is no key. */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]{1,512})$/i

/** Whose key it is, and whether it is one for workers (ruling 21). */
export interface KeyHolder {
  tenant: string
  worker: boolean
}

/** Who holds the key of a request. Both sides are hashed first, so the comparison sees equal lengths and takes equal time. */
export function authenticator(config: Config): (request: Request) => Promise<Outcome<KeyHolder>> {
  let known: (KeyHolder & { digest: Uint8Array })[] | null = null
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
      : { ok: true, value: { tenant: match.tenant, worker: match.worker } }
  }
}

/** Whether a request brings a key, good or not; a link counts only where there is none. */
export const bringsKey = (request: Request) => (request.headers.get('authorization') ?? '') !== ''

/** What a link opens, as long as its tenant is one that has a key: who is let in no more reads nothing either. */
export function openedLink({ api_keys }: Config, links: Record<LinkName, ReadLinks>, now: () => number) {
  const tenants = new Set(api_keys.filter(({ worker }) => !worker).map(({ tenant }) => tenant))
  return async (kind: LinkName, token: string): Promise<Readable | null> => {
    const readable = await links[kind].open(token, now())
    return readable !== null && tenants.has(readable.tenant) ? readable : null
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
