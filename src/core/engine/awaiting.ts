/** A task that waits for the report of a worker: since when, and until when (S2-18). */
import type { Event, Fact, Recall } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import { briefOf } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'

/** The row of the command; null: it waits for none. */
export function awaitedRow({ mode, state, end }: Pick<Head, 'mode' | 'state' | 'end'>): number | null {
  return end === null ? (modeOf(mode).awaited?.(state) ?? null) : null
}

/** Until when a report is taken that was asked for at a time, ms since the epoch. Nobody could send one to a fork before it was made. */
export function deadlineAfter(dispatched: number, { created_at }: Pick<Head, 'created_at'>, recall: Recall): number {
  return Math.max(dispatched, created_at) + briefOf(recall).settings.report_timeout_s * 1000
}

/** When a command was handed out: the same however often that had to be begun again. */
export function dispatchedAt({ effect, at }: Pick<Fact, 'effect' | 'at'>): number {
  return effect?.kind === 'run_tool' ? (effect.begun_ms ?? at) : at
}

/** When the report that is waited for is overdue; null: none is. */
export function reportDue(head: Head, recall: Recall): number | null {
  const row = awaitedRow(head)
  return row === null ? null : deadlineAfter(dispatchedAt(recall(row)), head, recall)
}

/** What is said meanwhile is kept for the next evaluation: nothing comes of it yet. */
export const isKept = (head: Head, { kind }: Event): boolean =>
  kind === 'user_remarked' && head.pause_reason === null && awaitedRow(head) !== null
