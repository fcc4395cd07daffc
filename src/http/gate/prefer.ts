/** `Prefer: wait=N` (RFC 7240): a request that meets a busy task waits for its lease instead of being refused. */
import type { ProblemCode } from '../shapes/http-refusal.ts'
import type { Ports, Reply } from '../endpoint.ts'

export const WAIT_S_MAX = 30
/** How often a busy task is asked again: soon at first, since most slices are short. */
const PAUSE_MS_MIN = 100
const PAUSE_MS_MAX = 500

/** What stands behind is not read: quotes that are never closed would be read again from each comma. */
const HEADER_CHARS_MAX = 1_000

/** One preference: a token, perhaps a word (bare or in quotes), and parameters, which mean nothing here. */
const PREFERENCE =
  /(?:^|,)\s*([!#$%&'*+.^_`|~\w-]+)(?:\s*=(?:\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]+)))?)?(?:\s*;[^,"]*(?:"(?:[^"\\]|\\.)*"[^,"]*)*)?/g

/** Seconds to wait, at most 30; null when the header asks for no waiting or cannot be read. The first `wait` counts. */
export function preferredWait(header: string | null): number | null {
  const preferences = [...(header ?? '').slice(0, HEADER_CHARS_MAX).matchAll(PREFERENCE)]
  const wait = preferences.find(([, name]) => name?.toLowerCase() === 'wait')
  const seconds = wait?.[2] ?? wait?.[3] ?? ''
  return /^\d{1,15}$/.test(seconds) ? Math.min(Number(seconds), WAIT_S_MAX) : null
}

const BUSY: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['task_busy', 'request_in_progress'])
const isBusy = (reply: Reply) => reply.kind === 'refused' && BUSY.has(reply.refusal.code)

/** Attempts until one is not met by a busy task, the time is over, or the caller has hung up; the last answer stands. */
export async function retryWhileBusy(
  { now, sleep }: Pick<Ports, 'now' | 'sleep'>,
  wait_s: number,
  gone: () => boolean,
  attempt: () => Promise<Reply>,
): Promise<Reply> {
  const until = now() + wait_s * 1000
  for (let pause = PAUSE_MS_MIN; ; pause = Math.min(2 * pause, PAUSE_MS_MAX)) {
    const reply = await attempt()
    const left = until - now()
    if (!isBusy(reply) || left <= 0 || gone()) return reply
    await sleep(Math.min(pause, left))
  }
}
