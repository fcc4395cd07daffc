/** Idempotency-Key: what a POST hands to the service to recognize itself by, and what a replayed answer looks like. */
import { describe, expect, it } from 'vitest'
import { ok } from '../../src/core/terms/refusal.ts'
import { ROUTES } from '../../src/http/contract.ts'
import { COMMAND_EXAMPLE, EXAMPLES, TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import { callerIn, fixture, ID, problemOf } from '../support/http-fixture.ts'
import { act, benchOf, done, planned } from '../support/scripted.ts'
import { FORM, JSON_TYPE, TEXT } from './sent.ts'

/** These come to the same however often they are sent, as a PUT does, or change nothing: nothing of them is kept to compare them by. */
const REPEATABLE = new Set(['previewTools', 'testWebhook', 'pauseSchedule', 'resumeSchedule'])
/** A code and a refresh token are good for one time, as their issuer sees to. */
const SIGN_IN = new Set(['exchangeCode', 'refreshLogin'])
const writing = Object.entries(ROUTES).filter(
  ([name, { body, method }]) => body !== null && method !== 'put' && !REPEATABLE.has(name) && !SIGN_IN.has(name),
)
const posts = writing.filter(([, { method }]) => method === 'post')
const bodyOf = (name: string) => EXAMPLES[name]?.request

/** The key that a service is handed for one request. */
async function keyOf(path: string, body: BodyInit | null, headers: Record<string, string>, method = 'POST') {
  const { send, asked } = fixture()
  expect((await send(method, path, body, { 'idempotency-key': 'k-1', ...headers })).ok).toBe(true)
  return callerIn(asked[0]).key
}

describe('the header', () => {
  it.each(writing)(
    'U6 %s hands on the key, its scope and a digest; openapi.yaml names the header',
    async (...entry) => {
      const [name, { method, path, headers, problems }] = entry
      const verb = method.toUpperCase()
      const real = path.replace('{id}', ID).replace('{token}', 'AAAA').replace('{name}', 'morning')
      const key = await keyOf(real, JSON.stringify(bodyOf(name)), { ...JSON_TYPE, 'if-match': '*' }, verb)
      expect(key).toEqual({ scope: `${verb} ${real}`, key: 'k-1', digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
      expect(headers).toContain('Idempotency-Key')
      expect(problems).toEqual(expect.arrayContaining(['idempotency_key_reused', 'request_in_progress']))
    },
  )

  it.each(posts)('without the header POST %s has no key', async (name, { path }) => {
    const { post, asked } = fixture()
    await post(path.replace('{id}', ID).replace('{token}', 'AAAA').replace('{name}', 'morning'), bodyOf(name))
    expect(callerIn(asked[0]).key).toBeNull()
  })

  it.each(['k', '!', '~', '"quoted"', 'a,b', '\x21'.repeat(255), '8e03978e-40d5-43e8-bc93-6894a57f9324'])(
    'the key %s is taken as it is',
    async (key) =>
      expect((await keyOf('/tasks', '{"goal":"x"}', { ...JSON_TYPE, 'idempotency-key': key }))?.key).toBe(key),
  )

  it.each(['', ' ', 'a b', 'x'.repeat(256), 'é', 'a\tb', 'one, two', '\x7f'])(
    'the key %j is 422 validation_failed that names the header, and nothing happens',
    async (key) => {
      const { post, asked } = fixture()
      const response = await post('/tasks', { goal: 'x' }, { 'idempotency-key': key })
      const message = 'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters'
      expect(await problemOf(response)).toMatchObject({
        status: 422,
        code: 'validation_failed',
        errors: [{ pointer: '/Idempotency-Key', message }],
      })
      expect(asked).toEqual([])
    },
  )

  it('two headers are 422, not one key of both', async () => {
    const two = new Headers(JSON_TYPE)
    two.append('idempotency-key', 'one')
    two.append('idempotency-key', 'two')
    const { post } = fixture()
    const response = await post('/tasks', { goal: 'x' }, Object.fromEntries(two))
    expect((await problemOf(response))['code']).toBe('validation_failed')
  })

  it('a GET and a DELETE ignore any value of it', async () => {
    const { send, asked } = fixture()
    const headers = { 'idempotency-key': 'not a key' }
    expect((await send('GET', `/tasks/${ID}`, null, headers)).status).toBe(200)
    expect((await send('DELETE', `/tasks/${ID}`, null, headers)).status).toBe(204)
    expect(asked.map((one) => callerIn(one).key)).toEqual([null, null])
  })
})

describe('what is compared', () => {
  const BODY = '{"goal":"x"}'
  const digest = async (path: string, body: BodyInit | null, headers: Record<string, string>) =>
    (await keyOf(path, body, headers))?.digest

  it.each<[string, string, BodyInit, Record<string, string>]>([
    ['the same bytes', '/tasks', BODY, JSON_TYPE],
    ['a parameter of the content type', '/tasks', BODY, { 'content-type': 'Application/JSON; charset=utf-8' }],
    ['other headers', '/tasks', BODY, { ...JSON_TYPE, accept: 'text/plain', 'x-request-id': 'other' }],
  ])('U6 %s: the same digest', async (_, path, body, headers) => {
    expect(await digest(path, body, headers)).toBe(await digest('/tasks', BODY, JSON_TYPE))
  })

  it.each<[string, string, BodyInit, Record<string, string>]>([
    ['one more space', '/tasks', '{"goal": "x"}', JSON_TYPE],
    ['another query', '/tasks?dry_run=false', BODY, JSON_TYPE],
    ['another content type', '/tasks', BODY, TEXT],
    ['a form', '/tasks', 'goal=x', FORM],
  ])('U6 %s: another digest', async (_, path, body, headers) => {
    expect(await digest(path, body, headers)).not.toBe(await digest('/tasks', BODY, JSON_TYPE))
  })

  it('content type, query and body cannot be mistaken for one another', async () => {
    const step = `/tasks/${ID}/step`
    expect(await digest(step, null, {})).not.toBe(await digest(step, '\n', {}))
    const query = (text: string) => digest(`/tasks?${text}`, BODY, JSON_TYPE)
    expect(await query('dry_run=false&')).not.toBe(await query('&dry_run=false'))
    expect(await digest(step, '{}', JSON_TYPE)).not.toBe(await digest(step, null, JSON_TYPE))
  })

  it('an id has one scope, however it was encoded', async () => {
    const encoded = ID.replace('t', '%74')
    expect((await keyOf(`/tasks/${encoded}/step`, null, {}))?.scope).toBe(`POST /tasks/${ID}/step`)
  })
})

describe('answers before any effect', () => {
  it.each<[number, BodyInit, Record<string, string>]>([
    [400, '{', JSON_TYPE],
    [413, 'x'.repeat(1_048_577), JSON_TYPE],
    [415, '<x/>', { 'content-type': 'text/xml' }],
    [422, '{"goal":""}', JSON_TYPE],
    [422, '{"goal":"x","settings":{"model":"unpriced","max_cost_usd":"1"}}', JSON_TYPE],
  ])('U6 a %i reaches no service, so it burns no key', async (status, body, headers) => {
    const { send, asked } = fixture({ env: { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' } })
    const response = await send('POST', '/tasks', body, { ...headers, 'idempotency-key': 'k' })
    expect([response.status, asked]).toEqual([status, []])
  })
})

describe('a replayed answer', () => {
  const replayed = async () => ok({ link_epoch: 0, task: TASK_EXAMPLE, replayed: true as const })
  it.each<[string, string, number, string?]>([
    ['createTask', '/tasks', 201],
    ['stepTask', `/tasks/${ID}/step`, 200],
    ['inputTask', `/tasks/${ID}/input`, 200],
    ['topUpTask', `/tasks/${ID}/budget`, 200, 'tellTask'],
    ['cancelTask', `/tasks/${ID}/cancel`, 200, 'tellTask'],
  ])(
    'F5 for %s has the status of the first, and says that it is replayed',
    async (name, path, status, method = name) => {
      const response = await fixture({ answers: { [method]: replayed } }).post(path, bodyOf(name))
      expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([status, 'true'])
      expect(response.headers.get('location')).toBe(status === 201 ? `/tasks/${ID}` : null)
      expect((await fixture().post(path, bodyOf(name))).headers.has('idempotency-replayed')).toBe(false)
    },
  )

  it.each([true, false])('for a command: %s', async (again) => {
    const answers = { runCommand: async () => ok({ result: COMMAND_EXAMPLE, replayed: again }) }
    const response = await fixture({ answers }).post('/commands', { command: '/help' })
    expect(response.headers.get('idempotency-replayed')).toBe(again ? 'true' : null)
  })
})

describe('over the real service', () => {
  const KEYED = { 'idempotency-key': 'order-4711-0123456789' }
  const script = () => ({ plan: [planned('A')], thought: [act(), done('a')] })
  it('U6 F6 twenty concurrent creates with one key make one task', async () => {
    const bench = benchOf(script())
    const { post, send } = fixture({ answers: bench.service })
    const create = () => post('/tasks', { goal: 'x', rounds: 0 }, KEYED)
    const statuses = (await Promise.all(Array.from({ length: 20 }, create))).map(({ status }) => status)
    expect(new Set(statuses.filter((status) => status !== 409))).toEqual(new Set([201]))
    const list: unknown = await (await send('GET', '/tasks')).json()
    expect(list).toMatchObject({ data: [{ goal: 'x' }], has_more: false })
    expect(bench.requests).toHaveLength(1)
  })

  it('F8 the same key of another tenant is another request, and makes a task of its own', async () => {
    const { post } = fixture({ answers: benchOf(script()).service })
    const mine = await post('/tasks', { goal: 'x', rounds: 0 }, KEYED)
    const theirs = await post('/tasks', { goal: 'y', rounds: 0 }, { ...KEYED, authorization: 'Bearer bob-key' })
    expect([mine.status, theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, 201, null])
    expect(theirs.headers.get('location')).not.toBe(mine.headers.get('location'))
  })

  it('F5 a step that is sent again is answered again and done once; another body under its key is refused', async () => {
    const bench = benchOf(script())
    const { post } = fixture({ answers: bench.service })
    const created = await post('/tasks', { goal: 'x', rounds: 0 }, KEYED)
    const path = `${created.headers.get('location')}/step`
    const first = await post(path, { rounds: 1 }, { 'idempotency-key': 's' })
    const again = await post(path, { rounds: 1 }, { 'idempotency-key': 's' })
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expect(await again.text()).toBe(await first.text())
    const other = await post(path, { rounds: 2 }, { 'idempotency-key': 's' })
    expect([other.status, (await problemOf(other))['code']]).toEqual([422, 'idempotency_key_reused'])
    expect(bench.calls).toHaveLength(1)
  })
})
