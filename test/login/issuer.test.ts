/** The documents of the issuer: how often it is asked, what a new key and a lost one mean, and what happens while it is away. */
import { exportJWK, generateKeyPair } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { LoginVariables } from '../../src/config-login.ts'
import { LOAD_MS, RENEWAL_MS, RENEWALS_AT_ONCE, RETRY_MS } from '../../src/http/gate/login/cached-document.ts'
import { issuerOf } from '../../src/http/gate/login/issuer.ts'
import { tokenVerifier } from '../../src/http/gate/login/verify-token.ts'
import {
  claims,
  DISCOVERY,
  ISSUER,
  JWKS,
  loginOf,
  newKey,
  sign,
  standIn,
  type SigningKey,
  type StandIn,
} from './stand-in.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
let first: SigningKey
let second: SigningKey
beforeAll(async () => {
  ;[first, second] = await Promise.all([newKey('first'), newKey('second')])
})

function bench(outside: StandIn = standIn(first.jwk), more: LoginVariables = {}) {
  const { holderOf } = tokenVerifier(loginOf(more), issuerOf(loginOf(more), outside.ports), outside.ports.now_ms)
  /** A token that is right as long as the tests play. */
  const present = async (key: SigningKey) => {
    const token = await sign(key, claims({ exp: 1_900_000_000 }))
    const result = await holderOf(token)
    if (result.ok) return 'accepted'
    const { refusal } = result
    return refusal.code === 'unauthorized' ? refusal.token : refusal
  }
  const fetched = () => outside.asked.filter((url) => url === JWKS).length
  return { outside, present, fetched, pass: (ms: number) => void (outside.now_ms += ms) }
}

describe('LOGIN-04 the keys of the issuer are read once, and again when they are old or a token has another one', () => {
  it('LOGIN-04 the first token asks for the documents, and the next ones for nothing', async () => {
    const { outside, present } = bench()
    expect([await present(first), await present(first), await present(first)]).toEqual(Array(3).fill('accepted'))
    expect(outside.asked).toEqual([DISCOVERY, JWKS])
  })

  it('LOGIN-04 tokens that come together ask once', async () => {
    const { outside, present } = bench()
    const all = await Promise.all(Array.from({ length: 50 }, () => present(first)))
    expect(all).toEqual(Array(50).fill('accepted'))
    expect(outside.asked).toEqual([DISCOVERY, JWKS])
  })

  it('LOGIN-04 a new key is accepted by the first token that has it, without a restart', async () => {
    const { outside, present } = bench()
    await present(first)
    outside.publish(first.jwk, second.jwk)
    expect([await present(second), await present(first)]).toEqual(['accepted', 'accepted'])
  })

  it('LOGIN-04 new key material under the old name is accepted too', async () => {
    const { outside, present } = bench()
    await present(first)
    const renamed = { ...second, kid: 'first', jwk: { ...second.jwk, kid: 'first' } }
    outside.publish(renamed.jwk)
    expect([await present(renamed), await present(first)]).toEqual(['accepted', 'signature'])
  })

  it('LOGIN-04 a key that the issuer took back is refused ten minutes later at the latest', async () => {
    const { outside, present, pass } = bench()
    await present(first)
    outside.publish(second.jwk)
    pass(10 * MINUTE_MS - 1)
    expect(await present(first)).toBe('accepted')
    pass(1)
    expect(await present(first)).toBe('key')
  })

  it('LOGIN-05 unknown keys make the service ask a few times at once, and then once in ten seconds', async () => {
    const { present, fetched, pass } = bench()
    await present(first)
    for (let count = 0; count < 100; count++) expect(await present(second)).toBe('key')
    expect(fetched()).toBe(1 + RENEWALS_AT_ONCE)
    for (let count = 0; count < 100; count++) {
      await present(second)
      pass(RENEWAL_MS / 10)
    }
    expect(fetched()).toBe(1 + RENEWALS_AT_ONCE + 9)
    expect(await present(first)).toBe('accepted')
  })

  it('LOGIN-05 where strangers have used that up, a new key waits ten seconds', async () => {
    const { outside, present, pass } = bench()
    await present(first)
    for (let count = 0; count < 10; count++) await present(second)
    outside.publish(first.jwk, second.jwk)
    expect(await present(second)).toBe('key')
    pass(RENEWAL_MS)
    expect(await present(second)).toBe('accepted')
  })
})

describe('LOGIN-06 an issuer that cannot be reached makes tokens wait, and known keys stay good for six hours', () => {
  it('LOGIN-06 without its keys a token is refused with 503 and when to try again', async () => {
    const { outside, present, pass } = bench()
    outside.isAway = true
    expect(await present(first)).toEqual({ code: 'issuer_unreachable', retry_after_s: 5 })
    pass(2_000)
    expect(await present(first)).toEqual({ code: 'issuer_unreachable', retry_after_s: 3 })
    outside.isAway = false
    expect(await present(first)).toMatchObject({ code: 'issuer_unreachable' })
    pass(RETRY_MS - 2_000)
    expect(await present(first)).toBe('accepted')
  })

  it('LOGIN-06 an issuer that is away is asked once in five seconds', async () => {
    const { outside, present, pass } = bench()
    outside.isAway = true
    for (let count = 0; count < 100; count++) {
      await present(first)
      pass(RETRY_MS / 10)
    }
    expect(outside.asked).toEqual(Array(10).fill(DISCOVERY))
    expect(outside.logged).toHaveLength(10)
    expect(outside.logged[0]).toEqual({ url: DISCOVERY, reason: 'connection failed' })
  })

  it('LOGIN-06 known keys verify for six hours while it is away', async () => {
    const { outside, present, pass } = bench()
    await present(first)
    outside.isAway = true
    pass(6 * HOUR_MS - 1)
    expect([await present(first), await present(second)]).toEqual(['accepted', 'key'])
    pass(1)
    expect(await present(first)).toMatchObject({ code: 'issuer_unreachable' })
  })

  it('LOGIN-06 after an idle time old keys are not used unasked', async () => {
    const { outside, present, pass } = bench()
    await present(first)
    outside.publish(second.jwk)
    pass(5 * HOUR_MS)
    expect(await present(first)).toBe('key')
  })

  it('LOGIN-06 an issuer that never answers is given up after half of the time for both documents', async () => {
    const outside = standIn(first.jwk)
    const { present } = bench(outside)
    const waited: number[] = []
    const real = globalThis.setTimeout
    // The deadline comes at once, and is noted.
    const timers = (work: () => void, ms = 0) => {
      waited.push(ms)
      return real(work, ms === LOAD_MS / 2 ? 0 : ms)
    }
    outside.ports.fetch = () => new Promise(() => {})
    globalThis.setTimeout = timers as typeof setTimeout // no test of this file uses what the other overloads give
    try {
      expect(await present(first)).toMatchObject({ code: 'issuer_unreachable' })
    } finally {
      globalThis.setTimeout = real
    }
    expect(waited).toContain(LOAD_MS / 2)
    expect(outside.logged).toEqual([{ url: DISCOVERY, reason: 'timed out' }])
  })
})

describe('LOGIN-07 a document of the issuer that is not right is refused, and the log says why', () => {
  it.each<[string, string, unknown, string]>([
    ['of another issuer', DISCOVERY, { issuer: `${ISSUER}/`, jwks_uri: JWKS }, 'the document is of another issuer'],
    ['without the address of keys', DISCOVERY, { issuer: ISSUER }, 'jwks_uri of the document is missing'],
    ['with keys by http', DISCOVERY, { issuer: ISSUER, jwks_uri: 'http://a.example.com/' }, 'jwks_uri of the document'],
    [
      'with keys of its own host by http',
      DISCOVERY,
      { issuer: ISSUER, jwks_uri: JWKS.replace('https', 'http') },
      'jwks_uri of the document',
    ],
    ['with keys inside', DISCOVERY, { issuer: ISSUER, jwks_uri: 'https://10.0.0.1/k' }, 'jwks_uri of the document'],
    [
      'with keys in metadata',
      DISCOVERY,
      { issuer: ISSUER, jwks_uri: 'https://a.internal/k' },
      'jwks_uri of the document',
    ],
    ['that is a list', DISCOVERY, [], 'HTTP 200, and no JSON object'],
    ['that is a redirect', DISCOVERY, new Response(null, { status: 302, headers: { location: JWKS } }), 'HTTP 302'],
    ['that is too large', DISCOVERY, { issuer: ISSUER, jwks_uri: JWKS, x: 'x'.repeat(300_000) }, 'reply too large'],
    ['that is no JSON', JWKS, new Response('<html>'), 'HTTP 200, and no JSON object'],
    ['that is an error', JWKS, new Response('{}', { status: 500 }), 'HTTP 500'],
    ['without keys', JWKS, { keys: [] }, 'the document has no public key'],
    ['with keys that are none', JWKS, { keys: [1, null, 'x', {}] }, 'the document has no public key'],
    ['with keys that are no list', JWKS, { keys: { length: 1 } }, 'the document has no public key'],
  ])('LOGIN-07 %s', async (_, url, document, reason) => {
    const { outside, present } = bench()
    outside.documents.set(url, document)
    expect(await present(first)).toMatchObject({ code: 'issuer_unreachable' })
    expect(outside.logged).toEqual([{ url, reason: expect.stringContaining(reason) }])
  })

  it('LOGIN-07 a key that cannot be used harms no other', async () => {
    const strange = { kty: 'EC', kid: 'strange', crv: 'P-256', x: 'AA', y: 'AA' }
    const { present } = bench(standIn(strange, { kty: 'LMS', kid: 'later' }, first.jwk))
    expect(await present(first)).toBe('accepted')
    expect(await present({ ...second, kid: 'strange' })).toBe('key')
  })

  it('LOGIN-07 a private key that an issuer shows by mistake verifies nothing', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await exportJWK(privateKey)), kid: 'shown', alg: 'ES256' }
    const { present } = bench(standIn(jwk))
    expect(await present({ kid: 'shown', alg: 'ES256', secret: privateKey, jwk })).toBe('key')
  })

  it('LOGIN-07 AUTH_JWKS_URL stands in for the discovery document', async () => {
    const outside = standIn(first.jwk)
    const { present } = bench(outside, { AUTH_JWKS_URL: JWKS })
    expect([await present(first), outside.asked]).toEqual(['accepted', [JWKS]])
  })

  it('LOGIN-07 the keys of Cloudflare Access are at its own path', async () => {
    const team = 'https://acme.cloudflareaccess.com'
    const outside = standIn()
    outside.documents.set(`${team}/cdn-cgi/access/certs`, { keys: [first.jwk], public_certs: [] })
    const login = loginOf({ AUTH_ISSUER: team })
    const { holderOf } = tokenVerifier(login, issuerOf(login, outside.ports), outside.ports.now_ms)
    expect(await holderOf(await sign(first, claims({ iss: team, aud: ['loop-agent'] })))).toMatchObject({ ok: true })
    expect(outside.asked).toEqual([`${team}/cdn-cgi/access/certs`])
  })
})
