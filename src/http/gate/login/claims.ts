/** Reads what the claims of a verified token mean here: the tenant, the scopes, and the name by which the login is known. */
import { scopesIn, type LoginConfig } from '../../../config-login.ts'
import { isTenantName } from '../../../core/registry/records.ts'
import type { Scope } from '../../../core/registry/scopes.ts'
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { sha256, toHex } from '../../../shell/hex.ts'
import { refuse, type HttpResult, type TenantFault } from '../../shapes/http-refusal.ts'

export type Claims = Readonly<Record<string, unknown>>

/** The bytes of the hash that name a login. */
const NAME_BYTES = 8

/**
 * The value of a claim by its name, or by a path. The name comes first, because names may have dots themselves: Auth0 wants them to be
 * addresses. Only own members count.
 */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined), claims)
}

/** The texts of a claim: one, or a list of them. null: the claim is not there. Anything else has no text. */
function textsOf(claims: Claims, name: string): string[] | null {
  const value = claimOf(claims, name)
  if (value === undefined || value === null) return null
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one) => typeof one === 'string')
}

/** A value that names no tenant is refused also where there is a fallback: it was meant to name one. */
export function tenantOf({ tenant: rule }: LoginConfig, claims: Claims): HttpResult<string> {
  const { claim, map, fallback } = rule
  const texts = claim === null ? null : textsOf(claims, claim)
  if (texts === null) return fallback === null ? noTenant(claim ?? '', 'missing') : { ok: true, value: fallback }
  const named = map === null ? texts : texts.flatMap((text) => map.get(text) ?? [])
  const [tenant, ...others] = [...new Set(named)]
  if (tenant === undefined) return noTenant(claim ?? '', texts.length === 0 ? 'no_text' : 'unlisted')
  if (others.length > 0) return noTenant(claim ?? '', 'several')
  return isTenantName(tenant) ? { ok: true, value: tenant } : noTenant(claim ?? '', 'no_name')
}
const noTenant = (claim: string, fault: TenantFault) => refuse({ code: 'no_tenant', claim, fault })

/**
 * Words of the issuer that are no scopes of this service, such as `openid`, mean nothing here. One text may be several words (RFC 6749, 3.3);
 * an entry of a list is one word, because the name of a group may have blanks.
 */
export function loginScopesOf({ scopes: rule }: LoginConfig, claims: Claims): readonly Scope[] {
  const { claim, map, fallback } = rule
  const texts = claim === null ? null : textsOf(claims, claim)
  if (claim === null || texts === null) return fallback
  const isText = typeof claimOf(claims, claim) === 'string'
  const words = isText ? texts.flatMap((text) => [text, ...text.split(' ')]) : texts
  return scopesIn(map === null ? words : words.flatMap((word) => map.get(word) ?? []))
}

/** Tokens of programs may lack `sub`, or have an empty one; then they name the program. */
const SUBJECT_CLAIMS = ['sub', 'common_name', 'client_id', 'azp']

/** null: the token does not say whose it is. A subject may be an address of mail, so the name is a hash. */
export async function loginNameOf(issuer: string, claims: Claims): Promise<string | null> {
  const subject = SUBJECT_CLAIMS.map((name) => claims[name]).find((value) => typeof value === 'string' && value !== '')
  if (typeof subject !== 'string') return null
  const digest = await sha256(`${issuer} ${subject}`)
  return `oidc:${toHex(digest.slice(0, NAME_BYTES))}`
}
