/** Where the service may be sent: the table of what is refused, at registration and again before each try (F65). */
import { describe, expect, it } from 'vitest'
import { readAddress } from '../../src/shell/network/address.ts'
import { sendWebhook } from '../../src/shell/callbacks/standard-webhooks.ts'
import { GOOD, LOOPBACK } from '../support/addresses.ts'
import { HOSTILE } from '../support/hostile-addresses.ts'
import { fixture, problemOf } from '../support/http-fixture.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const MESSAGE = { id: 'task_1_2', type: 'task.completed', timestamp: '2026-11-21T12:00:00.000Z', data: {} }

async function register(callback_url: string, env: Record<string, unknown> = {}) {
  const { post, asked } = fixture({ env: { WEBHOOK_SECRET: `alice:${SECRET}`, ...env } })
  const response = await post('/tasks', { goal: 'x', callback_url })
  return { response, asked }
}

/** What a try to tell this address does; every address it asked for. */
async function send(url: string, loopback = false) {
  const asked: string[] = []
  const fetch = async (input: RequestInfo | URL) => {
    asked.push(String(input))
    return new Response(null, { status: 204 })
  }
  const ports = { fetch, secrets: new Map([['alice', [SECRET]]]), loopback }
  return { asked, tried: await sendWebhook(ports, { tenant: 'alice', url }, MESSAGE, 0) }
}

describe.each(HOSTILE)('F65 %j', (address, why) => {
  it('is refused at registration, in words that say what to do', async () => {
    const { response, asked } = await register(address)
    expect([response.status, asked]).toEqual([422, []])
    expect((await problemOf(response))['errors']).toEqual([
      { pointer: '/callback_url', message: expect.stringMatching(/^callback_url must /) },
    ])
    expect(JSON.stringify(readAddress(address, { loopback: false }))).toContain(why)
  })

  it('is refused again at send: a failed try, never sent', async () => {
    const { asked, tried } = await send(address)
    expect(asked).toEqual([])
    expect(tried).toEqual({
      kind: 'failed',
      detail: expect.stringMatching(/^not sent: the address must /),
      asked_ms: null,
    })
  })

  it('is refused in development too, unless it is this machine', async () => {
    expect(readAddress(address, { loopback: true }).ok).toBe(isThisMachine(address))
  })
})

/** By what the parser makes of it. */
function isThisMachine(address: string): boolean {
  if (!URL.canParse(address) || /[\s@#\\\p{Cc}\p{Cf}]/u.test(address)) return false
  const { protocol, hostname } = new URL(address)
  return /^https?:$/.test(protocol) && /^(?:127\.[\d.]+|localhost\.?|\[::1\])$/.test(hostname)
}

describe.each(GOOD)('%s', (address, href) => {
  it('is a receiver', async () => {
    const { response, asked } = await register(address)
    expect(response.status).toBe(201)
    expect(asked[0]?.args[1]).toMatchObject({ callback_url: address })
    expect(await send(address)).toEqual({ asked: [href], tried: { kind: 'taken' } })
  })
})

it.each(LOOPBACK)('%s is a receiver in development and nowhere else', async (address) => {
  expect((await register(address)).response.status).toBe(422)
  expect(await send(address)).toMatchObject({ asked: [], tried: { kind: 'failed' } })
  expect(await send(address, true)).toMatchObject({ asked: [expect.any(String)], tried: { kind: 'taken' } })
  const development = { ENVIRONMENT: 'development' }
  expect((await register(address, development)).response.status).toBe(201)
})

it('a tenant without a WEBHOOK_SECRET has nothing to sign with: 422, and a failed try', async () => {
  const { response, asked } = await register('https://example.com/', { WEBHOOK_SECRET: `bob:${SECRET}` })
  expect([response.status, asked]).toEqual([422, []])
  expect(await problemOf(response)).toMatchObject({
    detail: expect.stringContaining('WEBHOOK_SECRET'),
    errors: [{ pointer: '/callback_url', message: expect.stringContaining('needs a secret') }],
  })
  const fetch = () => Promise.reject(new Error('sent'))
  const tried = await sendWebhook(
    { fetch, secrets: new Map(), loopback: false },
    { tenant: 'alice', url: 'https://example.com/' },
    MESSAGE,
    0,
  )
  expect(tried).toMatchObject({ kind: 'failed', detail: 'not sent: the tenant has no WEBHOOK_SECRET' })
})
