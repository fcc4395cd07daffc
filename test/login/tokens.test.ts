/** Which tokens of a login are accepted: those of the issuer, for this service, now, and no others. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { LoginVariables } from '../../src/config-login.ts'
import { issuerOf } from '../../src/http/gate/login/issuer.ts'
import { tokenVerifier } from '../../src/http/gate/login/verify-token.ts'
import { FORGERIES, newForger } from './forgeries.ts'
import { AUDIENCE, claims, ISSUER, JWKS, loginOf, newKey, NOW_S, sign, standIn, type StandIn } from './stand-in.ts'

type Forger = Awaited<ReturnType<typeof newForger>>
let forger: Forger
beforeAll(async () => {
  forger = await newForger()
})

const verifierOf = (outside: StandIn, more: LoginVariables = {}) =>
  tokenVerifier(loginOf(more), issuerOf(loginOf(more), outside.ports), outside.ports.now_ms)

describe('LOGIN-01 a token that is not of the issuer, for this service and valid now is refused with 401 and its reason', () => {
  it.each(FORGERIES)('LOGIN-01 %s: %s', async (_, fault, forge) => {
    const outside = standIn(forger.key.jwk, forger.rsa.jwk)
    const token = await forge({ ...forger, elsewhere: 'https://attacker.example.com' })
    const { holderOf } = verifierOf(outside)
    expect(await holderOf(token)).toEqual({
      ok: false,
      refusal: { code: 'unauthorized', given: true, token: fault },
    })
    // Nothing that the token says leads anywhere.
    expect(outside.asked.filter((url) => !url.startsWith(ISSUER))).toEqual([])
  })

  it('LOGIN-01 a right token has the tenant of its claim', async () => {
    const { holderOf } = verifierOf(standIn(forger.key.jwk))
    expect(await holderOf(await sign(forger.key))).toEqual({
      ok: true,
      value: {
        tenant: 'acme',
        scopes: ['tasks:read', 'tasks:write', 'delegations'],
        key_name: expect.stringMatching(/^oidc:[0-9a-f]{16}$/),
        is_operator: false,
      },
    })
  })

  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
    'LOGIN-02 %s is accepted',
    async (alg) => {
      const key = await newKey('k', alg)
      const { holderOf } = verifierOf(standIn(key.jwk))
      expect(await holderOf(await sign(key))).toMatchObject({ ok: true })
    },
  )

  it.each([
    ['without a type', claims(), { typ: undefined }],
    ['of the type at+jwt', claims(), { typ: 'at+jwt' }],
    ['of the type application/at+jwt', claims(), { typ: 'application/AT+JWT' }],
    ['with several audiences', claims({ aud: ['billing', AUDIENCE] }), {}],
    ['that expired within the tolerance', claims({ exp: NOW_S - 29 }), {}],
    ['that becomes valid within the tolerance', claims({ nbf: NOW_S + 30 }), {}],
    ['without the name of its key', claims(), { kid: undefined }],
    ['with addresses of keys, which nobody asks', claims(), { jku: 'https://attacker.example.com/jwks.json' }],
  ])('LOGIN-01 a token %s is accepted', async (_, payload, header) => {
    const outside = standIn(forger.rsa.jwk, (await newKey('other')).jwk, forger.key.jwk)
    expect(await verifierOf(outside).holderOf(await sign(forger.key, payload, header))).toMatchObject({ ok: true })
    expect(outside.asked).not.toContain('https://attacker.example.com/jwks.json')
  })

  it('LOGIN-01 keys that others could sign with are not taken from the issuer either', async () => {
    const oct = { kty: 'oct', kid: 'shared', k: 'c2VjcmV0', alg: 'HS256' }
    const outside = standIn(oct)
    expect(await verifierOf(outside).holderOf(await sign(forger.key))).toMatchObject({
      refusal: { code: 'issuer_unreachable' },
    })
    expect(outside.logged).toEqual([{ url: JWKS, reason: 'the document has no public key for signatures' }])
  })

  it('LOGIN-03 a stranger’s token that says nothing of the issuer causes no request to it', async () => {
    const outside = standIn(forger.key.jwk)
    const { holderOf } = verifierOf(outside)
    for (const token of [
      'a.b.c',
      `${'a'.repeat(20_000)}`,
      await sign(forger.own, claims({ iss: 'https://other.example' })),
    ])
      await holderOf(token)
    expect(outside.asked).toEqual([])
  })

  it('LOGIN-03 no reason repeats what is expected, or a value of the token', async () => {
    const { TOKEN_FAULTS } = await import('../../src/http/gate/hints/credential-faults.ts')
    const texts = JSON.stringify(TOKEN_FAULTS)
    for (const word of [ISSUER, AUDIENCE, 'acme', 'user-1']) expect(texts).not.toContain(word)
  })
})
