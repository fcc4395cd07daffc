/** One try, against a receiver that listens on a port: what it gets, and what its answer means (F38 to F42). */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendWebhook, type WebhookMessage } from '../../src/shell/callbacks/standard-webhooks.ts'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`
const [NEWER, OLDER] = [secretOf(1), secretOf(2)]
const MESSAGE: WebhookMessage = {
  id: 'task_a_12',
  type: 'task.completed',
  timestamp: '2026-11-21T12:00:00.000Z',
  data: { goal: '买牛奶 🥛' },
}

let receiver: FaultServer
beforeAll(async () => {
  receiver = await startFaultServer()
})
afterAll(() => receiver.close())
beforeEach(() => receiver.reset())

function send(secrets: string[] = [NEWER], now_ms = Date.now()) {
  const ports = { fetch: globalThis.fetch, secrets: new Map([['acme', secrets]]), loopback: true }
  return sendWebhook(ports, { tenant: 'acme', url: `${receiver.origin}/hook?x=1` }, MESSAGE, now_ms)
}
function sent(index = 0) {
  const { headers = {}, body = '', ...rest } = receiver.received[index] ?? {}
  const signed = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return { ...rest, body, headers: Object.fromEntries(signed) as Record<string, string> }
}

describe('what a receiver gets', () => {
  it('a POST of JSON with type, timestamp and data, signed as Standard Webhooks says', async () => {
    receiver.script({ status: 204 })
    const now = Date.now()
    expect(await send([NEWER], now)).toEqual({ kind: 'taken' })
    const { method, path, headers, body } = sent()
    const { id, ...told } = MESSAGE
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hook?x=1', 'application/json'])
    expect([headers['webhook-id'], headers['webhook-timestamp']]).toEqual([id, String(Math.floor(now / 1_000))])
    expect(new Webhook(NEWER).verify(body, headers)).toEqual(told)
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
    expect(() => new Webhook(OLDER).verify(body, headers)).toThrow('No matching signature')
    expect(() => new Webhook(NEWER).verify(body.replace('{', '{ '), headers)).toThrow('No matching signature')
    expect(() => new Webhook(NEWER).verify(body, { ...headers, 'webhook-id': 'task_a_13' })).toThrow('No matching')
  })

  it('during rotation two signatures, the newer first: a receiver that knows either secret is content', async () => {
    receiver.script({ status: 200 })
    await send([NEWER, OLDER])
    const { headers, body } = sent()
    for (const secret of [NEWER, OLDER]) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow()
    const [first = '', second = '', ...more] = (headers['webhook-signature'] ?? '').split(' ')
    expect([first === second, more]).toEqual([false, []])
    expect(() => new Webhook(NEWER).verify(body, { ...headers, 'webhook-signature': first })).not.toThrow()
    expect(() => new Webhook(OLDER).verify(body, { ...headers, 'webhook-signature': second })).not.toThrow()
  })

  it('F42 a second try has the same id and body, and the time it is made at', async () => {
    receiver.script({ status: 500 }, { status: 200 })
    const now = Date.now()
    await send([NEWER], now - 120_000)
    await send([NEWER], now)
    const [first, second] = [sent(0), sent(1)]
    expect(second.body).toBe(first.body)
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(Number(second.headers['webhook-timestamp']) - Number(first.headers['webhook-timestamp'])).toBe(120)
    for (const { body, headers } of [first, second])
      expect(() => new Webhook(NEWER).verify(body, headers)).not.toThrow()
  })
})

const failed = (detail: string, asked_ms: number | null = null) => ({ kind: 'failed', detail, asked_ms })
const away = { location: '/elsewhere' }

describe('what its answer means', () => {
  it.each<[string, Reply, object]>([
    ['200', { status: 200, body: 'thanks' }, { kind: 'taken' }],
    ['202 with a page', { status: 202, headers: { 'content-type': 'text/html' }, body: '<html>' }, { kind: 'taken' }],
    ['200 with megabytes', { status: 200, body: 'x'.repeat(4_000_000) }, { kind: 'taken' }],
    ['200 whose body never ends', { status: 200, body: 'x', fault: 'after_body' }, { kind: 'taken' }],
    ['200 whose body breaks off', { status: 200, body: 'x', fault: 'cut' }, { kind: 'taken' }],
    ['F40 301', { status: 301, headers: away }, failed('HTTP 301 (redirect)')],
    ['F40 302', { status: 302, headers: away }, failed('HTTP 302 (redirect)')],
    ['F40 307', { status: 307, headers: away }, failed('HTTP 307 (redirect)')],
    ['F40 308', { status: 308, headers: away }, failed('HTTP 308 (redirect)')],
    ['400', { status: 400, body: 'canary' }, failed('HTTP 400')],
    ['401', { status: 401 }, failed('HTTP 401')],
    ['404', { status: 404 }, failed('HTTP 404')],
    ['F41 410', { status: 410, body: 'canary' }, { kind: 'gone', detail: 'HTTP 410' }],
    ['F41 429', { status: 429, headers: { 'retry-after': '30' } }, failed('HTTP 429', 30_000)],
    ['F41 503', { status: 503, headers: { 'retry-after': '999999' } }, failed('HTTP 503', 86_400_000)],
    ['500', { status: 500, body: 'canary'.repeat(1_000) }, failed('HTTP 500')],
    ['F38 a connection that is closed', { fault: 'reset' }, failed('connection failed')],
  ])('%s', async (_what, reply, expected) => {
    receiver.script(reply)
    expect(await send()).toEqual(expected)
    expect(receiver.received).toHaveLength(1)
  })

  it('F41 Retry-After as a date', async () => {
    const now = Date.UTC(2026, 10, 21, 12)
    receiver.script({ status: 503, headers: { 'retry-after': 'Sat, 21 Nov 2026 12:10:00 GMT' } })
    expect(await send([NEWER], now)).toEqual(failed('HTTP 503', 600_000))
  })

  it('F38 nobody listens', async () => {
    const nobody = await startFaultServer()
    await nobody.close()
    const ports = { fetch: globalThis.fetch, secrets: new Map([['acme', [NEWER]]]), loopback: true }
    const tried = await sendWebhook(ports, { tenant: 'acme', url: `${nobody.origin}/` }, MESSAGE, Date.now())
    expect(tried).toEqual(failed('connection failed'))
  })

  it('F39 a receiver that says nothing for 15 s has failed, and is hung up on', async () => {
    const waits = vi.spyOn(globalThis, 'setTimeout')
    const signals: AbortSignal[] = []
    const silent: typeof globalThis.fetch = (_input, init) => {
      if (init?.signal) signals.push(init.signal)
      // The deadline is the newest wait: its time is over.
      const [over, ms] = waits.mock.calls.at(-1) ?? []
      expect(ms).toBe(15_000)
      queueMicrotask(() => over?.())
      return new Promise(() => undefined)
    }
    const ports = { fetch: silent, secrets: new Map([['acme', [NEWER]]]), loopback: true }
    const tried = await sendWebhook(ports, { tenant: 'acme', url: `${receiver.origin}/` }, MESSAGE, Date.now())
    waits.mockRestore()
    expect(tried).toEqual(failed('timed out'))
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})
