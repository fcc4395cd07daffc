/** The verbs of the TypeScript client: each route of the document has one, and it sends what the document says. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { LoopAgent } from '../../clients/typescript/src/index.ts'
import { all, BASE, json, problem, scriptedClient, testClock, type Sent } from './bench.ts'

const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
const { paths } = Document.parse(parse(readFileSync('openapi.yaml', 'utf8')))
const ROUTES = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
)
/** What a client has no verb for: links for people without a key, pages, the sign-in of the console, and what a scraper reads. */
const LEFT_OUT = [
  'GET /auth',
  'POST /auth/token',
  'POST /auth/refresh',
  'GET /answers/{token}',
  'POST /answers/{token}',
  'POST /reports/{token}',
  'GET /calendar.ics',
  'GET /metrics',
  'GET /openapi.json',
  'GET /openapi.yaml',
  'GET /docs',
  'GET /docs/{file}',
  'GET /',
  'GET /console/{file}',
]

/** The values of parameters are capitals, so that the path of the document can be found again. */
const VALUES: Record<string, string> = { ID: '{id}', NAME: '{name}', TENANT: '{tenant}' }
const routeOf = ({ method, url }: Sent) =>
  `${method} ${url.replace(/\?.*/, '').replaceAll(/(?<=\/)(?:ID|NAME|TENANT)(?=\/|$)/g, (value) => VALUES[value] ?? '')}`

const EMPTY_PAGE = { data: [], has_more: false, next_cursor: null }
const task = { id: 'ID', version: 7, pending: { kind: 'question', request_id: 'q_1' } }

/** Calls every verb once. */
async function callAll(client: LoopAgent): Promise<void> {
  await client.create('Buy milk', { include: 'settings' })
  await client.create({ goal: 'Analyse', mode: 'autonomous' }, { files: [{ name: 'a.csv', data: 'a,b\n' }] })
  await client.dryRun('Buy milk')
  await client.get('ID')
  await all(client.list({ status: 'running', metadata: { team: 'a b', 'x.y': '1' }, limit: 5 }))
  await client.step('ID', { rounds: 2 }, { waitSeconds: 10 })
  await client.input('ID', 'hello')
  await client.budget('ID', { add: { steps: 5 } })
  await client.changePlan(task, { items: [{ title: 'A' }] })
  await client.change(task, { title: 'Milk' })
  await client.pause('ID')
  await client.resume('ID')
  await client.cancel('ID')
  await client.fork('ID', { at: 3 })
  await client.retry('ID', { drive: 'background' })
  await client.replay('ID')
  await client.delete('ID')
  await client.endLinks('ID')
  await all(client.journal('ID', { redact: true }))
  await all(client.export('ID'))
  await all(client.pastEvents('ID', { after: 3 }))
  await client.command('/todo list')
  await client.models()
  await client.limits()
  await client.usage({ group_by: 'model' })
  await client.telemetry.put({ endpoint: 'https://otlp.example.com/v1/traces' })
  await client.telemetry.get()
  await client.telemetry.delete()
  await client.health()
  await client.files.put('ID', 'NAME', new Uint8Array([1, 2]))
  await client.files.get('ID', 'NAME')
  await all(client.files.list('ID'))
  await client.files.delete('ID', 'NAME')
  await client.agents.put('NAME', { goal: 'x' }, { ifTag: '"1;a"' })
  await client.agents.get('NAME')
  await all(client.agents.list())
  await all(client.agents.versions('NAME'))
  await client.agents.create('NAME', { input: { a: 1 } })
  await client.agents.delete('NAME', { force: true })
  await client.secrets.put('NAME', { value: 'x', hosts: ['api.example.com'] })
  await client.secrets.get('NAME')
  await all(client.secrets.list())
  await client.secrets.delete('NAME')
  await client.schedules.put('NAME', { cron: '0 9 * * *', task: { goal: 'Buy milk' } })
  await client.schedules.get('NAME')
  await all(client.schedules.list())
  await client.schedules.pause('NAME')
  await client.schedules.resume('NAME')
  await client.schedules.run('NAME')
  await all(client.schedules.runs('NAME'))
  await client.schedules.delete('NAME')
  await all(client.deliveries.list({ status: 'failed' }))
  await client.deliveries.redeliver('ID')
  await client.webhooks.test('https://app.example.com/hook')
  await client.tools.list()
  await client.tools.ofTask('ID')
  await client.tools.preview({ tools: [] })
  await client.tools.call({ tools: [], name: 'todo', arguments: {} })
  await all(client.delegations.list({ status: 'pending' }, { waitSeconds: 20 }))
  await all(client.delegations.pools({ limit: 5 }))
  await client.delegations.get('ID')
  await client.delegations.claim('ID', { worker: 'w' })
  await client.delegations.report('ID', { status: 'completed', results: 'done' })
  await client.admin.tenants.create({ name: 'acme', limits: { rate_per_minute: 60 } })
  await client.admin.tenants.get('TENANT')
  await all(client.admin.tenants.list())
  await client.admin.tenants.change('TENANT', { disabled: true })
  await client.admin.tenants.delete('TENANT')
  await client.admin.keys.create({ tenant: 'acme', scopes: ['tasks:read'] })
  await client.admin.keys.get('ID')
  await all(client.admin.keys.list({ tenant: 'acme' }))
  await client.admin.keys.rotate('ID', { grace_s: 60 })
  await client.admin.keys.revoke('ID')
  await all(client.admin.audit({ action: 'createKey' }))
  await client.admin.deployment()
}

async function requests(): Promise<Sent[]> {
  const answers = Array.from(
    { length: 80 },
    () =>
      ({ method }: Sent) =>
        method === 'DELETE' ? new Response(null, { status: 204 }) : json(EMPTY_PAGE),
  )
  const { client, sent } = scriptedClient(answers, { language: 'zh' })
  await callAll(client)
  return sent
}

describe('U59 the verbs', () => {
  it('U59 are there for each route of the document', async () => {
    const sent = await requests()
    expect([...new Set(sent.map(routeOf)), ...LEFT_OUT].toSorted()).toEqual(ROUTES.toSorted())
  })

  it('U59 send the key, the language and, where it counts, an Idempotency-Key of their own', async () => {
    const sent = await requests()
    for (const { headers } of sent) {
      expect(headers.get('authorization')).toBe('Bearer secret-key')
      expect(headers.get('accept-language')).toBe('zh')
    }
    const keyed = sent.filter(({ headers }) => headers.has('idempotency-key'))
    expect(new Set(keyed.map(({ method }) => method))).toEqual(new Set(['POST', 'PATCH']))
    expect(new Set(keyed.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(keyed.length)
    expect(keyed).toHaveLength(sent.filter(({ method }) => method === 'POST' || method === 'PATCH').length)
  })

  it('U59 put labels, cursors, versions and waits where the document wants them', async () => {
    const sent = await requests()
    const urls = sent.map(({ method, url }) => `${method} ${url}`)
    expect(urls).toContain('POST /tasks?include=settings')
    expect(urls).toContain('GET /tasks?status=running&metadata.team=a+b&metadata.x.y=1&limit=5')
    expect(urls).toContain('GET /tasks/ID/journal?redact=true')
    const headerOf = (route: string, name: string) => sent.find((one) => routeOf(one) === route)?.headers.get(name)
    expect(headerOf('PATCH /tasks/{id}', 'if-match')).toBe('"7"')
    expect(headerOf('PATCH /tasks/{id}/plan', 'if-match')).toBe('"7"')
    expect(headerOf('POST /tasks/{id}/step', 'prefer')).toBe('wait=10')
    expect(headerOf('GET /delegations', 'prefer')).toBe('wait=20')
    expect(headerOf('PUT /tasks/{id}/files/{name}', 'content-type')).toBe('application/octet-stream')
  })
})

describe('U59 a list', () => {
  const page = (data: number[], next_cursor: string | null) =>
    json({ data, has_more: next_cursor !== null, next_cursor })

  it('U59 asks for the next page when it is needed, and ends with the last', async () => {
    const { client, sent } = scriptedClient([page([1, 2], '2'), page([3], null)])
    expect(await all(client.list({ limit: 2 }))).toEqual([1, 2, 3])
    expect(sent.map(({ url }) => url)).toEqual(['/tasks?limit=2', '/tasks?limit=2&after=2'])
    const once = scriptedClient([page([1, 2], '2')])
    for await (const _ of once.client.list()) break
    expect(once.sent).toHaveLength(1)
  })

  it('U59 ends at a cursor that leads to itself', async () => {
    const { client } = scriptedClient([page([1], '1'), page([2], '1')])
    expect(await all(client.list())).toEqual([1, 2])
  })
})

describe('U59 files', () => {
  it('U59 go with a new task as one form, sent again under the same key', async () => {
    const { client, sent } = scriptedClient([problem(503, 'unavailable'), json({})])
    const data = new Uint8Array([97, 44, 98])
    await client.create(
      { goal: 'Analyse', mode: 'autonomous' },
      {
        files: [
          { name: 'a.csv', data },
          { name: 'b.md', data: '买' },
        ],
      },
    )
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    const form = sent[1]?.body instanceof FormData ? sent[1].body : new FormData()
    expect(form.get('task')).toBe('{"goal":"Analyse","mode":"autonomous"}')
    const files = form.getAll('file').map((file) => (typeof file === 'string' ? null : file))
    expect(files.map((file) => file?.name)).toEqual(['a.csv', 'b.md'])
    expect(await Promise.all(files.map((file) => file?.text()))).toEqual(['a,b', '买'])
    expect(sent[1]?.headers.has('content-type')).toBe(false)
  })

  it('U59 come as they were stored', async () => {
    const { client, sent } = scriptedClient([new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } })])
    const file = await client.files.get('ID', 'chart-1.svg')
    expect([await file.text(), file.type]).toEqual(['<svg/>', 'image/svg+xml'])
    expect(sent[0]?.headers.get('accept')).toBe('*/*')
  })
})

describe('U59 an address', () => {
  it.each(['.', '..', ''])('U59 with the id %j is refused, because it would be another route', async (id) => {
    const { client, sent } = scriptedClient([])
    await expect(client.get(id)).rejects.toThrow('id must be the name of one thing')
    await expect(client.files.put('ID', id, '')).rejects.toThrow('name must be the name of one thing')
    await expect(client.delete(id)).rejects.toThrow('id must be the name of one thing')
    expect(sent).toEqual([])
  })

  it('U59 encodes what an id or a name holds', async () => {
    const { client, sent } = scriptedClient([json({})])
    await client.get('a/../b?c#d')
    expect(sent[0]?.url).toBe('/tasks/a%2F..%2Fb%3Fc%23d')
  })

  it.each(['ftp://agent.example', 'https://me:word@agent.example', 'https://agent.example/?a=b', 'agent.example'])(
    'U59 %s is refused',
    (url) => {
      expect(() => new LoopAgent({ url, key: 'k' })).toThrow(TypeError)
    },
  )

  it.each(['', 'a b', 'a\nb', 'schlüssel'])('U59 the key %j is refused, and not repeated', (key) => {
    expect(() => new LoopAgent({ url: BASE, key })).toThrow(/^key must be visible ASCII characters without blanks$/)
  })

  it('U59 may have a path, and the fetch of the runtime is called as a function', async () => {
    const before = globalThis.fetch
    const called: unknown[] = []
    globalThis.fetch = function (this: unknown, input: unknown) {
      called.push(this, input)
      return Promise.resolve(json({}))
    }
    try {
      await new LoopAgent({ url: `${BASE}/`, key: 'k', clock: testClock().clock }).health()
    } finally {
      globalThis.fetch = before
    }
    expect(called).toEqual([globalThis, `${BASE}/health`])
  })
})

it('U59 an answer names the question of the task that is given, and none of an id or a paused task', async () => {
  const { client, sent } = scriptedClient([json({}), json({}), json({})])
  const pending = { kind: 'resume', hint: 'continue' } as const
  await client.answer({ id: 'ID', pending }, 'continue')
  await client.answer('ID', '45 minutes')
  const approval = { kind: 'approval', request_id: 'a_1', action: null } as const
  await client.answer({ id: 'ID', pending: approval }, 'yes')
  expect(sent.map(({ body }) => body)).toEqual([
    '{"input":"continue"}',
    '{"input":"45 minutes"}',
    '{"input":"yes","request_id":"a_1"}',
  ])
})
