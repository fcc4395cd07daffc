/** The outermost layer: requests whose address cannot be read, and bodies that nobody read. */
import { problemResponse } from './problem-response.ts'

/** A refusal sent while the body still arrives is lost with the connection; this much of it is read and dropped: more than a file may have. */
const DRAIN_BYTES_MAX = 64 * 1024 * 1024
const DRAIN_MS_MAX = 5_000

/** Answers through `handle`; never rejects for what a request looks like. */
export async function answerWithinLimits(
  request: Request,
  random_id: () => string,
  handle: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  // A broken Host header gives an address no URL can be made of; a crafted one would move the path.
  if (!isPlainHost(request.headers.get('host')) || !URL.canParse(request.url)) return unreadable(random_id())
  const response = await handle(request)
  if (request.body !== null && !request.bodyUsed) await drain(request.body)
  return response
}

const isPlainHost = (host: string | null) =>
  host === null || /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host)

function unreadable(id: string): Response {
  const response = problemResponse({ code: 'invalid_url' }, '/')
  response.headers.set('x-request-id', id)
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
  // A body that is too long, too slow or broken off is left: the answer goes out all the same.
  await body.pipeTo(sink, { signal: AbortSignal.timeout(DRAIN_MS_MAX) }).catch(() => undefined)
}
