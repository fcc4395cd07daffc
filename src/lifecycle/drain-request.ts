/**
 * How the process that started the runtime tells the Worker to drain: by a request with a secret that only the two know. A platform that ends
 * isolates by itself binds no secret, and no request drains anything there.
 */
import type { Draining } from './draining.ts'

/** scripts/lib/drain.mjs sends it. */
const DRAIN_HEADER = 'x-loop-agent-drain'

const LOOK_EVERY_MS = 20

export async function isDrainRequest(request: Request, secret: string | undefined): Promise<boolean> {
  const given = request.headers.get(DRAIN_HEADER)
  if (given === null || secret === undefined) return false
  const [one, other] = await Promise.all([digestOf(given), digestOf(secret)])
  return crypto.subtle.timingSafeEqual(one, other)
}

const digestOf = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))

/**
 * The first request starts to drain and is answered at once, because what it wakes in other requests runs after it. The answer to the second
 * request also starts at once, and ends when no work is left.
 */
export function drainResponse(
  draining: Draining,
  sleep: (ms: number) => Promise<void>,
  /** What is left to do when no work is left. */
  finish: () => Promise<void> = async () => {},
): Response {
  if (!draining.hasBegun()) {
    draining.begin()
    return new Response(null, { status: 204 })
  }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('draining\n')),
    async pull(controller) {
      while (!draining.isIdle()) await sleep(LOOK_EVERY_MS)
      await finish()
      controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/plain' } })
}
