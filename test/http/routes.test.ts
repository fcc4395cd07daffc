/** Every route answers as openapi.yaml says and hands the service what the caller meant. */
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/http/contract.ts'
import { COMMAND_EXAMPLE, TASK_EXAMPLE } from '../../src/http/document/examples.ts'
import { ok } from '../../src/core/terms/refusal.ts'
import { documented } from '../support/contract.ts'
import { callerOf, fixture, ID } from '../support/http-fixture.ts'
import { MANUAL } from '../support/scripted.ts'

const BOUNDS = { rounds: 1, max_ms: 25_000 }
const ALICE = callerOf('alice')

describe('the table of routes', () => {
  it('API9 openapi.yaml lists exactly the routes of the router', () => {
    const mounted = Object.values(ROUTES).map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(documented.toSorted()).toEqual(mounted.toSorted())
  })
})

describe('creating', () => {
  it('POST /tasks answers 201 with Location and the version as ETag', async () => {
    const response = await fixture().post('/tasks', { goal: 'x' })
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe(`/tasks/${ID}`)
    expect(response.headers.get('etag')).toBe('"5"')
    expect(await response.json()).toEqual(TASK_EXAMPLE)
  })

  it('fills in mode, bounds, locale, zone and settings from configuration', async () => {
    const { post, asked, config } = fixture({ env: { TIMEZONE: 'Asia/Shanghai', MAX_STEPS: '7' } })
    await post('/tasks', { goal: '  Buy milk  ' })
    expect(config.settings.max_steps).toBe(7)
    const task = {
      goal: 'Buy milk',
      mode: 'plan_execute',
      settings: config.settings,
      locale: 'en',
      timezone: 'Asia/Shanghai',
      metadata: {},
      ...MANUAL,
      origin: 'http://localhost',
    }
    expect(asked).toEqual([{ method: 'createTask', args: [ALICE, task, BOUNDS] }])
  })

  it.each([
    ['/tasks', { goal: 'x', hold: true }],
    ['/tasks', 'goal=x&hold=true'],
  ])('U52 %s hands on that the task is held: %o', async (path, body) => {
    const { send, post, asked } = fixture()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = typeof body === 'string' ? await send('POST', path, body, type) : await post(path, body)
    expect([response.status, asked[0]?.args[2]]).toEqual([201, { ...BOUNDS, hold: true }])
  })

  it('hands on what the caller chose, settings over the configured ones', async () => {
    const { post, asked, config } = fixture({ env: { MAX_STEPS: '7', FAILURE_LIMIT: '3' } })
    const chosen = { goal: 'Milch', locale: 'zh', timezone: 'Europe/Berlin', metadata: { a: 'b' } } as const
    await post('/tasks', {
      ...chosen,
      mode: 'plan_execute',
      settings: { max_steps: 3, model: null },
      rounds: 0,
      max_ms: 100,
    })
    const settings = { ...config.settings, max_steps: 3 }
    expect(asked[0]?.args).toEqual([
      ALICE,
      { ...chosen, ...MANUAL, origin: 'http://localhost', mode: 'plan_execute', settings },
      { rounds: 0, max_ms: 100 },
    ])
    expect(settings.failure_limit).toBe(3)
  })

  it.each([
    ['Buy milk', 'en'],
    ['买牛奶', 'zh'],
    ['please 买 milk', 'zh'],
    ['牛乳を買う', 'zh'],
    ['купить молоко', 'en'],
  ])('the locale of a goal follows its script: %s → %s', async (goal, locale) => {
    const { post, asked } = fixture()
    await post('/tasks', { goal })
    expect(asked[0]?.args[1]).toMatchObject({ goal, locale })
  })

  it.each(['emoji 👩‍👩‍👧 family', 'عربى RTL \u200f', 'e\u0301 combining', '漢字', '𠮷野家', '<script>'])(
    'F51 a goal arrives byte for byte: %s',
    async (goal) => {
      const { post, asked } = fixture()
      await post('/tasks', { goal })
      expect(asked[0]?.args[1]).toMatchObject({ goal })
    },
  )
})

describe('the other routes of a task', () => {
  it.each([
    ['GET', `/tasks/${ID}`, null, 'getTask', [ALICE, ID]],
    ['POST', `/tasks/${ID}/step`, null, 'stepTask', [ALICE, ID, BOUNDS]],
    ['POST', `/tasks/${ID}/step`, { rounds: 5, max_ms: 1000 }, 'stepTask', [ALICE, ID, { rounds: 5, max_ms: 1000 }]],
    ['POST', `/tasks/${ID}/input`, { input: ' yes ' }, 'inputTask', [ALICE, ID, 'yes', null, BOUNDS]],
    [
      'POST',
      `/tasks/${ID}/input`,
      { input: 'y', request_id: 'question_3', rounds: 0 },
      'inputTask',
      [ALICE, ID, 'y', 'question_3', { ...BOUNDS, rounds: 0 }],
    ],
    ['POST', `/tasks/${ID}/cancel`, null, 'tellTask', [ALICE, ID, { kind: 'cancel' }]],
    ['POST', `/tasks/${ID}/cancel`, {}, 'tellTask', [ALICE, ID, { kind: 'cancel' }]],
    ['GET', `/tasks/${ID}/events`, null, 'listEvents', [ALICE, ID, { limit: 20, after: 0 }]],
    ['GET', `/tasks/${ID}/events?after=7&limit=100`, null, 'listEvents', [ALICE, ID, { limit: 100, after: 7 }]],
    ['GET', `/tasks/${ID}/journal?limit=1`, null, 'listJournal', [ALICE, ID, { limit: 1, after: 0 }]],
    ['GET', `/tasks/${ID}/export?after=7`, null, 'exportTask', [ALICE, ID, { limit: 20, after: 7 }]],
    [
      'GET',
      '/tasks',
      null,
      'listTasks',
      [
        ALICE,
        { status: null, mode: null, metadata: {}, q: null, outcome: null, agent: null, forked_from: null },
        { limit: 20, after: 0 },
      ],
    ],
    [
      'GET',
      '/tasks?status=paused&mode=plan_execute&metadata.a=1&metadata.b.c=%E5%A5%B6&q=+100%25+M%C3%BCll&outcome=partial&agent=support&forked_from=task_1&limit=2&after=40',
      null,
      'listTasks',
      [
        ALICE,
        {
          status: 'paused',
          mode: 'plan_execute',
          metadata: { a: '1', 'b.c': '奶' },
          q: '100% Müll',
          outcome: 'partial',
          agent: 'support',
          forked_from: 'task_1',
        },
        { limit: 2, after: 40 },
      ],
    ],
  ])('%s %s %o calls %s', async (method, path, body, name, args) => {
    const { send, post, asked } = fixture()
    const response = body === null ? await send(method, path) : await post(path, body)
    expect(response.status).toBe(200)
    expect(asked).toEqual([{ method: name, args }])
  })

  it.each([
    ['', 422],
    ['%20', 422],
    ['7', 200],
    ['奶'.repeat(200), 200],
    ['x'.repeat(201), 422],
  ])('GET /tasks?q= takes 1 to 200 characters: %s is %i', async (q, status) => {
    const response = await fixture().send('GET', `/tasks?q=${q}`)
    expect(response.status).toBe(status)
    if (status === 422) expect(await response.json()).toMatchObject({ errors: [{ pointer: '/q' }] })
  })

  it('a task answer carries its version as ETag, a page does not', async () => {
    const { send } = fixture()
    expect((await send('POST', `/tasks/${ID}/step`)).headers.get('etag')).toBe('"5"')
    expect((await send('GET', '/tasks')).headers.has('etag')).toBe(false)
  })

  it('DELETE /tasks/:id answers 204 with no body', async () => {
    const { send, asked } = fixture()
    const response = await send('DELETE', `/tasks/${ID}`)
    expect(response.status).toBe(204)
    expect(asked).toEqual([{ method: 'deleteTask', args: [ALICE, ID] }])
  })

  it('S0-25 an input that ran a slash command carries its answer beside the task', async () => {
    const answers = { inputTask: async () => ok({ link_epoch: 0, task: TASK_EXAMPLE, command: COMMAND_EXAMPLE }) }
    const response = await fixture({ answers }).post(`/tasks/${ID}/input`, { input: '/todo list' })
    expect(await response.json()).toEqual({ ...TASK_EXAMPLE, command: COMMAND_EXAMPLE })
  })
})

describe('POST /commands', () => {
  it('hands on the command as sent, blank too', async () => {
    const { post, asked } = fixture()
    const response = await post('/commands', { command: '  ' })
    expect(await response.json()).toEqual(COMMAND_EXAMPLE)
    expect(asked[0]?.args).toEqual([ALICE, '  ', null, 'en'])
  })

  it.each([
    ['/todo list', undefined, 'en'],
    ['/todo add 牛奶', undefined, 'zh'],
    ['/todo list', 'zh-CN,en;q=0.5', 'zh'],
    ['/todo add 牛奶', 'en-GB', 'en'],
    ['/todo list', 'en;q=0.2, fr, zh;q=0.9', 'zh'],
    ['/todo list', 'fr;q=1', 'en'],
    ['/todo list', 'zh;q=0', 'en'],
  ])('%s with Accept-Language %s is answered in %s', async (command, header, locale) => {
    const { post, asked } = fixture()
    await post('/commands', { command, task_id: ID }, header === undefined ? {} : { 'accept-language': header })
    expect(asked[0]?.args).toEqual([ALICE, command, ID, locale])
  })
})

describe('the routes about the service', () => {
  const OPEN = { authorization: '' }
  it.each([
    [
      '/health',
      'application/json',
      '{"status":"ok","version":"0.1.0","model":{"endpoint":"default","wire":"built_in","model":"offline-rules"}}\n',
    ],
    ['/openapi.json', 'application/json', '{"openapi":"3.1.0"}'],
    ['/openapi.yaml', 'application/yaml', 'openapi: 3.1.0\n'],
    ['/docs', 'text/html; charset=utf-8', '<!doctype html>'],
    ['/docs/init.js', 'text/javascript', 'void 0'],
    ['/', 'text/html; charset=utf-8', '<!doctype html><title>console</title>'],
    ['/console/main-A.js', 'text/javascript', 'void 1'],
  ])('GET %s is open', async (path, type, text) => {
    const response = await fixture().send('GET', path, null, OPEN)
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([200, type, text])
  })

  it('the page may load nothing from anywhere else', async () => {
    const response = await fixture().send('GET', '/docs', null, OPEN)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  it('S2-23 the console may run its own script only, makes HTML of no text by itself, and may not be framed', async () => {
    const response = await fixture().send('GET', '/', null, OPEN)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy.split('; ').toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' blob: data:",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      'trusted-types dompurify',
    ])
    expect([response.headers.get('referrer-policy'), response.headers.get('cache-control')]).toEqual([
      'no-referrer',
      'no-store',
    ])
  })

  it('a file of the console is kept by its name, which changes with what is in it; one it does not have is 404 and not kept', async () => {
    const kept = await fixture().send('GET', '/console/main-A.js', null, OPEN)
    expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const absent = await fixture().send('GET', '/console/main-B.js', null, OPEN)
    expect([absent.status, absent.headers.get('cache-control')]).toEqual([404, 'no-store'])
  })

  it('a file the page does not have is 404', async () => {
    expect((await fixture().send('GET', '/docs/absent.js', null, OPEN)).status).toBe(404)
    expect((await fixture().send('GET', '/docs/..%2Fsecret', null, OPEN)).status).toBe(404)
  })
})

describe('headers', () => {
  it.each([
    ['abc.DEF_1-2', 'abc.DEF_1-2'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), 'made-1'],
    ['with space', 'made-1'],
    ['', 'made-1'],
  ])('X-Request-Id %s is answered with %s', async (sent, answered) => {
    const response = await fixture().send('GET', '/health', null, { 'x-request-id': sent })
    expect(response.headers.get('x-request-id')).toBe(answered)
  })

  it.each(['/health', '/tasks', '/docs', '/', '/nowhere', '/tasks?limit=0'])(
    '%s is not cached and not sniffed',
    async (path) => {
      const { headers } = await fixture().send('GET', path)
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff'])
    },
  )

  const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  it.each([
    [TRACE, TRACE],
    [TRACE.toUpperCase(), null],
    [`ff${TRACE.slice(2)}`, null],
    [TRACE.replace('b7ad6b7169203331', '0000000000000000'), null],
    [`${TRACE}-extra`, null],
    ['junk', null],
  ])('traceparent %s is passed on as %s', async (traceparent, passed) => {
    const { send, asked } = fixture()
    await send('GET', `/tasks/${ID}`, null, { traceparent })
    expect(asked[0]?.args[0]).toEqual(callerOf('alice', passed))
  })

  it.each(['/health', '/tasks', `/tasks/${ID}`, '/docs', '/'])(
    'HEAD %s answers as GET, without a body',
    async (path) => {
      const response = await fixture().send('HEAD', path)
      expect([response.status, await response.text()]).toEqual([200, ''])
    },
  )
})
