/** The reference server of MCP through the built service: tasks of mode `session` use what it offers, over HTTP on every side. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../../scripts/lib/service.mjs'
import { startEverything, type EverythingServer } from '../../support/everything-server.ts'
import { sentTo, standIn } from '../../support/mcp-stand-in.ts'
import { calling } from '../../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../../support/scripted-openai.ts'
import { answerOf, jsonAnswer, startToolServer } from '../../support/tool-server.ts'
import { call, callTask, journalOf, newPlace, until } from '../support.ts'

const place = newPlace()
let everything: EverythingServer
let model: ScriptedOpenai
let service: Service
beforeAll(async () => {
  everything = await startEverything()
  model = await startScriptedOpenai({})
  service = await place.start(openaiAt(model.base_url))
})
afterAll(async () => {
  await place.leave()
  everything.stop()
  await model.close()
})
afterEach(expectSpent)

function expectSpent(): void {
  expect(model.leftovers()).toEqual({})
}

const Message = z.looseObject({ role: z.string(), content: z.unknown() })
const Sent = z.object({
  messages: z.array(Message),
  tools: z.array(z.object({ function: z.looseObject({ name: z.string() }) })),
})
/** The latest request that the model got. */
const sent = () => Sent.parse(model.calls.at(-1)?.body)
/** What the model was told of its calls, the newest last. */
const told = () => sent().messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []))

const create = (rest: object = {}) =>
  callTask(service, 'POST', '/tasks', {
    goal: 'look at the shop',
    mode: 'session',
    locale: 'en',
    rounds: 20,
    tools: [{ mcp: everything.url, name: 'shop' }],
    ...rest,
  })
const step = (id: string) => callTask(service, 'POST', `/tasks/${id}/step`, { rounds: 20 })
async function expectEqualReplay(id: string): Promise<void> {
  expect(await call(service, 'POST', `/tasks/${id}/replay`)).toMatchObject({ equal: true, first_difference: null })
}

describe('MCP-15 the reference server through the service', () => {
  it('MCP-15 its tools are listed and called: text, sums, structured results, links, an image that becomes a file, and long work', async () => {
    model.script(
      'turn',
      calling('', ['shop_echo', { message: '你好' }]),
      calling('', ['shop_get-sum', { a: 1, b: 2 }], ['shop_get-structured-content', { location: 'New York' }]),
      calling('', ['shop_get-tiny-image', {}]),
      calling('', ['shop_get-resource-links', { count: 2 }]),
      calling('', ['shop_trigger-long-running-operation', { duration: 0.05, steps: 2 }]),
      'All seen.',
    )
    const task = await create()
    expect(task).toMatchObject({
      status: 'completed',
      result: { text: 'All seen.', artifacts: [{ name: expect.stringMatching(/^get-tiny-image-\d+-1\.png$/) }] },
      counters: { successful_actions: 6, failed_actions: 0 },
    })
    const names = sent().tools.map(({ function: { name } }) => name)
    expect(names).toContain('shop_get-tiny-image')
    expect(names.filter((name) => !/^[\w-]{1,64}$/.test(name))).toEqual([])
    expect(told().slice(0, 3)).toMatchObject([
      expect.stringContaining('Echo: 你好'),
      expect.stringContaining('The sum of 1 and 2 is 3.'),
      expect.stringContaining('{"temperature":33,"conditions":"Cloudy","humidity":82}'),
    ])
    expect(told()[4]).toContain('demo://resource/dynamic/text/2')
    expect(told()[5]).toContain('Long running operation completed')
    const [artifact] = task.result?.artifacts ?? []
    const file = await fetch(artifact?.url ?? '')
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(new TextDecoder('latin1').decode((await file.arrayBuffer()).slice(1, 4))).toBe('PNG')
    const tools = await call(service, 'GET', `/tasks/${task.id}/tools`)
    expect(tools).toMatchObject({ sources: [{ name: 'shop' }] })
    expect(JSON.stringify(tools)).toContain('"shop.echo"')
    expect(JSON.stringify([task, tools, await journalOf(service, task.id)])).not.toContain(everything.url)
    await expectEqualReplay(task.id)
  })

  it.each(['/input', 'the answer link'])(
    'MCP-15 a question of a tool waits for a person, whose answer comes by %s',
    async (way) => {
      model.script('turn', calling('', ['shop_trigger-elicitation-request', {}]), 'Thanks.')
      const waiting = await create()
      expect(waiting).toMatchObject({
        status: 'input_required',
        pending: { kind: 'question', response_schema: { type: 'object', required: ['name'] } },
      })
      const answer = JSON.stringify({ name: 'Ada' })
      if (way === '/input') await callTask(service, 'POST', `/tasks/${waiting.id}/input`, { input: answer, rounds: 20 })
      else {
        const link = waiting.pending?.kind === 'question' ? waiting.pending.answer_url : null
        const given = await fetch(link ?? '', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ answer }),
        })
        expect([given.status, await given.json()]).toMatchObject([200, {}])
        await step(waiting.id)
      }
      expect(await callTask(service, 'GET', `/tasks/${waiting.id}`)).toMatchObject({
        status: 'completed',
        counters: { actions: 1, successful_actions: 1 },
      })
      expect(told().at(-1)).toContain('Name: Ada')
      await expectEqualReplay(waiting.id)
    },
  )

  it('MCP-15 work of the server is waited for: /step looks at it, and in the background it is looked at by itself', async () => {
    const research = calling('', ['shop_simulate-research-query', { topic: 'loops' }])
    model.script('turn', research)
    const waiting = await create()
    expect(waiting).toMatchObject({
      status: 'waiting_external',
      pending: { kind: 'tool', tool: 'shop.simulate-research-query' },
    })
    model.script('turn', research)
    const other = await create({ drive: 'background' })
    await until(service, other.id, ({ status }) => status === 'waiting_external')
    model.script('turn', 'Read.', 'Read.')
    await vi.waitFor(async () => expect(await step(waiting.id)).toMatchObject({ status: 'completed' }), {
      timeout: 30_000,
      interval: 500,
    })
    const ended = await until(service, other.id, ({ status }) => status === 'completed')
    for (const { id, counters } of [await callTask(service, 'GET', `/tasks/${waiting.id}`), ended]) {
      expect(counters).toMatchObject({ actions: 1, successful_actions: 1 })
      await expectEqualReplay(id)
    }
    expect(told().at(-1)).toContain('Research Report: loops')
  })

  it('MCP-15 a task that waits for the server can be canceled, and goes no further', async () => {
    model.script('turn', calling('', ['shop_simulate-research-query', { topic: 'loops' }]))
    const { id, status } = await create()
    expect(status).toBe('waiting_external')
    expect(await callTask(service, 'POST', `/tasks/${id}/cancel`)).toMatchObject({ status: 'canceled', pending: null })
    expect(await step(id)).toMatchObject({ status: 'canceled', slice: { advanced: false } })
    await expectEqualReplay(id)
  })
})

describe('U50 approval by tool through the service', () => {
  it('U50 a call that fits a pattern waits for a person and is made, or not made, as the person says; others are made at once', async () => {
    const says = (text: string) => ({ content: [{ type: 'text', text }] })
    const inputSchema = { type: 'object' }
    const listed = [
      { name: 'look', inputSchema, annotations: { readOnlyHint: true } },
      { name: 'wipe', inputSchema, annotations: { destructiveHint: true } },
      { name: 'add', inputSchema, annotations: { destructiveHint: false } },
    ]
    const store = standIn(2026, {
      'tools/list': () => ({ tools: listed, ttlMs: 0, cacheScope: 'private' }),
      look: () => says('looked'),
      wipe: () => says('wiped'),
      add: () => says('added'),
    })
    const posted: string[] = []
    const server = await startToolServer((request) => {
      if (request.path === '/mcp') return answerOf(store, request)
      posted.push(`${request.method} ${request.path}`)
      return jsonAnswer({ ok: true })
    })
    try {
      model.script(
        'turn',
        calling('', ['store_look', {}], ['store_add', {}], ['send', {}]),
        calling('', ['store_wipe', {}]),
        calling('', ['store_wipe', {}]),
        'Tidied.',
      )
      const waiting = await create({
        tools: [
          { mcp: `${server.origin}/mcp`, name: 'store' },
          { http: { name: 'send', method: 'POST', url: `${server.origin}/mail` } },
        ],
        settings: { approve: { tools: ['http:POST', 'hint:destructive'] }, failure_limit: 5 },
      })
      const acted = () => sentTo(store, 'tools/call').map(({ name }) => name)
      const say = (input: string) => callTask(service, 'POST', `/tasks/${waiting.id}/input`, { input, rounds: 20 })
      const approval = (tool: string) => ({ status: 'input_required', pending: { kind: 'approval', action: { tool } } })
      expect(waiting).toMatchObject(approval('send'))
      expect([acted(), posted]).toEqual([['look', 'add'], []])
      expect(await say('yes')).toMatchObject(approval('store.wipe'))
      expect([acted(), posted]).toEqual([['look', 'add'], ['POST /mail']])
      expect(await say('no')).toMatchObject(approval('store.wipe'))
      expect(acted()).toEqual(['look', 'add'])
      expect(await say('yes')).toMatchObject({ status: 'completed', result: { text: 'Tidied.' } })
      expect(acted()).toEqual(['look', 'add', 'wipe'])
      await expectEqualReplay(waiting.id)
      expect(store.breaches).toEqual([])
    } finally {
      await server.close()
    }
  })
})
