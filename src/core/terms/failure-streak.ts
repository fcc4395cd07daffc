/** Bounds that stop a task which makes no progress: failures in a row, and repeated questions. */
import * as z from 'zod'

/** The count of failures in a row, of model and contract together. Any valid decision resets it (U9). */
export const Streak = z.object({
  count: z.int().min(0),
  /** At how many failures in a row the task stops, if attempts were added to the limit of its mode. null: none were. */
  max: z.int().min(1).nullable(),
})
export type Streak = z.infer<typeof Streak>
export type Failure = { kind: 'model' | 'contract'; reason: string }

export const NO_STREAK: Streak = { count: 0, max: null }

/** The stop reason of a task that ended because replies of its model broke their contract too often in a row. */
export const CONTRACT_FAILURES = 'contract_failures'

/** The streak of a task that goes on after this end. The last failure counts, so that the next request shows what was wrong with it. */
export const streakAfterEnd = (attempts: number): Streak => ({ count: 1, max: 1 + attempts })

/** The streak of a task that has been granted more attempts while it goes on. */
export const raiseStreak = ({ count, max }: Streak, limit: number, attempts: number): Streak => ({
  count,
  max: (max ?? limit) + attempts,
})

/** The first delay after a failed model call, if the endpoint names none. It doubles with each further failure. */
const BACKOFF_FIRST_MS = 1_000
const BACKOFF_MAX_MS = 60_000

/** Milliseconds until the next attempt: what the endpoint asked for, at least the first delay, or else a growing delay. */
export function backoffMs(streak: Pick<Streak, 'count'>, asked_ms: number | null): number {
  if (asked_ms !== null) return Math.max(asked_ms, BACKOFF_FIRST_MS)
  return Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(16, streak.count - 1))
}

const normalize = (text: string) => text.toLowerCase().replace(/[\p{P}\p{S}\p{Z}\s]/gu, '')

/**
 * Whether a question was asked before (O0-12). `asked`: the earlier questions, oldest first. The latest one may also contain the
 * question, or be contained in it. An older one has to be equal, because a short question may return about another thing.
 */
export function wasAsked(asked: readonly string[], question: string): boolean {
  const latest = asked.at(-1)
  if (latest === undefined) return false
  const wanted = normalize(question)
  return isSameQuestion(latest, question) || asked.some((one) => normalize(one) === wanted)
}

/** Whether two texts are equal without case, spaces and punctuation, or one contains the other (O0-12). */
export function isSameQuestion(one: string, other: string): boolean {
  const [a, b] = [normalize(one), normalize(other)]
  if (a === '' || b === '') return a === b
  return a.includes(b) || b.includes(a)
}
