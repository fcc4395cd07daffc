/** Tokens of a login in the runtime that serves them: its signatures, its keys, and requests that share what the issuer has said. */
import { beforeAll, describe, expect, it } from 'vitest'
import { issuerOf } from '../../src/http/gate/login/issuer.ts'
import { tokenVerifier } from '../../src/http/gate/login/verify-token.ts'
import { FORGERIES, newForger } from '../login/forgeries.ts'
import { DISCOVERY, JWKS, loginOf, newKey, sign, standIn, type StandIn } from '../login/stand-in.ts'

let forger: Awaited<ReturnType<typeof newForger>>
beforeAll(async () => {
  forger = await newForger()
})
const verifierOf = ({ ports }: StandIn) => tokenVerifier(loginOf(), issuerOf(loginOf(), ports), ports.now_ms)

describe('LOGIN-02 the runtime verifies every algorithm that is accepted', () => {
  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
    'LOGIN-02 %s',
    async (alg) => {
      const key = await newKey('k', alg)
      const { holderOf } = verifierOf(standIn(key.jwk))
      expect(await holderOf(await sign(key))).toMatchObject({ ok: true, value: { tenant: 'acme' } })
    },
  )
})

describe('LOGIN-01 the runtime refuses every forged token', () => {
  it.each(FORGERIES)('LOGIN-01 %s: %s', async (_, fault, forge) => {
    const outside = standIn(forger.key.jwk, forger.rsa.jwk)
    const token = await forge({ ...forger, elsewhere: 'https://attacker.example.com' })
    expect(await verifierOf(outside).holderOf(token)).toMatchObject({ ok: false, refusal: { token: fault } })
  })
})

it('LOGIN-04 tokens that come together ask once, and a new key is found without a restart', async () => {
  const outside = standIn(forger.key.jwk)
  const { holderOf } = verifierOf(outside)
  const token = await sign(forger.key)
  const all = await Promise.all(Array.from({ length: 20 }, () => holderOf(token)))
  expect(all.every(({ ok }) => ok)).toBe(true)
  expect(outside.asked).toEqual([DISCOVERY, JWKS])
  const next = await newKey('next')
  outside.publish(next.jwk)
  expect(await holderOf(await sign(next))).toMatchObject({ ok: true })
})
