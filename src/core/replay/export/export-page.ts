/**
 * What leaves a task for traces and for the usage of its tenant: its closed rows in pages, and how far each consumer has come. The job
 * `export` reads it. A consumer takes a row twice as once, because a job may die before its cursor is stored.
 */
import * as z from 'zod'
import type { Journal } from '../../protocol/journal.ts'
import { statusOf } from '../../protocol/view/current-status.ts'
import type { Head } from '../../terms/head.ts'
import { RUNNING_STATUSES } from '../../terms/status.ts'
import type { Brief, StoredEffect } from '../../terms/effect.ts'
import type { TokenKinds } from '../../terms/values/usage.ts'
import type { ReportedEvent } from './reported-event.ts'

/**
 * How far the spans of a task were sent to a receiver. `seq` is the last row that was sent, and `run` the first row of the run of work whose
 * own span is not sent yet; 0: there is none. After a failed try the next one is at `due`, in ms since the epoch.
 */
export const TraceCursor = z.object({
  seq: z.int().min(0),
  run: z.int().min(0),
  attempts: z.int().min(0),
  due: z.number().min(0),
})
export type TraceCursor = z.infer<typeof TraceCursor>
const NEW_CURSOR: TraceCursor = { seq: 0, run: 0, attempts: 0, due: 0 }

/** Who gets spans: the receiver of the service, and that of the tenant. */
export const RECEIVERS = ['service', 'tenant'] as const
export type ReceiverName = (typeof RECEIVERS)[number]

/** How far each consumer has come. `usage` is the last row that is in the usage of the tenant. */
export type ExportState = { usage: number } & Record<ReceiverName, TraceCursor>
export const NOTHING_EXPORTED: ExportState = { usage: 0, service: NEW_CURSOR, tenant: NEW_CURSOR }

/** What a closed row says of the budget, without the state of its mode. */
export interface LedgerRow {
  seq: number
  kind: string
  /** When the row began and when it was closed, in ms since the epoch. */
  at: number
  closed_at: number
  /** null: the row has no effect. */
  attempt: number | null
  /** The output cap of a model call. */
  output_cap: number | null
  /** What the task has used up to this row. */
  used: UsedBudget
  /** Its maxima after this row; null: there is none. */
  max: BudgetMaxima
  /** How the task has ended, or why it is paused. */
  end: { status: string; reason: string } | null
  paused: string | null
}
/** Money is in micro-dollars, time in ms. */
export interface UsedBudget {
  steps: number
  tokens: number
  kinds: TokenKinds
  cost: number
  ms: number
}
interface BudgetMaxima {
  steps: number | null
  tokens: number | null
  cost: number | null
  ms: number | null
}

export interface ExportRow extends LedgerRow {
  /** null: the row has none, or it cannot be read. */
  effect: StoredEffect | null
  /** null: it cannot be read. */
  event: ReportedEvent | null
  /** The command that the task waited for before this row and does not after it, although no report came and its time is not over. */
  withdrawn: { delegation: number; dispatched_at: number } | null
}

/** What a page says of its task. */
export interface ExportedTask {
  id: string
  tenant: string
  /** Tells the task from an earlier one with the same id. */
  incarnation: string
  mode: string
  drive: Brief['drive']
  settings: Pick<Brief['settings'], 'model' | 'models'>
  agent: NonNullable<Brief['agent']> | null
  key_name: string | null
  /** Of the request that made the task. */
  traceparent: string | null
  /** The task whose first rows this one has copied, and its last copied row. */
  forked: { task: string; at: number } | null
}

export interface ExportPage {
  /** null: its first row cannot be read, so nothing is told of the task. */
  task: ExportedTask | null
  state: ExportState
  /** The row that was asked for as the last known one, if there is one, and the closed rows behind it. */
  rows: ExportRow[]
  /** The first rows of the runs of work that `state` names, with what the task had used before them. */
  runs: { row: LedgerRow; before: UsedBudget }[]
  /** More closed rows follow. */
  has_more: boolean
  /** An effect is under way. */
  is_under_way: boolean
  /** The clock of the object. */
  now_ms: number
}

/** What a job stores when it is done. What is absent stays. */
export type ExportProgress = Partial<ExportState>

/** A run of work ends when nothing was begun for so long after a row. The times are those of the rows, so every export finds the same runs. */
export const RUN_GAP_MS = 3_000

/**
 * In what time there is something to export: 0 for now. null: nothing is owed, or an effect is under way and its end will tell. `is_patient`:
 * rows wait for the end of their run of work, if it is near. So both make one export.
 */
export function owedIn(
  state: ExportState,
  last: { seq: number; head: Pick<Head, 'updated_at'> },
  { now_ms, is_under_way, is_patient }: { now_ms: number; is_under_way: boolean; is_patient: boolean },
): number | null {
  const end = is_under_way ? 0 : Math.max(0, last.head.updated_at + RUN_GAP_MS + 1 - now_ms)
  const rows = is_patient ? end : 0
  if (state.usage < last.seq) return rows
  const waits = RECEIVERS.flatMap((name) => {
    const { seq, run, due } = state[name]
    if (seq < last.seq) return Math.max(rows, due - now_ms)
    if (run === 0 || is_under_way) return []
    return Math.max(end, due - now_ms)
  })
  return waits.length === 0 ? null : Math.min(...waits)
}

/** Whether a try to send spans has failed and is not made up for. */
export const hasFailed = (state: ExportState): boolean => RECEIVERS.some((name) => state[name].attempts > 0)

/** Whether a consumer has come on since. */
export const isAhead = (now: ExportState, before: ExportState): boolean =>
  now.usage > before.usage || RECEIVERS.some((name) => now[name].seq > before[name].seq)

/** The timer of an export may be lost with its process. So the alarm of a task that rests asks for it as well. */
const SAFETY_MS = 60_000

/** When the alarm has to ask for an export, in ms since the epoch. null: nothing is owed, or the task goes on and its next change will tell. */
export function exportDueAt(
  state: ExportState,
  { seq, head }: { seq: number; head: Head },
  { recall, pending }: Pick<Journal, 'recall' | 'pending'>,
): number | null {
  const rests = !RUNNING_STATUSES.has(statusOf(head, pending() !== null, recall))
  const safety = rests ? [head.updated_at + SAFETY_MS] : []
  const times = RECEIVERS.flatMap((name) => {
    const cursor = state[name]
    if (cursor.seq >= seq && cursor.run === 0) return []
    return cursor.attempts > 0 ? [cursor.due] : safety
  })
  if (state.usage < seq) times.push(...safety)
  return times.length === 0 ? null : Math.min(...times)
}
