/**
 * Verifies a token by the keys of the issuer, and reads whose it is. A fault is told in a word that helps its owner: what depends on the
 * claims is told only after the signature is right, so a stranger learns nothing of what is accepted here.
 */
import { jwtVerify } from 'jose/jwt/verify'
import type { LoginConfig } from '../../../config-login.ts'
import type { KeyHolder } from '../auth/key-holder.ts'
import { refuse, type HttpResult, type TokenFault } from '../../shapes/http-refusal.ts'
import { loginNameOf, loginScopesOf, tenantOf, type Claims } from './claims.ts'
import type { Issuer } from './issuer.ts'
import { ALGORITHMS, tokenFault } from './read-token.ts'

/** Clocks of servers differ by less, and a token that is taken back lives no longer by it than anyone notices. */
const CLOCK_TOLERANCE_S = 30
/** A token without `kid` is tried with so many keys that fit its algorithm. */
const TRIED_KEYS_MAX = 8

type Verified = { ok: true; claims: Claims } | { ok: false; fault: TokenFault }
type KeyFinder = Parameters<Issuer['keys']['renew']>[0]

export interface TokenVerifier {
  /** Whose the token is. */
  holderOf(token: string): Promise<HttpResult<KeyHolder>>
  /** The same of claims that were verified for the audiences of the service. */
  holderIn(claims: Claims): Promise<HttpResult<KeyHolder>>
  /** The claims of a token of the issuer for one of these audiences. */
  claimsOf(token: string, audiences: readonly string[]): Promise<HttpResult<Claims>>
}

export function tokenVerifier(login: LoginConfig, { keys }: Issuer, now_ms: () => number): TokenVerifier {
  const verify = async (token: string, finder: KeyFinder, audiences: readonly string[]): Promise<Verified> => {
    const options = {
      algorithms: ALGORITHMS,
      issuer: login.issuer,
      audience: [...audiences],
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(now_ms()),
    }
    const attempt = async (key: KeyFinder | CryptoKey): Promise<Verified> => {
      try {
        // Both overloads take the same token, and each takes one of the two kinds of keys.
        const { payload } = await (typeof key === 'function'
          ? jwtVerify(token, key, options)
          : jwtVerify(token, key, options))
        return { ok: true, claims: payload }
      } catch (error) {
        if (codeOf(error) !== 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') return { ok: false, fault: faultOf(error) }
        return firstVerified(error, attempt)
      }
    }
    return attempt(finder)
  }

  const claimsOf: TokenVerifier['claimsOf'] = async (token, audiences) => {
    const fault = tokenFault(token, login.issuer)
    if (fault !== null) return unauthorized(fault)
    const found = await keys.read()
    if (!found.ok) return refuse({ code: 'issuer_unreachable', retry_after_s: found.retry_after_s })
    const first = await verify(token, found.value, audiences)
    if (first.ok) return { ok: true, value: first.claims }
    // The issuer may have new keys since, also under a name that it had before.
    const newer = KEY_FAULTS.has(first.fault) ? await keys.renew(found.value) : found.value
    const second = newer === found.value ? first : await verify(token, newer, audiences)
    return second.ok ? { ok: true, value: second.claims } : unauthorized(second.fault)
  }

  const holderIn: TokenVerifier['holderIn'] = async (claims) => {
    // Such a token proves something only together with a key of its client (RFC 7800), which a bearer does not show.
    if (claims['cnf'] !== undefined) return unauthorized('bound')
    const key_name = await loginNameOf(login.issuer, claims)
    if (key_name === null) return unauthorized('subject')
    const tenant = tenantOf(login, claims)
    if (!tenant.ok) return tenant
    const scopes = loginScopesOf(login, claims)
    return { ok: true, value: { tenant: tenant.value, scopes, key_name, is_operator: false } }
  }

  return {
    claimsOf,
    holderIn,
    async holderOf(token) {
      const verified = await claimsOf(token, login.audiences)
      return verified.ok ? holderIn(verified.value) : verified
    },
  }
}

const unauthorized = (token: TokenFault) => refuse({ code: 'unauthorized', given: true, token })

/** jose gives the keys in an error, and imports each only when it is asked for. */
async function firstVerified(error: unknown, attempt: (key: CryptoKey) => Promise<Verified>): Promise<Verified> {
  let last: Verified = { ok: false, fault: 'signature' }
  let tried = 0
  // The error of this code has this iterator.
  for await (const key of error as AsyncIterable<CryptoKey>) {
    last = await attempt(key)
    tried += 1
    if (last.ok || last.fault !== 'signature' || tried === TRIED_KEYS_MAX) return last
  }
  return last
}

/** Faults that newer keys may mend. */
const KEY_FAULTS: ReadonlySet<TokenFault> = new Set(['key', 'signature'])

const FAULTS: Readonly<Record<string, TokenFault>> = {
  ERR_JWKS_NO_MATCHING_KEY: 'key',
  ERR_JWKS_INVALID: 'key',
  ERR_JWK_INVALID: 'key',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
  ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm',
  ERR_JWT_EXPIRED: 'expired',
}
const CLAIM_FAULTS: Readonly<Record<string, TokenFault>> = {
  aud: 'audience',
  exp: 'expiry',
  iss: 'issuer',
  nbf: 'not_yet_valid',
}

/** jose says by codes what is wrong. A key that the runtime cannot use is an error without a code. */
function faultOf(error: unknown): TokenFault {
  const code = codeOf(error)
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') return CLAIM_FAULTS[claimIn(error)] ?? 'malformed'
  if (code === '') return 'key'
  return FAULTS[code] ?? 'malformed'
}
/** The codes of the runtime are numbers. */
const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
const claimIn = (error: unknown) => (error instanceof Error && 'claim' in error ? String(error.claim) : '')
