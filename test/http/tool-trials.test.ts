/** POST /tools/preview and POST /tools/call: what they take, what they refuse, and what they answer. */
import { describe, expect, it } from 'vitest'
import { ok } from '../../src/core/terms/refusal.ts'
import { callerOf, fixture, problemOf } from '../support/http-fixture.ts'

const OWN = { http: { url: 'https://api.example.com/orders/{id}', name: 'get_order' } }
const SERVER = { mcp: 'https://tools.example.com/mcp', name: 'shop' }
const TEXT = { accept: 'text/plain' }
const ROUTES = [
  ['/tools/preview', {}],
  ['/tools/call', { name: 'get_order' }],
] as const

async function refused(path: string, body: object, env: Record<string, unknown> = {}) {
  const { post, asked } = fixture({ env, answers: { unknownSecrets: async () => ok([{ name: 'nope', hint: '' }]) } })
  const response = await post(path, body)
  expect([response.status, asked]).toEqual([422, []])
  return (await problemOf(response))['errors']
}

describe.each(ROUTES)('POST %s', (path, rest) => {
  it('TT-01 hands on the tools and the sources of its entries, in the language of the request', async () => {
    const { post, asked } = fixture()
    const response = await post(path, { tools: [OWN, SERVER], ...rest }, { 'accept-language': 'zh-CN' })
    expect(response.status).toBe(200)
    expect(asked[0]?.args[0]).toEqual(callerOf('alice'))
    expect(asked[0]?.args[1]).toMatchObject({
      tools: [{ name: 'get_order', call: { kind: 'http', method: 'GET' } }],
      sources: [{ kind: 'mcp', name: 'shop' }],
      locale: 'zh',
    })
    await post(path, { tools: [], locale: 'en', ...rest }, { 'accept-language': 'zh-CN' })
    expect(asked[1]?.args[1]).toMatchObject({ tools: [], sources: [], locale: 'en' })
  })

  it('TT-07 checks entries, addresses and secrets as POST /tasks does', async () => {
    expect(await refused(path, { tools: [{ ...SERVER, tokn: 'x' }], ...rest })).toMatchObject([
      { pointer: '/tools/0/tokn', message: expect.stringMatching(/^unknown field "tokn"/) },
    ])
    expect(await refused(path, { tools: [{ mcp: 'http://127.0.0.1/mcp' }], ...rest })).toMatchObject([
      { pointer: '/tools/0/mcp', message: expect.stringMatching(/^tools\.0\.mcp must /) },
    ])
    expect(await refused(path, { tools: [{ name: 'a', url: 'https://a.example.com' }], ...rest })).toMatchObject([
      { pointer: '/tools/0/url', message: expect.stringContaining('needs a secret to sign with') },
    ])
    const secret = { http: { ...OWN.http, headers: { authorization: 'Bearer secret:nope' } } }
    expect(await refused(path, { tools: [secret], ...rest })).toMatchObject([
      { pointer: '/tools/0/http/headers/authorization', message: expect.stringContaining('"nope"') },
    ])
    expect(await refused(path, rest)).toEqual([{ pointer: '/tools', message: 'tools is required' }])
  })

  it('TT-07 a document that is a file is refused, because only a task has files', async () => {
    const message =
      'tools.1.openapi must be the address of the document: its file belongs to a task, and there is none here'
    expect(await refused(path, { tools: [OWN, { openapi: { file: 'api.json' } }], ...rest })).toEqual([
      { pointer: '/tools/1/openapi', message },
    ])
  })

  it('TT-01 counts against the rate limit as every request does', async () => {
    const { post } = fixture({ env: { RATE_LIMIT_PER_MINUTE: '1' } })
    expect((await post(path, { tools: [OWN], ...rest })).status).toBe(200)
    expect((await post(path, { tools: [OWN], ...rest })).status).toBe(429)
  })
})

describe('POST /tools/call', () => {
  const call = (body: object = {}) => ({ tools: [OWN], name: 'get_order', ...body })

  it('TT-02 hands on the name and the arguments, {} where there are none', async () => {
    const { post, asked } = fixture()
    await post('/tools/call', call({ arguments: { id: 7 } }))
    await post('/tools/call', call())
    expect(asked.map(({ args }) => args[1])).toMatchObject([
      { name: 'get_order', input: '{"id":7}' },
      { name: 'get_order', input: '{}' },
    ])
  })

  it.each([
    ['no name', { name: undefined }, '/name', 'name is required'],
    ['a blank name', { name: ' ' }, '/name', 'name must be a text of 1 to 256 characters'],
    ['arguments as a text', { arguments: '{}' }, '/arguments', 'arguments must be an object'],
    ['arguments as a list', { arguments: [] }, '/arguments', 'arguments must be an object'],
  ])('TT-07 %s is refused by field', async (_what, body, pointer, message) => {
    expect(await refused('/tools/call', call(body))).toEqual([{ pointer, message }])
  })

  it('TT-02 an unknown name is 422 with the names there are and the nearest one', async () => {
    const tryTool = async () => ok({ unknown: ['get_order', 'shop.act'] })
    const response = await fixture({ answers: { tryTool } }).post('/tools/call', call({ name: 'get_ordr' }))
    const message =
      'name must be one of the tools, not "get_ordr"; there are get_order, shop.act; did you mean "get_order"?'
    expect(await problemOf(response)).toMatchObject({ status: 422, errors: [{ pointer: '/name', message }] })
    const none = async () => ok({ unknown: [] })
    const empty = await fixture({ answers: { tryTool: none } }).post('/tools/call', call({ tools: [] }))
    expect((await problemOf(empty))['errors']).toEqual([
      { pointer: '/name', message: 'name must be one of the tools, not "get_order"; these tools have none' },
    ])
  })

  it('TT-05 says that an answer was given before', async () => {
    const trial = { ok: false, code: 'http_error', text: 'HTTP 404' }
    const { post } = fixture({ answers: { tryTool: async () => ok({ trial, replayed: true }) } })
    const response = await post('/tools/call', call(), { 'idempotency-key': 'k' })
    expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(await response.json()).toEqual(trial)
  })

  it.each([
    [{ ok: false, code: 'http_error', text: 'HTTP 404' }, 'failed  http_error\nHTTP 404\n'],
    [{ held: { kind: 'asked', question: { text: 'Which?', schema: null } } }, 'held  asked\nWhich?\n'],
    [{ held: { kind: 'outside', message: null } }, 'held  outside\n\n'],
  ] as const)('TT-04 as plain text: %j', async (trial, text) => {
    const { post } = fixture({ answers: { tryTool: async () => ok({ trial, replayed: false }) } })
    expect(await (await post('/tools/call', call(), TEXT)).text()).toBe(text)
  })
})
