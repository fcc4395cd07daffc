/** The scripted model: a plain Node server on 127.0.0.1 that answers at once, by the phase and row that `cf-aig-metadata` names. */
import { createServer, type IncomingMessage } from 'node:http'
import * as z from 'zod'
import { KINDS, replyOf, type Kind } from './task.ts'

export interface BenchModel {
  port: number
  /** What OPENAI_BASE_URL has to be. */
  base_url: string
  /** Calls so far, and the bytes of their bodies. */
  count: { calls: number; bytes: number }
  /** How long it thinks before each reply, in ms. 0: it answers at once. */
  thinks_ms: number
  close(): Promise<void>
}
const Metadata = z.object({ phase: z.string(), seq: z.int() })

export async function startBenchModel(): Promise<BenchModel> {
  const count = { calls: 0, bytes: 0 }
  const known = new Map<string, string>()
  const server = createServer((request, response) => {
    let [body, bytes] = ['', 0]
    request.setEncoding('latin1')
    request.on('data', (part: string) => {
      body += part
      bytes += part.length
    })
    request.on('end', () => {
      count.calls += 1
      count.bytes += bytes
      const completion = completionFor(known, kindOf(body), request)
      const reply = () => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': completion.length })
        response.end(completion)
      }
      if (model.thinks_ms === 0) reply()
      else setTimeout(reply, model.thinks_ms)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the scripted model has no port')
  const model: BenchModel = {
    port: address.port,
    base_url: `http://127.0.0.1:${address.port}/v1`,
    count,
    thinks_ms: 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return model
}

/** Looked for, not parsed: what the model costs is taken from the machine that is measured. */
const kindOf = (body: string): Kind => KINDS.find((kind) => body.includes(`"model":"${kind}"`)) ?? 'bench'

function completionFor(known: Map<string, string>, kind: Kind, request: IncomingMessage): string {
  const { phase, seq } = Metadata.parse(JSON.parse(String(request.headers['cf-aig-metadata'])))
  const content = JSON.stringify(replyOf(kind, phase, seq))
  const completion = known.get(content) ?? completionOf(content)
  known.set(content, completion)
  return completion
}

function completionOf(content: string): string {
  const message = { role: 'assistant', content, refusal: null }
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'bench',
    choices: [{ index: 0, finish_reason: 'stop', message }],
    usage: { prompt_tokens: 1200, completion_tokens: 60, total_tokens: 1260 },
  })
}
