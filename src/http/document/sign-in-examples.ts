/** Examples of the sign-in at the console. */
import type { LoginToken, SignInMethods } from '../shapes/sign-in.ts'

const METHODS: SignInMethods = {
  login: {
    kind: 'oidc',
    issuer: 'https://login.example.com/',
    client_id: 'loop-agent-console',
    scope: 'openid profile',
    audience: 'loop-agent',
    authorization_endpoint: 'https://login.example.com/authorize',
  },
}
const LOGIN: LoginToken = {
  token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c2VyLTEifQ.c2lnbmF0dXJl',
  expires_in: 3_600,
  refresh_token: 'v1.MRjVbcd',
  tenant: 'acme',
  scopes: ['tasks:read', 'tasks:write', 'delegations'],
  key_name: 'oidc:9231a772503457a4',
}

export const SIGN_IN_EXAMPLES = {
  getSignInMethods: { answer: METHODS },
  exchangeCode: {
    request: {
      code: 'SplxlOBeZQQYbYS6WxSbIA',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      nonce: 'n-0S6_WzA2Mj',
      redirect_uri: 'https://agent.example.com/',
    },
    answer: LOGIN,
  },
  refreshLogin: { request: { refresh_token: 'v1.MRjVbcd' }, answer: LOGIN },
}
