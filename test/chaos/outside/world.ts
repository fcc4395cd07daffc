/**
 * The world outside the runtime, on 127.0.0.1: an OpenAI-compatible model, a search, tools of the clients and the receiver of their
 * callbacks, all scripted. It outlives every kill, so what it writes down is the truth about what really happened on the wire.
 */
import { createServer } from 'node:http'
import { newBlobs, type Blobs } from './blobs.ts'
import { newModel, type Model } from './model.ts'
import { newMoments, type Moments } from './moments.ts'
import { newReceiver, type Receiver } from './receiver.ts'
import type { Handler, Shared } from './shared.ts'
import { newTools, type Tools } from './tools.ts'

export interface World {
  /** `http://127.0.0.1:<port>` */
  origin: string
  model: Model
  tools: Tools
  receiver: Receiver
  blobs: Blobs
  moments: Moments
  /** No more faults and delays. */
  calm(): void
  close(): Promise<void>
}

export async function startWorld(given: Pick<Shared, 'seed' | 'tally' | 'secrets' | 'isDriven'>): Promise<World> {
  const shared: Shared = { ...given, moments: newMoments(), quiet: false, open: new Set() }
  const [model, tools, receiver] = [newModel(shared), newTools(shared), newReceiver(shared)]
  const blobs = newBlobs()
  const routes: [string, Handler][] = [
    ['/v1/', model.serve],
    ['/search', tools.search],
    ['/tools/', tools.ring],
    ['/hooks/', receiver.serve],
    ['/blobs/', blobs.serve],
  ]
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://world')
    const serve = routes.find(([path]) => url.pathname.startsWith(path))?.[1]
    if (serve === undefined) return void response.writeHead(404).end()
    // The caller was killed while it sent or read.
    serve(request, response, url).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the scripted world has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    model: model.model,
    tools: tools.tools,
    receiver: receiver.receiver,
    blobs: blobs.blobs,
    moments: shared.moments,
    calm: () => void (shared.quiet = true),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
