/** The end of a task, and the events of a task that is paused or has ended. */
import type { ModeTransition } from './apply-event-to-mode.ts'
import type { Note } from '../terms/effect.ts'
import { NO_STREAK } from '../terms/failure-streak.ts'
import type { Head } from '../terms/head.ts'
import { pauseReasonText, type PauseReason } from '../terms/pause-reason.ts'

/** How a mode or the engine ends a task. */
type Stop = NonNullable<ModeTransition['stop']>

export function endTask(head: Head, ending: Stop, row: number): { head: Head; notes: Note[] } {
  return {
    head: { ...head, end: { ...ending, row }, closing: null, pause_reason: null, retry_at: null, streak: NO_STREAK },
    notes: [endNote(ending)],
  }
}

const endNote = (stop: Stop): Note =>
  stop.status === 'completed'
    ? { type: 'task_completed', payload: { stop_reason: stop.reason, outcome: null } }
    : { type: 'task_failed', payload: { stop_reason: stop.reason } }

export const pausedNote = (reason: PauseReason): Note => ({
  type: 'task_paused',
  payload: { stop_reason: pauseReasonText(reason) },
})
