/** Requests of the TypeScript client that fail: what is sent again, when, under which key, and what the error says. */
import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../../clients/typescript/src/retry.ts'
import { failureOf, json, NOW, problem, scriptedClient, task, type Answer } from './bench.ts'

const BROKEN = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
const DONE = json(task(1, 'running'))
const keysOf = (sent: { headers: Headers }[]) => sent.map(({ headers }) => headers.get('idempotency-key'))

describe('U59 a request that fails in passing', () => {
  it.each<[string, () => Answer]>([
    ['a broken connection', () => BROKEN],
    ['429', () => problem(429, 'rate_limited')],
    ['502 without a problem', () => new Response('<html>', { status: 502 })],
    ['503', () => problem(503, 'unavailable')],
    ['504', () => new Response('', { status: 504 })],
    ['a busy task', () => problem(409, 'task_busy')],
    ['a request under the same key', () => problem(409, 'request_in_progress')],
  ])('U59 %s is sent again under one key, after longer and longer waits', async (_, failure) => {
    const { client, sent, slept } = scriptedClient([failure(), failure(), failure(), DONE.clone()])
    expect(await client.step('task_1')).toMatchObject({ version: 1 })
    expect(slept).toEqual([375, 750, 1500])
    expect(new Set(keysOf(sent)).size).toBe(1)
    expect(keysOf(sent)[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(sent.map(({ body }) => body)).toEqual(['{}', '{}', '{}', '{}'])
  })

  it.each<[string, () => Answer]>([
    ['400', () => problem(400, 'invalid_json')],
    ['401', () => problem(401, 'unauthorized')],
    ['409 of an ended task', () => problem(409, 'task_ended')],
    ['409 of a lost lease', () => problem(409, 'lease_lost')],
    ['422', () => problem(422, 'validation_failed')],
    ['429 of a quota', () => problem(429, 'quota_exceeded')],
    ['500', () => problem(500, 'internal_error')],
    ['503 of the configuration', () => problem(503, 'not_configured')],
    ['507', () => problem(507, 'storage_full')],
  ])('U59 %s is not sent again', async (_, failure) => {
    const { client, sent, slept } = scriptedClient([failure()])
    const { key } = await failureOf(client.step('task_1'))
    expect([sent.length, slept]).toEqual([1, []])
    expect(key).toBe(keysOf(sent)[0])
  })

  it('U59 it is given up after so many repetitions, with the last error', async () => {
    const { client, slept } = scriptedClient([BROKEN, problem(503, 'unavailable'), BROKEN], { retries: 2 })
    const error = await failureOf(client.create('Buy milk'))
    expect(error).toMatchObject({ status: 0, code: 'network_error', problem: null, cause: BROKEN })
    expect(error.message).toBe('POST /tasks: network_error: no whole answer came: connect ECONNREFUSED')
    expect(slept).toHaveLength(2)
  })

  it('U59 an answer that is cut in its middle is asked for again', async () => {
    const cut = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })
    const { client, sent } = scriptedClient([new Response(cut), DONE.clone()])
    await client.create('Buy milk')
    expect(new Set(keysOf(sent)).size).toBe(1)
    expect(sent).toHaveLength(2)
  })

  it('U59 the key of the caller is taken, a PATCH has one too, and GET, PUT and DELETE have none', async () => {
    const { client, sent } = scriptedClient([
      ...[1, 2, 3, 4].map(() => DONE.clone()),
      new Response(null, { status: 204 }),
    ])
    await client.create('Buy milk', { idempotencyKey: 'order-7' })
    await client.change('task_1', { title: 'Milk' }, { idempotencyKey: 'title-7' })
    await client.get('task_1')
    await client.secrets.put('orders', { value: 'x', hosts: ['api.example.com'] })
    await client.delete('task_1')
    expect(keysOf(sent)).toEqual(['order-7', 'title-7', null, null, null])
  })

  it('U59 a deletion whose answer was lost is done when the second one finds nothing', async () => {
    const gone = () => problem(404, 'task_not_found')
    const { client, sent } = scriptedClient([BROKEN, gone(), gone()])
    expect(await client.delete('task_1')).toBeUndefined()
    expect(sent).toHaveLength(2)
    expect(await failureOf(client.delete('task_1'))).toMatchObject({ status: 404, code: 'task_not_found' })
  })

  it('U59 a test delivery, which has no key, is not sent again if it may have arrived', async () => {
    const { client, sent } = scriptedClient([problem(503, 'unavailable'), BROKEN])
    await failureOf(client.webhooks.test('https://app.example.com/hook'))
    expect(sent).toHaveLength(2)
  })
})

describe('U59 Retry-After', () => {
  it.each([
    ['in seconds', '7', [7000]],
    ['as a date', 'Sat, 28 Nov 2026 12:00:09 GMT', [9000]],
    ['in the past', 'Sat, 28 Nov 2026 11:00:00 GMT', [0]],
    ['at the limit', '60', [60_000]],
    ['that cannot be read', 'soon', [375]],
  ])('U59 %s is kept to', async (_, value, waits) => {
    const { client, slept } = scriptedClient([problem(429, 'rate_limited', { 'retry-after': value }), DONE.clone()])
    await client.step('task_1')
    expect(slept).toEqual(waits)
  })

  it.each(['61', '9'.repeat(400), 'Sat, 28 Nov 2026 12:01:01 GMT'])(
    'U59 of %s is more than is waited, so it fails at once',
    async (value) => {
      const { client, sent, slept } = scriptedClient([problem(429, 'tenant_budget_exceeded', { 'retry-after': value })])
      const error = await failureOf(client.step('task_1'))
      expect(error).toMatchObject({ status: 429, code: 'tenant_budget_exceeded' })
      expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(61)
      expect([sent.length, slept]).toEqual([1, []])
    },
  )

  it('U59 longer waits are accepted by maxWaitSeconds', async () => {
    const answers = [problem(429, 'rate_limited', { 'retry-after': '90' }), DONE.clone()]
    const { client, slept } = scriptedClient(answers, { maxWaitSeconds: 90 })
    await client.step('task_1')
    expect(slept).toEqual([90_000])
  })

  it.each([null, '', '-1', '1.5', '1e3', '2026-11-28', 'Sat'])('U59 %j is none', (value) => {
    expect(retryAfterMs(value, { now: () => NOW })).toBeNull()
  })
})

describe('U59 a redirect', () => {
  it.each([301, 302, 303, 307, 308])('U59 %d is refused, and names where the key would have gone', async (status) => {
    const headers = { location: 'https://elsewhere.example/tasks' }
    const { client, sent } = scriptedClient([new Response(null, { status, headers })])
    const error = await failureOf(client.create('Buy milk'))
    expect(error).toMatchObject({ status, code: 'redirect_refused' })
    expect(error.message).toContain('https://agent.example/api/tasks redirects to https://elsewhere.example/tasks')
    expect(sent).toEqual([expect.objectContaining({ redirect: 'manual' })])
  })

  it('U59 that a browser hides is refused too', async () => {
    const hidden = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })
    const { client, sent } = scriptedClient([Object.defineProperty(hidden, 'status', { value: 0 })])
    expect(await failureOf(client.get('task_1'))).toMatchObject({ status: 0, code: 'redirect_refused' })
    expect(sent).toHaveLength(1)
  })
})

describe('U59 an error', () => {
  it('U59 has status, code, detail, problem, request id and key, and its message names method and path', async () => {
    const headers = { 'x-request-id': 'req-1' }
    const { client } = scriptedClient([problem(422, 'validation_failed', headers)])
    const error = await failureOf(client.input('task_1', 'yes', { idempotencyKey: 'k' }))
    expect(error.message).toBe('POST /tasks/task_1/input: 422 validation_failed: because of validation_failed')
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', requestId: 'req-1', key: 'k' })
    expect(error).toMatchObject({ detail: 'because of validation_failed', problem: { instance: '/tasks' } })
    expect(JSON.stringify(error) + error.stack).not.toContain('secret-key')
  })

  it('U59 stands for a success that is no JSON, with its first 200 characters', async () => {
    const { client, sent } = scriptedClient([new Response(`<html>${'x'.repeat(500)}`)])
    const error = await failureOf(client.get('task_1'))
    expect(error).toMatchObject({
      status: 200,
      code: 'not_json',
      detail: `the answer is no JSON: <html>${'x'.repeat(194)}`,
    })
    expect(sent).toHaveLength(1)
  })

  it('U59 stands for a refusal that is no problem document', async () => {
    const { client } = scriptedClient([new Response('Forbidden', { status: 403 })])
    expect(await failureOf(client.get('task_1'))).toMatchObject({
      status: 403,
      code: 'http_error',
      detail: 'Forbidden',
    })
  })

  it('U59 of a caller who aborts is their own reason, and nothing is sent again', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const answer = () => {
      controller.abort(reason)
      throw new TypeError('fetch failed')
    }
    const { client, sent } = scriptedClient([answer])
    await expect(client.get('task_1', { signal: controller.signal })).rejects.toBe(reason)
    await expect(client.get('task_1', { signal: controller.signal })).rejects.toBe(reason)
    expect(sent).toHaveLength(1)
  })

  it('U59 says that no answer came in time', async () => {
    const { client, slept } = scriptedClient([() => new Promise<Response>(() => undefined)], {
      timeoutSeconds: 5,
      retries: 0,
    })
    const pending = failureOf(client.get('task_1'))
    expect(slept).toEqual([5000])
    expect(await pending).toMatchObject({ status: 0, code: 'timeout' })
  })

  it('U59 a request that no answer came to in time is sent again under its key', async () => {
    const { client, sent } = scriptedClient([() => new Promise<Response>(() => undefined), DONE.clone()], {
      timeoutSeconds: 5,
    })
    // The clock of tests ends each limit at once, also that of the second sending, whose answer is there already.
    expect(await client.step('task_1')).toMatchObject({ version: 1 })
    expect(new Set(keysOf(sent)).size).toBe(1)
  })
})
