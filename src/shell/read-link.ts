/**
 * Links for readers that cannot send a header, such as calendar programs (ruling 22): a token that lets its holder read one
 * thing of one tenant until it expires, and do nothing else. Nothing is stored. What it is for is part of what is signed, so a
 * token of one purpose is none of another.
 */
import * as z from 'zod'

/** What a link is for, and how long it lasts. */
export interface LinkKind {
  purpose: string
  life_ms: number
}
/** Calendar programs keep the link they were given and cannot ask for a new one. */
export const CALENDAR_LINK: LinkKind = { purpose: 'read:calendar', life_ms: 365 * 24 * 3_600_000 }

export interface Readable {
  tenant: string
  /** The task whose events may be read; empty where it is nothing of a task. */
  task: string
}
export interface ReadLinks {
  sign(readable: Readable, now_ms: number): Promise<string>
  /** null: forged, of another purpose, or expired. */
  open(token: string, now_ms: number): Promise<Readable | null>
}

/** Version, tenant, task, expiry in seconds since the epoch. */
const Claims = z.tuple([z.literal(1), z.string(), z.string(), z.int()])
const TOKEN = /^([A-Za-z0-9_-]{1,800})\.([A-Za-z0-9_-]{43})$/
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }

export function readLinks(secret: string, { purpose, life_ms }: LinkKind): ReadLinks {
  let key: Promise<CryptoKey> | null = null
  const signedPart = (payload: string) => utf8(`${purpose}\n${payload}`)
  const keyed = () => (key ??= crypto.subtle.importKey('raw', utf8(secret), ALGORITHM, false, ['sign', 'verify']))
  return {
    async sign({ tenant, task }, now_ms) {
      const claims: z.infer<typeof Claims> = [1, tenant, task, Math.ceil((now_ms + life_ms) / 1000)]
      const payload = encode(utf8(JSON.stringify(claims)))
      const mac = await crypto.subtle.sign('HMAC', await keyed(), signedPart(payload))
      return `${payload}.${encode(new Uint8Array(mac))}`
    },
    async open(token, now_ms) {
      const [, payload = '', mac = ''] = TOKEN.exec(token) ?? []
      const bytes = decode(mac)
      // Spelled another way it would be another token with the same bytes.
      if (mac === '' || encode(bytes) !== mac) return null
      if (!(await crypto.subtle.verify('HMAC', await keyed(), bytes, signedPart(payload)))) return null
      const [, tenant, task, expires_s] = Claims.parse(JSON.parse(new TextDecoder().decode(decode(payload))))
      return expires_s * 1000 > now_ms ? { tenant, task } : null
    },
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)

const encode = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const decode = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
