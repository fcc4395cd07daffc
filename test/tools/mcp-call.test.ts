/** One call of a tool of an MCP server: what the server gets, and what its result becomes (docs/tools.md). */
import { describe, expect, it } from 'vitest'
import { benchWith, toolNamed } from '../support/mcp-call.ts'
import { rpcError, SERVER_URL, sentTo, standIn, type Exchange } from '../support/mcp-stand-in.ts'
import { TINY } from '../support/mcp-images.ts'

const text = (...texts: string[]) => ({ content: texts.map((one) => ({ type: 'text', text: one })) })
type Answer = (params: Record<string, unknown>, exchange: Exchange) => unknown
async function called(answer: Answer, how: object = {}, input: object = {}, revision: 2026 | 2025 = 2026) {
  const server = standIn(revision, { act: answer })
  const bench = benchWith(server.fetch)
  const result = await bench.call(toolNamed('act', {}, how), input)
  expect(server.breaches).toEqual([])
  return { result, server, bench }
}

describe.each([2026, 2025] as const)('a call of a server of %i', (revision) => {
  it('sends the arguments, and its texts are the result', async () => {
    const { result, server } = await called(() => text('one', 'two'), {}, { room: '会议室' }, revision)
    expect(result).toEqual({ ok: true, code: 'success', text: 'one\ntwo' })
    expect(sentTo(server, 'tools/call')).toEqual([
      expect.objectContaining({ name: 'act', arguments: { room: '会议室' } }),
    ])
    expect(server.sessions.size).toBe(0)
  })

  it('a tool that says that it failed is a failed action with its text', async () => {
    const { result } = await called(() => ({ ...text('no such room'), isError: true }), {}, {}, revision)
    expect(result).toEqual({ ok: false, code: 'tool_error', text: 'no such room' })
  })

  it('an error of the protocol is a failed action with its message, cut', async () => {
    const { result } = await called(
      () => {
        throw rpcError(-32_602, 'y'.repeat(2_000))
      },
      {},
      {},
      revision,
    )
    expect(result).toMatchObject({
      ok: false,
      code: 'tool_error',
      text: expect.stringMatching(/^the server refused: .*y{300}.*\.\.\. \(-32602\)$/),
    })
  })

  it('a list of tools that changes meanwhile is told with the result', async () => {
    const { result } = await called(
      (_, { notify }) => {
        notify('notifications/tools/list_changed')
        return text('done')
      },
      {},
      {},
      revision,
    )
    expect(result).toMatchObject({ ok: true, list_changed: true })
  })

  it('MCP-11 that is stopped ends at once, and the server learns of it', async () => {
    const stop = new AbortController()
    const server = standIn(revision, {
      act: () => {
        stop.abort()
        return new Promise(() => {})
      },
    })
    const result = await benchWith(server.fetch).call(toolNamed('act'), {}, { stop: stop.signal })
    expect(result).toEqual({
      ok: false,
      code: 'no_answer',
      text: 'the call was stopped: it may or may not have had its effect',
    })
    if (revision === 2025) expect(sentTo(server, 'notifications/cancelled')).toHaveLength(1)
    expect(server.breaches).toEqual([])
  })

  it('that takes too long ends at its time-out, and says that it may have acted', async () => {
    const server = standIn(revision, { act: () => new Promise(() => {}) })
    const result = await benchWith(server.fetch).call(toolNamed('act'), {}, { timeout_ms: 150 })
    expect(result).toEqual({
      ok: false,
      code: 'no_answer',
      text: 'the server did not answer in time: it may or may not have had its effect',
    })
  })
})

it('MCP-11 a server of 2025 has learned that a call is stopped before its session is ended', async () => {
  const stop = new AbortController()
  const order: string[] = []
  const server = standIn(2025, {
    act: () => {
      stop.abort()
      return new Promise(() => {})
    },
  })
  const bench = benchWith(async (input, init = {}) => {
    if (String(init.body).includes('notifications/cancelled')) {
      // The network takes many turns.
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
      expect(init.signal?.aborted).toBe(false)
      order.push('cancelled')
    }
    if (init.method === 'DELETE') order.push('ended')
    return server.fetch(input, init)
  })
  await bench.call(toolNamed('act'), {}, { stop: stop.signal })
  expect(order).toEqual(['cancelled', 'ended'])
})

describe('MCP-04 arguments', () => {
  it.each([
    ['[]', 'not called: the arguments must be one JSON object'],
    ['{"n":"x"}', 'not called: the arguments do not fit the parameters'],
    ['['.repeat(50), 'not called: the arguments nest too deep'],
  ])('that do not fit are never sent: %s', async (input, reason) => {
    const server = standIn(2026, { act: () => text('acted') })
    const parameters = { type: 'object', properties: { n: { type: 'integer' } } }
    const result = await benchWith(server.fetch).call(toolNamed('act', { parameters }), input)
    expect(result).toMatchObject({ ok: false, code: 'usage_error', text: expect.stringContaining(reason) })
    expect(server.requests).toEqual([])
  })

  it('that name a header are sent in it too', async () => {
    const headers: Record<string, string>[] = []
    const server = standIn(2026, {
      act: (_, exchange) => {
        headers.push(exchange.headers)
        return text('ok')
      },
    })
    const parameters = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
    await benchWith(server.fetch).call(toolNamed('act', { parameters }), { region: 'eu' })
    expect(headers).toEqual([expect.objectContaining({ 'mcp-param-region': 'eu' })])
  })
})

describe('MCP-05 structured results', () => {
  const output_schema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }

  it('are shown once, although their text repeats them', async () => {
    const { result } = await called(() => ({ ...text('{ "id": 7 }'), structuredContent: { id: 7 } }), { output_schema })
    expect(result).toEqual({ ok: true, code: 'success', text: '{"id":7}' })
    const other = await called(() => ({ ...text('Ticket 7 was made.'), structuredContent: { id: 7 } }), {
      output_schema,
    })
    expect(other.result).toMatchObject({ text: 'Ticket 7 was made.\n{"id":7}' })
  })

  it('that do not fit the schema of the tool are a failed action that says which member', async () => {
    const { result } = await called(() => ({ ...text(''), structuredContent: { id: 'seven' } }), { output_schema })
    expect(result).toMatchObject({ ok: false, code: 'bad_answer', text: expect.stringContaining('output schema') })
    const none = await called(() => text('seven'), { output_schema })
    expect(none.result).toMatchObject({ code: 'bad_answer', text: expect.stringContaining('there is none') })
  })

  it('of a call that failed need not fit', async () => {
    const { result } = await called(() => ({ ...text('no room'), isError: true }), { output_schema })
    expect(result).toMatchObject({ code: 'tool_error', text: 'no room' })
  })
})

describe('MCP-06 what is not text', () => {
  it('an image becomes a file of the task, and the model is shown it', async () => {
    const { result, bench } = await called(() => ({
      content: [
        { type: 'text', text: 'a picture' },
        { type: 'image', mimeType: 'image/png', data: TINY.png },
      ],
    }))
    expect(bench.written).toEqual([{ name: 'act-4-1.png', content: expect.any(Uint8Array) }])
    expect(result).toMatchObject({
      ok: true,
      text: 'a picture\n[image act-4-1.png, 1x1]',
      images: [
        {
          name: 'act-4-1.png',
          media_type: 'image/png',
          width: 1,
          height: 1,
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
    })
  })

  it.each([
    ['an image of another type', 'image/jpeg', 'png', 'it is not an image of that type'],
    ['an image that is none', 'image/png', 'text', 'it is not an image of that type'],
    ['a type that is kept nowhere', 'audio/wav', 'png', 'no file is kept of that type'],
    ['an image of more than 5 MiB', 'image/png', 'huge', 'it is too large'],
  ] as const)('%s is told with its type and size, and is not kept', async (_, mimeType, data, why) => {
    const type = mimeType.startsWith('audio') ? 'audio' : 'image'
    const { result, bench } = await called(() => ({ content: [{ type, mimeType, data: TINY[data] }] }))
    expect(result).toMatchObject({
      ok: true,
      text: expect.stringMatching(new RegExp(`^\\[${mimeType}, \\d+ bytes, not kept: ${why}\\]$`)),
    })
    expect(result).not.toHaveProperty('images')
    expect(bench.written).toEqual([])
  })

  it('a result with an image that is not base64 is a failed action', async () => {
    const { result } = await called(() => ({ content: [{ type: 'image', mimeType: 'image/png', data: '%%%%' }] }))
    expect(result).toMatchObject({ ok: false, code: 'bad_answer', text: expect.stringContaining('Base64') })
  })

  it('an embedded text is shown, a long one becomes a file, and so does a table', async () => {
    const csv = Buffer.from('a,b\n1,2\n').toString('base64')
    const { result, bench } = await called(() => ({
      content: [
        { type: 'resource', resource: { uri: 'doc://1', text: 'short' } },
        { type: 'resource', resource: { uri: 'doc://2', mimeType: 'text/markdown', text: 'z'.repeat(9_000) } },
        { type: 'resource', resource: { uri: 'doc://3', mimeType: 'text/csv; charset=utf-8', blob: csv } },
      ],
    }))
    expect(result).toMatchObject({
      text: '[resource doc://1]\nshort\n[resource doc://2] [file act-4-1.md, text/markdown, 9000 bytes]\n[resource doc://3] [file act-4-2.csv, text/csv; charset=utf-8, 8 bytes]',
    })
    expect(bench.written.map(({ name }) => name)).toEqual(['act-4-1.md', 'act-4-2.csv'])
  })

  it('a link to a resource is named with its address, and is not read', async () => {
    const { result, server } = await called(() => ({
      content: [{ type: 'resource_link', name: 'Report', uri: 'https://example.com/r' }],
    }))
    expect(result).toMatchObject({ text: '[resource Report: https://example.com/r]' })
    expect(sentTo(server, 'resources/read')).toEqual([])
  })

  it('more than 64 parts are left out, and their number is told', async () => {
    const { result } = await called(() => text(...Array.from({ length: 70 }, (_, n) => `p${n}`)))
    expect(result).toMatchObject({ text: expect.stringMatching(/p63\n\[6 more parts are left out\]$/) })
  })
})

describe('MCP-07 addresses and secrets', () => {
  const reveal = (_: string, name: string, { hostname }: URL) =>
    Promise.resolve(
      hostname === 'tools.example.com' && name === 'shop'
        ? { ok: true as const, value: 'hunter2-canary' }
        : { ok: false as const, error: `${name} is not for ${hostname}` },
    )

  it('a secret is filled into headers and the token, and what the server repeats of it is taken out', async () => {
    const seen: Record<string, string>[] = []
    const server = standIn(2026, {
      act: (_, { headers }) => {
        seen.push(headers)
        return { ...text('you are hunter2-canary'), structuredContent: { 'hunter2-canary': ['hunter2-canary'] } }
      },
    })
    const bench = benchWith(server.fetch, { secrets: { reveal } })
    const more = { headers: { 'x-key': 'key secret:shop' }, auth: { kind: 'bearer' as const, token: 'secret:shop' } }
    const result = await bench.call(toolNamed('act'), {}, {}, more)
    expect(seen).toEqual([
      expect.objectContaining({ 'x-key': 'key hunter2-canary', authorization: 'Bearer hunter2-canary' }),
    ])
    expect(result).toMatchObject({ text: 'you are [secret:shop]\n{"[secret:shop]":["[secret:shop]"]}' })
  })

  it('a literal token that the server repeats in a list is taken out too', async () => {
    const server = standIn(2026, {
      'tools/list': () => ({
        tools: [{ name: 'act', description: 'use sk-literal-1', inputSchema: { type: 'object' } }],
        ttlMs: 0,
        cacheScope: 'private',
      }),
    })
    const list = await benchWith(server.fetch).list({ auth: { kind: 'bearer', token: 'sk-literal-1' } })
    expect(list).toMatchObject({ tools: [{ description: 'use [secret:token]' }] })
  })

  it('a secret that may not go to the server is not sent, and nothing else is', async () => {
    const server = standIn(2026, { act: () => text('acted') })
    const result = await benchWith(server.fetch, { secrets: { reveal } }).call(
      toolNamed('act'),
      {},
      {},
      { headers: { 'x-key': 'secret:other' } },
    )
    expect(result).toEqual({
      ok: false,
      code: 'not_called',
      text: 'not called: a secret cannot be used: other is not for tools.example.com',
    })
    expect(server.requests).toEqual([])
  })

  it.each(['http://tools.example.com/mcp', 'https://10.0.0.1/mcp', 'https://metadata.internal/mcp'])(
    'an address that may not be asked is not asked: %s',
    async (url) => {
      const server = standIn(2026, { act: () => text('acted') })
      const bench = benchWith(server.fetch, { reach: { loopback: false } }, url)
      expect(await bench.call(toolNamed('act'))).toMatchObject({
        code: 'not_called',
        text: expect.stringContaining('not called: an address of the server must'),
      })
      expect(await bench.list()).toMatchObject({ kind: 'tools_unlisted', passing: false })
      expect(server.requests).toEqual([])
    },
  )

  it('a redirect is not followed', async () => {
    const asked: string[] = []
    const bench = benchWith((input) => {
      asked.push(String(input))
      return Promise.resolve(new Response(null, { status: 307, headers: { location: `${SERVER_URL}/other` } }))
    })
    expect(await bench.call(toolNamed('act'))).toMatchObject({
      code: 'bad_answer',
      text: expect.stringContaining('a redirect (HTTP 307), which is not followed'),
    })
    expect(asked).toEqual([SERVER_URL])
  })
})
