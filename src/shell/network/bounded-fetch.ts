/**
 * One outbound HTTP request that always ends: it follows no redirect, reads the body whole under a byte cap, and returns every failure as a
 * value (F21 to F25). Models, search providers and tools of clients are called only through this.
 */
import { readWhole } from './read-whole.ts'

export type HttpAnswer =
  | {
      kind: 'answered'
      status: number
      headers: Headers
      body: Uint8Array<ArrayBuffer>
      streamed?: true
      /** Whether the answer is longer than `body`. */
      is_cut?: boolean
    }
  | { kind: 'unanswered'; reason: string }

/** The reason that is given if the network refuses the host (shell/network/networks.ts). Failures that look the same have it too. */
export const UNREACHED =
  'connection failed: the host is unknown, has no public address, or shows no accepted certificate'

/** The longest body that is read. It is counted after decompression, so that a small bomb stays small (F22). */
export const ANSWER_BYTES_MAX = 1_048_576

/** How a body is read: whole up to a length, or not at all, or by a reader that has its own bounds. The reader gives null where it has no use. */
type BodyReading = { bytes_max: number; reader?: (response: Response) => Promise<HttpAnswer> | null } | 'ignored'

/**
 * Never rejects. Any status is an answer, 3xx included. An aborted `init.signal` reads as a time-out. Where only the status matters the body
 * is `ignored`: no byte of it is read, and it cannot fail.
 */
export async function boundedFetch(
  fetch: typeof globalThis.fetch,
  input: RequestInfo | URL,
  init: RequestInit,
  read: BodyReading = { bytes_max: ANSWER_BYTES_MAX },
): Promise<HttpAnswer> {
  let has_response = false
  try {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    has_response = true
    if (read === 'ignored') {
      void response.body?.cancel().catch(() => undefined)
      return { kind: 'answered', status: response.status, headers: response.headers, body: new Uint8Array() }
    }
    const answer = read.reader?.(response) ?? null
    if (answer !== null) return await answer
    const body = await readWhole(response, read.bytes_max)
    // For an error only its status and the start of its body matter.
    if (body === null && response.ok) return noAnswer('reply too large')
    return { kind: 'answered', status: response.status, headers: response.headers, body: body ?? new Uint8Array() }
  } catch (error) {
    if (init.signal?.aborted) return noAnswer('timed out')
    if (error instanceof Error && error.message === UNREACHED) return noAnswer(UNREACHED)
    return noAnswer(has_response ? 'connection lost' : 'connection failed')
  }
}

export function noAnswer(reason: string): HttpAnswer {
  return { kind: 'unanswered', reason }
}

/**
 * Runs `work` for at most `timeout_ms`, then aborts its signal and answers `late` at once, even where the work ignores the signal. Rejects
 * only if the work rejects in time. `stop` ends the work before its time in the same way, and the answer is then `stopped`.
 */
export async function withDeadline<T>(
  timeout_ms: number,
  late: T,
  work: (signal: AbortSignal) => Promise<T>,
  stop?: { signal: AbortSignal; stopped: T },
): Promise<T> {
  if (!(timeout_ms > 0)) return late
  if (stop?.signal.aborted === true) return stop.stopped
  const controller = new AbortController()
  let end: (answer: T) => void = () => {}
  const ended = new Promise<T>((resolve) => {
    end = (answer) => {
      resolve(answer)
      controller.abort()
    }
  })
  const timer = setTimeout(() => end(late), timeout_ms)
  const onStop = () => stop && end(stop.stopped)
  stop?.signal.addEventListener('abort', onStop)
  try {
    return await Promise.race([work(controller.signal), ended])
  } finally {
    clearTimeout(timer)
    stop?.signal.removeEventListener('abort', onStop)
  }
}
