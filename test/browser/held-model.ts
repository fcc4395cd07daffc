/** A model on 127.0.0.1 that plans at once and thinks only when it is let. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HeldModel {
  base_url: string
  /** Resolves when a thought is waited for. */
  asked: Promise<void>
  /** Answers the thought that waits. */
  release(): void
  close(): Promise<void>
}

export async function startHeldModel(plan: object, thought: object): Promise<HeldModel> {
  const asked = Promise.withResolvers<void>()
  let waiting: ServerResponse | null = null
  const server = createServer((request, response) => {
    request.resume()
    const isPlan = String(request.headers['cf-aig-metadata']).includes('"plan"')
    if (isPlan) return answer(response, plan)
    waiting = response
    asked.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    base_url: `http://127.0.0.1:${port}/v1`,
    asked: asked.promise,
    release() {
      if (waiting !== null) answer(waiting, thought)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(response: ServerResponse, reply: object): void {
  const message = { role: 'assistant', refusal: null, content: JSON.stringify(reply) }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'held-1',
      choices: [{ index: 0, finish_reason: 'stop', message }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }),
  )
}
