/** A server that others have written, from its own process over a port: the reference server with all features of the revision of 2025-11-25. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClientTool } from '../../src/core/terms/tools/client-tools.ts'
import type { HeldState } from '../../src/shell/tool-ports.ts'
import { startEverything, type EverythingServer } from '../support/everything-server.ts'
import { benchWith, type Bench } from '../support/mcp-call.ts'

let server: EverythingServer
let bench: Bench
let tools: ClientTool[]
beforeAll(async () => {
  server = await startEverything()
  // The network of these tests reaches this machine only.
  bench = benchWith(globalThis.fetch, {}, server.url)
  const list = await bench.list()
  tools = 'tools' in list ? list.tools : []
})
afterAll(() => server.stop())

function run(name: string, input: object = {}, held?: HeldState) {
  const tool = tools.find(({ call }) => call?.kind === 'mcp' && call.tool === name)
  if (tool === undefined) throw new Error(`not listed: ${name}`)
  return bench.call(tool, input, held === undefined ? {} : { held })
}

describe('MCP-15 the reference server', () => {
  it('lists its tools with their annotations', () => {
    const echo = tools.find(({ name }) => name === 'shop.echo')
    expect(echo).toMatchObject({
      idempotent: true,
      read_only: true,
      parameters: { type: 'object', required: ['message'] },
    })
    expect(tools.find(({ name }) => name === 'shop.simulate-research-query')?.call).toMatchObject({ as_task: true })
  })

  it.each([
    ['echo', { message: '你好' }, 'Echo: 你好'],
    ['get-sum', { a: 1, b: 2 }, 'The sum of 1 and 2 is 3.'],
    [
      'trigger-long-running-operation',
      { duration: 0.01, steps: 1 },
      'Long running operation completed. Duration: 0.01 seconds, Steps: 1.',
    ],
  ])('runs %s', async (name, input, text) => {
    expect(await run(name, input)).toEqual({ ok: true, code: 'success', text })
  })

  it('a structured result is shown once', async () => {
    expect(await run('get-structured-content', { location: 'New York' })).toEqual({
      ok: true,
      code: 'success',
      text: '{"temperature":33,"conditions":"Cloudy","humidity":82}',
    })
  })

  it('an image becomes a file', async () => {
    expect(await run('get-tiny-image')).toMatchObject({
      ok: true,
      images: [{ name: 'get-tiny-image-4-1.png', media_type: 'image/png', width: 20, height: 20 }],
    })
    expect(bench.written.map(({ name }) => name)).toContain('get-tiny-image-4-1.png')
  })

  it('links to resources are named, and an embedded one is shown', async () => {
    expect(await run('get-resource-links', { count: 2 })).toMatchObject({
      text: expect.stringContaining('[resource Text Resource 2: demo://resource/dynamic/text/2]'),
    })
    expect(await run('get-resource-reference', { resourceType: 'Text', resourceId: 1 })).toMatchObject({
      text: expect.stringContaining('[resource demo://resource/dynamic/text/1]\nResource 1'),
    })
  })

  it('a question is put to a person, and its answer or refusal reaches the tool', async () => {
    const asked = await run('trigger-elicitation-request')
    if (!('kind' in asked)) throw new Error(asked.text)
    expect(asked).toMatchObject({ kind: 'tool_asked', question: { schema: { required: ['name'] } } })
    const answered = await run(
      'trigger-elicitation-request',
      {},
      { state: asked.state, answer: { action: 'accept', content: { name: 'Ada' } } },
    )
    expect(answered).toMatchObject({ ok: true, text: expect.stringContaining('Name: Ada') })
    const refused = await run(
      'trigger-elicitation-request',
      {},
      { state: asked.state, answer: { action: 'decline', content: null } },
    )
    expect(refused).toMatchObject({ ok: true, text: expect.stringContaining('declined') })
  })

  it('a task of the server is waited for, and is given up', async () => {
    const held = await run('simulate-research-query', { topic: 'loops' })
    if (!('kind' in held)) throw new Error(held.text)
    expect(held).toMatchObject({ kind: 'tool_waits', poll_ms: 1_000 })
    expect(
      await run('simulate-research-query', { topic: 'loops' }, { state: held.state, answer: null }),
    ).toHaveProperty('kind')
    await bench.abandon({ state: held.state, answer: null })
    expect(await run('simulate-research-query', { topic: 'loops' }, { state: held.state, answer: null })).toMatchObject(
      { ok: false },
    )
  })
})
