/** Tools of MCP servers in the runtime that they run in: the client library, its streams, and how a call is stopped. */
import { describe, expect, it } from 'vitest'
import { benchWith, toolNamed } from '../support/mcp-call.ts'
import { sentTo, standIn } from '../support/mcp-stand-in.ts'

const says = (text: string) => ({ content: [{ type: 'text', text }] })
const FORM = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] }

describe.each([2026, 2025] as const)('a server of %i, from workerd', (revision) => {
  it('is listed and called', async () => {
    const server = standIn(revision, {
      'tools/list': () => ({
        tools: [{ name: 'act', inputSchema: { type: 'object' } }],
        ttlMs: 0,
        cacheScope: 'private',
      }),
      act: (params) => says(JSON.stringify(params['arguments'])),
    })
    const bench = benchWith(server.fetch)
    const list = await bench.list()
    expect(list).toMatchObject({ kind: 'tools_listed', tools: [{ name: 'shop.act' }] })
    expect(await bench.call(toolNamed('act'), { a: '会' })).toEqual({ ok: true, code: 'success', text: '{"a":"会"}' })
    expect(server.breaches).toEqual([])
    expect(server.sessions.size).toBe(0)
  })

  it('asks, and goes on with the answer', async () => {
    const server = standIn(revision, {
      act: async ({ inputResponses }, { ask }) => {
        if (revision === 2025)
          return says(
            JSON.stringify((await ask('elicitation/create', { message: 'Which?', requestedSchema: FORM })).result),
          )
        if (inputResponses !== undefined) return says(JSON.stringify(inputResponses))
        const question = {
          method: 'elicitation/create',
          params: { mode: 'form', message: 'Which?', requestedSchema: FORM },
        }
        return { resultType: 'input_required', inputRequests: { q: question } }
      },
    })
    const bench = benchWith(server.fetch)
    const asked = await bench.call(toolNamed('act'))
    if (!('kind' in asked)) throw new Error(asked.text)
    const held = { state: asked.state, answer: { action: 'accept' as const, content: { colour: 'red' } } }
    expect(await bench.call(toolNamed('act'), {}, { held })).toMatchObject({
      ok: true,
      text: expect.stringContaining('"colour":"red"'),
    })
    expect(server.breaches).toEqual([])
  })

  it('that is stopped ends at once', async () => {
    const stop = new AbortController()
    const server = standIn(revision, {
      act: () => {
        stop.abort()
        return new Promise(() => {})
      },
    })
    const result = await benchWith(server.fetch).call(toolNamed('act'), {}, { stop: stop.signal })
    expect(result).toMatchObject({ ok: false, code: 'no_answer' })
    expect(sentTo(server, 'notifications/cancelled')).toHaveLength(revision === 2025 ? 1 : 0)
  })
})
