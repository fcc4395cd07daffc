/** What a client's tool is never sent: arguments it does not take, and anything to where the service may not go (docs/tools.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ClientTool } from '../../src/core/terms/tools/client-tools.ts'
import type { ToolContext } from '../../src/shell/tool-ports.ts'
import { httpTool } from '../../src/tools/http-tool.ts'
import { HOSTILE } from '../support/hostile-addresses.ts'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { ARGS, CALL, outside, runAt, toolAt } from '../support/remote-tool.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const run = (input?: string, call: Partial<ToolContext> = {}, more: Partial<ClientTool> = {}) =>
  runAt(server, input, call, more)

describe('Tools: calls that are not sent', () => {
  it.each<[string, string, string, string]>([
    ['a text', 'Oak', 'must be one JSON object', '必须是一个 JSON 对象'],
    ['a command', '/todo add milk', 'must be one JSON object', '必须是一个 JSON 对象'],
    ['a list', '[{"room":"Oak"}]', 'must be one JSON object', '必须是一个 JSON 对象'],
    ['a text in quotes', '"Oak"', 'must be one JSON object', '必须是一个 JSON 对象'],
    ['null', 'null', 'must be one JSON object', '必须是一个 JSON 对象'],
    ['half an object', '{"room":', 'must be one JSON object', '必须是一个 JSON 对象'],
    ['prose around it', 'Here: {"room":"Oak"}', 'must be one JSON object', '必须是一个 JSON 对象'],
    ['a tower', `{"room":${'['.repeat(100_000)}`, 'nest too deep', '嵌套过深'],
    ['nothing where something is required', '', 'do not fit the parameters: ', '参数不符合 parameters：'],
    ['another type', '{"room":7}', 'do not fit the parameters: ', '参数不符合 parameters：'],
    [
      'less than its definition allows',
      '{"room":"Oak","seats":0}',
      'do not fit the parameters: ',
      '参数不符合 parameters：',
    ],
  ])('arguments that do not fit: %s', async (_what, input, en, zh) => {
    expect(await run(input)).toEqual({
      ok: false,
      code: 'usage_error',
      text: expect.stringContaining(`not called: the arguments ${en}`),
    })
    expect(await run(input, { locale: 'zh' })).toEqual({
      ok: false,
      code: 'usage_error',
      text: expect.stringContaining(zh),
    })
    expect(server.received).toEqual([])
  })

  it('a refusal of arguments names the member that is wrong', async () => {
    expect((await run('{}')).text).toContain('"room"')
  })

  it.each(HOSTILE)('F65 a call to %j, whatever was allowed when the task was created', async (url) => {
    const asked: unknown[] = []
    const fetch = async (input: RequestInfo | URL) => (asked.push(input), new Response())
    const told = await httpTool(outside({ fetch, loopback: false }), toolAt(server, { url })).run(ARGS, CALL)
    expect([told.ok, told.code, asked]).toEqual([false, 'not_called', []])
    expect(told.text).toMatch(/^not called: its address must /)
    const zh = await httpTool(outside({ fetch, loopback: false }), toolAt(server, { url })).run(ARGS, {
      ...CALL,
      locale: 'zh',
    })
    expect(zh.text).toBe('未调用：该工具的地址不被允许')
  })

  it('an unsigned call: a tenant without a secret does not get the secret of another', async () => {
    expect(await run(ARGS, { tenant: 'other' })).toEqual({
      ok: false,
      code: 'not_called',
      text: 'not called: there is no secret to sign the call with',
    })
    expect(server.received).toEqual([])
  })
})
