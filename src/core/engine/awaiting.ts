/** What a task waits for besides an answer: the report of a worker, until when (S2-18), or a file of its client (U36). */
import type { Event, Fact, Recall } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import type { FileRequest } from '../mode/file-request.ts'
import { briefOf } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'

/** The row of the command whose report a task waits for. null: it waits for none. */
export function awaitedRow({ mode, state, end }: Pick<Head, 'mode' | 'state' | 'end'>): number | null {
  return end === null ? (modeOf(mode).awaitedCommandRow?.(state) ?? null) : null
}

type RunningHead = Pick<Head, 'mode' | 'state' | 'end'>

/** The file that a task was found to lack. It may have other calls to make before it waits for the file. null: it lacks none. */
export const missingFile = ({ mode, state, end }: RunningHead, { recall }: { recall: Recall }): FileRequest | null =>
  end === null ? (modeOf(mode).fileRequest?.(state, { recall }) ?? null) : null

/** The file that a task waits for, even if the task is paused. null: it waits for none. */
export function openFileRequest(head: RunningHead, { recall }: { recall: Recall }): FileRequest | null {
  const request = missingFile(head, { recall })
  if (request === null) return null
  const next = modeOf(head.mode).next(head.state, recall)
  return next.kind === 'wait' && next.for === 'file' ? request : null
}

/**
 * The deadline of the report of the command in `row`, in ms since the epoch, with what a claim of its worker has added. For a fork it counts
 * from its creation, before which no report could arrive.
 */
export function reportDeadline(
  row: number,
  dispatched_at: number,
  { created_at, report_extended }: Pick<Head, 'created_at' | 'report_extended'>,
  recall: Recall,
): number {
  const deadline = Math.max(dispatched_at, created_at) + briefOf(recall).settings.report_timeout_s * 1000
  return report_extended?.row === row ? Math.max(deadline, report_extended.until) : deadline
}

/** When a command was dispatched. A repeated dispatch keeps the first time. */
export function dispatchedAt({ effect, at }: Pick<Fact, 'effect' | 'at'>): number {
  return effect?.kind === 'run_tool' ? (effect.begun_ms ?? at) : at
}

/** When the awaited report is overdue. null: the task waits for no report. */
export function reportDueAt(head: Head, recall: Recall): number | null {
  const row = awaitedRow(head)
  return row === null ? null : reportDeadline(row, dispatchedAt(recall(row)), head, recall)
}

/** Whether a remark is kept for the next evaluation, because the task waits for a report and cannot react yet. */
export const isKeptForEvaluation = (head: Head, { kind }: Event): boolean =>
  kind === 'user_remarked' && head.pause_reason === null && awaitedRow(head) !== null
