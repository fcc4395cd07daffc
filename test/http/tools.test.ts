/** The tools of a new task: what may be said of them, and where they may be (api "Tools", U24). */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Brief } from '../../src/core/terms/effect.ts'
import { LOOPBACK } from '../support/addresses.ts'
import { HOSTILE } from '../support/hostile-addresses.ts'
import { fixture, problemOf, type Asked } from '../support/http-fixture.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const SIGNED = { WEBHOOK_SECRET: `alice:${SECRET}` }
const TOOL = { name: 'book_room', url: 'https://example.com/tools' }
const OBJECT = { type: 'object' }

async function create(
  tools: unknown,
  env: Record<string, unknown> = SIGNED,
): Promise<{ response: Response; asked: Asked[] }> {
  const { post, asked } = fixture({ env })
  return { response: await post('/tasks', { goal: 'x', tools }), asked }
}
/** The 422 of a create that reached no service. */
async function errorsOf(tools: unknown, env: Record<string, unknown> = SIGNED) {
  const { response, asked } = await create(tools, env)
  expect([response.status, asked]).toEqual([422, []])
  return (await problemOf(response))['errors']
}
async function kept(tools: unknown, env?: Record<string, unknown>) {
  const { response, asked } = await create(tools, env)
  expect(response.status).toBe(201)
  // What a task is made of is the second argument.
  return Brief.pick({ tools: true }).parse(asked[0]?.args[1]).tools
}
const many = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ ...TOOL, name: `t${index}`, ...more }))

describe('Tools: what is taken', () => {
  it('a name and a url are enough: it has no parameters and is not idempotent (D4)', async () => {
    expect(await kept([TOOL])).toEqual([{ ...TOOL, description: '', parameters: null, idempotent: false }])
  })

  it('all of it, as it was sent', async () => {
    const parameters = { type: 'object', properties: { room: { type: 'string', pattern: '^[A-Z]' } }, 'x-order': 1 }
    const whole = { ...TOOL, description: 'Books a room.', parameters, idempotent: true }
    expect(await kept([whole])).toEqual([whole])
  })

  it.each([[[]], [undefined]])('none: %o', async (tools) => expect(await kept(tools, {})).toEqual([]))

  it('U24 at most 32 tools and 32 KB', async () => {
    expect(await kept(many(32))).toHaveLength(32)
    const long = (chars: number) => [{ ...TOOL, description: '字'.repeat(chars) }]
    expect(await kept(long(10_800))).toHaveLength(1)
    expect(await errorsOf(many(33))).toEqual([{ pointer: '/tools', message: 'tools must be at most 32' }])
    const bytes = [{ pointer: '/tools', message: 'tools must have at most 32768 bytes in all' }]
    expect(await errorsOf(long(10_900))).toEqual(bytes)
    expect(await errorsOf(many(32, { description: 'x'.repeat(1_000) }))).toEqual(bytes)
  })

  it('F50 a body full of tools is refused without a long look at them', async () => {
    expect(await errorsOf(many(18_000))).toEqual([{ pointer: '/tools', message: 'tools must be at most 32' }])
  })
})

describe('Tools: what is refused', () => {
  const NAME = 'must be 1 to 64 of A-Z a-z 0-9 _ -'
  const KINDS = 'must have name and url of a signed tool, or one of http, mcp, openapi'
  const PARTS = 'must refer to parts of itself only, such as "#/$defs/place"'
  const at = (pointer: string, message: string) => ({ pointer, message })
  it.each<[string, unknown, { pointer: string; message: string }]>([
    ['no list', {}, at('/tools', 'tools must be a list')],
    ['null', null, at('/tools', 'tools must be a list')],
    ['no tool', [7], at('/tools/0', `tools.0 ${KINDS}`)],
    ['no name', [{ url: TOOL.url }], at('/tools/0/name', 'tools.0.name is required')],
    ['an empty name', [{ ...TOOL, name: '' }], at('/tools/0/name', `tools.0.name ${NAME}`)],
    ['a name of 65', [{ ...TOOL, name: 'x'.repeat(65) }], at('/tools/0/name', `tools.0.name ${NAME}`)],
    ['a name with a dot', [{ ...TOOL, name: 'a.b' }], at('/tools/0/name', `tools.0.name ${NAME}`)],
    ['a name that ends its line', [{ ...TOOL, name: 'a\n' }], at('/tools/0/name', `tools.0.name ${NAME}`)],
    [
      'the name of asking',
      [{ ...TOOL, name: 'Ask_User' }],
      at('/tools/0/name', 'tools.0.name must not be ask_user, by which a model asks the user'),
    ],
    [
      'a name twice',
      [TOOL, { ...TOOL, name: 'b' }, TOOL],
      at('/tools/2/name', 'tools.2.name must differ from those of the other tools'),
    ],
    [
      'a name that differs by case',
      [TOOL, { ...TOOL, name: 'Book_Room' }],
      at('/tools/1/name', 'tools.1.name must differ from those of the other tools'),
    ],
    ['a name alone', [{ name: 'a' }], at('/tools/0', `tools.0 ${KINDS}`)],
    ['no url', [{ name: 'a', description: 'b' }], at('/tools/0/url', 'tools.0.url is required')],
    [
      'a url that is no text',
      [{ name: 'a', url: 7 }],
      at('/tools/0/url', 'tools.0.url must be a text of 0 to 2000 characters'),
    ],
    [
      'another member',
      [{ ...TOOL, method: 'GET' }],
      at('/tools/0/method', 'unknown field "method"; did you mean "http.method"?'),
    ],
    [
      'a description that is no text',
      [{ ...TOOL, description: 7 }],
      at('/tools/0/description', 'tools.0.description must be a text'),
    ],
    [
      'idempotent as a text',
      [{ ...TOOL, idempotent: 'yes' }],
      at('/tools/0/idempotent', 'tools.0.idempotent must be true or false'),
    ],
    [
      'parameters that are a text',
      [{ ...TOOL, parameters: '{}' }],
      at('/tools/0/parameters', 'tools.0.parameters must be an object'),
    ],
    [
      'parameters that are a list',
      [{ ...TOOL, parameters: [] }],
      at('/tools/0/parameters', 'tools.0.parameters must be an object'),
    ],
    [
      'parameters of no object',
      [{ ...TOOL, parameters: {} }],
      at('/tools/0/parameters', 'tools.0.parameters must have the type "object"'),
    ],
    [
      'parameters elsewhere',
      [{ ...TOOL, parameters: { ...OBJECT, properties: { a: { $ref: 'https://example.com/a' } } } }],
      at('/tools/0/parameters', `tools.0.parameters ${PARTS}`),
    ],
    [
      'parameters that are none',
      [{ ...TOOL, parameters: { ...OBJECT, required: 7 } }],
      at(
        '/tools/0/parameters',
        'tools.0.parameters must be a JSON Schema: required Invalid input: expected array, received number',
      ),
    ],
  ])('%s', async (_what, tools, error) => {
    expect(await errorsOf(tools)).toEqual([error])
  })

  it('a prototype', async () => {
    const { send } = fixture({ env: SIGNED })
    const body = '{"goal":"x","tools":[{"name":"a","url":"https://example.com","parameters":{"__proto__":{}}}]}'
    const response = await send('POST', '/tasks', body, { 'content-type': 'application/json' })
    expect([response.status, (await problemOf(response))['errors']]).toEqual([
      422,
      [{ pointer: '/tools/0/parameters/__proto__', message: 'unknown field "__proto__"' }],
    ])
  })
})

describe('Tools: where they may be', () => {
  it.each(HOSTILE)('F65 %j is refused', async (url) => {
    expect(await errorsOf([TOOL, { name: 'b', url }])).toEqual([
      { pointer: '/tools/1/url', message: expect.stringMatching(/^tools\.1\.url must /) },
    ])
  })

  it.each(LOOPBACK)('%s is taken in development only', async (url) => {
    expect(await kept([{ ...TOOL, url }], { ...SIGNED, ENVIRONMENT: 'development' })).toHaveLength(1)
    expect(await errorsOf([{ ...TOOL, url }])).toMatchObject([{ pointer: '/tools/0/url' }])
  })

  it('a tenant without a secret to sign with may have none', async () => {
    const message = expect.stringMatching(/^tools\.0\.url needs a secret to sign with, .* WEBHOOK_SECRET$/)
    expect(await errorsOf([TOOL], {})).toEqual([{ pointer: '/tools/0/url', message }])
  })

  it('what is wrong with a callback is told beside it', async () => {
    const { post } = fixture({ env: SIGNED })
    const response = await post('/tasks', {
      goal: 'x',
      callback_url: 'http://x',
      tools: [{ ...TOOL, url: 'http://y' }],
    })
    expect((await problemOf(response))['errors']).toMatchObject([
      { pointer: '/callback_url' },
      { pointer: '/tools/0/url' },
    ])
  })

  it('they belong to tasks only', async () => {
    const { post } = fixture({ env: SIGNED })
    const response = await post('/commands', { command: '/todo list', tools: [TOOL] })
    expect(await problemOf(response)).toMatchObject({
      status: 422,
      errors: [{ pointer: '/tools', message: 'unknown field "tools"; known: command, task_id' }],
    })
  })
})

describe('U50 what a source calls destructive is approved by a person in production', () => {
  const MCP = { mcp: 'https://tools.example.com/mcp' }
  const OPENAPI = { openapi: 'https://api.example.com/openapi.json' }
  const DESTRUCTIVE = { tools: ['hint:destructive'] }

  async function approveOf(body: object, env: Record<string, unknown> = {}): Promise<unknown> {
    const { post, asked } = fixture({ env: { ...SIGNED, ...env } })
    expect((await post('/tasks', { goal: 'x', ...body })).status).toBe(201)
    return z.object({ settings: z.looseObject({ approve: z.unknown() }) }).parse(asked[0]?.args[1]).settings.approve
  }

  it.each([
    ['an MCP server', [MCP]],
    ['an OpenAPI document', [OPENAPI]],
    ['both beside a signed tool', [TOOL, MCP, OPENAPI]],
  ])('U50 of a task with the tools of %s', async (_, tools) => {
    expect(await approveOf({ tools })).toEqual(DESTRUCTIVE)
    expect(await approveOf({ tools, settings: { max_steps: 5 } })).toEqual(DESTRUCTIVE)
  })

  it('U50 not of a task that has no source', async () => {
    for (const tools of [undefined, [], [TOOL], [{ http: { url: 'https://api.example.com/x' } }]])
      expect(await approveOf({ tools })).toBe('none')
  })

  it.each(['none', 'plan', 'actions', { tools: ['tickets.*'] }])(
    'U50 not where the task itself says what is approved: %j',
    async (approve) => {
      expect(await approveOf({ tools: [MCP], settings: { approve } })).toEqual(approve)
    },
  )

  it.each(['none', 'actions'])('U50 not where the configuration says what is approved: %s', async (approve) => {
    expect(await approveOf({ tools: [MCP] }, { APPROVE: approve })).toBe(approve)
  })

  it('U50 not in development', async () => {
    expect(await approveOf({ tools: [MCP] }, { ENVIRONMENT: 'development' })).toBe('none')
  })
})
