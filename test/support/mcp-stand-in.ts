/**
 * An MCP server in memory, of the revision of 2026-07-28 or of 2025-11-25. It is strict: what the revision says of headers, ids, sessions
 * and their order is checked, and each breach is kept in `breaches`.
 */
export interface Message {
  jsonrpc?: string
  id?: string | number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}
export interface Exchange {
  /** Asks the client, and waits for its answer. Servers of 2025 only. */
  ask: (method: string, params: object) => Promise<Message>
  notify: (method: string, params?: object) => void
  /** The headers of the request, in lower case. */
  headers: Record<string, string>
}
type Handler = (params: Record<string, unknown>, exchange: Exchange) => unknown
export interface StandIn {
  fetch: typeof globalThis.fetch
  /** What the client has sent, in order. */
  received: Message[]
  requests: { method: string; url: string; headers: Record<string, string> }[]
  breaches: string[]
  /** The sessions that have not been ended. */
  sessions: Set<string>
}

export const SERVER_URL = 'https://tools.example.com/mcp'
const MODERN = '2026-07-28'
const OLDER = '2025-11-25'

/** An error of JSON-RPC, thrown by a handler. */
export const rpcError = (code: number, message: string, data?: unknown) =>
  Object.assign(new Error(message), { rpc: { code, message, ...(data === undefined ? {} : { data }) } })

const json = (message: object, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(message), { status, headers: { 'content-type': 'application/json', ...headers } })

/** `capabilities` are those of the server. Handlers are by method, those of tools/call by the name of the tool. */
export function standIn(
  revision: 2026 | 2025,
  handlers: Record<string, Handler>,
  capabilities: object = { tools: { listChanged: true } },
): StandIn {
  const server: StandIn = {
    fetch: () => Promise.reject(new Error('not set')),
    received: [],
    requests: [],
    breaches: [],
    sessions: new Set(),
  }
  const ids = new Map<string, Set<string | number>>()
  const asked = new Map<string | number, (answer: Message) => void>()
  let sessions = 0
  const breach = (text: string) => {
    server.breaches.push(text)
    return json({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: text } }, 400)
  }

  function run(message: Message, exchange: Exchange): unknown {
    const { method = '', params = {} } = message
    const name = method === 'tools/call' ? String(params['name']) : method
    const handler = handlers[name] ?? handlers[method]
    if (handler === undefined) throw rpcError(-32_601, `no such method: ${method}`)
    return handler(params, exchange)
  }

  async function answerOf(message: Message, exchange: Exchange): Promise<object> {
    const base = { jsonrpc: '2.0', id: message.id }
    try {
      const result = (await run(message, exchange)) as object
      return { ...base, result: revision === 2026 ? { resultType: 'complete', ...result } : result }
    } catch (error) {
      return { ...base, error: (error as { rpc?: object }).rpc ?? { code: -32_603, message: String(error) } }
    }
  }

  /** The answer with what the server says before it, as a stream of events. */
  function streamed(message: Message, headers: Record<string, string>): Response {
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        const write = (one: object) =>
          controller.enqueue(encoder.encode(`event: message\ndata: ${JSON.stringify(one)}\n\n`))
        const exchange: Exchange = {
          headers,
          notify: (method, params = {}) => write({ jsonrpc: '2.0', method, params }),
          ask: (method, params) =>
            new Promise((resolve) => {
              const id = `ask-${asked.size}`
              asked.set(id, resolve)
              write({ jsonrpc: '2.0', id, method, params })
            }),
        }
        const answer = await answerOf(message, exchange)
        try {
          write(answer)
          controller.close()
        } catch {
          // The client has gone.
        }
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  function checkCommon(headers: Record<string, string>): string | null {
    const accept = headers['accept'] ?? ''
    if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return 'accept'
    return headers['content-type'] === 'application/json' ? null : 'content-type'
  }

  function modern(message: Message, headers: Record<string, string>): Response | Promise<Response> {
    const { method = '', params = {}, id } = message
    if (id === undefined) return breach(`a notification over HTTP: ${method}`)
    const meta = (params['_meta'] ?? {}) as Record<string, unknown>
    if (meta['io.modelcontextprotocol/protocolVersion'] !== MODERN) return breach('no envelope')
    if (meta['io.modelcontextprotocol/clientCapabilities'] === undefined) return breach('no capabilities')
    if (headers['mcp-protocol-version'] !== MODERN) return breach('mcp-protocol-version')
    if (headers['mcp-method'] !== method) return breach('mcp-method')
    const named = method === 'tools/call' ? params['name'] : method.startsWith('tasks/') ? params['taskId'] : undefined
    if (named !== undefined && headers['mcp-name'] !== named) return breach(`mcp-name of ${method}`)
    if (headers['mcp-session-id'] !== undefined) return breach('a session')
    if (method === 'server/discover')
      return json({
        jsonrpc: '2.0',
        id,
        result: {
          resultType: 'complete',
          supportedVersions: [MODERN],
          capabilities,
          serverInfo: { name: 'stand-in', version: '1' },
          ttlMs: 0,
          cacheScope: 'private',
        },
      })
    return streamed(message, headers)
  }

  function older(message: Message, headers: Record<string, string>): Response | Promise<Response> {
    const { method, id } = message
    const session = headers['mcp-session-id']
    if (method === 'initialize') {
      if (session !== undefined) return breach('initialize in a session')
      const key = `session-${(sessions += 1)}`
      server.sessions.add(key)
      ids.set(key, new Set())
      const result = { protocolVersion: OLDER, capabilities, serverInfo: { name: 'stand-in', version: '1' } }
      return json({ jsonrpc: '2.0', id, result }, 200, { 'mcp-session-id': key })
    }
    // The question whether a server knows the newer revision comes without a session.
    if (session === undefined && method === 'server/discover')
      return json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'no session' } }, 400)
    if (session === undefined || !server.sessions.has(session)) return breach(`no session for ${method ?? 'an answer'}`)
    if (headers['mcp-protocol-version'] !== OLDER) return breach('mcp-protocol-version')
    if (method === undefined) {
      const waiting = id === undefined ? undefined : asked.get(id)
      if (waiting === undefined) return breach('an answer to nothing')
      waiting(message)
      return new Response(null, { status: 202 })
    }
    if (id === undefined) return new Response(null, { status: 202 })
    const used = ids.get(session)
    if (used?.has(id) === true) return breach('an id that was used')
    used?.add(id)
    return streamed(message, headers)
  }

  server.fetch = async (input, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers).entries())
    const method = init.method ?? 'GET'
    server.requests.push({ method, url: String(input), headers })
    if (method === 'GET') return new Response(null, { status: 405 })
    if (method === 'DELETE') {
      server.sessions.delete(headers['mcp-session-id'] ?? '')
      return new Response(null, { status: 200 })
    }
    const message = JSON.parse(String(init.body)) as Message
    server.received.push(message)
    const error = checkCommon(headers)
    if (error !== null) return breach(error)
    return revision === 2026 ? modern(message, headers) : older(message, headers)
  }
  return server
}

/** The messages of one method. */
export const sentTo = (server: StandIn, method: string): Record<string, unknown>[] =>
  server.received.filter((message) => message.method === method).map(({ params = {} }) => params)
