/** When a request is sent again, and after how long. */
import type { Clock } from './clock.ts'
import type { LoopAgentError } from './errors.ts'

const BASE_MS = 500
const BACKOFF_MS_MAX = 30_000

/** No whole answer came. */
const UNANSWERED_CODES = new Set<string>(['network_error', 'timeout'])
/** Refusals that go away by themselves, by their code. */
const PASSING_CODES = new Set<string>(['task_busy', 'request_in_progress'])
const PASSING_STATUSES = new Set([429, 502, 503, 504])
/** Refusals with such a status that only a person can end. */
const LASTING_CODES = new Set<string>(['quota_exceeded', 'not_configured'])

/** Whether the same request may succeed later. */
export function isPassing({ status, code }: Pick<LoopAgentError, 'status' | 'code'>): boolean {
  if (UNANSWERED_CODES.has(code) || PASSING_CODES.has(code)) return true
  return PASSING_STATUSES.has(status) && !LASTING_CODES.has(code)
}

/** Whether the request may have been done although it failed here. */
export function mayBeDone({ status, code }: Pick<LoopAgentError, 'status' | 'code'>): boolean {
  return UNANSWERED_CODES.has(code) || status === 502 || status === 504
}

/** The wait before the repetition with this number, from 1 on: it doubles each time, and half of it is drawn. */
export function backoffMs(repetition: number, clock: Pick<Clock, 'random'>): number {
  const full = Math.min(BASE_MS * 2 ** (repetition - 1), BACKOFF_MS_MAX)
  return Math.round(full * (0.5 + clock.random() / 2))
}

/** `Retry-After` in milliseconds, from seconds or from an HTTP date; null: there is none that can be read. */
export function retryAfterMs(value: string | null, clock: Pick<Clock, 'now'>): number | null {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  // Dates begin with the name of a day. Date.parse would read numbers and other notes as dates too.
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - clock.now())
}
