/** One call of a client's tool, against a server that listens on a port: what it gets, and what its answer means (docs/tools.md). */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientTool } from '../../src/core/terms/tools/client-tools.ts'
import type { ToolContext } from '../../src/shell/tool-ports.ts'
import { httpTool } from '../../src/tools/http-tool.ts'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'
import { ARGS, CALL, JSON_TYPE, NEWER, OLDER, outside, runAt, says, secretOf, toolAt } from '../support/remote-tool.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const run = (input?: string, call: Partial<ToolContext> = {}, more: Partial<ClientTool> = {}) =>
  runAt(server, input, call, more)
function sent() {
  const { headers = {}, body = '', ...rest } = server.received[0] ?? {}
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return { ...rest, body, headers: Object.fromEntries(texts) as Record<string, string> }
}

describe('Tools: what the service posts', () => {
  it('{task_id, call_id, tool, arguments}, signed as callbacks are, under the key of the effect', async () => {
    server.script(says({ status: 'success' }))
    const now_ms = Date.now()
    await httpTool(outside({ now_ms: () => now_ms }), toolAt(server)).run(ARGS, CALL)
    const { method, path, headers, body } = sent()
    expect([method, path]).toEqual(['POST', '/tools?token=canary'])
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'idempotency-key': 'task_1:4',
      'webhook-id': 'task_1:4',
      'webhook-timestamp': String(Math.floor(now_ms / 1_000)),
    })
    expect(headers).not.toHaveProperty('traceparent')
    for (const secret of [NEWER, OLDER])
      expect(new Webhook(secret).verify(body, headers)).toEqual({
        task_id: 'task_1',
        call_id: 'task_1:4',
        tool: 'book_room',
        arguments: { room: '会议室 🏠' },
      })
    expect(() => new Webhook(secretOf(3)).verify(body, headers)).toThrow('No matching signature')
  })

  it('a repeated call is the same except for its time', async () => {
    server.script(says({ status: 'success' }), says({ status: 'success' }))
    await run()
    await run()
    const [first, second] = server.received
    expect(second?.body).toBe(first?.body)
    for (const name of ['idempotency-key', 'webhook-id']) expect(second?.headers[name]).toBe(first?.headers[name])
  })

  it('passes on the trace of the request that caused it', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    server.script(says({ status: 'success' }))
    await run(ARGS, { traceparent })
    expect(sent().headers['traceparent']).toBe(traceparent)
  })

  it.each(['', ' ', '{}'])('a call without arguments (%j) sends an empty object', async (input) => {
    server.script(says({ status: 'success' }))
    expect(await run(input, {}, { parameters: null })).toMatchObject({ ok: true })
    expect(JSON.parse(sent().body)).toMatchObject({ arguments: {} })
  })

  it('any object is sent when the tool declares no parameters, with U+FFFD for a lone surrogate', async () => {
    server.script(says({ status: 'success' }))
    await run('{"a":"\\ud800","b":[1,{"c":null}]}', {}, { parameters: null })
    expect(JSON.parse(sent().body)).toMatchObject({ arguments: { a: '\uFFFD', b: [1, { c: null }] } })
  })
})

describe('Tools: 2xx JSON with a status goes to the model whole', () => {
  it.each<[string, Reply, boolean, object]>([
    ['success', says({ status: 'success', number: 7 }), true, { status: 'success', number: 7 }],
    ['error', says({ status: 'error', message: 'taken' }), false, { status: 'error', message: 'taken' }],
    ['201', { ...says({ status: 'success' }), status: 201 }, true, { status: 'success' }],
    [
      'with a charset',
      says({ status: 'success' }, { 'content-type': 'Application/JSON; charset=utf-8' }),
      true,
      { status: 'success' },
    ],
    [
      'of a kind of JSON',
      says({ status: 'success' }, { 'content-type': 'application/vnd.acme.v1+json' }),
      true,
      { status: 'success' },
    ],
    ['with white space', says(' {\n "status" : "success" } '), true, { status: 'success' }],
    [
      'of 250 KiB',
      says({ status: 'success', text: 'x'.repeat(250 * 1024) }),
      true,
      { status: 'success', text: 'x'.repeat(250 * 1024) },
    ],
  ])('%s', async (_what, reply, ok, value) => {
    server.script(reply)
    const result = await run()
    expect({ ...result, text: JSON.parse(result.text) }).toEqual({ ok, code: ok ? 'success' : 'error', text: value })
  })
})

describe('Tools: anything else is a failed action with a clear short reason', () => {
  const away = { location: 'https://example.com/canary' }
  const body = '{"status":"success","x":"canary"}'
  const deep = `{"status":"success","x":${'['.repeat(40)}${']'.repeat(40)}}`
  it.each<[string, Reply, string, string, string]>([
    ['400', { status: 400, ...says(body) }, 'bad_answer', 'the tool answered HTTP 400', '工具返回 HTTP 400'],
    ['500', { status: 500, body: 'canary' }, 'bad_answer', 'the tool answered HTTP 500', '工具返回 HTTP 500'],
    ['401', { status: 401 }, 'bad_answer', 'the tool answered HTTP 401', '工具返回 HTTP 401'],
    [
      '429',
      { status: 429, headers: { 'retry-after': '1' } },
      'bad_answer',
      'the tool answered HTTP 429',
      '工具返回 HTTP 429',
    ],
    ['F40 302', { status: 302, headers: away }, 'bad_answer', 'redirect (HTTP 302), which is not followed', '重定向'],
    ['F40 307', { status: 307, headers: away }, 'bad_answer', 'redirect (HTTP 307), which is not followed', '重定向'],
    ['204', { status: 204 }, 'bad_answer', 'is no JSON', '不是 JSON'],
    ['text', says(body, { 'content-type': 'text/plain' }), 'bad_answer', 'is no JSON', '不是 JSON'],
    ['a page', says('<html>canary', { 'content-type': 'text/html' }), 'bad_answer', 'is no JSON', '不是 JSON'],
    ['no type', says(body, {}), 'bad_answer', 'is no JSON', '不是 JSON'],
    ['broken JSON', says('{"status":"success","x":"canary'), 'bad_answer', 'is no JSON', '不是 JSON'],
    ['no body', says(''), 'bad_answer', 'is no JSON', '不是 JSON'],
    [
      'no UTF-8',
      { headers: JSON_TYPE, body: new Uint8Array([0x22, 0xff, 0x22]) },
      'bad_answer',
      'is no JSON',
      '不是 JSON',
    ],
    ['JSON without end', says(deep), 'bad_answer', 'is no JSON', '不是 JSON'],
    ['a list', says('[{"status":"success"}]'), 'bad_answer', 'has no status', '没有 status'],
    ['null', says('null'), 'bad_answer', 'has no status', '没有 status'],
    ['no status', says('{"ok":true,"x":"canary"}'), 'bad_answer', 'has no status', '没有 status'],
    ['another status', says('{"status":"done"}'), 'bad_answer', 'has no status', '没有 status'],
    [
      'a status of a prototype',
      says('{"__proto__":{"status":"success"}}'),
      'bad_answer',
      'has no status',
      '没有 status',
    ],
    [
      'more than 256 KiB',
      says({ status: 'success', text: 'x'.repeat(256 * 1024) }),
      'bad_answer',
      'larger than 256 KiB',
      '超过 256 KiB',
    ],
    [
      'megabytes that tell no length',
      { ...says({ status: 'success', text: 'x'.repeat(4_000_000) }), unframed: true },
      'bad_answer',
      'larger than 256 KiB',
      '超过 256 KiB',
    ],
    [
      'a body that breaks off',
      { ...says('{"status"'), fault: 'cut' },
      'no_answer',
      'may or may not have had its effect',
      '也可能没有',
    ],
    ['a connection that is closed', { fault: 'reset' }, 'no_answer', 'could not be reached', '无法连接'],
  ])('%s', async (_what, reply, code, en, zh) => {
    server.script(reply, reply)
    const told = await run()
    expect(told).toEqual({ ok: false, code, text: expect.stringContaining(en) })
    expect(told.text).not.toMatch(/canary|127\.0\.0\.1|whsec/)
    expect(await run(ARGS, { locale: 'zh' })).toEqual({ ok: false, code, text: expect.stringContaining(zh) })
    expect(server.received).toHaveLength(2)
  })

  it('no process listens', async () => {
    const nobody = await startFaultServer()
    await nobody.close()
    const told = await run(ARGS, {}, { url: `${nobody.origin}/` })
    expect(told).toEqual({ ok: false, code: 'no_answer', text: 'the tool could not be reached' })
  })

  it.each<['before_headers' | 'after_headers' | 'after_body']>([['before_headers'], ['after_headers'], ['after_body']])(
    'a tool that never answers (%s) is abandoned at its deadline, and the connection is closed',
    async (fault) => {
      server.script({ ...says('{"status":"success"}'), fault })
      const waits = vi.spyOn(globalThis, 'setTimeout')
      const signals: AbortSignal[] = []
      const fetch: typeof globalThis.fetch = async (input, init) => {
        if (init?.signal) signals.push(init.signal)
        // The deadline is the newest wait; its time is over once the request has come.
        const [over, ms] = waits.mock.calls.at(-1) ?? []
        expect(ms).toBe(30_000)
        const answered = globalThis.fetch(input, init)
        while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve))
        over?.()
        return answered
      }
      const told = await httpTool(outside({ fetch }), toolAt(server)).run(ARGS, CALL)
      waits.mockRestore()
      const text = 'the tool did not answer in time: it may or may not have had its effect'
      expect(told).toEqual({ ok: false, code: 'no_answer', text })
      expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    },
  )
})
