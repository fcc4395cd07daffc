/** The outermost layer: refuses a request whose address cannot be read, and reads a body that no handler has read. */
import { problemResponse } from './problem-response.ts'

/** A refusal is lost if the connection closes while the body still arrives. So much is read and dropped, which is more than a file may have. */
const DRAIN_BYTES_MAX = 64 * 1024 * 1024
const DRAIN_MS_MAX = 5_000

/** Answers by `handle`. A malformed request never makes it reject. */
export async function answerWithinLimits(
  request: Request,
  random_id: () => string,
  handle: (request: Request) => Response | Promise<Response>,
  /** Gets the id and the status of a request that is refused here. */
  onRefused: (request_id: string, status: number) => void = () => {},
): Promise<Response> {
  // A broken Host header makes the address unreadable, and a crafted one could change the path.
  if (!isPlainHost(request.headers.get('host')) || !URL.canParse(request.url))
    return unreadableAddress(random_id(), onRefused)
  const response = await handle(request)
  if (request.body !== null && !request.bodyUsed) await drain(request.body)
  return response
}

const isPlainHost = (host: string | null) =>
  host === null || /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host)

async function unreadableAddress(id: string, onRefused: (id: string, status: number) => void): Promise<Response> {
  const response = await problemResponse({ code: 'invalid_url' }, '/')
  response.headers.set('x-request-id', id)
  onRefused(id, response.status)
  return response
}

async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  let bytes = 0
  const sink = new WritableStream<Uint8Array>({
    write(part) {
      bytes += part.byteLength
      if (bytes > DRAIN_BYTES_MAX) throw new Error('enough')
    },
  })
  // A body that is too long, too slow or incomplete does not stop the answer.
  await body.pipeTo(sink, { signal: AbortSignal.timeout(DRAIN_MS_MAX) }).catch(() => undefined)
}
