/** A server of tools on a port of this machine, whose answers a function gives. It can leave a request without an answer. Plain Node only. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StandIn } from './mcp-stand-in.ts'

export interface ToolRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}
export interface ToolServer {
  /** `http://127.0.0.1:<port>` */
  origin: string
  received: ToolRequest[]
  close(): Promise<void>
}
/** null: the request gets no answer. */
type Answer = Response | null

export const jsonAnswer = (value: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } })

export async function startToolServer(answer: (request: ToolRequest) => Answer | Promise<Answer>): Promise<ToolServer> {
  const received: ToolRequest[] = []
  const server = createServer((incoming, outgoing) => {
    const answered = requestOf(incoming).then(async (request) => {
      received.push(request)
      const response = await answer(request)
      if (response !== null) await send(response, outgoing)
    })
    // A request or an answer that broke off needs no more.
    answered.catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function requestOf(incoming: IncomingMessage): Promise<ToolRequest> {
  const decoder = new TextDecoder()
  let body = ''
  for await (const chunk of incoming) body += decoder.decode(chunk, { stream: true })
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: Object.fromEntries(headers), body }
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.flushHeaders()
  const reader = response.body?.getReader()
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    if (outgoing.destroyed) return void (await reader?.cancel())
    outgoing.write(read.value)
  }
  outgoing.end()
}

/** What a server of MCP in memory answers to the request. */
export const answerOf = (server: Pick<StandIn, 'fetch'>, { method, path, headers, body }: ToolRequest) =>
  server.fetch(`http://stand-in${path}`, { method, headers, ...(method === 'POST' ? { body } : {}) })

/** The method that a request to a server of MCP names. null: it names none. */
export function mcpMethod({ body }: ToolRequest): string | null {
  const message: unknown = body.startsWith('{') ? JSON.parse(body) : null
  return typeof message === 'object' && message !== null && 'method' in message ? String(message.method) : null
}
