/** Bounds against idling: the failure streak and repeated questions. */
import * as z from 'zod'

/** Failures in a row, model and contract failures in one count; any valid decision resets it (U9). */
export const Streak = z.object({ count: z.int().min(0) })
export type Streak = z.infer<typeof Streak>
export type Failure = { kind: 'model' | 'contract'; reason: string }

export const NO_STREAK: Streak = { count: 0 }

/** First pause after a failed model call that names none; doubles with each further one. */
const BACKOFF_FIRST_MS = 1_000
const BACKOFF_MAX_MS = 60_000

/** Ms to wait before the next attempt: what the endpoint asked for, but never nothing, else a growing default. */
export function backoffMs(streak: Streak, asked_ms: number | null): number {
  if (asked_ms !== null) return Math.max(asked_ms, BACKOFF_FIRST_MS)
  return Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(16, streak.count - 1))
}

const bare = (text: string) => text.toLowerCase().replace(/[\p{P}\p{S}\p{Z}\s]/gu, '')

/** O0-12: the same text apart from case, spaces and punctuation, or one contains the other. */
export function sameQuestion(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)]
  if (a === '' || b === '') return a === b
  return a.includes(b) || b.includes(a)
}
