/** `Prefer: wait=N` (RFC 7240): a request to a busy task waits for its lease instead of being refused. */
import type { ProblemCode } from '../shapes/http-refusal.ts'
import type { Ports, Reply } from '../endpoint.ts'

export const WAIT_S_MAX = 30
/** The pause between two attempts. It is short at first, because most slices are short. */
const PAUSE_MS_MIN = 100
const PAUSE_MS_MAX = 500

/** The rest of a longer header is ignored. Without a limit, an unclosed quote would be read again from each comma. */
const HEADER_CHARS_MAX = 1_000

/** One preference: a token, an optional word (bare or in quotes), and parameters, which are ignored. */
const PREFERENCE =
  /(?:^|,)\s*([!#$%&'*+.^_`|~\w-]+)(?:\s*=(?:\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]+)))?)?(?:\s*;[^,"]*(?:"(?:[^"\\]|\\.)*"[^,"]*)*)?/g

/** Seconds to wait, at most 30; null: the header names no valid `wait`. The first `wait` counts. */
export function preferredWait(header: string | null): number | null {
  const preferences = [...(header ?? '').slice(0, HEADER_CHARS_MAX).matchAll(PREFERENCE)]
  const wait = preferences.find(([, name]) => name?.toLowerCase() === 'wait')
  const seconds = wait?.[2] ?? wait?.[3] ?? ''
  return /^\d{1,15}$/.test(seconds) ? Math.min(Number(seconds), WAIT_S_MAX) : null
}

const BUSY: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['task_busy', 'request_in_progress'])
const isBusy = (reply: Reply) => reply.kind === 'refused' && BUSY.has(reply.refusal.code)

/** Attempts again until the task is not busy, the time is over or `isOver` says so. Gives the last reply. */
export async function retryWhileBusy(
  { now, sleep }: Pick<Ports, 'now' | 'sleep'>,
  wait_s: number,
  isOver: () => boolean,
  attempt: () => Promise<Reply>,
): Promise<Reply> {
  const until = now() + wait_s * 1000
  for (let pause = PAUSE_MS_MIN; ; pause = Math.min(2 * pause, PAUSE_MS_MAX)) {
    const reply = await attempt()
    const left = until - now()
    if (!isBusy(reply) || left <= 0 || isOver()) return reply
    await sleep(Math.min(pause, left))
  }
}
