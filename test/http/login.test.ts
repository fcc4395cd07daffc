/** Tokens of a login at the gate: whose request it is, what is refused and how, and that keys go on working beside them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { TOKEN_FAULTS } from '../../src/http/gate/hints/credential-faults.ts'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { allReadLinks } from '../../src/shell/links/read-links.ts'
import { FORGERIES, newForger } from '../login/forgeries.ts'
import { AUDIENCE, claims, ISSUER, newKey, sign, standIn, type SigningKey, type StandIn } from '../login/stand-in.ts'
import { callerIn, fixture, KEY, problemOf } from '../support/http-fixture.ts'

const LOGIN = { AUTH_ISSUER: ISSUER, AUTH_AUDIENCE: AUDIENCE, AUTH_TENANT_CLAIM: 'org' }
let key: SigningKey
let outside: StandIn
let forger: Awaited<ReturnType<typeof newForger>>
beforeAll(async () => {
  forger = await newForger()
  key = forger.key
})

function app(env: Record<string, string> = {}, issuer: StandIn = standIn(key.jwk)) {
  outside = issuer
  return fixture({ env: { ...LOGIN, ...env }, issuer: issuer.ports })
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
/** As Access sends it. */
const ambient = (token: string, more: Record<string, string> = {}) => ({
  'cf-access-jwt-assertion': token,
  ...more,
})

describe('LOGIN-15 a token in Authorization opens the routes of its scopes, for the tenant of its claim', () => {
  it('LOGIN-15 the caller is the tenant of the claim, and has the name of the login', async () => {
    const { send, asked } = app()
    const response = await send('GET', '/tasks', null, bearer(await sign(key, claims({ org: 'globex' }))))
    expect(response.status).toBe(200)
    expect(callerIn(asked[0])).toMatchObject({
      tenant: 'globex',
      scopes: ['tasks:read', 'tasks:write', 'delegations'],
      key_name: expect.stringMatching(/^oidc:[0-9a-f]{16}$/),
    })
  })

  it('LOGIN-15 a scope that it lacks is refused with 403', async () => {
    const { send, post, asked } = app({ AUTH_SCOPES_CLAIM: 'scope' })
    const token = bearer(await sign(key, claims({ scope: 'openid tasks:read' })))
    expect((await send('GET', '/tasks', null, token)).status).toBe(200)
    const problem = await problemOf(await post('/tasks', { goal: 'g' }, token))
    expect(problem).toMatchObject({ status: 403, code: 'insufficient_scope', needed: 'tasks:write' })
    expect(asked).toHaveLength(1)
  })

  it('LOGIN-15 no claim makes an operator of a login', async () => {
    const { send, asked } = app({ AUTH_SCOPES_CLAIM: 'scope' })
    const said = claims({ scope: 'admin tasks:read', is_operator: true, tenant: '' })
    await send('GET', '/tasks', null, bearer(await sign(key, said)))
    expect(callerIn(asked[0])).toMatchObject({ tenant: 'acme', scopes: ['tasks:read', 'admin'] })
    expect(callerIn(asked[0]).is_operator).toBeUndefined()
  })

  it('LOGIN-15 a token without the claim is 403, and the answer names the claim', async () => {
    const { send, asked } = app()
    const token = bearer(await sign(key, claims({ org: undefined })))
    const response = await send('GET', '/tasks', null, token)
    expect(await problemOf(response)).toMatchObject({
      status: 403,
      code: 'no_tenant',
      detail: 'The claim "org" of this token is missing, and it has to name the tenant.',
    })
    const chinese = await send('GET', '/tasks', null, { ...token, 'accept-language': 'zh' })
    expect(await problemOf(chinese)).toMatchObject({ detail: '这个令牌的声明 "org" 不存在，而它必须指明租户。' })
    expect(asked).toEqual([])
  })

  it('LOGIN-15 requests of a login count with those of its tenant', async () => {
    const { send } = app({ RATE_LIMIT_PER_MINUTE: '2' })
    const token = bearer(await sign(key, claims({ org: 'alice' })))
    const statuses: number[] = []
    for (const headers of [token, {}, token]) statuses.push((await send('GET', '/tasks', null, headers)).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('LOGIN-15 a key of API_KEYS may look like a token', async () => {
    const { send, asked } = app({ API_KEYS: 'alice:a.b.c' })
    expect((await send('GET', '/tasks', null, bearer('a.b.c'))).status).toBe(200)
    expect([callerIn(asked[0]).tenant, outside.asked]).toEqual(['alice', []])
  })

  it('LOGIN-14 links of a tenant that has no key, but could log in, open', async () => {
    for (const [env, status] of [
      [LOGIN, 200],
      [{ ...LOGIN, AUTH_TENANT_MAP: '{"1":"globex"}' }, 401],
    ] as const) {
      const { config, send } = app(env)
      const token = await allReadLinks(signedLinks(config.signing_secrets)).calendar.sign(
        { tenant: 'acme', task: '', link_epoch: 0 },
        0,
      )
      expect((await send('GET', `/calendar.ics?token=${token}`, null, { authorization: '' })).status).toBe(status)
    }
  })
})

describe('LOGIN-16 a refused token is 401 with a reason for its owner', () => {
  it.each(FORGERIES)('LOGIN-16 %s', async (_, fault, forge) => {
    const { send, asked } = app({}, standIn(forger.key.jwk, forger.rsa.jwk))
    const token = await forge({ ...forger, elsewhere: 'https://attacker.example.com' })
    const response = await send('GET', '/tasks', null, bearer(token))
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="loop-agent", error="invalid_token"')
    const problem = await problemOf(response)
    // What has not even the form of a token is an unknown key.
    const [unknown, reason] = ['This key or link is not known, or not any more.', TOKEN_FAULTS[fault]]
    expect(problem).toMatchObject({ status: 401, code: 'unauthorized' })
    expect(token.split('.').length < 3 ? [unknown] : [reason]).toContain(problem['detail'])
    expect(JSON.stringify(problem)).not.toContain(token.slice(0, 40))
    expect(asked).toEqual([])
  })

  it('LOGIN-16 without a login every token is an unknown key, whatever it says', async () => {
    const { send } = fixture()
    expect(await problemOf(await send('GET', '/tasks', null, bearer(await sign(key))))).toMatchObject({
      status: 401,
      detail: 'This key or link is not known, or not any more.',
    })
  })

  it('LOGIN-16 a header beyond its bound is refused before it is looked at', async () => {
    const { send } = app()
    for (const text of ['a'.repeat(1_000_000), `${'a.'.repeat(400_000)}`, `${'.'.repeat(800_000)}`])
      expect(await problemOf(await send('GET', '/tasks', null, bearer(text)))).toMatchObject({
        detail: TOKEN_FAULTS.too_long,
      })
    expect(outside.asked).toEqual([])
  })
})

describe('LOGIN-17 while the issuer is away tokens are 503, and keys go on working', () => {
  it('LOGIN-17 a token is told when to try again', async () => {
    const { send, asked } = app()
    outside.isAway = true
    const response = await send('GET', '/tasks', null, bearer(await sign(key)))
    expect(response.headers.get('retry-after')).toBe('5')
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ status: 503, code: 'issuer_unreachable' })
    // Who the issuer is, and why it is away, is for the log.
    expect(JSON.stringify(problem)).not.toContain('login.example.com')
    expect((await send('GET', '/tasks')).status).toBe(200)
    expect((await send('GET', '/tasks', null, bearer('wrong'))).status).toBe(401)
    expect(asked).toHaveLength(1)
  })
})

describe('LOGIN-18 the token of Cloudflare Access counts where Access is configured, and only there', () => {
  const ACCESS = { AUTH_PROVIDER: 'cloudflare-access', AUTH_JWKS_URL: `${ISSUER}/keys` }
  /** The bench sends a key otherwise. */
  const NO_KEY = { authorization: '' }
  const act = { 'content-type': 'text/plain' }

  it('LOGIN-18 it is the caller where there is no Authorization', async () => {
    const { send, asked } = app(ACCESS)
    expect((await send('GET', '/tasks', null, ambient(await sign(key), NO_KEY))).status).toBe(200)
    expect(callerIn(asked[0]).tenant).toBe('acme')
  })

  it('LOGIN-18 a token of a program has no sub, and names it by common_name', async () => {
    const { send, asked } = app(ACCESS)
    const token = await sign(key, claims({ sub: '', common_name: 'ci.access' }))
    expect((await send('GET', '/tasks', null, ambient(token, NO_KEY))).status).toBe(200)
    expect(callerIn(asked[0]).key_name).toMatch(/^oidc:/)
  })

  it('LOGIN-18 with another provider the header is not read', async () => {
    const { send } = app()
    const problem = await problemOf(await send('GET', '/tasks', null, ambient(await sign(key), NO_KEY)))
    expect(problem).toMatchObject({ status: 401, code: 'unauthorized' })
    expect(outside.asked).toEqual([])
  })

  it('LOGIN-18 what stands in Authorization goes before it, right or wrong', async () => {
    const { send, asked } = app(ACCESS)
    expect(
      (await send('GET', '/tasks', null, ambient(await sign(key), { authorization: `Bearer ${KEY}` }))).status,
    ).toBe(200)
    expect(callerIn(asked[0]).tenant).toBe('alice')
    expect(
      (await send('GET', '/tasks', null, ambient(await sign(key), { authorization: 'Bearer wrong' }))).status,
    ).toBe(401)
  })

  it('LOGIN-18 a forged one is refused as in Authorization', async () => {
    const { send } = app(ACCESS)
    const own = { ...(await newKey('own')), kid: 'ec-1' }
    const problem = await problemOf(await send('GET', '/tasks', null, ambient(await sign(own), NO_KEY)))
    expect(problem).toMatchObject({ status: 401, detail: TOKEN_FAULTS.signature })
  })

  it.each<[string, string, Record<string, string>, number]>([
    ['POST', 'of a program', {}, 201],
    ['POST', 'of the console', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }, 201],
    ['POST', 'of the console in an old browser', { origin: 'http://localhost' }, 201],
    ['POST', 'of the console behind a proxy', { origin: 'https://agent.example.com' }, 201],
    ['POST', 'of a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 401],
    ['POST', 'of a page of a neighbour', { 'sec-fetch-site': 'same-site', origin: 'http://app.localhost' }, 401],
    ['POST', 'of another site in an old browser', { origin: 'https://evil.example' }, 401],
    ['POST', 'of a page without an origin', { origin: 'null' }, 401],
    ['GET', 'of a link on another site', { 'sec-fetch-site': 'cross-site' }, 200],
    ['GET', 'of a socket of another site', { 'sec-fetch-site': 'cross-site', upgrade: 'websocket' }, 401],
    [
      'GET',
      'of a socket of another site in an old browser',
      { origin: 'https://evil.example', upgrade: 'websocket' },
      401,
    ],
  ])('LOGIN-18 %s %s: %s', async (method, _, headers, status) => {
    const { send, asked } = app({ ...ACCESS, PUBLIC_URL: 'https://agent.example.com' })
    const body = method === 'POST' ? 'Buy milk' : null
    const sent = ambient(await sign(key), { ...NO_KEY, ...(body === null ? {} : act), ...headers })
    const response = await send(method, '/tasks', body, sent)
    expect([response.status, asked.length]).toEqual([status, status === 401 ? 0 : 1])
    if (status === 401) expect(await problemOf(response)).toMatchObject({ detail: TOKEN_FAULTS.cross_site })
  })
})
