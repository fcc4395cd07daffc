/** An issuer that listens on this machine: its documents, its keys, which may be changed, and a way to be away. */
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { claims, type Jwk } from './stand-in.ts'

export interface IssuerServer {
  url: string
  publish(...keys: Jwk[]): void
  /** The paths that were asked for, in order. */
  asked: string[]
  /** What a right token says now. */
  say: typeof claims
  leave(): Promise<void>
  /** Listens again, on the same port. */
  comeBack(): Promise<void>
}

export type IssuerRoute = (body: string, answer: ServerResponse, query: URLSearchParams) => void

/** `routes` answers further paths, such as those of a sign-in. */
export async function issuerServer(routes: Record<string, IssuerRoute> = {}): Promise<IssuerServer> {
  let keys: Jwk[] = []
  const asked: string[] = []
  const json = (answer: ServerResponse, value: unknown) =>
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  const listen = async (port: number): Promise<Server> => {
    const server = createServer(async (request, answer) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', url)
      asked.push(pathname)
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer) // no encoding is set
      const route = routes[pathname]
      if (route !== undefined) return route(Buffer.concat(parts).toString(), answer, searchParams)
      if (pathname === '/.well-known/openid-configuration')
        return json(answer, {
          issuer: url,
          jwks_uri: `${url}/keys`,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
        })
      if (pathname === '/keys') return json(answer, { keys })
      return answer.writeHead(404).end()
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  let url = ''
  let server = await listen(0)
  // A server on a port of TCP has an address of this kind.
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
  const now_s = () => Math.floor(Date.now() / 1000)
  return {
    url,
    asked,
    publish: (...published) => void (keys = published),
    say: (more) => claims({ iss: url, iat: now_s(), exp: now_s() + 600, ...more }),
    async leave() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    async comeBack() {
      server = await listen(port)
    },
  }
}
