/** How a person signs in at the console, without a key: what the issuer is asked for, and what it gives. */
import { answerReply, endpoint, refusalReply, replyTo } from '../endpoint.ts'
import { bodyOf, jsonAnswer } from '../route-builders.ts'
import { NoParams, NoQuery } from '../shapes/fields.ts'
import { refuse } from '../shapes/http-refusal.ts'
import { ExchangeCode, RefreshLogin, type LoginToken } from '../shapes/sign-in.ts'

const SIGN_IN_ROUTE = {
  tag: 'Service',
  open: true,
  params: NoParams,
  query: NoQuery,
  headers: [],
  also: [],
} as const
/** What an issuer, or what it gives, may be refused for. */
const PROBLEMS = ['unauthorized', 'no_tenant', 'not_found', 'rate_limited', 'issuer_unreachable'] as const

export const SIGN_IN_ROUTES = {
  getSignInMethods: endpoint(
    {
      ...SIGN_IN_ROUTE,
      method: 'get',
      path: '/auth',
      summary: 'How to sign in',
      description: 'Whether tokens of an issuer are accepted beside keys, and how the console gets one.',
      body: null,
      success: jsonAnswer('The ways to sign in', 'SignInMethods'),
      problems: [],
    },
    async ({ sign_in }) => {
      const methods = sign_in === null ? { login: null } : await sign_in.methods()
      return answerReply(methods, () => [methods.login === null ? 'by a key' : `by a key, or by ${methods.login.kind}`])
    },
  ),
  exchangeCode: endpoint(
    {
      ...SIGN_IN_ROUTE,
      method: 'post',
      path: '/auth/token',
      summary: 'End a sign-in',
      description:
        'Exchanges the code of the issuer for its tokens, as a public client with PKCE. The answer has the token that this service accepts.',
      body: bodyOf(ExchangeCode, null, true),
      success: jsonAnswer('The login', 'LoginToken'),
      problems: PROBLEMS,
    },
    async ({ sign_in, config }, { body, request }) =>
      sign_in === null ? NO_LOGIN : replyTo(await sign_in.exchange(body, addressOf(request, config)), tokenReply),
  ),
  refreshLogin: endpoint(
    {
      ...SIGN_IN_ROUTE,
      method: 'post',
      path: '/auth/refresh',
      summary: 'Refresh a login',
      description: 'Gets a new token from the issuer before the one in use has expired.',
      body: bodyOf(RefreshLogin, null, true),
      success: jsonAnswer('The login', 'LoginToken'),
      problems: PROBLEMS,
    },
    async ({ sign_in, config }, { body, request }) =>
      sign_in === null
        ? NO_LOGIN
        : replyTo(await sign_in.refresh(body.refresh_token, addressOf(request, config)), tokenReply),
  ),
}

const NO_LOGIN = refusalReply(refuse({ code: 'not_found', hint: 'no logins are configured here' }).refusal)

/** Cloudflare says it, and a network of IPv6 counts as one. In front of one process a client may write what it likes, so nobody says it there. */
function addressOf({ headers }: Request, { single_process }: { single_process: boolean }): string | null {
  const address = single_process ? null : headers.get('cf-connecting-ip')
  return address?.slice(0, 64).split(':').slice(0, 4).join(':') ?? null
}

const tokenReply = (login: LoginToken) => answerReply(login, () => [login.token])
