/** Access tokens for an MCP server by OAuth client credentials: how they are found, kept, renewed, and what is told where there are none. */
import { describe, expect, it, vi } from 'vitest'
import { benchWith, toolNamed } from '../support/mcp-call.ts'
import { SERVER_URL, standIn } from '../support/mcp-stand-in.ts'

const AUTH = { kind: 'client_credentials' as const, client_id: 'loop', client_secret: 'secret:tickets', scope: null }
const ISSUER = 'https://login.example.com'
const METADATA = 'https://tools.example.com/.well-known/oauth-protected-resource/mcp'

interface World {
  fetch: typeof globalThis.fetch
  /** The requests for a token: what stands in the header and in the form. */
  grants: { url: string; authorization: string | null; form: Record<string, string> }[]
  asked: string[]
  /** The tokens that the server takes. */
  good: Set<string>
}
interface Options {
  token_endpoint?: string
  methods?: string[]
  expires_in?: number
  /** How the server refuses a good token. */
  refusal?: () => Response | null
  grant?: () => Response
}

/** A server behind an authorization server. Each grant is a new token. */
function world({
  token_endpoint = `${ISSUER}/token`,
  methods,
  expires_in = 3_600,
  refusal,
  grant,
}: Options = {}): World {
  const server = standIn(2026, { act: () => ({ content: [{ type: 'text', text: 'acted' }] }) })
  const made: World = { fetch: () => Promise.reject(new Error('not set')), grants: [], asked: [], good: new Set() }
  const documents: Record<string, object> = {
    [METADATA]: { resource: SERVER_URL, authorization_servers: [ISSUER], scopes_supported: ['tickets:read'] },
    [`${ISSUER}/.well-known/oauth-authorization-server`]: {
      issuer: ISSUER,
      token_endpoint,
      authorization_endpoint: `${ISSUER}/authorize`,
      response_types_supported: ['code'],
      grant_types_supported: ['client_credentials'],
      ...(methods === undefined ? {} : { token_endpoint_auth_methods_supported: methods }),
    },
  }
  made.fetch = (input, init = {}) => {
    const url = String(input)
    made.asked.push(url)
    const headers = new Headers(init.headers)
    if (url === SERVER_URL) {
      const token = (headers.get('authorization') ?? '').replace('Bearer ', '')
      const unauthorized = { 'www-authenticate': `Bearer resource_metadata="${METADATA}"` }
      if (!made.good.has(token)) return Promise.resolve(new Response(null, { status: 401, headers: unauthorized }))
      return Promise.resolve(refusal?.() ?? server.fetch(input, init))
    }
    if (url === token_endpoint) {
      const form = Object.fromEntries(new URLSearchParams(String(init.body)))
      made.grants.push({ url, authorization: headers.get('authorization'), form })
      if (grant !== undefined) return Promise.resolve(grant())
      const token = `token-canary-${made.grants.length}`
      made.good.add(token)
      return Promise.resolve(Response.json({ access_token: token, token_type: 'Bearer', expires_in }))
    }
    const document = documents[url]
    return Promise.resolve(document === undefined ? new Response(null, { status: 404 }) : Response.json(document))
  }
  return made
}

/** The secret may go to the authorization server only. */
const reveal = (_: string, name: string, { hostname }: URL) =>
  Promise.resolve(
    hostname === 'login.example.com' && name === 'tickets'
      ? { ok: true as const, value: 'p+ss word' }
      : { ok: false as const, error: `${name} is not for ${hostname}` },
  )
const benchOf = ({ fetch }: World) => benchWith(fetch, { secrets: { reveal } })
const act = (bench: ReturnType<typeof benchOf>) => bench.call(toolNamed('act'), {}, {}, { auth: AUTH })

describe('MCP-12 client credentials', () => {
  it('the authorization server is found from the metadata of the server, and gets the secret, which goes nowhere else', async () => {
    const given = world()
    expect(await act(benchOf(given))).toEqual({ ok: true, code: 'success', text: 'acted' })
    expect(given.grants).toEqual([
      {
        url: `${ISSUER}/token`,
        authorization: `Basic ${btoa('loop:p%2Bss+word')}`,
        form: { grant_type: 'client_credentials', scope: 'tickets:read', resource: SERVER_URL },
      },
    ])
  })

  it('the secret stands in the form where the authorization server takes it only there', async () => {
    const given = world({ methods: ['client_secret_post'] })
    await act(benchOf(given))
    expect(given.grants).toMatchObject([
      { authorization: null, form: { client_id: 'loop', client_secret: 'p+ss word' } },
    ])
  })

  it('a token endpoint at a host that the secret is not for gets nothing', async () => {
    const given = world({ token_endpoint: 'https://evil.example.net/token' })
    expect(await act(benchOf(given))).toEqual({
      ok: false,
      code: 'not_called',
      text: 'not called: a secret cannot be used: tickets is not for evil.example.net',
    })
    expect(given.grants).toEqual([])
  })

  it('a token endpoint at an address that may not be asked is not asked', async () => {
    const given = world({ token_endpoint: 'https://10.0.0.1/token' })
    const auth = { ...AUTH, client_secret: 'literal' }
    expect(await benchOf(given).call(toolNamed('act'), {}, {}, { auth })).toMatchObject({
      code: 'not_called',
      text: expect.stringContaining('must not name an IP address'),
    })
    expect(given.asked).not.toContain('https://10.0.0.1/token')
  })

  it('a token is kept for the next effects, and asked for again shortly before it expires', async () => {
    const given = world({ expires_in: 31 })
    let now_ms = 1_000_000
    const bench = benchWith(given.fetch, { secrets: { reveal }, now_ms: () => now_ms })
    await act(bench)
    await act(bench)
    expect(given.grants).toHaveLength(1)
    now_ms += 1_001
    await act(bench)
    expect(given.grants).toHaveLength(2)
  })

  it('a token that the server refuses is renewed once', async () => {
    const given = world()
    const bench = benchOf(given)
    await act(bench)
    given.good.clear()
    expect(await act(bench)).toMatchObject({ ok: true })
    expect(given.grants).toHaveLength(2)
  })

  it('a server that refuses every token is told in words', async () => {
    const given = world({ refusal: () => new Response(null, { status: 401 }) })
    expect(await act(benchOf(given))).toMatchObject({
      code: 'not_called',
      text: 'not called: the server refuses the service (HTTP 401)',
    })
    expect(given.grants.length).toBeLessThanOrEqual(2)
  })

  it('too little scope is asked for once, and then told', async () => {
    const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="tickets:write"' }
    const given = world({ refusal: () => new Response(null, { status: 403, headers }) })
    expect(await act(benchOf(given))).toMatchObject({
      code: 'not_called',
      text: expect.stringContaining('the access token has too little scope'),
    })
    expect(given.grants.at(-1)?.form['scope'] ?? '').toContain('tickets')
    expect(given.grants.length).toBeLessThanOrEqual(3)
  })

  it('a refusal of the authorization server is told in its words, without the secret', async () => {
    const log = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const words = { error: 'invalid_client', error_description: 'p+ss word is not the secret' }
    const given = world({ grant: () => Response.json(words, { status: 400 }) })
    const result = await act(benchOf(given))
    expect(result).toMatchObject({ code: 'not_called', text: expect.stringContaining('no access token was obtained') })
    expect(JSON.stringify([result, log.mock.calls])).not.toContain('p+ss word')
  })

  it('an answer of the authorization server that is no error of OAuth is not quoted', async () => {
    const given = world({ grant: () => new Response('<html>canary</html>', { status: 502 }) })
    const result = await act(benchOf(given))
    expect(result).toMatchObject({
      code: 'not_called',
      text: expect.stringContaining('answered with no error of OAuth (HTTP 502)'),
    })
    expect(JSON.stringify(result)).not.toContain('canary')
  })
})

it('a server without OAuth that refuses the service is told in words', async () => {
  const bench = benchWith(() => Promise.resolve(new Response(null, { status: 401 })))
  expect(await bench.list()).toEqual({
    kind: 'tools_unlisted',
    reason: 'the server refuses the service (HTTP 401)',
    passing: false,
    retry_after_ms: null,
  })
})
