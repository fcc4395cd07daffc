/** Whether a task rests: it asks, it waits for a report, or it has come to rest and its mode says so. */
import { openApproval } from './approval.ts'
import type { Next, Note, Recall } from '../terms/effect.ts'
import { stopReasonOf, type Head } from '../terms/head.ts'
import type { Rest } from '../mode/mode.ts'
import type { AnyMode } from '../modes/index.ts'

/** Whether it waits for an answer: not while it is paused. */
export const asksFor = (head: Head, mode: AnyMode, recall: Recall): boolean =>
  head.end === null &&
  head.pause_reason === null &&
  (openApproval(head) !== null || waitsForAnswer(mode.next(head.state, recall)))

const waitsForAnswer = (next: Next) => next.kind === 'wait' && next.for === 'answer'

/** What a mode tells of its own where a task that went on has come to rest with row `row`. */
export function idleTransitionNotes(
  before: Head,
  { id: task, end, pause_reason, state }: Head,
  mode: AnyMode,
  failure: string | null,
  { seq: row, recall }: { seq: number; recall: Recall },
): Note[] {
  const wentOn = before.end === null && before.pause_reason === null
  if (!wentOn || (end === null && pause_reason === null)) return []
  const reason = stopReasonOf({ end, pause_reason }) ?? ''
  const rest: Rest = { task, row, kind: end?.status ?? 'paused', reason, pause_reason, failure }
  return mode.rested?.(state, rest, recall) ?? []
}

/** Whether what is asked for is what was asked for before. */
export const asksAgain = (before: Head, after: Head): boolean => openApproval(before)?.row === openApproval(after)?.row
