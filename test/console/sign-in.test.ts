/** The sign-in of the page: what it asks the issuer for, what it takes for an answer, and a token that is renewed. */
import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { clientOf } from '../../src/console/api/client.ts'
import { loginCredential, NO_CREDENTIAL, type StoredLogin } from '../../src/console/api/credential.ts'
import { get } from '../../src/console/api/request.ts'
import { arrivalOf, beginSignIn, pendingOf, type OidcLogin } from '../../src/console/api/sign-in.ts'

const LOGIN: OidcLogin = {
  kind: 'oidc',
  issuer: 'https://login.example.com',
  client_id: 'console',
  scope: 'openid profile',
  audience: 'loop-agent',
  authorization_endpoint: 'https://login.example.com/authorize?tenant=1',
}
const PAGE = { origin: 'https://agent.example.com', fragment: '#/tasks' }

async function begin(login: OidcLogin = LOGIN) {
  const begun = await beginSignIn(login, PAGE, 0)
  if (begun === null) throw new Error('not begun')
  return begun
}

describe('LOGIN-22 the page signs in by the code flow with PKCE, state and nonce', () => {
  it('LOGIN-22 it sends the person to the issuer with the challenge of a verifier that stays here', async () => {
    const { pending, address } = await begin()
    const url = new URL(address)
    expect(url.origin + url.pathname).toBe('https://login.example.com/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: '1',
      response_type: 'code',
      client_id: 'console',
      redirect_uri: 'https://agent.example.com/',
      scope: 'openid profile',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: createHash('sha256').update(pending.code_verifier).digest('base64url'),
      code_challenge_method: 'S256',
      audience: 'loop-agent',
    })
    expect(address).not.toContain(pending.code_verifier)
    for (const secret of [pending.state, pending.nonce, pending.code_verifier])
      expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('LOGIN-22 each sign-in has secrets of its own', async () => {
    const [one, other] = [await begin(), await begin()]
    const secrets = [one, other].flatMap(({ pending }) => [pending.state, pending.nonce, pending.code_verifier])
    expect(new Set(secrets).size).toBe(6)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'no address', '', null])(
    'LOGIN-22 it sends nobody to %s',
    async (authorization_endpoint) =>
      expect(await beginSignIn({ ...LOGIN, authorization_endpoint }, PAGE, 0)).toBeNull(),
  )

  it('LOGIN-22 only an answer with the state of this tab counts, once and for an hour', async () => {
    const { pending } = await begin()
    const search = `?code=c1&state=${pending.state}`
    expect(arrivalOf(search, pending, 0)).toEqual({ kind: 'code', code: 'c1', pending })
    expect(arrivalOf(`${search}&iss=${encodeURIComponent(LOGIN.issuer)}`, pending, 0)).toMatchObject({ kind: 'code' })
    const foreign: [string, typeof pending | null, number][] = [
      ['?code=c1&state=x', pending, 0],
      ['?code=c1', pending, 0],
      [search, null, 0],
      [search, pending, 3_600_000],
      [`${search}&iss=https://evil.example`, pending, 0],
      ['?error=access_denied', pending, 0],
      [`?error=access_denied&state=x`, pending, 0],
    ]
    for (const [text, kept, now_ms] of foreign) expect(arrivalOf(text, kept, now_ms)).toEqual({ kind: 'foreign' })
  })

  it('LOGIN-22 a refusal of the issuer is told, cut', async () => {
    const { pending } = await begin()
    const error = (text: string) => arrivalOf(`?error=${text}&state=${pending.state}`, pending, 0)
    expect(error('access_denied')).toEqual({ kind: 'refused', error: 'access_denied' })
    expect(error('x'.repeat(500))).toEqual({ kind: 'refused', error: 'x'.repeat(80) })
    expect(arrivalOf(`?code=&state=${pending.state}`, pending, 0)).toEqual({ kind: 'refused', error: '' })
  })

  it.each(['', '?', '?x=1', '?state=abc'])('LOGIN-22 %j is no answer of an issuer', (search) =>
    expect(arrivalOf(search, null, 0)).toBeNull(),
  )

  it('LOGIN-22 what the tab has kept may be gone or broken', () => {
    expect([pendingOf(null), pendingOf('{'), pendingOf('null')]).toEqual([null, null, null])
  })
})

describe('LOGIN-23 a login is renewed before its token expires, and once when it is refused', () => {
  const login = (token: string, more: Partial<StoredLogin> = {}): StoredLogin => ({
    token,
    expires_ms: 600_000,
    refresh_token: 'r1',
    key_name: 'oidc:1',
    ...more,
  })
  function bench(first: StoredLogin, answers: (StoredLogin | null | Error)[]) {
    const state = { now_ms: 0, asked: [] as string[], kept: [] as string[] }
    const credential = loginCredential(first, {
      now_ms: () => state.now_ms,
      keep: ({ token }) => void state.kept.push(token),
      async refresh(refresh_token) {
        state.asked.push(refresh_token)
        const answer = answers.shift()
        if (answer instanceof Error || answer === undefined) throw answer ?? new Error('not asked for')
        return answer
      },
    })
    return { state, credential }
  }

  it('LOGIN-23 a token that is good for a minute more is used as it is', async () => {
    const { state, credential } = bench(login('t1'), [])
    state.now_ms = 540_000
    expect([await credential.token(), state.asked]).toEqual(['t1', []])
  })

  it('LOGIN-23 requests that come together renew once, and the newer login is kept', async () => {
    const { state, credential } = bench(login('t1'), [login('t2', { refresh_token: 'r2', expires_ms: 900_000 })])
    state.now_ms = 540_001
    expect(await Promise.all([credential.token(), credential.token(), credential.token()])).toEqual(['t2', 't2', 't2'])
    expect([state.asked, state.kept]).toEqual([['r1'], ['t2']])
  })

  it('LOGIN-23 if no answer comes, the old token goes out', async () => {
    const { state, credential } = bench(login('t1'), [new Error('unreachable')])
    state.now_ms = 599_000
    expect(await credential.token()).toBe('t1')
  })

  it('LOGIN-23 a login without a refresh token ends with its token', async () => {
    const { state, credential } = bench(login('t1', { refresh_token: null }), [])
    state.now_ms = 700_000
    expect([await credential.token(), await credential.renew('t1'), state.asked]).toEqual(['t1', null, []])
  })

  it('LOGIN-23 a refused token is replaced by the one that was renewed meanwhile', async () => {
    const { state, credential } = bench(login('t2'), [])
    expect([await credential.renew('t1'), state.asked]).toEqual(['t2', []])
  })

  it('LOGIN-23 a request that is refused goes out again with a newer token, and only then the login is over', async () => {
    const sent: (string | null)[] = []
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      const token = new Headers(init.headers).get('authorization')
      sent.push(token)
      return token === 'Bearer t2' ? Response.json({ n: 1 }) : Response.json({ code: 'unauthorized' }, { status: 401 })
    })
    const over = vi.fn<() => void>()
    const { credential } = bench(login('t1'), [login('t2')])
    expect(await clientOf(credential, over).send(get('/tasks'))).toMatchObject({ ok: true, value: { n: 1 } })
    expect([sent, over.mock.calls.length]).toEqual([['Bearer t1', 'Bearer t2'], 0])
    const ended = bench(login('t1'), [null])
    expect(await clientOf(ended.credential, over).send(get('/tasks'))).toMatchObject({ ok: false })
    expect([sent.length, over.mock.calls.length]).toEqual([3, 1])
  })

  it('LOGIN-23 a renewal that nobody answers is a missing answer, and not the end of the login', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ code: 'unauthorized' }, { status: 401 }))
    const over = vi.fn<() => void>()
    const { credential } = bench(login('t1'), [new Error('unreachable')])
    const answer = await clientOf(credential, over).send(get('/tasks'))
    expect(answer).toMatchObject({ ok: false, problem: { code: 'unreachable' } })
    expect(over).not.toHaveBeenCalled()
  })

  it('LOGIN-18 behind a proxy no token is sent, and the proxy is asked for 401 in place of its page', async () => {
    const sent: Headers[] = []
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      sent.push(new Headers(init.headers))
      return Response.json({})
    })
    await clientOf(NO_CREDENTIAL, () => undefined).send(get('/tasks'))
    expect(Object.fromEntries(sent[0] ?? [])).toEqual({
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
    })
  })
})
