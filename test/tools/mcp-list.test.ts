/** What a task gets of the tools that an MCP server lists (docs/tools.md). */
import { describe, expect, it } from 'vitest'
import { looseName } from '../../src/core/terms/tools/client-tools.ts'
import { benchWith } from '../support/mcp-call.ts'
import { rpcError, SERVER_URL, sentTo, standIn } from '../support/mcp-stand-in.ts'

const OBJECT = { type: 'object' }
const tool = (name: string, more: object = {}) => ({ name, description: `does ${name}`, inputSchema: OBJECT, ...more })
const lists = (tools: object[], revision: 2026 | 2025 = 2026) =>
  standIn(revision, { 'tools/list': () => ({ tools, ttlMs: 0, cacheScope: 'private' }) })
async function listed(tools: object[], revision: 2026 | 2025 = 2026) {
  const server = lists(tools, revision)
  const list = await benchWith(server.fetch).list()
  if (list.kind !== 'tools_listed') throw new Error(list.reason)
  expect(server.breaches).toEqual([])
  return list
}

describe.each([2026, 2025] as const)('a server of %i', (revision) => {
  it('its tools are offered under the name of the source, with what their annotations say', async () => {
    const { tools, notes } = await listed(
      [
        tool('find', { annotations: { readOnlyHint: true } }),
        tool('set', { annotations: { idempotentHint: true, destructiveHint: true } }),
        tool('add', { outputSchema: { type: 'object', properties: { id: { type: 'integer' } } } }),
      ],
      revision,
    )
    expect(tools).toEqual([
      {
        name: 'shop.find',
        description: 'does find',
        parameters: OBJECT,
        url: SERVER_URL,
        idempotent: true,
        read_only: true,
        call: { kind: 'mcp', source: 0, tool: 'find', output_schema: null },
      },
      expect.objectContaining({ name: 'shop.set', idempotent: true, destructive: true }),
      expect.objectContaining({
        idempotent: false,
        call: expect.objectContaining({ output_schema: { type: 'object', properties: { id: { type: 'integer' } } } }),
      }),
    ])
    expect(tools[1]).not.toHaveProperty('read_only')
    expect(notes).toEqual([])
  })

  it('MCP-01 all pages are read, up to ten, and a note says that there are more', async () => {
    const page = (cursor: unknown) => Number(cursor ?? 0)
    const server = standIn(revision, {
      'tools/list': ({ cursor }) => ({
        tools: [tool(`t${page(cursor)}`)],
        nextCursor: String(page(cursor) + 1),
        ttlMs: 0,
        cacheScope: 'private',
      }),
    })
    const list = await benchWith(server.fetch).list()
    expect(list).toMatchObject({ kind: 'tools_listed', notes: [expect.stringContaining('further pages are left out')] })
    expect(sentTo(server, 'tools/list')).toHaveLength(10)
    expect('tools' in list && list.tools.map(({ name }) => name)).toEqual(
      [...Array(10).keys()].map((n) => `shop.t${n}`),
    )
    expect(server.breaches).toEqual([])
  })

  it('a server of which nothing can be listed is told in words, and whether another try may help', async () => {
    const refuses = standIn(revision, {
      'tools/list': () => {
        throw rpcError(-32_603, 'out of order')
      },
    })
    expect(await benchWith(refuses.fetch).list()).toEqual({
      kind: 'tools_unlisted',
      reason: expect.stringContaining('out of order'),
      passing: false,
      retry_after_ms: null,
    })
    const empty = standIn(revision, {}, {})
    expect(await benchWith(empty.fetch).list()).toMatchObject({ reason: 'the server offers no tools', passing: false })
  })

  it('a session of the server is ended with the effect', async () => {
    const server = lists([tool('a')], revision)
    await benchWith(server.fetch).list()
    expect(server.sessions.size).toBe(0)
    const methods = server.requests.map(({ method }) => method).filter((method) => method !== 'POST')
    // A list needs no stream of the server's own messages.
    expect(methods).toEqual(revision === 2025 ? ['DELETE'] : [])
  })

  it('what a server speaks is remembered, so that the next effect asks less, and is found out again when it has changed', async () => {
    const first = lists([tool('a')], revision)
    const second = lists([tool('b')], revision === 2026 ? 2025 : 2026)
    let server = first
    const bench = benchWith((...args) => server.fetch(...args))
    await bench.list()
    const asked = first.received.length
    await bench.list()
    expect(first.received.length - asked).toBe(asked - 1)
    server = second
    expect(await bench.list()).toMatchObject({ kind: 'tools_listed' })
  })
})

describe('MCP-02 names of tools', () => {
  it('have the signs that all endpoints of models take, at most 64 of them, and differ without case and signs', async () => {
    const names = [
      'get user',
      'getUser',
      'get_user',
      'GETUSER',
      'a'.repeat(100),
      `${'a'.repeat(99)}b`,
      '取消',
      '删除',
      'x.y/z',
    ]
    const { tools } = await listed(names.map((name) => tool(name)))
    for (const { name } of tools) expect(name).toMatch(/^shop\.[A-Za-z0-9_-]{1,59}$/)
    expect(new Set(tools.map(({ name }) => looseName(name))).size).toBe(names.length)
    expect(tools.map(({ call }) => call?.kind === 'mcp' && call.tool)).toEqual(names)
  })

  it('stay the same from list to list, whatever else is listed', async () => {
    const one = await listed([tool('get user'), tool('getUser')])
    const other = await listed([tool('new'), tool('get user'), tool('getUser')])
    expect(other.tools.slice(1)).toEqual(one.tools)
  })
})

describe('the list', () => {
  it('holds only the tools that the source takes, and an unknown one is told with the nearest name', async () => {
    const server = lists([tool('create'), tool('delete')])
    const bench = benchWith(server.fetch)
    expect(await bench.list({ tools: ['delete'] })).toMatchObject({ tools: [{ name: 'shop.delete' }] })
    expect(await bench.list({ tools: ['delete', 'creat'] })).toEqual({
      kind: 'tools_unlisted',
      reason: 'the server has no tool "creat"; did you mean "create"?; it has create, delete',
      passing: false,
      retry_after_ms: null,
    })
  })

  it('takes 128 tools and 256 kB, and a note says how many are left out', async () => {
    const many = await listed([...Array(130).keys()].map((n) => tool(`t${n}`)))
    expect(many.tools).toHaveLength(128)
    expect(many.notes).toEqual([expect.stringContaining('2 tools are left out')])
    const large = await listed([...Array(5).keys()].map((n) => tool(`t${n}`, { description: 'x'.repeat(100_000) })))
    expect(large.tools).toHaveLength(2)
    expect(large.notes).toEqual([expect.stringContaining('3 tools are left out')])
  })

  it('cuts a description to 1,000 characters', async () => {
    const { tools } = await listed([tool('a', { description: 'x'.repeat(5_000) })])
    expect(tools[0]?.description).toBe(`${'x'.repeat(997)}...`)
  })

  it('has a digest that changes with the list and with nothing else', async () => {
    const digestOf = async (tools: object[]) => (await listed(tools)).digest
    const one = await digestOf([tool('a', { annotations: { readOnlyHint: true, title: 'A' } })])
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(
      await digestOf([
        { inputSchema: OBJECT, annotations: { title: 'A', readOnlyHint: true }, description: 'does a', name: 'a' },
      ]),
    ).toBe(one)
    expect(await digestOf([tool('a', { annotations: { readOnlyHint: false, title: 'A' } })])).not.toBe(one)
  })
})

describe('MCP-03 parameters', () => {
  const parametersOf = async (inputSchema: object) => {
    const { tools, notes } = await listed([tool('a', { inputSchema })], 2025)
    return { parameters: tools[0]?.parameters, notes }
  }

  it('stay as the server wrote them where they can be applied, with words that are not', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^x' }, b: { $ref: '#/$defs/b' } },
      $defs: { b: { type: 'integer', 'x-mcp': 1 } },
    }
    expect(await parametersOf(schema)).toEqual({ parameters: schema, notes: [] })
  })

  it('lose a reference that leads out of them or into itself, and a note names it', async () => {
    const tree = { type: 'object', properties: { left: { $ref: '#/$defs/tree' }, value: { type: 'string' } } }
    const { parameters, notes } = await parametersOf({
      type: 'object',
      properties: {
        tree: { $ref: '#/$defs/tree' },
        far: { $ref: 'https://evil.example.com/s.json' },
        n: { type: 'integer' },
      },
      $defs: { tree },
    })
    expect(parameters).toMatchObject({ properties: { far: {}, n: { type: 'integer' } } })
    expect(JSON.stringify(parameters)).not.toContain('evil')
    expect(notes).toEqual([
      expect.stringMatching(/^shop\.a: not applied of its parameters: .*https:\/\/evil\.example\.com\/s\.json/),
    ])
  })

  it('take any object where they cannot be applied at all, and a note says why', async () => {
    const { parameters, notes } = await parametersOf({ type: 'object', properties: { a: { type: 'text' } } })
    expect(parameters).toBeNull()
    expect(notes).toEqual([
      expect.stringContaining('shop.a: its parameters are not applied, because they must be a JSON Schema'),
    ])
  })

  it.each([
    ['no name', { type: 'string', 'x-mcp-header': 'a b' }],
    ['a name twice', { type: 'string', 'x-mcp-header': 'X' }],
    ['on a list', { type: 'array', 'x-mcp-header': 'Y' }],
  ])('that name a header in a wrong way leave their tool out (%s)', async (_, part) => {
    const inputSchema = { type: 'object', properties: { first: { type: 'string', 'x-mcp-header': 'x' }, part } }
    const { tools, notes } = await listed([tool('a', { inputSchema }), tool('b')], 2025)
    expect(tools.map(({ name }) => name)).toEqual(['shop.b'])
    expect(notes).toEqual([expect.stringContaining('a: left out, because x-mcp-header is wrong')])
  })
})
