/** U53: sixty wrong requests. Each message names what has to change, and what to put in its place. WRONG_REQUESTS=path writes them as a table. */
import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { fixture, ID, KEY, problemOf } from '../support/http-fixture.ts'

type Headers = Record<string, string>
interface WrongRequest {
  method: string
  path: string
  body?: string
  headers?: Headers
  status: number
  /** What the message names: the field or word to change. */
  names: string
  /** What the message says to put in its place. */
  wants: string
}

const TASK = `/tasks/${ID}`
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }
const create = (body: unknown, names: string, wants: string): WrongRequest => ({
  method: 'POST',
  path: '/tasks',
  body: JSON.stringify(body),
  headers: JSON_TYPE,
  status: 422,
  names,
  wants,
})
const setting = (settings: object, names: string, wants: string) => create({ goal: 'x', settings }, names, wants)
const unreadable = (body: string, names: string, wants: string): WrongRequest => ({
  method: 'POST',
  path: '/tasks',
  body,
  headers: JSON_TYPE,
  status: 400,
  names,
  wants,
})
const key = (headers: Headers, names: string, wants: string, path = '/tasks'): WrongRequest => ({
  method: 'GET',
  path,
  headers: { authorization: '', ...headers },
  status: 401,
  names,
  wants,
})
const get = (path: string, status: number, names: string, wants: string): WrongRequest => ({
  method: 'GET',
  path,
  status,
  names,
  wants,
})
const post = (path: string, body: unknown, names: string, wants: string): WrongRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
  headers: JSON_TYPE,
  status: 422,
  names,
  wants,
})

const REQUESTS: WrongRequest[] = [
  // Fields of a new task.
  create({}, 'goal', 'is required'),
  create({ goal: '' }, 'goal', 'a text of 1 to 8000 characters'),
  create({ prompt: 'x' }, '"prompt"', 'did you mean "goal"?'),
  create({ goal: 'x', max_steps: 5 }, '"max_steps"', 'it belongs in "settings"'),
  create({ goal: 'x', max_step: 5 }, '"max_step"', 'did you mean "max_steps" in "settings"?'),
  create({ goal: 'x', budget: '1' }, '"budget"', 'did you mean "max_cost_usd" in "settings"?'),
  create({ goal: 'x', setings: {} }, '"setings"', 'did you mean "settings"?'),
  create({ goal: 'x', webhook_url: 'https://a.example' }, '"webhook_url"', 'did you mean "callback_url"?'),
  create({ goal: 'x', dry_run: true }, '"dry_run"', 'it belongs in the query: ?dry_run=…'),
  create({ goal: 'x', idempotency_key: 'a' }, '"idempotency_key"', 'the header Idempotency-Key'),
  create({ goal: 'x', api_key: 'a' }, '"api_key"', 'Authorization: Bearer <key>'),
  create({ goal: 'x', owner: 'a' }, '"owner"', 'known: goal, mode'),
  create({ goal: 'x', mode: 'orchestra' }, 'mode', 'did you mean "orchestrator"?'),
  create({ goal: 'x', rounds: '3' }, 'rounds', 'a whole number from 0 to 50'),
  create({ goal: 'x', locale: 'de' }, 'locale', 'one of en, zh'),
  create({ goal: 'x', timezone: '+01:00' }, 'timezone', 'such as Europe/Berlin'),
  create({ goal: 'x', metadata: { n: 1 } }, 'metadata.n', 'a text of 0 to 512 characters'),
  create({ goal: 'x', drive: 'backgroud' }, 'drive', 'did you mean "background"?'),
  create({ goal: 'x', callback_url: 'http://a.example/' }, 'callback_url', 'https'),
  create({ goal: 'x', tools: [{ name: 'a', url: 'https://a.example/', method: 'GET' }] }, '"method"', '"http.method"'),
  create(
    { goal: 'x', mode: 'orchestrator', tools: [{ http: { url: 'https://a.example/' } }] },
    'tools',
    'leave them out',
  ),
  create([{ goal: 'x' }], 'the body', 'must be a JSON object'),
  // Settings.
  setting({ mode: 'session' }, '"mode"', 'it belongs in the body itself'),
  setting({ max_steps: 0 }, 'settings.max_steps', 'from 1 to 10000'),
  setting({ max_cost_usd: 0.5 }, 'settings.max_cost_usd', 'a decimal string in USD'),
  setting({ report_timeout: 60 }, '"report_timeout"', 'did you mean "report_timeout_s"?'),
  setting({ models: { thinks: 'm' } }, '"thinks"', 'did you mean "think"?'),
  setting({ phases: { plan: { temprature: 1 } } }, '"temprature"', 'did you mean "temperature"?'),
  setting({ command_budget: { cost: '1' } }, '"cost"', 'did you mean "cost_usd"?'),
  setting({ approve: 'always' }, 'settings.approve', 'one of none, plan, actions'),
  // JSON and content types.
  unreadable("{'goal': 'x'}", 'line 1, column 2', 'write a name in double quotes'),
  unreadable('{"goal": "x",}', 'line 1, column 14', 'leave out the comma before "}"'),
  unreadable('{"goal": "x"\n"rounds": 1}', 'line 2, column 1', 'write "," or "}" here'),
  unreadable('{"goal": "x"', 'line 1, column 1', 'close the "{"'),
  unreadable('{"goal": "C:\\Users"}', 'line 1, column 13', 'write a backslash in a text as \\\\'),
  unreadable('{"goal": "x", "drive": None}', 'line 1, column 24', 'write null'),
  unreadable('', 'The body is empty', 'send a JSON object'),
  {
    ...unreadable('{"goal":"x"}', 'sent as a form', "-H 'content-type: application/json'"),
    headers: FORM_TYPE,
    status: 415,
  },
  {
    ...unreadable('<goal/>', 'must be application/json', "-H 'content-type: application/json'"),
    headers: { 'content-type': 'application/xml' },
    status: 415,
  },
  // Keys.
  key({}, 'key', 'Authorization: Bearer <key>'),
  key({ authorization: KEY }, 'the key', 'Put "Bearer " before'),
  key({ authorization: 'Basic YTpi' }, '"Basic"', 'Write "Bearer"'),
  key({ authorization: 'Bearer' }, 'The key after "Bearer"', 'Authorization: Bearer <key>'),
  key({ authorization: `Bearer "${KEY}"` }, 'the quotes', 'Leave out'),
  key({ 'x-api-key': KEY }, 'X-Api-Key', 'Authorization: Bearer <key>'),
  key({}, 'the query', 'Send the key as a header', `/tasks?api_key=${KEY}`),
  // Paths, methods and queries.
  get(`/task/${ID}`, 404, 'route', 'did you mean /tasks/{id}?'),
  get('/v1/tasks', 404, 'route', 'did you mean /tasks?'),
  get(`${TASK}/run`, 404, 'no such route', 'did you mean POST /tasks/{id}/step?'),
  { ...get(TASK, 405, 'This route', 'PATCH (changes)'), method: 'PUT' },
  get('/tasks?limit=500', 422, 'limit', 'from 1 to 100'),
  get('/tasks?page=2', 422, '"page"', 'did you mean "after" (next_cursor of the page before)?'),
  get('/tasks?outcome=Done', 422, 'outcome', 'did you mean "done"?'),
  post('/tasks?goal=x', {}, '"goal"', 'it belongs in the body'),
  // Files, commands and the rest.
  { ...get(`${TASK}/files/data%2Fsales.csv`, 422, 'name', 'put it as "sales.csv"'), method: 'PUT', body: 'a' },
  { ...get(`${TASK}/files/data/sales.csv`, 404, 'a file', 'one name without "/"'), method: 'PUT', body: 'a' },
  { ...get(`${TASK}/files/sales.pdf`, 415, 'The name of the file', 'must end with .csv'), method: 'PUT', body: 'a' },
  post(`${TASK}/input`, { message: 'go' }, '"message"', 'did you mean "input"?'),
  post(`${TASK}/budget`, { add: { token: 5 } }, '"token"', 'did you mean "tokens"?'),
  post(
    '/delegations/delegation_Zk3vQ8mT1xY7bN5cR2wH_4/claim',
    { worker: 'a', lease_ms: 60 },
    '"lease_ms"',
    'did you mean "lease_s"?',
  ),
  {
    ...get(`${TASK}/plan`, 428, 'If-Match', 'such as If-Match: "7"'),
    method: 'PATCH',
    body: '{"items":[]}',
    headers: JSON_TYPE,
  },
  {
    ...post('/tasks', { goal: 'x' }, 'Idempotency-Key', '1 to 255 visible ASCII'),
    headers: { ...JSON_TYPE, 'idempotency-key': 'a b' },
  },
]

const rows: string[] = []
const cell = (text: string) => `\`${text.replaceAll('|', '\\|').replaceAll('\n', '⏎')}\``

describe('U53 wrong requests', () => {
  it('U53 there are at least sixty, all different', () => {
    expect(new Set(REQUESTS.map((one) => JSON.stringify(one))).size).toBeGreaterThanOrEqual(60)
  })

  it.each(
    REQUESTS.map(
      (one) => [`${one.method} ${one.path} ${one.body ?? ''} ${JSON.stringify(one.headers ?? {})}`, one] as const,
    ),
  )(
    'U53 is told what to change: %s',
    async (title, { method, path, body = null, headers = {}, status, names, wants }) => {
      const { send, asked } = fixture()
      const response = await send(method, path, body, headers)
      const problem = z
        .object({
          code: z.string(),
          detail: z.string(),
          errors: z.array(z.object({ message: z.string() })).default([]),
        })
        .parse(await problemOf(response))
      const messages = problem.errors.map(({ message }) => cell(message)).join(' ')
      rows.push(`| ${cell(title)} | ${response.status} | ${problem.code} | ${cell(problem.detail)} | ${messages} |`)
      expect([response.status, asked]).toEqual([status, []])
      const told = [problem.detail, ...problem.errors.map(({ message }) => message)].join('\n')
      expect(told).toContain(names)
      expect(told).toContain(wants)
    },
  )

  afterAll(() => {
    const target = process.env['WRONG_REQUESTS']
    if (target === undefined) return
    writeFileSync(
      target,
      ['| request | status | code | detail | errors |', '| --- | --- | --- | --- | --- |', ...rows, ''].join('\n'),
    )
  })
})
