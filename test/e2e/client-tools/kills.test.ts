/**
 * D4 over HTTP: one kill -9 of the built service while a call of each kind is on its way. After the restart a call is made again only where
 * that is allowed; the requests that reached the servers are counted.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Service } from '../../../scripts/lib/service.mjs'
import type { TaskView } from '../../../src/core/terms/view.ts'
import { standIn, type StandIn } from '../../support/mcp-stand-in.ts'
import { calling } from '../../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ModelCall, type ScriptedOpenai } from '../../support/scripted-openai.ts'
import {
  answerOf,
  jsonAnswer,
  mcpMethod,
  startToolServer,
  type ToolRequest,
  type ToolServer,
} from '../../support/tool-server.ts'
import { call, callTask, journalOf, newPlace } from '../support.ts'

/** What each task has: its tools, the call of its model, and the first request of these that gets no answer. */
interface Kind {
  tools: (origin: string) => object[]
  calls: [name: string, args: object]
  holds: (request: ToolRequest) => boolean
}
const mcp =
  (more: object = {}) =>
  (origin: string) => [{ mcp: `${origin}/mcp`, name: 'shop', ...more }]
const openapi = (origin: string) => [{ openapi: `${origin}/openapi.json`, name: 'shop' }]
const http = (more: object) => (origin: string) => [{ http: { name: 'look', url: `${origin}/plain`, ...more } }]
const inMcp = (method: string) => (request: ToolRequest) => mcpMethod(request) === method
const at = (path: string) => (request: ToolRequest) => request.path.endsWith(path)

const KINDS: Record<string, Kind> = {
  list: { tools: mcp(), calls: ['shop_act', {}], holds: inMcp('tools/list') },
  document: { tools: openapi, calls: ['shop_look', {}], holds: at('/openapi.json') },
  call: { tools: mcp(), calls: ['shop_act', {}], holds: inMcp('tools/call') },
  skipped: { tools: mcp({ on_lost: 'skip' }), calls: ['shop_act', {}], holds: inMcp('tools/call') },
  idempotent: { tools: mcp(), calls: ['shop_again', {}], holds: inMcp('tools/call') },
  poll: { tools: mcp(), calls: ['shop_dig', {}], holds: inMcp('tasks/get') },
  openapi_get: { tools: openapi, calls: ['shop_look', {}], holds: at('/orders') },
  openapi_post: { tools: openapi, calls: ['shop_order', { body: { id: 7 } }], holds: at('/orders') },
  plain_get: { tools: http({}), calls: ['look', {}], holds: at('/plain') },
  plain_post: { tools: http({ method: 'POST' }), calls: ['look', {}], holds: at('/plain') },
  page: { tools: () => [], calls: ['fetch_url', {}], holds: at('/page') },
}
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: '.' }],
  paths: {
    '/orders': {
      get: { operationId: 'look', responses: {} },
      post: {
        operationId: 'order',
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: {},
      },
    },
  },
}

const TIMES = { createdAt: '2026-11-24T00:00:00Z', lastUpdatedAt: '2026-11-24T00:00:00Z', ttlMs: null }
const says = (text: string) => ({ content: [{ type: 'text', text }] })
const shop = (): StandIn =>
  standIn(2026, {
    'tools/list': () => ({
      tools: [
        { name: 'act', inputSchema: { type: 'object' } },
        { name: 'again', inputSchema: { type: 'object' }, annotations: { idempotentHint: true } },
        { name: 'dig', inputSchema: { type: 'object' } },
      ],
      ttlMs: 0,
      cacheScope: 'private',
    }),
    act: () => says('acted'),
    again: () => says('acted again'),
    dig: () => ({ resultType: 'task', taskId: 't-1', status: 'working', pollIntervalMs: 1_000, ...TIMES }),
    'tasks/get': () => ({ taskId: 't-1', status: 'completed', result: says('dug'), ...TIMES }),
    'tasks/cancel': () => ({}),
  })

const place = newPlace()
let tools: ToolServer
let model: ScriptedOpenai
let service: Service
const ids = new Map<string, string>()
const servers = new Map<string, StandIn>()
/** The requests that were held, and those like them that came later, by kind. */
const counted = new Map<string, ToolRequest[]>()

async function answer(request: ToolRequest): Promise<Response | null> {
  const [, name = ''] = request.path.split('/')
  const kind = KINDS[name]
  if (kind === undefined) return new Response(null, { status: 404 })
  if (kind.holds(request)) {
    const like = counted.get(name) ?? []
    counted.set(name, [...like, request])
    if (like.length === 0) return null
  }
  if (request.path.endsWith('/openapi.json')) return jsonAnswer(DOCUMENT)
  const server = servers.get(name)
  if (request.path.endsWith('/mcp') && server !== undefined) return answerOf(server, request)
  return jsonAnswer({ told: `answer of ${name}` })
}

/** Calls the tool of its task, and ends when it has the result. */
function turn({ body }: ModelCall): object | string {
  const text = JSON.stringify(body['messages'])
  if (text.includes('"role":"tool"')) return 'Finished.'
  const name = /kind (\w+)/.exec(text)?.[1] ?? ''
  const [tool, args] = KINDS[name]?.calls ?? ['none', {}]
  return calling('', [tool, tool === 'fetch_url' ? { url: `${tools.origin}/page/page` } : args])
}

const step = (id: string) => callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 20 })

/** Begins a call of each kind, kills the service inside all of them, and starts it again. */
async function killInside(): Promise<void> {
  for (const name of Object.keys(KINDS)) servers.set(name, shop())
  tools = await startToolServer(answer)
  model = await startScriptedOpenai(turn)
  service = await place.start(openaiAt(model.base_url))
  const cut: Promise<unknown>[] = []
  for (const [name, kind] of Object.entries(KINDS)) {
    const task = await callTask(service, 'POST', '/tasks', {
      goal: `kind ${name}`,
      mode: 'session',
      locale: 'en',
      rounds: 0,
      tools: kind.tools(`${tools.origin}/${name}`),
    })
    ids.set(name, task.id)
    cut.push(stepUntilHeld(name, task.id))
  }
  await vi.waitFor(() => expect([...counted.keys()].sort()).toEqual(Object.keys(KINDS).sort()), {
    timeout: 30_000,
    interval: 50,
  })
  await service.kill()
  expect(new Set(await Promise.all(cut))).toEqual(new Set(['cut']))
  service = await place.start(openaiAt(model.base_url))
}
beforeAll(killInside, 90_000)
afterAll(async () => {
  await place.leave()
  await tools.close()
  await model.close()
})

/** A call that works on outside is looked at when its time has come, so it needs more than one step. */
async function stepUntilHeld(name: string, id: string): Promise<'cut' | 'held'> {
  while (!counted.has(name)) {
    const task = await step(id).catch(() => null)
    if (task === null) return 'cut'
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return 'held'
}

async function goOn(name: string): Promise<{ task: TaskView; id: string; requests: ToolRequest[] }> {
  const id = ids.get(name) ?? ''
  return { task: await step(id), id, requests: counted.get(name) ?? [] }
}
async function expectEnd(id: string, counters: object): Promise<void> {
  const task = await callTask(service, 'GET', `/tasks/${id}`)
  expect(task).toMatchObject({ status: 'completed', counters, result: { text: 'Finished.' } })
  expect(await call(service, 'POST', `/tasks/${id}/replay`)).toMatchObject({ equal: true, first_difference: null })
}
const resultIn = async (id: string) => JSON.stringify(await journalOf(service, id))

it.each([
  ['list', 'the list of an MCP server is fetched again', 'acted'],
  ['document', 'an OpenAPI document is fetched again', 'answer of document'],
  ['idempotent', 'a call of an MCP tool with idempotentHint is made again', 'acted again'],
  ['poll', 'a task of an MCP server is looked at again', 'dug'],
  ['openapi_get', 'a GET of an OpenAPI document is made again', 'answer of openapi_get'],
  ['plain_get', 'a plain GET is made again', 'answer of plain_get'],
  ['page', 'a page is fetched again', 'answer of page'],
])('D4 after a kill -9 (%s) %s, and counts once', async (name, _, result) => {
  const { id, requests } = await goOn(name)
  expect(requests).toHaveLength(2)
  expect(requests[1]?.body.replaceAll(/"id":\d+/g, '')).toBe(requests[0]?.body.replaceAll(/"id":\d+/g, ''))
  await expectEnd(id, { actions: 1, successful_actions: 1 })
  expect(await resultIn(id)).toContain(result)
})

it.each([
  ['skipped', 'a call of an MCP tool without idempotentHint'],
  ['openapi_post', 'a POST of an OpenAPI document'],
  ['plain_post', 'a plain POST'],
])('D4 after a kill -9 (%s) %s is not made again, and the model is told', async (name) => {
  const { id, requests } = await goOn(name)
  expect(requests).toHaveLength(1)
  await expectEnd(id, { actions: 1, failed_actions: 1 })
  expect(await resultIn(id)).toContain('outcome unknown')
})

it('D4 after a kill -9 a person is asked about a lost call of an MCP tool, and it is made again only then', async () => {
  const { task, id, requests } = await goOn('call')
  expect(task).toMatchObject({ status: 'input_required', pending: { kind: 'question', choices: ['repeat', 'skip'] } })
  expect(requests).toHaveLength(1)
  await callTask(service, 'POST', `/tasks/${id}/input`, { input: 'repeat', rounds: 20 })
  expect(counted.get('call')).toHaveLength(2)
  // The call that was lost counts as the attempt that it was.
  await expectEnd(id, { actions: 2, failed_actions: 1, successful_actions: 1 })
})

it('D4 no server of MCP saw a breach of its protocol', () => {
  expect([...servers.values()].flatMap(({ breaches }) => breaches)).toEqual([])
})
