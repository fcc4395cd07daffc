/** The end of a task, and the events of a task that is paused or has ended. */
import { goalOutcome } from './outcome.ts'
import type { ModeTransition } from './apply-event-to-mode.ts'
import type { Note, Recall } from '../terms/effect.ts'
import { NO_STREAK } from '../terms/failure-streak.ts'
import type { Head } from '../terms/head.ts'
import { pauseReasonText, type PauseReason } from '../terms/pause-reason.ts'

/** How a mode or the engine ends a task. */
type Stop = NonNullable<ModeTransition['stop']>

export function endTask(head: Head, ending: Stop, row: number): { head: Head; notes: Note[] } {
  return {
    head: { ...head, end: { ...ending, row }, pause_reason: null, retry_at: null, streak: NO_STREAK },
    notes: [endNote(ending)],
  }
}

const endNote = (stop: Stop): Note =>
  stop.status === 'completed'
    ? { type: 'task_completed', payload: { stop_reason: stop.reason, outcome: null } }
    : { type: 'task_failed', payload: { stop_reason: stop.reason } }

/** Adds to the event of a completed task whether its goal was reached. */
export const withOutcome = (notes: Note[], head: Head, { recall }: { recall: Recall }): Note[] =>
  notes.map((note) =>
    note.type === 'task_completed'
      ? { ...note, payload: { ...note.payload, outcome: goalOutcome(head, recall).outcome } }
      : note,
  )

export const pausedNote = (reason: PauseReason): Note => ({
  type: 'task_paused',
  payload: { stop_reason: pauseReasonText(reason) },
})
