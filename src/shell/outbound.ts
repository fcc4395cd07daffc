/**
 * One outbound HTTP request that always ends: redirects are not followed, the body is read whole under a byte cap, and
 * whatever goes wrong is a value (failures 21 to 25). Models and search providers are reached through this only.
 */

export type Answer =
  | { kind: 'answered'; status: number; headers: Headers; body: Uint8Array<ArrayBuffer> }
  | { kind: 'unanswered'; reason: string }

/** The longest body read from outside; it is counted after decompression, so that a small bomb stays small (failure 22). */
export const BODY_BYTES_MAX = 1_048_576

/** Never rejects. Any status is an answer, 3xx included; an aborted `init.signal` reads as a time-out. */
export async function boundedFetch(
  fetch: typeof globalThis.fetch,
  input: RequestInfo | URL,
  init: RequestInit,
): Promise<Answer> {
  let begun = false
  try {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    begun = true
    const body = await readCapped(response.body)
    // Of an error only its status and the beginning of its body matter.
    if (body === null && response.ok) return unanswered('reply too large')
    return { kind: 'answered', status: response.status, headers: response.headers, body: body ?? new Uint8Array() }
  } catch {
    if (init.signal?.aborted) return unanswered('timed out')
    return unanswered(begun ? 'connection lost' : 'connection failed')
  }
}

export function unanswered(reason: string): Answer {
  return { kind: 'unanswered', reason }
}

/**
 * Runs `work` for at most `timeout_ms`, then aborts its signal and answers `late` at once: also when the work ignores
 * the signal, as a body that never ends can. Rejects only if the work does so in time.
 */
export async function withDeadline<T>(
  timeout_ms: number,
  late: T,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!(timeout_ms > 0)) return late
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<T>((resolve) => {
    timer = setTimeout(() => {
      resolve(late)
      controller.abort()
    }, timeout_ms)
  })
  try {
    return await Promise.race([work(controller.signal), deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** The whole body, or null when it is longer than the cap; the rest is then not read. */
async function readCapped(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return new Uint8Array(0)
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return joined(chunks, size)
    size += value.byteLength
    if (size > BODY_BYTES_MAX) {
      // Not awaited: a peer that goes on sending must not hold the call up.
      reader.cancel().catch(() => undefined)
      return null
    }
    chunks.push(value)
  }
}

function joined(chunks: Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}
