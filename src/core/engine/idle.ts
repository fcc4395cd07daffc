/** Whether a task is idle, because it asks, waits for a report, is paused or has ended, and what its mode tells observers then. */
import { openApproval } from './approval.ts'
import { awaitedRow } from './awaiting.ts'
import { asksPerson, worksOutside } from './tools/held-calls.ts'
import type { Next, Note, Recall } from '../terms/effect.ts'
import { stopReasonOf, type Head } from '../terms/head.ts'
import type { IdleCause } from '../mode/mode.ts'
import { modeOf, type AnyMode } from '../modes/index.ts'

/** What a task waits for after a row. */
export interface WaitState {
  /** It waits for an answer or a file of the user. */
  asks: boolean
  /** It does nothing until a request arrives, a report arrives or a time comes. */
  idle: boolean
}

export function waitingOf(head: Head, mode: AnyMode, recall: Recall): WaitState {
  const asks = asksUser(head, mode, recall)
  const isStopped = head.pause_reason !== null || awaitedRow(head) !== null || worksOutside(head)
  return { asks, idle: head.end !== null || asks || (isStopped && !isSideTurn(head)) }
}

/** Whether a task waits for an answer or a file of the user. A paused task does not wait for one. */
const asksUser = (head: Head, mode: AnyMode, recall: Recall): boolean =>
  head.end === null &&
  head.pause_reason === null &&
  (openApproval(head) !== null || asksPerson(head) || waitsForClient(mode.next(head.state, recall)))

/** Whether a person or a client has to give something: an answer or a file. */
const waitsForClient = (next: Next) => next.kind === 'wait' && next.for !== 'report'

/** Whether the head asks for the same approval as the head before, or both for none. */
export const asksSameApproval = (before: Head, after: Head): boolean =>
  openApproval(before)?.row === openApproval(after)?.row

/** Whether the next effect is a side turn. It answers a text to a paused task and costs no unit of the mode's counter (U14). */
export const isSideTurn = ({ mode, state }: Pick<Head, 'mode' | 'state'>): boolean =>
  modeOf(mode).side_phase === state.phase

/** The notes of the mode about a task that was going on, and was ended or paused by row `seq`. */
export function idleTransitionNotes(
  before: Head,
  { id: task, end, pause_reason, state }: Head,
  mode: AnyMode,
  failure: string | null,
  { seq: row, recall }: { seq: number; recall: Recall },
): Note[] {
  const wasGoingOn = before.end === null && before.pause_reason === null
  if (!wasGoingOn) return []
  const reason = stopReasonOf({ end, pause_reason })
  if (reason === null) return []
  const cause: IdleCause = { task, row, kind: end?.status ?? 'paused', reason, pause_reason, failure }
  return mode.idleNotes?.(state, cause, recall) ?? []
}
