/**
 * Signs a person in at the console. The service itself asks the token endpoint of the issuer, so the page connects to its own origin alone, and
 * issuers need not allow requests of pages. What the issuer gives is verified before the page gets it.
 */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { parseJson } from '../../../core/terms/values/parse-json.ts'
import { boundedFetch, noAnswer, withDeadline } from '../../../shell/network/bounded-fetch.ts'
import { requestCounter } from '../../../shell/quotas/request-counter.ts'
import type { LoginConfig } from '../../../config-login.ts'
import type { SignIn } from '../../endpoint.ts'
import { refuse, type HttpResult } from '../../shapes/http-refusal.ts'
import type { ExchangeCode, LoginToken, SignInMethods } from '../../shapes/sign-in.ts'
import type { Issuer, IssuerPorts } from './issuer.ts'
import { isTokenForm } from './read-token.ts'
import type { TokenVerifier } from './verify-token.ts'

type Client = NonNullable<LoginConfig['client']>

/** A person waits for it. */
const TOKEN_MS = 10_000
const ANSWER_BYTES_MAX = 131_072
/** The routes are open, and each request to them is one to the issuer: of all clients together, and of one address where it is known. */
const SIGN_INS_PER_MINUTE = 600
const SIGN_INS_OF_ONE_PER_MINUTE = 60

/** What an issuer answers with its tokens (RFC 6749, 5.1). */
interface Answered {
  access_token: string | null
  id_token: string | null
  refresh_token: string | null
}

interface SignInParts {
  config: LoginConfig
  client: Client | null
  issuer: Issuer
  verifier: TokenVerifier
}

export function signInOf({ config, client, issuer, verifier }: SignInParts, ports: IssuerPorts): SignIn {
  const count = requestCounter({ now_ms: ports.now_ms, takePermits: null })

  const countOf = (name: string, per_minute: number) => count({ tenant: '', name, per_minute })

  const ask = async (
    form: Record<string, string>,
    { origin, address }: { origin: string | null; address: string | null },
  ): Promise<HttpResult<Answered>> => {
    if (client === null) return refuse({ code: 'not_found', hint: 'the console of this service signs in by a key' })
    const own = address === null ? null : await countOf(`sign-ins of ${address}`, SIGN_INS_OF_ONE_PER_MINUTE)
    const limited = own ?? (await countOf('sign-ins', SIGN_INS_PER_MINUTE))
    if (limited !== null) return refuse({ code: 'rate_limited', ...limited, policy: 'sign-ins' })
    const found = await issuer.endpoints()
    if (!found.ok) return refuse({ code: 'issuer_unreachable', retry_after_s: found.retry_after_s })
    const { token } = found.value
    if (token === null) return refuse({ code: 'not_configured', reasons: [NO_ENDPOINT] })
    return askIssuer(ports, token, { client_id: client.id, ...form }, origin)
  }

  const loginOf = async (token: string, refresh_token: string | null): Promise<HttpResult<LoginToken>> => {
    const claims = await verifier.claimsOf(token, config.audiences)
    if (!claims.ok) return claims
    const holder = await verifier.holderIn(claims.value)
    if (!holder.ok) return holder
    const { tenant, scopes, key_name } = holder.value
    // A token without `exp` is not accepted.
    const expires_in = Math.max(0, Math.floor(Number(claims.value['exp']) - ports.now_ms() / 1000))
    return { ok: true, value: { token, expires_in, refresh_token, tenant, scopes: [...scopes], key_name } }
  }

  /** The access token is meant for APIs. Where it is not one for this service, the ID token may be, if AUTH_AUDIENCE names the client. */
  const acceptedOf = async ({ access_token, id_token, refresh_token }: Answered): Promise<HttpResult<LoginToken>> => {
    const tokens = [access_token, id_token].filter((token) => token !== null && isTokenForm(token))
    const logins = await Promise.all(tokens.map((token) => loginOf(token ?? '', refresh_token)))
    const [first = refuse({ code: 'unauthorized', given: true, token: 'malformed' })] = logins
    return logins.find(({ ok }) => ok) ?? first
  }

  return {
    async methods(): Promise<SignInMethods> {
      if (config.is_access) return { login: { kind: 'cloudflare_access' } }
      if (client === null) return { login: null }
      const found = await issuer.endpoints()
      const authorization_endpoint = found.ok ? found.value.authorization : null
      const audience = config.audiences.includes(client.id) ? null : (config.audiences[0] ?? null)
      const { id: client_id, scope } = client
      return { login: { kind: 'oidc', issuer: config.issuer, client_id, scope, audience, authorization_endpoint } }
    },
    async exchange({ code, code_verifier, nonce, redirect_uri }: ExchangeCode, address: string | null) {
      const form = { grant_type: 'authorization_code', code, code_verifier, redirect_uri }
      const answered = await ask(form, { origin: new URL(redirect_uri).origin, address })
      if (!answered.ok) return answered
      const belongs = await nonceResult(verifier, client, answered.value, nonce)
      return belongs.ok ? acceptedOf(answered.value) : belongs
    },
    async refresh(refresh_token: string, address: string | null) {
      const answered = await ask({ grant_type: 'refresh_token', refresh_token }, { origin: null, address })
      if (!answered.ok) return answered
      // Issuers that do not rotate refresh tokens leave the old one out.
      return acceptedOf({ ...answered.value, refresh_token: answered.value.refresh_token ?? refresh_token })
    },
  }
}

const NO_ENDPOINT = 'the discovery document of AUTH_ISSUER has no token_endpoint that the service may reach'
const NO_CLIENT = 'the issuer refuses AUTH_CLIENT_ID: it has to be a public client that uses PKCE'

/** The ID token says for which sign-in the issuer has made these tokens; those of another one were put into this one by somebody else. */
async function nonceResult(
  verifier: TokenVerifier,
  client: Client | null,
  { id_token }: Answered,
  nonce: string,
): Promise<HttpResult<null>> {
  const claims = await verifier.claimsOf(id_token ?? '', client === null ? [] : [client.id])
  if (!claims.ok && claims.refusal.code !== 'unauthorized') return claims
  return claims.ok && claims.value['nonce'] === nonce
    ? { ok: true, value: null }
    : refuse({ code: 'unauthorized', given: true, token: 'nonce' })
}

async function askIssuer(
  { fetch, log }: IssuerPorts,
  url: string,
  form: Record<string, string>,
  origin: string | null,
): Promise<HttpResult<Answered>> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    // Entra gives tokens of clients of its kind "single-page application" to pages only, which it tells by this header.
    ...(origin === null ? {} : { origin }),
  }
  const body = new URLSearchParams(form).toString()
  const answer = await withDeadline(TOKEN_MS, noAnswer('timed out'), (signal) =>
    boundedFetch(fetch, url, { method: 'POST', signal, headers, body }, { bytes_max: ANSWER_BYTES_MAX }),
  )
  const json = answer.kind === 'answered' ? parseJson(new TextDecoder().decode(answer.body)) : undefined
  const members = isRecord(json) ? json : {}
  if (answer.kind === 'answered' && answer.status === 200) return { ok: true, value: answeredOf(members) }
  // A line of the log holds no text of another server, so any other word than these is left out.
  const error = TOKEN_ERRORS.find((word) => word === members['error']) ?? 'no known error'
  log({ url, reason: answer.kind === 'unanswered' ? answer.reason : `HTTP ${answer.status}, ${error}` })
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return refuse({ code: 'not_configured', reasons: [NO_CLIENT] })
  if (answer.kind === 'answered' && answer.status >= 400 && answer.status < 500 && answer.status !== 429)
    return refuse({ code: 'unauthorized', given: true, token: 'sign_in' })
  return refuse({ code: 'issuer_unreachable', retry_after_s: 1 })
}

/** The errors of a token endpoint (RFC 6749, 5.2). */
const TOKEN_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const

function answeredOf(members: Record<string, unknown>): Answered {
  const text = (name: string) => (typeof members[name] === 'string' && members[name] !== '' ? members[name] : null)
  return { access_token: text('access_token'), id_token: text('id_token'), refresh_token: text('refresh_token') }
}
