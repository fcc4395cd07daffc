/** A login over real HTTP: the built service, and an issuer on this machine that changes its keys and goes away. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../scripts/lib/service.mjs'
import { TOKEN_FAULTS } from '../../src/http/gate/hints/credential-faults.ts'
import { FORGERIES, newForger } from '../login/forgeries.ts'
import { issuerServer, type IssuerServer } from '../login/issuer-server.ts'
import { AUDIENCE, newKey, sign } from '../login/stand-in.ts'
import { newPlace, type Place } from './support.ts'

let issuer: IssuerServer
let place: Place
let service: Service
let forger: Awaited<ReturnType<typeof newForger>>

const start = () =>
  place.start({ AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: AUDIENCE, AUTH_TENANT_CLAIM: 'org', API_KEYS: 'acme:acme-key' })

beforeAll(async () => {
  forger = await newForger()
  issuer = await issuerServer()
  issuer.publish(forger.key.jwk, forger.rsa.jwk)
  place = newPlace()
  service = await start()
})
afterAll(async () => {
  await place.leave()
  await issuer.leave()
})

async function ask(token: string, path = '/tasks') {
  const response = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, retry_after: response.headers.get('retry-after'), body: await response.json() }
}

describe('a login over HTTP', () => {
  it('LOGIN-15 what a login makes is of its tenant, and a key of the tenant sees it', async () => {
    const token = await sign(forger.key, issuer.say())
    const made = await fetch(`${service.url}/tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ goal: 'Buy milk', hold: true }),
    })
    expect(made.status).toBe(201)
    const path = made.headers.get('location') ?? ''
    expect((await ask('acme-key', path)).status).toBe(200)
    const other = await sign(forger.key, issuer.say({ org: 'globex' }))
    expect((await ask(other, path)).status).toBe(404)
  })

  it('LOGIN-04 the issuer changes its keys, and nothing is started anew', async () => {
    const next = await newKey('ec-2')
    expect((await ask(await sign(next, issuer.say()))).status).toBe(401)
    issuer.publish(forger.key.jwk, forger.rsa.jwk, next.jwk)
    expect((await ask(await sign(next, issuer.say()))).status).toBe(200)
    expect((await ask(await sign(forger.key, issuer.say()))).status).toBe(200)
  })

  it.each(FORGERIES)('LOGIN-16 %s is refused', async (_, fault, forge) => {
    const now_s = Math.floor(Date.now() / 1000)
    const token = await forge({ ...forger, say: issuer.say, now_s, elsewhere: 'http://127.0.0.1:9' })
    const { status, body } = await ask(token)
    expect([status, body]).toMatchObject([401, { code: 'unauthorized' }])
    if (fault !== 'malformed') expect(body).toMatchObject({ detail: TOKEN_FAULTS[fault] })
  })

  it('LOGIN-17 a service that starts while the issuer is away answers keys, and tokens when it is back', async () => {
    await service.stop()
    await issuer.leave()
    service = await start()
    const token = await sign(forger.key, issuer.say())
    const refused = await ask(token)
    expect([refused.status, refused.body]).toMatchObject([503, { code: 'issuer_unreachable' }])
    expect(Number(refused.retry_after)).toBeGreaterThan(0)
    expect((await ask('acme-key')).status).toBe(200)
    await issuer.comeBack()
    await expect.poll(async () => (await ask(token)).status, { timeout: 20_000 }).toBe(200)
    await issuer.leave()
    // Known keys go on verifying.
    expect((await ask(token)).status).toBe(200)
    await issuer.comeBack()
  })
})
