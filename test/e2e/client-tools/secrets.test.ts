/**
 * Secrets of tools through the built service (U51): servers that repeat all that they get, in results, errors, headers, redirects, lists,
 * questions and files. No value is found afterwards in anything that the service keeps, answers, sends or prints.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../../scripts/lib/service.mjs'
import type { TaskView } from '../../../src/core/terms/view.ts'
import { rpcError, standIn } from '../../support/mcp-stand-in.ts'
import { calling } from '../../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../../support/scripted-openai.ts'
import {
  answerOf,
  jsonAnswer,
  mcpMethod,
  startToolServer,
  type ToolRequest,
  type ToolServer,
} from '../../support/tool-server.ts'
import { call, callTask, journalOf, newPlace, until } from '../support.ts'

/** Each has signs that JSON, HTML, percent-encoding and base64 write in other ways. */
const VALUES = {
  token: 'canary-token/+"&<1>=',
  team: 'canary team of mcp?',
  bearer: 'canary-bearer~%2F+/"',
  basic: 'canary-user:canary-pass word&/',
  key: 'canary key+in/query&?#%',
  app: 'canary-app-<script>',
  plain: 'canary.plain+/=="\\',
  query: 'canary plain?query&=',
}

/** Of base64 only the characters that are the same behind every number of bytes. */
const base64s = (text: string) => ['', 'x', 'xx'].map((before) => btoa(before + text).slice(4, -4))
/** The ways in which a value may be written: by itself, and as a query or Basic carries it. */
function spellingsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const percent = encodeURIComponent(value)
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  const form = new URLSearchParams({ k: value }).toString().slice(2)
  const encoded = [value, percent, btoa(value)].flatMap(base64s)
  return [value, json, JSON.stringify(json).slice(1, -1), percent, percent.toLowerCase(), html, form, ...encoded]
}
const SPELLINGS = Object.entries({ ...VALUES, password: 'canary-pass word&/' }).flatMap(([name, value]) =>
  [...new Set(spellingsOf(value))].map((spelling) => ({ name, spelling })),
)
/** The names of the secrets whose value stands in a text, in whatever way. */
const found = (text: string) => [
  ...new Set(SPELLINGS.flatMap(({ name, spelling }) => (text.includes(spelling) ? [name] : []))),
]

/** All that a request brought, in several ways of writing. */
function echo({ path, headers }: Pick<ToolRequest, 'path' | 'headers'>): string {
  const [, basic] = /^Basic (.*)$/.exec(headers['authorization'] ?? '') ?? []
  const values = [path, ...Object.values(headers), ...(basic === undefined ? [] : atob(basic).split(':'))]
  const spelled = values.flatMap((value) => [value, encodeURIComponent(value), btoa(value), JSON.stringify(value)])
  return `canary-echo ${spelled.join(' | ')}`
}
const headersOf = ({ headers }: Pick<ToolRequest, 'headers'>) => ({
  'x-echo': headers['authorization'] ?? headers['x-app'] ?? 'none',
  'www-authenticate': `Bearer error="${headers['authorization']?.replaceAll('"', '') ?? ''}"`,
})

const FORM = { type: 'object', properties: { colour: { type: 'string' } } }
const TIMES = { createdAt: '2026-11-24T00:00:00Z', lastUpdatedAt: '2026-11-24T00:00:00Z', ttlMs: null }
const withHeaders = (headers: Record<string, string>) => echo({ path: '', headers })
const text = (said: string) => ({ type: 'text', text: said })
const shop = standIn(2026, {
  'tools/list': (_, { headers }) => ({
    tools: ['show', 'break', 'keep', 'blob', 'ask', 'dig'].map((name) => ({
      name,
      description: withHeaders(headers),
      inputSchema: { type: 'object', description: withHeaders(headers) },
    })),
    ttlMs: 0,
    cacheScope: 'private',
  }),
  show: (_, { headers }) => ({ content: [text(withHeaders(headers))], structuredContent: { ...headers } }),
  break: (_, { headers }) => {
    throw rpcError(-32_000, withHeaders(headers), { seen: withHeaders(headers) })
  },
  keep: (_, { headers }) => ({
    content: [
      { type: 'resource', resource: { uri: 'x://a', mimeType: 'text/plain', text: withHeaders(headers).repeat(40) } },
      { type: 'resource_link', uri: `https://example.com/?${withHeaders(headers)}`, name: withHeaders(headers) },
    ],
  }),
  blob: (_, { headers }) => ({
    content: [{ type: 'resource', resource: { uri: 'x://b', mimeType: 'text/csv', blob: btoa(withHeaders(headers)) } }],
  }),
  ask: ({ inputResponses }, { headers }) =>
    inputResponses === undefined
      ? {
          resultType: 'input_required',
          inputRequests: {
            q: { method: 'elicitation/create', params: { message: withHeaders(headers), requestedSchema: FORM } },
          },
          requestState: withHeaders(headers),
        }
      : { content: [text('asked')] },
  dig: (_, { headers }) => ({
    resultType: 'task',
    taskId: headers['authorization'],
    status: 'working',
    statusMessage: withHeaders(headers),
    pollIntervalMs: 1_000,
    ...TIMES,
  }),
  'tasks/get': (_, { headers }) => ({
    taskId: headers['authorization'],
    status: 'completed',
    result: { content: [text(withHeaders(headers))] },
    ...TIMES,
  }),
  'tasks/cancel': () => ({}),
})

const operation = (id: string, scheme: string, more: object = {}) => ({
  operationId: id,
  security: [{ [scheme]: [] }],
  responses: {},
  ...more,
})
const documentAt = (server: string, said: string) => ({
  openapi: '3.1.0',
  info: { title: said, version: '1' },
  servers: [{ url: server }],
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
      key: { type: 'apiKey', in: 'query', name: 'key' },
    },
  },
  paths: {
    '/bearer': { get: operation('bearer', 'bearer', { description: said }), post: operation('refused', 'bearer') },
    '/basic': { get: operation('basic', 'basic', { summary: said }) },
    '/key': { get: operation('key', 'key') },
    '/moved': { get: operation('moved', 'key') },
  },
})

const place = newPlace()
let tools: ToolServer
/** Another port of the same machine, to which redirects and documents lead. */
let foreign: ToolServer
let receiver: ToolServer
let model: ScriptedOpenai
let service: Service
let task: TaskView

function answer(request: ToolRequest): Response | Promise<Response> {
  const { path, method } = request
  const [route = ''] = path.split('?')
  const elsewhere = `${foreign.origin}/moved?to=${encodeURIComponent(echo(request)).slice(0, 1_500)}`
  if (route === '/shop/mcp')
    return mcpMethod(request) === null ? new Response(null, { status: 405 }) : answerOf(shop, request)
  if (route === '/moved/mcp')
    return new Response(null, { status: 307, headers: { location: `${foreign.origin}/mcp`, ...headersOf(request) } })
  if (route === '/locked/mcp') {
    const where = `Bearer resource_metadata="${foreign.origin}/.well-known/oauth-protected-resource"`
    return new Response(echo(request), { status: 401, headers: { 'www-authenticate': where } })
  }
  if (route === '/openapi.json') return jsonAnswer(documentAt('.', echo(request)), 200, headersOf(request))
  if (route === '/abroad.json') return jsonAnswer(documentAt(foreign.origin, echo(request)))
  if (route === '/moved.json')
    return new Response(null, { status: 302, headers: { location: `${foreign.origin}/openapi.json` } })
  if (route.endsWith('/moved')) return new Response(echo(request), { status: 302, headers: { location: elsewhere } })
  if (method === 'POST') return new Response(echo(request), { status: 400, headers: headersOf(request) })
  return jsonAnswer({ said: echo(request), headers: request.headers }, 200, headersOf(request))
}

const PLAIN = { headers: { authorization: 'Bearer secret:plain', 'x-app': 'secret:app' } }
function entries(): object[] {
  const { origin } = tools
  const port = new URL(origin).port
  const mcp = { token: 'secret:token', headers: { 'x-team': 'secret:team' }, optional: true }
  const security = { bearer: 'secret:bearer', basic: 'secret:basic', key: 'secret:key' }
  const openapi = { security, headers: { 'x-app': 'secret:app' }, optional: true }
  return [
    { mcp: `${origin}/shop/mcp`, name: 'shop', ...mcp },
    { mcp: `${origin}/moved/mcp`, name: 'gone', ...mcp },
    { mcp: `${origin}/locked/mcp`, name: 'locked', ...mcp },
    { mcp: `${foreign.origin}/mcp`, name: 'foreign', ...mcp },
    { openapi: `${origin}/openapi.json`, name: 'orders', ...openapi },
    { openapi: `${origin}/abroad.json`, name: 'abroad', ...openapi },
    { openapi: `${origin}/moved.json`, name: 'relocated', ...openapi },
    { http: { name: 'look', url: `${origin}/look`, query: { q: 'secret:query' }, ...PLAIN } },
    { http: { name: 'refuse', method: 'POST', url: `${origin}/look`, ...PLAIN } },
    { http: { name: 'move', url: `${origin}/moved`, ...PLAIN } },
    { http: { name: 'other_port', url: `${foreign.origin}/x`, ...PLAIN } },
    { http: { name: 'other_host', url: `http://localhost:${port}/other-host`, ...PLAIN } },
    { http: { name: 'sub_domain', url: `http://api.localhost:${port}/sub-domain`, ...PLAIN } },
  ]
}
const CALLS = [
  ['shop_show', 'shop_break', 'shop_keep', 'shop_blob'],
  ['orders_bearer', 'orders_refused', 'orders_basic', 'orders_key', 'orders_moved'],
  ['look', 'refuse', 'move', 'other_port', 'other_host', 'sub_domain'],
  ['abroad_bearer', 'relocated_bearer', 'shop_ask'],
  ['shop_dig'],
]

const KEY = { authorization: 'Bearer dev-key' }
const answers = new Map<string, string>()
async function read(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(path.startsWith('http') ? path : `${service.url}${path}`, {
    headers: { ...KEY, ...headers },
  })
  const said = `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`
  expect([path, response.status]).toEqual([path, 200])
  answers.set(`${path} ${headers['accept'] ?? ''}`, said)
  return said
}
async function ask(path: string, body: object): Promise<unknown> {
  const answered = await call(service, 'POST', path, body)
  answers.set(`POST ${path} ${answers.size}`, JSON.stringify(answered))
  return answered
}

const Listed = z.object({ data: z.array(z.object({ name: z.string() })) })
const Forked = z.looseObject({ id: z.string() })
/** One task that calls all of its tools, and everything that is answered about it and about its fork. */
async function useAll(): Promise<void> {
  foreign = await startToolServer((request) => jsonAnswer(documentAt('.', echo(request))))
  receiver = await startToolServer(() => new Response(null, { status: 204 }))
  tools = await startToolServer(answer)
  model = await startScriptedOpenai({
    turn: [...CALLS.map((names) => calling('', ...names.map((name): [string, object] => [name, {}]))), 'All seen.'],
  })
  service = await place.start({ ...openaiAt(model.base_url), ALLOWED_HOSTS: '*.localhost' })
  for (const [name, value] of Object.entries(VALUES))
    await call(service, 'PUT', `/secrets/${name}`, { value, hosts: [new URL(tools.origin).host] })
  const made = await ask('/tasks', {
    goal: 'look at all',
    mode: 'session',
    locale: 'en',
    rounds: 30,
    tools: entries(),
    settings: { failure_limit: 50, observation_char_limit: 100_000 },
    callback_url: `${receiver.origin}/callback`,
  })
  const { id } = Forked.parse(made)
  await ask(`/tasks/${id}/input`, { input: '{"colour":"red"}', rounds: 30 })
  await vi.waitFor(
    async () => expect(await ask(`/tasks/${id}/step`, { rounds: 30 })).toMatchObject({ status: 'completed' }),
    {
      timeout: 20_000,
      interval: 300,
    },
  )
  task = await callTask(service, 'GET', `/tasks/${id}`)
  await until(service, id, ({ status }) => status === 'completed')
  await vi.waitFor(() => expect(receiver.received.at(-1)?.body).toContain('"completed"'), {
    timeout: 20_000,
    interval: 100,
  })
  const fork = Forked.parse(await ask(`/tasks/${id}/fork`, { at: (await journalOf(service, id)).length - 1 }))
  for (const at of [id, fork.id]) {
    for (const page of ['', '/events?limit=100', '/journal?limit=100', '/export?limit=100', '/tools', '/files'])
      await read(`/tasks/${at}${page}`)
    await read(`/tasks/${at}`, { accept: 'text/plain' })
    for (const { name } of Listed.parse(await call(service, 'GET', `/tasks/${at}/files`)).data)
      await read(`/tasks/${at}/files/${name}`)
    await ask(`/tasks/${at}/replay`, {})
  }
  await read(`/tasks/${id}/events`, { accept: 'text/event-stream' })
  for (const page of ['/tasks', '/tools', '/secrets', '/webhooks/deliveries', '/models', '/delegations', '/health'])
    await read(page)
  await service.stop()
}
beforeAll(useAll, 90_000)
afterAll(async () => {
  await place.leave()
  for (const server of [tools, foreign, receiver, model]) await server.close()
})

/** What stands in all files below the data directory, byte for byte. */
function filesIn(directory: string): string {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name))
  return files.flatMap((file) => (statSync(file).isFile() ? readFileSync(file, 'latin1') : [])).join('\n')
}

describe('U51 secrets of tools', () => {
  it('U51 reach the hosts that they are for, in every way that an entry can name', () => {
    expect(found(tools.received.map(echo).join('\n')).sort()).toEqual([...Object.keys(VALUES), 'password'].sort())
    expect(task).toMatchObject({
      status: 'completed',
      result: { text: 'All seen.', artifacts: [{ name: expect.stringMatching(/^keep-.*\.txt$/) }] },
      // Six refused by the server or by what was found in them, and four with a secret of another host.
      counters: { actions: 19, successful_actions: 9, failed_actions: 10 },
    })
    expect(answers.get(`/tasks/${task.id}/journal?limit=100 `)).toContain('canary-echo')
  })

  it('U51 reach no other host, no sub-domain and no other port, also not by a redirect or a document', () => {
    expect(foreign.received.map(({ path }) => path)).toEqual(['/openapi.json'])
    expect(
      found(foreign.received.map(({ path, headers, body }) => JSON.stringify([path, headers, body])).join('\n')),
    ).toEqual([])
    expect(tools.received.filter(({ headers }) => headers['host'] !== new URL(tools.origin).host)).toEqual([])
  })

  it('U51 are in no answer of any route', () => {
    const leaks = [...answers].flatMap(([path, said]) => found(said).map((name) => `${path}: ${name}`))
    expect(leaks).toEqual([])
  })

  it('U51 are in no prompt and in no callback', () => {
    expect(found(JSON.stringify(model.calls))).toEqual([])
    expect(found(JSON.stringify(receiver.received))).toEqual([])
    expect(JSON.stringify(model.calls)).toContain('[secret:')
  })

  it('U51 are in no file of the objects and in no line of the output', () => {
    const files = filesIn(place.dataDir)
    expect(files).toContain('canary-echo')
    expect(found(files)).toEqual([])
    expect(found(service.output())).toEqual([])
  })
})
