/** The blobs of the service, kept outside of it as in R2: a blob becomes visible when it is complete. */
import type { IncomingMessage } from 'node:http'
import type { Handler } from './shared.ts'

export interface Blobs {
  /** By key. */
  kept: Map<string, Buffer>
}

export function newBlobs(): { blobs: Blobs; serve: Handler } {
  const kept: Blobs['kept'] = new Map()
  const serve: Handler = async (request, response, url) => {
    const key = decodeURIComponent(url.pathname.slice('/blobs/'.length))
    const body = await bytesOf(request)
    const found = kept.get(key)
    if (request.method === 'GET')
      return void (found === undefined ? response.writeHead(404).end() : response.end(found))
    if (request.method === 'DELETE') kept.delete(key)
    else kept.set(key, body)
    response.writeHead(204).end()
  }
  return { blobs: { kept }, serve }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of request) if (part instanceof Uint8Array) parts.push(part)
  return Buffer.concat(parts)
}
