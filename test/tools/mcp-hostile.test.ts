/**
 * An MCP server that is malformed, huge, slow or lying: every call and every list ends in one of the outcomes, in time and within bounds.
 * `MCP_HOSTILE=10000` draws more answers than usual.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { benchWith, toolNamed } from '../support/mcp-call.ts'
import { fault, faulty } from '../support/mcp-faults.ts'
import { SERVER_URL, standIn } from '../support/mcp-stand-in.ts'

const DRAWN = Number(process.env['MCP_HOSTILE'] ?? 1_000)
const SEED = 20_261_124
const KINDS = new Set(['tool_asked', 'tool_waits', 'tools_listed', 'tools_unlisted'])
const ENDS =
  'bad_answer no_answer not_called success tool_asked tool_error tool_waits tools_listed tools_unlisted'.split(' ')
const CODES = new Set(['success', 'tool_error', 'usage_error', 'not_called', 'no_answer', 'bad_answer'])

const encoder = new TextEncoder()

describe('MCP-13 a server that is not what it should be', () => {
  it(
    `${DRAWN} drawn answers: each call and each list ends in an outcome, in time, and none rejects`,
    { timeout: 600_000 },
    async () => {
      const tally = new Map<string, number>()
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(2026 as const, 2025 as const),
          fault,
          fc.boolean(),
          async (revision, drawn, lists) => {
            const bench = benchWith(faulty(revision, drawn))
            // A server that keeps silent costs the whole time of the call.
            const call = { timeout_ms: drawn.frame === 'silence' ? 20 : 10_000 }
            const outcome = lists ? await bench.list({}, call) : await bench.call(toolNamed('act'), {}, call)
            const word = 'kind' in outcome ? outcome.kind : outcome.code
            tally.set(word, (tally.get(word) ?? 0) + 1)
            expect('kind' in outcome ? KINDS : CODES).toContain(word)
            // Whoever sends something is not waited for.
            if (drawn.frame !== 'silence') expect(JSON.stringify(outcome)).not.toContain('did not answer in time')
            expect(JSON.stringify(outcome).length).toBeLessThan(600_000)
          },
        ),
        { numRuns: DRAWN, seed: SEED },
      )
      // The draw is worth nothing where all ends alike.
      expect([...tally.keys()].sort()).toEqual(ENDS)
      if (process.env['MCP_HOSTILE'] !== undefined) console.log(Object.fromEntries(tally))
    },
  )

  const endless = (chunk: string): typeof globalThis.fetch => {
    const server = standIn(2026, {})
    return (input, init = {}) => {
      if (!String(init.body).includes('tools/call')) return server.fetch(input, init)
      const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(encoder.encode(chunk)) })
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    }
  }

  it.each([
    ['of comments', ': ping\n\n'.repeat(10_000), 'larger than 8 MiB'],
    ['of one message', `data: ${'x'.repeat(100_000)}`, 'larger than 8 MiB'],
    [
      'of messages',
      'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n',
      'too much: 2000 messages',
    ],
  ])('an endless stream %s ends at the bound', async (_, chunk, reason) => {
    expect(await benchWith(endless(chunk)).call(toolNamed('act'))).toMatchObject({
      ok: false,
      code: 'bad_answer',
      text: expect.stringContaining(reason),
    })
  })

  it('a body of more than 8 MiB is not read to its end', async () => {
    let chunks = 0
    const server = standIn(2026, {})
    const bench = benchWith((input, init = {}) => {
      if (!String(init.body).includes('tools/call')) return server.fetch(input, init)
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          chunks += 1
          controller.enqueue(new Uint8Array(1_048_576).fill(32))
        },
      })
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }))
    })
    expect(await bench.call(toolNamed('act'))).toMatchObject({
      code: 'bad_answer',
      text: 'the answer of the server is larger than 8 MiB',
    })
    expect(chunks).toBeLessThan(12)
  })

  it('a stream that ends without the answer is not waited for', async () => {
    const server = standIn(2026, {})
    const bench = benchWith((input, init = {}) =>
      String(init.body).includes('tools/call')
        ? Promise.resolve(
            new Response('data: {"jsonrpc":"2.0","method":"x"}\n\n', {
              headers: { 'content-type': 'text/event-stream' },
            }),
          )
        : server.fetch(input, init),
    )
    expect(await bench.call(toolNamed('act'))).toEqual({
      ok: false,
      code: 'no_answer',
      text: 'the connection to the server broke off before its answer: it may or may not have had its effect',
    })
  })

  it('one that cannot be reached was not called', async () => {
    const bench = benchWith(() => Promise.reject(new TypeError('no route')))
    expect(await bench.call(toolNamed('act'))).toEqual({
      ok: false,
      code: 'not_called',
      text: 'not called: the server could not be reached',
    })
    expect(await bench.list()).toMatchObject({ kind: 'tools_unlisted', passing: true })
  })

  it('one that is overloaded says when to come again', async () => {
    const bench = benchWith(() =>
      Promise.resolve(new Response('later', { status: 503, headers: { 'retry-after': '7' } })),
    )
    expect(await bench.list()).toEqual({
      kind: 'tools_unlisted',
      reason: 'the server answered HTTP 503',
      passing: true,
      retry_after_ms: 7_000,
    })
  })

  it('its words reach no more than the address of the source', async () => {
    const asked: string[] = []
    const bench = benchWith(
      (input) => {
        asked.push(String(input))
        const headers = { 'www-authenticate': 'Bearer resource_metadata="http://169.254.169.254/latest"' }
        return Promise.resolve(new Response(null, { status: 401, headers }))
      },
      { reach: { loopback: false } },
    )
    const auth = { kind: 'client_credentials' as const, client_id: 'a', client_secret: 'b', scope: null }
    expect(await bench.list({ auth })).toMatchObject({ kind: 'tools_unlisted', passing: false })
    expect(new Set(asked)).toEqual(new Set([SERVER_URL]))
  })
})
