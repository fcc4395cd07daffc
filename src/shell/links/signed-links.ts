/**
 * Links that carry their own right: a signed token names its purpose and what it opens. Nothing of it is stored. A caller never learns what
 * is wrong with a token.
 */
import { joinBytes } from '../network/chunked-body.ts'

/** A signed value of a token. It must not be secret, because every holder can read it. */
type TokenClaim = string | number
export interface Links {
  sign(purpose: string, claims: readonly TokenClaim[]): Promise<string>
  /** The claims of a token for this purpose; null for any other token. The caller checks whether it has expired. */
  open(purpose: string, token: string): Promise<TokenClaim[] | null>
}

/** Version 1 named no key. Its links work as long as their secret is configured. */
const UNNAMED = 1
const NAMED = 2
const MAC_BYTES = 32
/** Far above the length of any real token. A longer one is not even decoded. */
const TOKEN_CHARS_MAX = 1_024
const KEY_ID_BYTES = 6
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

interface SigningKey {
  id: string
  key: CryptoKey
}

/** The first secret signs, and all of them verify. A link names its key, so that a secret can be replaced while older links go on. */
export function signedLinks(secrets: readonly string[]): Links {
  let known: Promise<SigningKey[]> | null = null
  const keys = () => (known ??= Promise.all(secrets.map(signingKey)))
  return {
    async sign(purpose, claims) {
      const [newest] = await keys()
      if (newest === undefined) throw new Error('a link cannot be signed without SIGNING_SECRET')
      // The signed list begins with a number. Other texts that are signed with this secret begin with a letter.
      const signed = encode(JSON.stringify([NAMED, newest.id, purpose, ...claims]))
      return base64url(joinBytes([signed, await macOf(newest.key, signed)]))
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
  const key = await crypto.subtle.importKey('raw', encode(secret), HMAC, false, ['sign', 'verify'])
  // The id is computed by the key itself, so that it tells a guesser no more than a link does.
  const id = base64url((await macOf(key, encode('key id'))).slice(0, KEY_ID_BYTES))
  return { id, key }
}

const encode = (text: string) => new TextEncoder().encode(text)
const macOf = async (key: CryptoKey, bytes: BufferSource) => new Uint8Array(await crypto.subtle.sign(HMAC, key, bytes))

interface SignedText {
  /** null: a link of version 1. */
  key_id: string | null
  purpose: string
  claims: TokenClaim[]
}

/** Reads what a token says before its signature is checked. */
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

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Each token has one spelling: the unused bits of its last character must be as they were written. */
function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return null
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  return base64url(bytes) === text ? bytes : null
}
