/**
 * Links that carry their own right: a token says what it is for, names what it opens, and is signed. Nothing of it is stored. What is
 * wrong with a token is never told: it is one of ours, whole, or it is none.
 */

/** What may be signed in a token beside its purpose; nothing secret, for whoever holds it can read it. */
export type Claim = string | number
export interface Links {
  sign(purpose: string, claims: readonly Claim[]): Promise<string>
  /** The claims of a token for this purpose; null for anything else. Whether it has expired is for the caller to see. */
  open(purpose: string, token: string): Promise<Claim[] | null>
}

const VERSION = 1
const MAC_BYTES = 32
/** Far above any of ours: what is longer is not even decoded. */
const TOKEN_CHARS_MAX = 1_024
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

export function signedLinks(secret: string): Links {
  let known: CryptoKey | null = null
  const key = async () =>
    (known ??= await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), HMAC, false, ['sign', 'verify']))
  return {
    async sign(purpose, claims) {
      // A list that begins with a number: what else is signed with this secret begins with a text (ids of tasks).
      const signed = new TextEncoder().encode(JSON.stringify([VERSION, purpose, ...claims]))
      const mac = new Uint8Array(await crypto.subtle.sign(HMAC, await key(), signed))
      return base64url(joined(signed, mac))
    },
    async open(purpose, token) {
      const bytes = token.length > TOKEN_CHARS_MAX ? null : fromBase64url(token)
      if (bytes === null || bytes.byteLength <= MAC_BYTES) return null
      const [signed, mac] = [bytes.slice(0, -MAC_BYTES), bytes.slice(-MAC_BYTES)]
      if (!(await crypto.subtle.verify(HMAC, await key(), mac, signed))) return null
      return claimsOf(signed, purpose)
    },
  }
}

function claimsOf(signed: Uint8Array, purpose: string): Claim[] | null {
  // Only what sign() made gets here.
  const [version, meant, ...claims] = JSON.parse(new TextDecoder().decode(signed)) as Claim[]
  return version === VERSION && meant === purpose ? claims : null
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.byteLength + other.byteLength)
  both.set(one)
  both.set(other, one.byteLength)
  return both
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Of every token there is one spelling: unused bits of its last character must be as they were written. */
function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return null
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  return base64url(bytes) === text ? bytes : null
}
