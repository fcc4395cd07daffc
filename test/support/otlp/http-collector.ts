/** The strict collector over HTTP, on a free port of the loopback address. A test says how it answers. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { strictCollector, type Collector } from './strict-collector.ts'

/** A request whose body has arrived. */
export interface Arrival {
  path: string
  headers: IncomingHttpHeaders
  body: Uint8Array
  at_ms: number
}

export interface HttpCollector extends Pick<Collector, 'spans' | 'problems'> {
  /** `http://127.0.0.1:<port>` */
  url: string
  readonly arrivals: number
  requests: Arrival[]
  /** Answers a request after its spans were taken. The default is 200. */
  answering: { with: (arrival: Arrival, response: ServerResponse) => unknown }
  close(): Promise<void>
}

export async function httpCollector(): Promise<HttpCollector> {
  const collector = strictCollector()
  const requests: Arrival[] = []
  const answering: HttpCollector['answering'] = { with: (_, response) => response.end() }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      const body = new Uint8Array(Buffer.concat(parts))
      const arrival = { path: request.url ?? '', headers: request.headers, body, at_ms: Date.now() }
      requests.push(arrival)
      collector.take(body, request.headers['content-type'] ?? null)
      answering.with(arrival, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the collector has no port')
  return {
    spans: collector.spans,
    problems: collector.problems,
    get arrivals() {
      return collector.arrivals
    },
    requests,
    answering,
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
