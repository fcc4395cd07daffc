/**
 * Seals the values of secrets under keys that are derived from SIGNING_SECRET: AES-GCM, with tenant, name and hosts as additional data. So a
 * row that is copied to another tenant, to another name or to other hosts does not open. A value tells which key it is sealed under.
 */
import type { Attempt } from '../core/terms/attempt.ts'
import type { SealedValue } from '../core/workspace/secrets.ts'
import { joinBytes } from './network/chunked-body.ts'

/** What a value is sealed for. */
interface SealedFor {
  tenant: string
  name: string
  hosts: readonly string[]
}
export type SealError = 'key_is_gone' | 'damaged'
export interface Sealing {
  /** Under the newest key. */
  seal(of: SealedFor, value: string): Promise<SealedValue>
  /** `is_newest`: whether the value is sealed under the newest key. */
  open(of: SealedFor, value: SealedValue): Promise<Attempt<{ value: string; is_newest: boolean }, SealError>>
}

/** The layout of what is sealed. It is part of the additional data, so that a later layout cannot be read as this one. */
const VERSION = 1
const IV_BYTES = 12
const KEY_ID_BYTES = 6
const CIPHER = 'AES-GCM'

interface SealingKey {
  id: string
  key: CryptoKey
}

/** The first secret seals, and all of them open. */
export function secretSealing(signing_secrets: readonly string[]): Sealing {
  let known: Promise<SealingKey[]> | null = null
  const keys = () => (known ??= Promise.all(signing_secrets.map(sealingKey)))
  return {
    async seal(of, value) {
      const [newest] = await keys()
      if (newest === undefined) throw new Error('a secret cannot be sealed without SIGNING_SECRET')
      // It is drawn here, because a second value under the same bytes would give both away.
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const sealed = await crypto.subtle.encrypt(cipherFor(of, iv), newest.key, encode(value))
      return { key_id: newest.id, sealed: base64(joinBytes([iv, new Uint8Array(sealed)])) }
    },
    async open(of, { key_id, sealed }) {
      const all = await keys()
      const holder = all.find(({ id }) => id === key_id)
      if (holder === undefined) return { ok: false, error: 'key_is_gone' }
      const value = await decrypt(holder.key, of, sealed)
      return value === null
        ? { ok: false, error: 'damaged' }
        : { ok: true, value: { value, is_newest: holder === all[0] } }
    },
  }
}

const cipherFor = ({ tenant, name, hosts }: SealedFor, iv: BufferSource) => ({
  name: CIPHER,
  iv,
  additionalData: encode(JSON.stringify([VERSION, tenant, name, hosts])),
})

/** null: it was changed, or sealed for something else. */
async function decrypt(key: CryptoKey, of: SealedFor, sealed: string): Promise<string | null> {
  try {
    const bytes = Uint8Array.from(atob(sealed), (char) => char.charCodeAt(0))
    const value = await crypto.subtle.decrypt(cipherFor(of, bytes.slice(0, IV_BYTES)), key, bytes.slice(IV_BYTES))
    return new TextDecoder().decode(value)
  } catch {
    return null
  }
}

/** Links are signed with the same secret. Keys that are derived for a purpose of their own tell nothing about it. */
async function sealingKey(signing_secret: string): Promise<SealingKey> {
  const secret = await crypto.subtle.importKey('raw', encode(signing_secret), 'HKDF', false, [
    'deriveKey',
    'deriveBits',
  ])
  const aes = { name: CIPHER, length: 256 }
  const key = await crypto.subtle.deriveKey(derivedFor('secrets of tenants'), secret, aes, false, [
    'encrypt',
    'decrypt',
  ])
  const id = await crypto.subtle.deriveBits(derivedFor('id of the key of secrets'), secret, 8 * KEY_ID_BYTES)
  return { id: base64(new Uint8Array(id)), key }
}

const derivedFor = (purpose: string) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: new Uint8Array(),
  info: encode(`loop-agent: ${purpose}`),
})

const encode = (text: string) => new TextEncoder().encode(text)
/** A value has at most some thousand bytes, so they fit into the arguments of one call. */
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
