/**
 * What can be seen of a token before anything is computed or asked: its form, its algorithm and whose it says it is. It refuses at once what
 * no key could make right, so a stranger causes neither a signature check nor a request to the issuer by it.
 */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { parseJson } from '../../../core/terms/values/parse-json.ts'
import type { Attempt } from '../../../core/terms/attempt.ts'
import type { TokenFault } from '../../shapes/http-refusal.ts'
import { TOKEN_CHARS_MAX } from '../auth/key-holder.ts'

/** Signatures by a private key. The keys are public, so any algorithm with a shared secret would let everybody sign. */
export const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

/** Tokens that are there to be shown to a service. Others of the same issuer (for logout, for events) are none. */
const TYPES = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt'])

const PARTS = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]*)$/
/** Whether a text could be a signed token. Access tokens may be any text, which is for their issuer alone. */
export const isTokenForm = (text: string): boolean => PARTS.test(text)

/** null: the token may be verified. */
export function tokenFault(token: string, issuer: string): TokenFault | null {
  if (token.length > TOKEN_CHARS_MAX) return 'too_long'
  const [, first = '', second = ''] = PARTS.exec(token) ?? []
  const [header, claims] = [jsonOf(first), jsonOf(second)]
  if (!header.ok || !claims.ok) return 'malformed'
  const { alg, typ } = header.value
  if (typeof alg !== 'string' || !ALGORITHMS.includes(alg)) return 'algorithm'
  if (typ !== undefined && !(typeof typ === 'string' && TYPES.has(typ.toLowerCase()))) return 'type'
  return claims.value['iss'] === issuer ? null : 'issuer'
}

function jsonOf(part: string): Attempt<Record<string, unknown>, null> {
  const value = parseJson(textOf(part))
  return isRecord(value) ? { ok: true, value } : { ok: false, error: null }
}

/** An empty text where the part is no base64url. */
function textOf(part: string): string {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return ''
  }
}
