/** The wait of a task for the report of a worker: for which command, and until when (S2-18). */
import type { Event, Fact, Recall } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import { briefOf } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'

/** The row of the command whose report a task waits for. null: it waits for none. */
export function awaitedRow({ mode, state, end }: Pick<Head, 'mode' | 'state' | 'end'>): number | null {
  return end === null ? (modeOf(mode).awaitedCommandRow?.(state) ?? null) : null
}

/** The deadline of a report, in ms since the epoch. For a fork it counts from its creation, before which no report could arrive. */
export function deadlineAfter(dispatched: number, { created_at }: Pick<Head, 'created_at'>, recall: Recall): number {
  return Math.max(dispatched, created_at) + briefOf(recall).settings.report_timeout_s * 1000
}

/** When a command was dispatched. A repeated dispatch keeps the first time. */
export function dispatchedAt({ effect, at }: Pick<Fact, 'effect' | 'at'>): number {
  return effect?.kind === 'run_tool' ? (effect.begun_ms ?? at) : at
}

/** When the awaited report is overdue. null: the task waits for no report. */
export function reportDueAt(head: Head, recall: Recall): number | null {
  const row = awaitedRow(head)
  return row === null ? null : deadlineAfter(dispatchedAt(recall(row)), head, recall)
}

/** Whether a remark is kept for the next evaluation, because the task waits for a report and cannot react yet. */
export const isKeptForEvaluation = (head: Head, { kind }: Event): boolean =>
  kind === 'user_remarked' && head.pause_reason === null && awaitedRow(head) !== null
