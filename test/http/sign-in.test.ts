/** The sign-in at the console, as its page asks for it: how to begin, the exchange of the code, the refresh. */
import { beforeAll, describe, expect, it } from 'vitest'
import { TOKEN_FAULTS } from '../../src/http/gate/hints/credential-faults.ts'
import { AUDIENCE, claims, DISCOVERY, ISSUER, JWKS, newKey, sign, standIn, type SigningKey } from '../login/stand-in.ts'
import { fixture, problemOf } from '../support/http-fixture.ts'

const CLIENT = 'console'
const LOGIN = { AUTH_ISSUER: ISSUER, AUTH_AUDIENCE: AUDIENCE, AUTH_TENANT_CLAIM: 'org', AUTH_CLIENT_ID: CLIENT }
const NOBODY = { authorization: '' }
const CODE = {
  code: 'SplxlOBeZQQYbYS6WxSbIA',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  nonce: 'n-0S6_WzA2Mj',
  redirect_uri: 'https://agent.example.com/',
}
let key: SigningKey
beforeAll(async () => {
  key = await newKey('ec-1')
})

function bench(env: Record<string, string> = {}) {
  const outside = standIn(key.jwk)
  const forms: Record<string, string>[] = []
  const app = fixture({ env: { ...LOGIN, ...env }, issuer: outside.ports })
  const idToken = (more: Record<string, unknown> = {}) => sign(key, claims({ aud: CLIENT, nonce: CODE.nonce, ...more }))
  return {
    ...app,
    outside,
    forms,
    idToken,
    /** What the issuer gives from now on. */
    give(tokens: Record<string, unknown>, status = 200) {
      outside.exchange = (form, headers) => {
        forms.push({ ...Object.fromEntries(form), origin: headers.get('origin') ?? '' })
        return Response.json(tokens, { status })
      }
    },
    exchange: (body: object = CODE, headers: Record<string, string> = {}) =>
      app.post('/auth/token', body, { ...NOBODY, ...headers }),
    refresh: (refresh_token: string) => app.post('/auth/refresh', { refresh_token }, NOBODY),
  }
}

describe('LOGIN-19 GET /auth says how to sign in, without a key', () => {
  it('LOGIN-19 by a key only', async () => {
    const { send } = fixture()
    expect(await (await send('GET', '/auth', null, NOBODY)).json()).toEqual({ login: null })
  })
  it('LOGIN-19 by a key only, where the console has no client', async () => {
    const { AUTH_CLIENT_ID: _, ...rest } = LOGIN
    const { send } = fixture({ env: rest })
    expect(await (await send('GET', '/auth', null, NOBODY)).json()).toEqual({ login: null })
  })
  it('LOGIN-19 with an issuer, whose address is of its own document', async () => {
    const { send } = bench({ AUTH_CLIENT_SCOPE: 'openid offline_access' })
    expect(await (await send('GET', '/auth', null, NOBODY)).json()).toEqual({
      login: {
        kind: 'oidc',
        issuer: ISSUER,
        client_id: CLIENT,
        scope: 'openid offline_access',
        audience: AUDIENCE,
        authorization_endpoint: `${ISSUER}/authorize`,
      },
    })
  })
  it('LOGIN-19 an audience that is the client is not asked for', async () => {
    const { send } = bench({ AUTH_AUDIENCE: `${AUDIENCE},${CLIENT}` })
    expect(await (await send('GET', '/auth', null, NOBODY)).json()).toMatchObject({ login: { audience: null } })
  })
  it('LOGIN-19 while the issuer is away there is no address', async () => {
    const { send, outside } = bench()
    outside.isAway = true
    expect(await (await send('GET', '/auth', null, NOBODY)).json()).toMatchObject({
      login: { authorization_endpoint: null },
    })
  })
  it.each(['javascript:alert(1)', 'http://login.example.com/authorize', 'https://10.0.0.1/', '//evil', 7])(
    'LOGIN-19 %s is no address to send a person to',
    async (authorization_endpoint) => {
      const { send, outside } = bench()
      outside.documents.set(DISCOVERY, { issuer: ISSUER, jwks_uri: JWKS, authorization_endpoint })
      const { login } = await (await send('GET', '/auth', null, NOBODY)).json<{ login: object }>()
      expect(login).toMatchObject({ authorization_endpoint: null })
    },
  )
  it('LOGIN-19 with Cloudflare Access the person is signed in already', async () => {
    const { AUTH_CLIENT_ID: _, ...rest } = LOGIN
    const { send } = fixture({ env: { ...rest, AUTH_PROVIDER: 'cloudflare-access' } })
    expect(await (await send('GET', '/auth', null, NOBODY)).json()).toEqual({ login: { kind: 'cloudflare_access' } })
  })
})

describe('LOGIN-20 a code is exchanged as a public client with PKCE, and only a token that the service accepts is given', () => {
  it('LOGIN-20 the access token, if it is one for this service', async () => {
    const { exchange, give, forms, idToken, send } = bench()
    const access_token = await sign(key)
    give({ access_token, id_token: await idToken(), refresh_token: 'r1', token_type: 'Bearer', expires_in: 9 })
    const response = await exchange()
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      token: access_token,
      expires_in: 600,
      refresh_token: 'r1',
      tenant: 'acme',
      scopes: ['tasks:read', 'tasks:write', 'delegations'],
      key_name: expect.stringMatching(/^oidc:/),
    })
    expect(forms).toEqual([
      {
        grant_type: 'authorization_code',
        client_id: CLIENT,
        code: CODE.code,
        code_verifier: CODE.code_verifier,
        redirect_uri: CODE.redirect_uri,
        origin: 'https://agent.example.com',
      },
    ])
    expect((await send('GET', '/tasks', null, { authorization: `Bearer ${access_token}` })).status).toBe(200)
  })

  it('LOGIN-20 the ID token, where the access token is for its issuer alone and AUTH_AUDIENCE names the client', async () => {
    const { exchange, give, idToken } = bench({ AUTH_AUDIENCE: CLIENT })
    const id_token = await idToken()
    give({ access_token: 'ya29.opaque', id_token })
    expect(await (await exchange()).json()).toMatchObject({ token: id_token, refresh_token: null })
  })

  it.each<[string, Record<string, unknown> | ((id: string) => Record<string, unknown>), number, object]>([
    ['of another sign-in', {}, 200, { status: 401, detail: TOKEN_FAULTS.nonce }],
    ['without an ID token', {}, 200, { status: 401, detail: TOKEN_FAULTS.nonce }],
    ['of a code that was used', { error: 'invalid_grant' }, 400, { status: 401, detail: TOKEN_FAULTS.sign_in }],
    ['of a client that is not public', { error: 'invalid_client' }, 401, { status: 503, code: 'not_configured' }],
    ['of an issuer in trouble', {}, 500, { status: 503, code: 'issuer_unreachable' }],
    ['of an issuer that has too much to do', {}, 429, { status: 503, code: 'issuer_unreachable' }],
  ])('LOGIN-20 an answer %s is refused', async (title, answer, status, problem) => {
    const { exchange, give, idToken } = bench()
    const right = { access_token: await sign(key), id_token: await idToken({ nonce: 'another' }) }
    give(title === 'of another sign-in' ? right : { access_token: await sign(key), ...answer }, status)
    expect(await problemOf(await exchange())).toMatchObject(problem)
  })

  it.each([
    ['for another client', { aud: 'other' }],
    ['of another issuer', { iss: 'https://other.example.com' }],
    ['that has expired', { exp: 1 }],
    ['without a nonce', { nonce: undefined }],
  ])('LOGIN-20 an ID token %s ends the sign-in', async (_, more) => {
    const { exchange, give, idToken } = bench()
    give({ access_token: await sign(key), id_token: await idToken(more) })
    expect(await problemOf(await exchange())).toMatchObject({ status: 401, detail: TOKEN_FAULTS.nonce })
  })

  it('LOGIN-20 tokens that the service would refuse are told at the sign-in, with the reason', async () => {
    const { exchange, give, idToken } = bench()
    give({ access_token: await sign(key, claims({ aud: 'graph' })), id_token: await idToken() })
    expect(await problemOf(await exchange())).toMatchObject({ status: 401, detail: TOKEN_FAULTS.audience })
    give({ access_token: await sign(key, claims({ org: undefined })), id_token: await idToken() })
    expect(await problemOf(await exchange())).toMatchObject({ status: 403, code: 'no_tenant' })
  })

  it.each<[string, object]>([
    ['code', { ...CODE, code: '' }],
    ['code', { ...CODE, code: 'a b' }],
    ['code', { ...CODE, code: 'a'.repeat(5_000) }],
    ['code_verifier', { ...CODE, code_verifier: 'short' }],
    ['nonce', { ...CODE, nonce: 7 }],
    ['redirect_uri', { ...CODE, redirect_uri: 'https://agent.example.com/?x=1' }],
    ['redirect_uri', { ...CODE, redirect_uri: 'javascript:alert(1)' }],
    ['client_secret', { ...CODE, client_secret: 'x' }],
  ])('LOGIN-20 a wrong %s is 422, and the issuer is not asked', async (field, body) => {
    const { exchange, outside } = bench()
    const problem = await problemOf(await exchange(body))
    expect(problem).toMatchObject({ status: 422, errors: [{ pointer: `/${field}` }] })
    expect(outside.asked).toEqual([])
  })

  it('LOGIN-20 without a login there is nothing to exchange', async () => {
    const { post } = fixture()
    expect((await post('/auth/token', CODE, NOBODY)).status).toBe(404)
    expect((await post('/auth/refresh', { refresh_token: 'r' }, NOBODY)).status).toBe(404)
  })

  it('LOGIN-20 the routes are open, so they are limited together', async () => {
    const { exchange, outside } = bench()
    for (let count = 0; count < 600; count++) await exchange()
    const response = await exchange()
    expect(await problemOf(response)).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(response.headers.get('ratelimit-policy')).toBe('"sign-ins";q=600;w=60')
    expect(outside.asked.filter((url) => url.endsWith('/token'))).toHaveLength(600)
  })

  it('LOGIN-20 one address that signs in too often keeps no other from signing in', async () => {
    const { exchange } = bench()
    for (let count = 0; count < 60; count++) await exchange(CODE, { 'cf-connecting-ip': '192.0.2.1' })
    const response = await exchange(CODE, { 'cf-connecting-ip': '192.0.2.1' })
    expect(response.status).toBe(429)
    expect(response.headers.get('ratelimit-policy')).toBe('"sign-ins";q=60;w=60')
    expect((await exchange(CODE, { 'cf-connecting-ip': '192.0.2.2' })).status).not.toBe(429)
  })

  it('LOGIN-20 a network of IPv6 counts as one address', async () => {
    const { exchange } = bench()
    for (let count = 0; count < 60; count++) await exchange(CODE, { 'cf-connecting-ip': `2001:db8:1:2::${count}` })
    expect((await exchange(CODE, { 'cf-connecting-ip': '2001:db8:1:2::ff' })).status).toBe(429)
    expect((await exchange(CODE, { 'cf-connecting-ip': '2001:db8:1:3::1' })).status).not.toBe(429)
  })

  it('LOGIN-20 one process with no Cloudflare in front of it believes no address', async () => {
    const { exchange } = bench({ SINGLE_PROCESS: 'true' })
    for (let count = 0; count < 61; count++)
      expect((await exchange(CODE, { 'cf-connecting-ip': '192.0.2.1' })).status).not.toBe(429)
  })

  it('LOGIN-20 neither a code nor a token is in the log', async () => {
    const { exchange, give, outside } = bench()
    give({ error: 'invalid_grant', error_description: CODE.code }, 400)
    await exchange()
    expect(outside.logged).toEqual([{ url: `${ISSUER}/token`, reason: 'HTTP 400, invalid_grant' }])
    expect(JSON.stringify(outside.logged)).not.toContain(CODE.code)
  })
})

describe('LOGIN-21 a login is refreshed as long as its issuer allows it', () => {
  it('LOGIN-21 with the refresh token that it gave, or the old one where it gave none', async () => {
    const { refresh, give, forms } = bench()
    const access_token = await sign(key)
    give({ access_token, refresh_token: 'r2' })
    expect(await (await refresh('r1')).json()).toMatchObject({ token: access_token, refresh_token: 'r2' })
    give({ access_token })
    expect(await (await refresh('r2')).json()).toMatchObject({ refresh_token: 'r2' })
    expect(forms).toEqual([
      { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: 'r1', origin: '' },
      { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: 'r2', origin: '' },
    ])
  })
  it('LOGIN-21 one that was taken back is 401', async () => {
    const { refresh, give } = bench()
    give({ error: 'invalid_grant' }, 400)
    expect(await problemOf(await refresh('r1'))).toMatchObject({ status: 401, detail: TOKEN_FAULTS.sign_in })
  })
})
