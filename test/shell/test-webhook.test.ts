/** U53: one test delivery, signed and bounded. */
import { registryOf } from '../support/memory/memory-registry.ts'
import { describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { testWebhook } from '../../src/shell/callbacks/test-webhook.ts'
import { SECRET } from '../support/told.ts'

const HOOK = 'https://app.example.com/hook'

function sending(answer: () => Response | Promise<Response>, url = HOOK) {
  const sent: Request[] = []
  let now = 1_000
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push(new Request(String(input), init))
    now += 84
    return answer()
  }
  const webhooks = { fetch, secrets: new Map([['acme', [SECRET]]]), loopback: false, chance: () => 0 }
  const registry = registryOf()
  const ports = { webhooks, registry, clock: { now_ms: () => now, wall_ms: () => now }, random_id: () => 'r1' }
  return { sent, test: testWebhook(ports, 'acme', url) }
}

describe('U53 a test delivery', () => {
  it('U53 is signed like a real one, and tells what came back', async () => {
    const { sent, test } = sending(() => new Response('thanks', { status: 202 }))
    const expected = {
      id: 'test_r1',
      ok: true,
      status: 202,
      detail: null,
      duration_ms: 84,
      body: 'thanks',
      body_cut: false,
    }
    expect(await test).toEqual(expected)
    const [request] = sent
    if (request === undefined) throw new Error('nothing was sent')
    const text = await request.text()
    const id = request.headers.get('webhook-id') ?? ''
    const at = new Date(Number(request.headers.get('webhook-timestamp')) * 1_000)
    expect([request.method, request.url, id]).toEqual(['POST', HOOK, 'test_r1'])
    expect(request.headers.get('webhook-signature')).toBe(new Webhook(SECRET).sign(id, at, text))
    expect(JSON.parse(text)).toMatchObject({ type: 'webhook.test', data: { message: expect.any(String) } })
  })

  it.each([
    [() => new Response('no', { status: 401 }), { ok: false, status: 401, detail: 'HTTP 401', body: 'no' }],
    [
      () => new Response(null, { status: 302, headers: { location: 'https://b.example/' } }),
      { ok: false, status: 302, detail: 'HTTP 302 (redirect)', body: '' },
    ],
    [() => Promise.reject(new Error('refused')), { ok: false, status: null, detail: 'connection failed', body: '' }],
  ])('U53 is not tried again: %#', async (answer, expected) => {
    const { sent, test } = sending(answer)
    expect(await test).toMatchObject(expected)
    expect(sent).toHaveLength(1)
  })

  it('U53 shows the first 1000 characters of an answer, without control characters', async () => {
    const { test } = sending(() => new Response(`\u0007${'é'.repeat(5_000)}`))
    expect(await test).toMatchObject({ ok: true, body: ` ${'é'.repeat(999)}`, body_cut: true })
  })

  it('U53 is not sent to an address that a callback may not have', async () => {
    const { sent, test } = sending(() => new Response('inside'), 'https://127.0.0.1/')
    expect(await test).toMatchObject({
      ok: false,
      status: null,
      detail: expect.stringContaining('not sent: the address'),
    })
    expect(sent).toEqual([])
  })
})
