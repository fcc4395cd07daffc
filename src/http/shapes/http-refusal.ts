/** Why a request was refused: by the core, or by HTTP alone. gate/problem-content.ts has the answer to each. */
import type { Scope } from '../../core/registry/scopes.ts'
import type { Refusal } from '../../core/terms/refusal.ts'

/** In which other way than `Authorization: Bearer <key>` a key was sent. */
export type KeyMistake =
  | { kind: 'no_scheme' | 'no_key' | 'quoted' | 'placeholder' | 'colon' | 'twice' | 'in_query' }
  /** A key of the registry that is not whole, or not live any more. */
  | { kind: 'damaged' | 'expired' | 'revoked' }
  | { kind: 'other_scheme'; scheme: string }
  | { kind: 'other_header'; header: string }

/** What is wrong with a token of a login. */
export type TokenFault =
  | 'too_long'
  | 'malformed'
  | 'algorithm'
  | 'type'
  | 'issuer'
  | 'key'
  | 'signature'
  | 'audience'
  | 'expiry'
  | 'expired'
  | 'not_yet_valid'
  | 'bound'
  | 'subject'
  | 'cross_site'
  | 'sign_in'
  | 'nonce'
/** Why a claim names no tenant. */
export type TenantFault = 'missing' | 'no_text' | 'no_name' | 'unlisted' | 'several'

/** The refusals of HTTP alone. */
type EdgeRefusal =
  | { code: 'invalid_url' }
  | { code: 'invalid_json'; detail: string }
  | { code: 'unreadable_body'; detail: string }
  /** `mistake`: how the key was sent in another way than as it has to be. `token`: what is wrong with the token of a login. */
  | { code: 'unauthorized'; given: boolean; mistake?: KeyMistake; token?: TokenFault }
  /** `claim`: the claim that has to name the tenant. */
  | { code: 'no_tenant'; claim: string; fault: TenantFault }
  | { code: 'issuer_unreachable'; retry_after_s: number }
  | { code: 'worker_key' }
  /** `needed`: the scope of the route, which is not among those of the key. */
  | { code: 'insufficient_scope'; needed: Scope; given: readonly Scope[] }
  /** `hint`: the route that was probably meant, or the rule that the path breaks. */
  | { code: 'not_found'; hint?: string }
  | { code: 'method_not_allowed'; allow: string[] }
  /** `stored`: the body is short enough as sent, but too long as it is stored. */
  | { code: 'payload_too_large'; max_bytes: number; stored?: true }
  /** `method`: the method of the route, which decides the header of the answer. */
  | { code: 'unsupported_media_type'; detail: string; accepted: string[]; method?: 'patch' | 'post' | 'put' }
  | { code: 'precondition_required' }
  | { code: 'llm_not_configured' }
  /** `policy`: what is limited. The default is the tenant. */
  | {
      code: 'rate_limited'
      per_minute: number
      retry_after_s: number
      policy?: 'admin' | 'key' | 'link' | 'links' | 'operator' | 'sign-ins' | 'worker' | 'webhook-tests'
    }
  | { code: 'internal_error' }
  /** `what` could not be reached. The default is the task. */
  | { code: 'unavailable'; retry_after_s: number; what?: 'task' | 'registry' }
  | { code: 'shutting_down' }
  | { code: 'storage_full' }
export type HttpRefusal = Refusal | EdgeRefusal
export type ProblemCode = HttpRefusal['code']
export type HttpResult<T> = { ok: true; value: T } | { ok: false; refusal: HttpRefusal }

/** `pointer` is a JSON pointer into the body, or `/` and the name of a query parameter or header. It is empty for the whole body. */
export interface FieldError {
  pointer: string
  message: string
}

export const refuse = (refusal: HttpRefusal): { ok: false; refusal: HttpRefusal } => ({ ok: false, refusal })
