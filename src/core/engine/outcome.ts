/** The end of a task: its events, whether its goal was reached, and what of it was not (U35). */
import { ITEM_ENDINGS } from '../mode/endings.ts'
import { briefOf, type ModeView } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import type { ModeTransition } from './apply-event-to-mode.ts'
import { typedData } from './result/typed-data.ts'
import type { Note, Recall } from '../terms/effect.ts'
import { NO_STREAK } from '../terms/failure-streak.ts'
import type { Head } from '../terms/head.ts'
import type { Locale } from '../terms/locale.ts'
import { pauseReasonText, type PauseReason } from '../terms/pause-reason.ts'
import { OUTCOMES } from '../terms/plain/wire-names.ts'
import { cut } from '../terms/text.ts'
import type { Outcome } from '../terms/status.ts'
import type { Unmet } from '../terms/view.ts'

interface GoalOutcome {
  /** null: the task has not ended. */
  outcome: Outcome | null
  unmet: Unmet[]
}

const isWorse = (one: Outcome, other: Outcome): boolean => OUTCOMES.indexOf(one) > OUTCOMES.indexOf(other)

/** Characters of a goal and of a reason in the list of what was not reached. */
const SHOWN_CHARS = 500

const REASONS: Record<Locale, Record<'failed' | 'skipped' | 'open', string>> = {
  en: { failed: 'failed', skipped: 'skipped', open: 'not worked on' },
  zh: { failed: '失败', skipped: '已跳过', open: '未执行' },
}

/** The outcome of a task from its head. */
export function goalOutcome(head: Head, recall: Recall): GoalOutcome {
  const mode = modeOf(head.mode)
  const ended = head.end === null ? null : ITEM_ENDINGS[head.end.status]
  const view = mode.view(head.state, { recall, ended, thought_row: null, paused: head.pause_reason !== null })
  return goalOutcomeOfView(head, view, recall)
}

/**
 * The outcome of a task from its view. Items that failed, were skipped or are open are not met, and the mode may say that the model
 * judges the goal worse than its items.
 */
export function goalOutcomeOfView(
  { end }: Pick<Head, 'end'>,
  { plan, verdict, settled = [] }: Pick<ModeView, 'plan' | 'verdict' | 'settled'>,
  recall: Recall,
): GoalOutcome {
  if (end === null) return { outcome: null, unmet: [] }
  const { goal, locale } = briefOf(recall)
  const unmet = unmetItems(plan, settled, locale)
  const isAnyMet = settled.length > 0 || plan.finished.some(({ status }) => status === 'completed')
  const outcome = unmet.length === 0 ? 'done' : isAnyMet ? 'partial' : 'not_done'
  if (verdict === null || !isWorse(verdict.outcome, outcome)) return { outcome, unmet }
  const goal_unmet = { item: cut(goal, SHOWN_CHARS), reason: cut(verdict.reason, SHOWN_CHARS) }
  return { outcome: verdict.outcome, unmet: [...unmet, goal_unmet] }
}

function unmetItems({ items, finished }: ModeView['plan'], settled: readonly string[], locale: Locale): Unmet[] {
  const reasons = REASONS[locale]
  const ended_ids = new Set([...settled, ...finished.map(({ id }) => id)])
  const failed = finished.flatMap(({ title, status, result }) =>
    status === 'completed' ? [] : [{ item: title, reason: cut(result || reasons[status], SHOWN_CHARS) }],
  )
  const open = items.filter(({ id, status }) => status !== 'completed' && !ended_ids.has(id))
  return [
    ...failed,
    ...open.map(({ title, result }) => ({ item: title, reason: cut(result || reasons.open, SHOWN_CHARS) })),
  ]
}

/** Adds to the event of a completed task whether its goal was reached, and the data of its result. */
export function withOutcome(notes: Note[], head: Head, recall: Recall): Note[] {
  if (notes.every(({ type }) => type !== 'task_completed')) return notes
  const data = typedData(head, recall)
  const result = { outcome: goalOutcome(head, recall).outcome, ...(data === null ? {} : { data }) }
  return notes.map((note) =>
    note.type === 'task_completed' ? { ...note, payload: { ...note.payload, ...result } } : note,
  )
}

/** How a mode or the engine ends a task. */
type Stop = NonNullable<ModeTransition['stop']>

/** What nobody waits for any more once a task has ended. */
export const STOPPED = { closing: null, pause_reason: null, retry_at: null }

export function endTask(head: Head, ending: Stop, row: number): { head: Head; notes: Note[] } {
  return {
    head: { ...head, ...STOPPED, end: { ...ending, row }, streak: NO_STREAK },
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
