/**
 * A scripted HTTP server on 127.0.0.1 that misbehaves in every way an endpoint can: any status, headers and bytes, a
 * body cut anywhere, silence before or after the headers. It records what reached it, so that requests can be counted.
 * Plain Node only.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Without a length and without chunks: the body ends where the connection does, so that a cut looks like an end. */
  unframed?: true
  /**
   * Where the reply goes wrong: `before_headers` and `after_headers` hang there, `after_body` hangs after sending
   * `body` without an end; `reset` closes the connection before any answer, `cut` after `body`.
   */
  fault?: 'before_headers' | 'after_headers' | 'after_body' | 'reset' | 'cut'
}

export interface Received {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface FaultServer {
  /** `http://127.0.0.1:<port>` */
  origin: string
  received: Received[]
  /** The next replies, in order; a request after the end of the script gets 599. */
  script(...replies: Reply[]): void
  /** Clears the received requests and the rest of the script. */
  reset(): void
  close(): Promise<void>
}

export async function startFaultServer(): Promise<FaultServer> {
  const received: Received[] = []
  let replies: Reply[] = []
  const server = createServer((request, response) => {
    const told = readAll(request).then((body) => {
      received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
      answer(response, replies.shift() ?? { status: 599, body: 'the script is dry' })
    })
    // A request that broke off needs no answer.
    told.catch(() => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    script: (...next) => replies.push(...next),
    reset: () => {
      received.length = 0
      replies = []
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of request) text += decoder.decode(chunk, { stream: true })
  return text
}

function answer(response: ServerResponse, { status = 200, headers = {}, body = '', unframed, fault }: Reply): void {
  if (fault === 'before_headers') return
  if (fault === 'reset') {
    response.socket?.destroy()
    return
  }
  if (unframed) response.useChunkedEncodingByDefault = false
  response.writeHead(status, headers)
  if (fault === undefined) {
    response.end(body)
    return
  }
  response.flushHeaders()
  if (fault === 'after_headers') return
  const cut = () => fault === 'cut' && response.socket?.destroy()
  if (body.length === 0) cut()
  else response.write(body, cut)
}
