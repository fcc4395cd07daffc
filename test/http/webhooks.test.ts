/** The routes of what callbacks were not told in time; which callbacks a task may have is in test/shell/address.test.ts. */
import { describe, expect, it } from 'vitest'
import { DELIVERY_EXAMPLE, DELIVERY_PAGE_EXAMPLE } from '../../src/http/document/examples.ts'
import { ok } from '../../src/core/terms/refusal.ts'
import { callerIn, callerOf, fixture, problemOf } from '../support/http-fixture.ts'

const AGAIN = `/webhooks/deliveries/${DELIVERY_EXAMPLE.id}/redeliver`
const TEXT = { accept: 'text/plain' }

describe('GET /webhooks/deliveries', () => {
  it.each([
    ['', null, { limit: 20, after: 0 }],
    ['?status=gone&limit=3&after=17', 'gone', { limit: 3, after: 17 }],
  ])('%s', async (query, status, paging) => {
    const { send, asked } = fixture()
    const response = await send('GET', `/webhooks/deliveries${query}`)
    expect([response.status, await response.json()]).toEqual([200, DELIVERY_PAGE_EXAMPLE])
    expect(asked).toEqual([{ method: 'listDeliveries', args: [callerOf('alice'), status, paging] }])
  })

  it.each([
    ['?status=lost', '/status', 'status must be one of pending, delivered, failed, gone, all, not "lost"'],
    ['?limit=0', '/limit', 'limit must be a whole number from 1 to 100'],
    ['?after=x', '/after', 'after must be a whole number of at least 0'],
    ['?task=1', '/task', 'unknown query parameter "task"; known: status, limit, after'],
  ])('%s is 422', async (query, pointer, message) => {
    const response = await fixture().send('GET', `/webhooks/deliveries${query}`)
    expect(await problemOf(response)).toMatchObject({ status: 422, errors: [{ pointer, message }] })
  })

  it('as text one line each', async () => {
    const { id } = DELIVERY_EXAMPLE
    const response = await fixture().send('GET', '/webhooks/deliveries', null, TEXT)
    expect(await response.text()).toBe(`${id}  2026-03-05T12:36:41.000Z  task.completed  failed  10 tries  HTTP 503\n`)
    const none = { listDeliveries: async () => ok({ data: [], has_more: false, next_cursor: null }) }
    const empty = await fixture({ answers: none }).send('GET', '/webhooks/deliveries', null, TEXT)
    expect(await empty.text()).toBe('(none)\n')
  })
})

describe('POST /webhooks/deliveries/{id}/redeliver', () => {
  it.each([
    ['an empty body', null],
    ['an empty object', '{}'],
  ])('with %s answers with the delivery', async (_what, body) => {
    const { send, asked } = fixture()
    const response = await send('POST', AGAIN, body, { 'content-type': 'application/json' })
    expect([response.status, await response.json()]).toEqual([200, DELIVERY_EXAMPLE])
    expect(response.headers.get('idempotency-replayed')).toBeNull()
    expect(asked).toMatchObject([{ method: 'redeliver', args: [{ tenant: 'alice' }, DELIVERY_EXAMPLE.id] }])
  })

  it('U6 says that an answer is the one of before', async () => {
    const redeliver = async () => ok({ delivery: DELIVERY_EXAMPLE, replayed: true })
    const { post } = fixture({ answers: { redeliver } })
    const response = await post(AGAIN, {}, { 'idempotency-key': 'k' })
    expect(response.headers.get('idempotency-replayed')).toBe('true')
  })

  it('U6 hands on the key', async () => {
    const { post, asked } = fixture()
    await post(AGAIN, {}, { 'idempotency-key': 'k' })
    expect(callerIn(asked[0]).key).toMatchObject({ key: 'k', scope: `POST ${AGAIN}` })
  })

  it('is 404 delivery_not_found for an unknown delivery, and its text repeats no input', async () => {
    const { post } = fixture({ behaviour: { refusal: { code: 'delivery_not_found' } } })
    const response = await post(AGAIN, {})
    const { detail, ...problem } = await problemOf(response)
    expect(problem).toMatchObject({ status: 404, code: 'delivery_not_found', title: 'Delivery not found' })
    expect(detail).not.toContain('task_')
  })

  it('takes no fields', async () => {
    const response = await fixture().post(AGAIN, { force: true })
    expect(await problemOf(response)).toMatchObject({
      errors: [{ pointer: '/force', message: 'unknown field "force"; leave it out, nothing is known here' }],
    })
  })

  it.each(['%00', '..%2f..', '%', '%ff', 'x'.repeat(3_000), "'; DROP TABLE deliveries; --"])(
    'F48 the id %s is handed on as it is or refused, and never a 5xx',
    async (id) => {
      const response = await fixture().send('POST', `/webhooks/deliveries/${id}/redeliver`, null)
      expect(response.status).toBeLessThan(500)
    },
  )
})

it('F66 a secret of a tenant is blotted out of the log', async () => {
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const lines: string[] = []
  const { error } = console
  console.error = (line: string) => void lines.push(line)
  try {
    const throws = new Error(`cannot sign with ${secret}`)
    const { post } = fixture({ env: { WEBHOOK_SECRET: `alice:${secret}` }, behaviour: { throws } })
    const response = await post(AGAIN, {})
    expect([response.status, (await response.text()).includes(secret)]).toEqual([500, false])
  } finally {
    console.error = error
  }
  expect(lines).toHaveLength(1)
  expect(lines.join()).not.toContain(secret)
})

describe('POST /webhooks/test', () => {
  const SIGNING = { env: { WEBHOOK_SECRET: `alice:whsec_${btoa('a secret of 32 bytes, for tests!!')}` } }
  const HOOK = { url: 'https://app.example.com/hook' }

  it('U53 hands on the address, and answers what came back', async () => {
    const { post, asked } = fixture(SIGNING)
    const response = await post('/webhooks/test', HOOK)
    expect([response.status, await response.json()]).toMatchObject([200, { ok: false, status: 401 }])
    expect(asked).toMatchObject([{ method: 'testWebhook', args: [{ tenant: 'alice' }, HOOK.url] }])
    const text = await (await post('/webhooks/test', HOOK, { accept: 'text/plain' })).text()
    expect(text).toBe('failed  test_Zk3vQ8mT1xY7bN5cR2wH  HTTP 401  84 ms\n{"error":"bad signature"}\n')
  })

  it.each([
    [{}, 'url is required'],
    [{ url: 'http://app.example.com/hook' }, 'url must begin with https://'],
    [{ url: 'https://127.0.0.1/' }, 'url '],
    [{ callback_url: 'https://app.example.com/' }, 'unknown field "callback_url"'],
  ])('U53 %j is 422', async (body, message) => {
    const { post, asked } = fixture(SIGNING)
    const problem = await problemOf(await post('/webhooks/test', body))
    expect([problem['status'], asked]).toEqual([422, []])
    expect(JSON.stringify(problem['errors'])).toContain(JSON.stringify(message).slice(1, -1))
  })

  it('U53 a tenant without a secret is told so', async () => {
    const problem = await problemOf(await fixture().post('/webhooks/test', HOOK))
    expect(problem['detail']).toContain('url needs a secret to sign with')
  })

  it('U53 at most ten are sent per minute', async () => {
    const { post, asked } = fixture(SIGNING)
    for (let count = 0; count < 10; count++) expect((await post('/webhooks/test', HOOK)).status).toBe(200)
    const limited = await post('/webhooks/test', HOOK)
    expect([limited.status, limited.headers.get('ratelimit-policy')]).toEqual([429, '"webhook-tests";q=10;w=60'])
    expect(asked).toHaveLength(10)
  })

  it('U53 all names the default of the list', async () => {
    for (const query of ['', '?status=all']) {
      const { send, asked } = fixture()
      await send('GET', `/webhooks/deliveries${query}`)
      expect(asked[0]?.args[1]).toBeNull()
    }
  })
})
