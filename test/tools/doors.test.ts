/**
 * Every door by which an address reaches the tools, against the table of hostile addresses: what a model, a client, a document or a server
 * names is asked only where the one rule of addresses allows it. Each network here answers in memory.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { localCompute } from '../../src/compute/local.ts'
import type { McpSource, OpenApiSource } from '../../src/core/terms/tools/client-tools.ts'
import { forgetRobots } from '../../src/tools/fetch-url/robots.ts'
import { fetchUrl } from '../../src/tools/fetch-url/tool.ts'
import { toolsOver } from '../support/client-tools.ts'
import { HOSTILE, HOSTILE_LOCATIONS } from '../support/hostile-addresses.ts'
import { fixture, problemOf } from '../support/http-fixture.ts'
import { sourceAt, toolNamed } from '../support/mcp-call.ts'
import { documentWith, OK_RESPONSE, SOURCE } from '../support/openapi.ts'
import { CALL } from '../support/remote-tool.ts'

const reach = { loopback: false }
const ADDRESSES = HOSTILE.map(([address]) => address)

/** A network that answers from a table by address, and says what it was asked. Other addresses answer `other`. */
function network(table: Record<string, () => Response>, other = () => new Response('ok')) {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(String(input))
    return (table[String(input)] ?? other)()
  }
  return { asked, fetch }
}
const redirect = (location: string) => () => new Response('inside', { status: 302, headers: { location } })
const isPublic = (address: string) => /^https:\/\/(?:[a-z]+\.)?example\.com(?::8443)?\//.test(address)

describe('F65 the address that a model names to fetch_url', () => {
  const START = 'https://start.example.com/a'
  const NEXT = 'https://next.example.com/b'
  const ROBOTS = ['https://start.example.com/robots.txt', 'https://next.example.com/robots.txt']
  const missing = () => new Response(null, { status: 404 })
  const robots = Object.fromEntries(ROBOTS.map((address) => [address, missing]))
  const read = (fetch: typeof globalThis.fetch, url: string) =>
    fetchUrl({
      fetch,
      reach,
      hosts_of: async () => null,
      pages: localCompute.pages,
      render: null,
      now_ms: () => 0,
      user_agent: 'x',
    }).run(JSON.stringify({ url }), CALL)
  afterEach(forgetRobots)

  it.each(ADDRESSES)('%j leads to a public place or to none, also for robots.txt', async (address) => {
    const { asked, fetch } = network({}, missing)
    const { code } = await read(fetch, address)
    expect(asked.filter((url) => !isPublic(url))).toEqual([])
    // What is left of such a text without its fragment, its blanks or its missing scheme may be an address of the web.
    expect(asked.length > 0 ? 'http_error' : code).toMatch(/^(?:http_error|address_refused|usage_error)$/)
  })

  it.each(HOSTILE_LOCATIONS)('is not left for %j by a redirect', async (location) => {
    const { asked, fetch } = network({ ...robots, [START]: redirect(location) })
    expect(await read(fetch, START)).toMatchObject({ ok: false, code: 'redirect_refused' })
    expect(asked).toEqual([ROBOTS[0], START])
  })

  it.each(HOSTILE_LOCATIONS)('is not left for %j by a second redirect', async (location) => {
    const { asked, fetch } = network({ ...robots, [START]: redirect(NEXT), [NEXT]: redirect(location) })
    const result = await read(fetch, START)
    expect(result).toMatchObject({ ok: false, code: 'redirect_refused' })
    expect(asked).toEqual([ROBOTS[0], START, NEXT])
    expect(result.text).not.toContain('inside')
  })

  it.each(HOSTILE_LOCATIONS)('is read although its robots.txt leads to %j, which is not asked', async (location) => {
    const [robotsOfStart = ''] = ROBOTS
    const page = () => new Response('<p>Hello', { headers: { 'content-type': 'text/html' } })
    const { asked, fetch } = network({ [robotsOfStart]: redirect(location), [START]: page })
    expect(await read(fetch, START)).toMatchObject({ ok: true, text: expect.stringContaining('Hello') })
    expect(asked).toEqual([robotsOfStart, START])
  })
})

describe('F65 the address of a source', () => {
  it.each(ADDRESSES)(
    '%j is refused when the task is created, in each place where an entry has one',
    async (address) => {
      const places: [place: string, entry: object][] = [
        ['mcp', { mcp: address }],
        ['openapi', { openapi: address }],
        ['openapi.url', { openapi: { url: address } }],
        ['server', { openapi: { file: 'api.json' }, server: address }],
      ]
      for (const [place, entry] of places) {
        const { post, asked } = fixture()
        const response = await post('/tasks', { goal: 'x', tools: [entry] })
        expect([response.status, asked]).toEqual([422, []])
        expect((await problemOf(response))['errors']).toEqual([
          {
            pointer: `/tools/0/${place.replaceAll('.', '/')}`,
            message: expect.stringMatching(new RegExp(`^tools\\.0\\.${place.replaceAll('.', '\\.')} must `)),
          },
        ])
      }
    },
  )
})

let tenants = 0
/** Servers are remembered by tenant. */
const call = () => ({ ...CALL, tenant: `tenant-${(tenants += 1)}` })

describe('F65 MCP-07 the address of an MCP server', () => {
  const URL = 'https://tools.example.com/mcp'
  const listAt = (fetch: typeof globalThis.fetch, more: Partial<McpSource>) =>
    toolsOver(fetch).list({ source: sourceAt(URL, more), position: 0 }, call())
  const callAt = (fetch: typeof globalThis.fetch, more: Partial<McpSource>) =>
    toolsOver(fetch).run(toolNamed('act'), [sourceAt(URL, more)], '{}', call())

  it.each(ADDRESSES)('%j is not asked for its list, whatever was allowed when the task was created', async (url) => {
    const { asked, fetch } = network({})
    expect(await listAt(fetch, { url })).toMatchObject({ kind: 'tools_unlisted', passing: false })
    expect(asked).toEqual([])
  })

  it.each(ADDRESSES)('%j is not called', async (url) => {
    const { asked, fetch } = network({})
    expect(await callAt(fetch, { url })).toMatchObject({ ok: false, code: 'not_called' })
    expect(asked).toEqual([])
  })

  it.each(HOSTILE_LOCATIONS)('is not left for %j, by a list or by a call', async (location) => {
    const { asked, fetch } = network({ [URL]: redirect(location) })
    expect(await listAt(fetch, {})).toMatchObject({ kind: 'tools_unlisted', passing: false })
    expect(await callAt(fetch, {})).toMatchObject({ ok: false })
    expect(new Set(asked)).toEqual(new Set([URL]))
  })

  it.each(ADDRESSES)('%j is not asked for tokens, whether the server or its metadata names it', async (address) => {
    const auth = { kind: 'client_credentials' as const, client_id: 'a', client_secret: 'b', scope: null }
    const named = `Bearer resource_metadata="${encodeURI(address.toWellFormed())}"`
    const denied = () => new Response(null, { status: 401, headers: { 'www-authenticate': named } })
    const metadata = () => Response.json({ resource: URL, authorization_servers: [address] })
    const documents = { 'https://tools.example.com/.well-known/oauth-protected-resource/mcp': metadata }
    for (const table of [{ [URL]: denied }, { [URL]: () => new Response(null, { status: 401 }), ...documents }]) {
      const { asked, fetch } = network(table, () => new Response(null, { status: 404 }))
      expect(await listAt(fetch, { auth })).toMatchObject({ kind: 'tools_unlisted' })
      expect(asked.filter((url) => !isPublic(url))).toEqual([])
    }
  })
})

describe('F65 the address of an OpenAPI document', () => {
  const DOCUMENT = 'https://docs.example.com/openapi.json'
  const MOVED = 'https://moved.example.com/openapi.json'
  const listAt = (fetch: typeof globalThis.fetch, more: Partial<OpenApiSource> = {}) =>
    toolsOver(fetch).list({ source: { ...SOURCE, document: { url: DOCUMENT }, ...more }, position: 0 }, call())
  const paths = { '/a': { get: { operationId: 'read', ...OK_RESPONSE } } }

  it.each(ADDRESSES)('%j is not asked, whatever was allowed when the task was created', async (url) => {
    const { asked, fetch } = network({})
    expect(await listAt(fetch, { document: { url } })).toMatchObject({ kind: 'tools_unlisted', passing: false })
    expect(asked).toEqual([])
  })

  it.each(HOSTILE_LOCATIONS)('is not left for %j by a redirect or by a second one', async (location) => {
    const first = network({ [DOCUMENT]: redirect(location) })
    expect(await listAt(first.fetch)).toMatchObject({ kind: 'tools_unlisted', passing: false })
    expect(first.asked).toEqual([DOCUMENT])
    const second = network({ [DOCUMENT]: redirect(MOVED), [MOVED]: redirect(location) })
    expect(await listAt(second.fetch)).toMatchObject({ kind: 'tools_unlisted', passing: false })
    expect(second.asked).toEqual([DOCUMENT, MOVED])
  })

  it.each(ADDRESSES)('%j as a server of the document or of the source makes no tool that leads there', async (url) => {
    const answering = (document: object) => network({ [DOCUMENT]: () => Response.json(document) })
    const its_own = answering(documentWith(paths, { servers: [{ url }] }))
    const given = answering(documentWith(paths))
    const lists = [await listAt(its_own.fetch), await listAt(given.fetch, { server: url })]
    for (const list of lists)
      for (const tool of list.kind === 'tools_listed' ? list.tools : []) expect(tool.url).toSatisfy(isPublic)
    expect([its_own.asked, given.asked]).toEqual([[DOCUMENT], [DOCUMENT]])
  })

  it('makes tools of a public server, also where a redirect led to the document', async () => {
    const document = () => Response.json(documentWith(paths))
    const { asked, fetch } = network({ [DOCUMENT]: redirect(MOVED), [MOVED]: document })
    expect(await listAt(fetch)).toMatchObject({
      kind: 'tools_listed',
      tools: [{ url: 'https://api.example.com/v1/a' }],
    })
    expect(asked).toEqual([DOCUMENT, MOVED])
  })
})
