/**
 * Links that carry their own right: a token says what it is for, names what it opens, and is signed. Nothing of it is stored. What is
 * wrong with a token is never told: it is one of ours, whole, or it is none.
 */

/** What may be signed in a token beside its purpose; nothing secret, for whoever holds it can read it. */
export type TokenClaim = string | number
export interface Links {
  sign(purpose: string, claims: readonly TokenClaim[]): Promise<string>
  /** The claims of a token for this purpose; null for anything else. Whether it has expired is for the caller to see. */
  open(purpose: string, token: string): Promise<TokenClaim[] | null>
}

/** Version 1 named no key; its links go on as long as their secret is configured. */
const UNNAMED = 1
const NAMED = 2
const MAC_BYTES = 32
/** Far above any of ours: what is longer is not even decoded. */
const TOKEN_CHARS_MAX = 1_024
const KEY_ID_BYTES = 6
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

interface SigningKey {
  id: string
  key: CryptoKey
}

/** The first secret signs, all of them verify: a link names its key, so that a secret can be replaced while links of the old one go on. */
export function signedLinks(secrets: readonly string[]): Links {
  let known: Promise<SigningKey[]> | null = null
  const keys = () => (known ??= Promise.all(secrets.map(signingKey)))
  return {
    async sign(purpose, claims) {
      const [newest] = await keys()
      if (newest === undefined) throw new Error('a link cannot be signed without SIGNING_SECRET')
      // A list that begins with a number: what else is signed with this secret begins with a text (ids of tasks).
      const signed = encoded(JSON.stringify([NAMED, newest.id, purpose, ...claims]))
      return base64url(joined(signed, await macOf(newest.key, signed)))
    },
    async open(purpose, token) {
      const bytes = token.length > TOKEN_CHARS_MAX ? null : fromBase64url(token)
      if (bytes === null || bytes.byteLength <= MAC_BYTES) return null
      const [signed, mac] = [bytes.slice(0, -MAC_BYTES), bytes.slice(-MAC_BYTES)]
      const read = readSigned(signed)
      if (read === null) return null
      const fitting = (await keys()).filter(({ id }) => read.key_id === null || read.key_id === id)
      for (const { key } of fitting)
        if (await crypto.subtle.verify(HMAC, key, mac, signed)) return read.purpose === purpose ? read.claims : null
      return null
    },
  }
}

async function signingKey(secret: string): Promise<SigningKey> {
  const key = await crypto.subtle.importKey('raw', encoded(secret), HMAC, false, ['sign', 'verify'])
  // Made by the key itself, so that it tells a guesser nothing that a link does not.
  const id = base64url((await macOf(key, encoded('key id'))).slice(0, KEY_ID_BYTES))
  return { id, key }
}

const encoded = (text: string) => new TextEncoder().encode(text)
const macOf = async (key: CryptoKey, bytes: BufferSource) => new Uint8Array(await crypto.subtle.sign(HMAC, key, bytes))

interface SignedText {
  /** null: a link of version 1. */
  key_id: string | null
  purpose: string
  claims: TokenClaim[]
}

/** What a token says before anyone has looked whether it is ours. */
function readSigned(signed: Uint8Array): SignedText | null {
  const [version, ...rest] = listOf(signed)
  const [key_id, ...named] = version === NAMED ? rest : [null, ...rest]
  const [purpose, ...claims] = named
  const isKnown = version === UNNAMED || (version === NAMED && typeof key_id === 'string')
  if (!isKnown || typeof purpose !== 'string' || !claims.every(isClaim)) return null
  return { key_id: typeof key_id === 'string' ? key_id : null, purpose, claims }
}

const isClaim = (value: unknown): value is TokenClaim => typeof value === 'string' || typeof value === 'number'

function listOf(signed: Uint8Array): unknown[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(signed))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
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
