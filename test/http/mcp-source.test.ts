/** The entry of `tools` that names an MCP server: what is taken, and what is refused with the field and the reason. */
import { describe, expect, it } from 'vitest'
import { McpEntry, mcpSourceOf } from '../../src/http/shapes/tools/mcp-source.ts'

const MCP = 'https://tools.example.com/mcp'
const issuesOf = (more: object) => {
  const read = McpEntry.safeParse({ mcp: MCP, ...more })
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
}

describe('MCP-14 an MCP server among the tools of a task', () => {
  it('is its address alone, or with all that is known of it', () => {
    expect(mcpSourceOf(McpEntry.parse({ mcp: MCP }))).toEqual({
      kind: 'mcp',
      name: 'tools',
      url: MCP,
      headers: {},
      optional: false,
      auth: null,
      tools: null,
      on_lost: 'ask',
    })
    const entry = McpEntry.parse({
      mcp: MCP,
      name: 'tickets',
      headers: { 'X-Team': 'blue' },
      oauth: { client_id: 'loop', client_secret: 'secret:tickets' },
      tools: ['create'],
      optional: true,
      on_lost: 'skip',
    })
    expect(mcpSourceOf(entry)).toMatchObject({
      headers: { 'X-Team': 'blue' },
      auth: { kind: 'client_credentials', client_id: 'loop', client_secret: 'secret:tickets', scope: null },
      tools: ['create'],
      optional: true,
      on_lost: 'skip',
    })
    expect(mcpSourceOf(McpEntry.parse({ mcp: MCP, token: 'secret:t' })).auth).toEqual({
      kind: 'bearer',
      token: 'secret:t',
    })
  })

  it.each([
    'Host',
    'content-length',
    'Content-Type',
    'accept',
    'Mcp-Session-Id',
    'MCP-Protocol-Version',
    'last-event-id',
    'traceparent',
    'cf-connecting-ip',
  ])('may not set the header %s', (name) => {
    expect(issuesOf({ headers: { [name]: 'x' } })).toEqual([
      `headers.${name} must be another header: the service or the protocol sets this one`,
    ])
  })

  it.each<[string, object, RegExp]>([
    ['a header with a blank in its name', { headers: { 'a b': 'x' } }, /^headers\.a b must be the name of a header$/],
    ['a header with a line break', { headers: { a: 'x\r\nb: y' } }, /^headers\.a must have no line breaks/],
    ['one header twice', { headers: { a: 'x', A: 'y' } }, /^headers\.a must differ/],
    [
      '17 headers',
      { headers: Object.fromEntries([...Array(17).keys()].map((n) => [`h${n}`, ''])) },
      /^headers must be at most 16$/,
    ],
    ['a name with a dot', { name: 'a.b' }, /^name must be 1 to 32/],
    ['a tool twice', { tools: ['a', 'a'] }, /^tools must differ$/],
    ['no tool', { tools: [] }, /^tools /],
    ['two ways to authenticate', { token: 'a', headers: { Authorization: 'b' } }, /^token must be the only one/],
    [
      'two other ways to authenticate',
      { token: 'a', oauth: { client_id: 'a', client_secret: 'b' } },
      /^oauth must be the only one/,
    ],
    ['a member that is not known', { tool: ['a'] }, /"tool"/],
  ])('is refused with %s', (_, more, message) => {
    expect(issuesOf(more)).toEqual(expect.arrayContaining([expect.stringMatching(message)]))
  })
})
