/** Recognises a key that is sent in another way than as `Authorization: Bearer <key>`. No key is repeated, not even a wrong one. */

import type { KeyMistake } from '../../shapes/http-refusal.ts'

const OTHER_HEADERS = ['X-Api-Key', 'Api-Key', 'X-Api-Token', 'X-Auth-Token', 'X-Access-Token']
const OTHER_PARAMETERS = ['api_key', 'apikey', 'access_token', 'key', 'authorization']
/** Schemes of which the registry knows, and those that other services have made up. */
const SCHEMES = ['Basic', 'Digest', 'Token', 'ApiKey', 'Api-Key', 'Key', 'JWT', 'OAuth', 'Negotiate']
const QUOTE = /^["'`\u2018\u2019\u201C\u201D]|["'`\u2018\u2019\u201C\u201D]$/

/** null: the header has the right form, or there is nothing that looks like a key. */
export function keyMistake(request: Request): KeyMistake | null {
  const header = request.headers.get('authorization')?.trim() ?? ''
  return header === '' ? elsewhere(request) : inHeader(header)
}

function elsewhere({ headers, url }: Request): KeyMistake | null {
  const header = OTHER_HEADERS.find((name) => headers.has(name))
  if (header !== undefined) return { kind: 'other_header', header }
  const { searchParams } = new URL(url)
  if (OTHER_PARAMETERS.some((name) => searchParams.has(name))) return { kind: 'in_query' }
  return headers.has('authorization') ? { kind: 'no_key' } : null
}

function inHeader(header: string): KeyMistake | null {
  const blank = header.search(/\s/)
  const first = blank === -1 ? header : header.slice(0, blank)
  const key = blank === -1 ? '' : header.slice(blank).trim()
  if (/^bearer[:=]/i.test(header) || key.startsWith(':')) return { kind: 'colon' }
  // The quotes may stand around the key, or around the whole value.
  if (QUOTE.test(header) || QUOTE.test(key)) return { kind: 'quoted' }
  if (first.toLowerCase() === 'bearer') return inKey(key)
  const scheme = SCHEMES.find((name) => name.toLowerCase() === first.toLowerCase())
  if (scheme !== undefined) return { kind: 'other_scheme', scheme }
  return { kind: 'no_scheme' }
}

function inKey(key: string): KeyMistake | null {
  if (key === '') return { kind: 'no_key' }
  if (/^(?:[<$%]|\{)/.test(key)) return { kind: 'placeholder' }
  return /^bearer\s/i.test(key) ? { kind: 'twice' } : null
}
