/** When a task has to be looked at without being asked: what the alarm of its object is set by. Ms since the epoch, null: never. */
import * as z from 'zod'
import { isSideTurn } from '../engine/idle.ts'
import { awaitedRow, reportDueAt } from '../engine/awaiting.ts'
import { isAlive, type ObjectContext } from './advance.ts'
import type { Brief } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import type { Journal, PendingRow } from './journal.ts'
import { briefOf } from '../mode/mode.ts'
import { nextDelivery, type Delivery } from './outbox.ts'
import { SLOT_KEPT_MS } from '../workspace/run-slots.ts'

/**
 * What is then done, by whoever is asked to: `tend` tells the task what time it is, so that it ends a question that nobody answered;
 * `deliver` sends to the callback; `retire` deletes what ended long ago.
 */
export const TimeJob = z.object({ kind: z.enum(['tend', 'deliver', 'retire']), tenant: z.string(), task: z.string() })
/**
 * It runs a slice of a task that the service drives, under a run slot of its tenant, or looks after one whose worker may have died.
 * `version` is that of the task when it asked, `asked_ms` when that was, by the clock of its object.
 */
export const DriveJob = z.object({
  kind: z.literal('drive'),
  tenant: z.string(),
  task: z.string(),
  version: z.int(),
  asked_ms: z.number(),
})
export const RemindJob = z.object({ kind: z.literal('remind'), tenant: z.string() })
/** A few tasks of a tenant whose entries in its index may have been left behind. */
const MendJob = z.object({ kind: z.literal('mend'), tenant: z.string(), tasks: z.array(z.string()) })
export const WakeJob = z.object({ kind: z.literal('wake'), tenant: z.string() })
/** It sweeps blobs whose writers have died. */
export const SweepJob = z.object({ kind: z.literal('sweep'), tenant: z.string() })
export const Job = z.discriminatedUnion('kind', [TimeJob, DriveJob, RemindJob, WakeJob, MendJob, SweepJob])
export type TimeJob = z.infer<typeof TimeJob>
export type DriveJob = z.infer<typeof DriveJob>
export type TaskJob = TimeJob | DriveJob
/** It sends the reminders of a tenant, and tells it of commands for workers. */
export type RemindJob = z.infer<typeof RemindJob>
/** It wakes the tasks of a tenant that were given a run slot. */
export type WakeJob = z.infer<typeof WakeJob>
type MendJob = z.infer<typeof MendJob>
export type SweepJob = z.infer<typeof SweepJob>
export type WorkspaceJob = RemindJob | WakeJob | MendJob | SweepJob
export type Job = z.infer<typeof Job>
/** The line of the log for one that failed: nothing of what was said, in which a secret may stand. */
export function jobFailure(job: Job, error: unknown): string {
  const of = 'task' in job ? { tenant: job.tenant, task: job.task } : { tenant: job.tenant }
  return JSON.stringify({
    event: 'job_failed',
    kind: job.kind,
    ...of,
    reason: error instanceof Error ? error.name : 'error',
  })
}

export type Due = Record<TaskJob['kind'], number | null>

export function dueOf(journal: Journal, deliveries: readonly Delivery[], here: ObjectContext): Due {
  const last = journal.last()
  if (last === null) return { tend: null, drive: null, deliver: null, retire: null }
  const { head } = last
  const brief = briefOf(journal.recall)
  const deliver = nextDelivery(deliveries)?.due ?? null
  // What the callback is still to be told goes first.
  const retire = deliver === null ? Math.max(head.updated_at, head.created_at) + brief.idle_ttl_s * 1000 : null
  if (head.end !== null) return { tend: null, drive: null, deliver, retire }
  const tend = reportDueAt(head, journal.recall) ?? remindsAt(head, brief) ?? expiresAt(head, brief)
  return { tend, drive: driveAt(head, brief, journal.pending(), here), deliver, retire: null }
}

/** Whether the task can use a run slot now: the service drives it, and it has something to do or is at work. */
export function needsRunSlot(journal: Journal, here: ObjectContext): boolean {
  const last = journal.last()
  if (last === null || last.head.end !== null) return false
  const pending = journal.pending()
  const at = driveAt(last.head, briefOf(journal.recall), pending, here)
  return at !== null && (pending !== null || at <= here.now_ms + SLOT_KEPT_MS)
}

/** How often a slice under way is looked after: its process may be gone long before its lease is. */
const WATCH_MS = 15_000

function driveAt(head: Head, brief: Brief, pending: PendingRow | null, here: ObjectContext): number | null {
  if (brief.drive === 'manual') return null
  if (pending !== null) return isAlive(pending, here) ? here.now_ms + WATCH_MS : here.now_ms
  if (head.pause_reason !== null && !isSideTurn(head)) return triesAgainAt(head)
  return head.asking_since === null && awaitedRow(head) === null ? (head.retry_at ?? here.now_ms) : null
}

const UNAVAILABLE_FIRST_MS = 60_000
const UNAVAILABLE_MAX_MS = 3_600_000

/** A background task that is paused for want of a model resumes by itself, later each time. */
export function triesAgainAt({ pause_reason, unavailable, updated_at }: Head): number | null {
  if (pause_reason?.kind !== 'model_unavailable') return null
  return updated_at + Math.min(UNAVAILABLE_MAX_MS, UNAVAILABLE_FIRST_MS * 2 ** Math.min(16, unavailable - 1))
}

/** When the callback is told a second time of a question that is still open: at half its time. */
export function remindsAt(head: Head, { callback_url, settings }: Brief): number | null {
  const since = askedSince(head)
  if (since === null || head.reminded || callback_url === null) return null
  return since + settings.question_ttl_s * 500
}

/** When the open question expires (`question_ttl_s`); null: none is open. */
export function expiresAt(head: Head, { settings }: Brief): number | null {
  const since = askedSince(head)
  return since === null ? null : since + settings.question_ttl_s * 1000
}

/** Nobody could answer a fork before it was made, however old its question is. */
const askedSince = ({ asking_since, created_at }: Head) =>
  asking_since === null ? null : Math.max(asking_since, created_at)
