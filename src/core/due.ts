/** When a task has to be looked at without being asked: what the alarm of its object is set by. Ms since the epoch, null: never. */
import * as z from 'zod'
import { isAside } from './aside.ts'
import { awaitedRow, reportDue } from './awaiting.ts'
import { isAlive, type Here } from './advance.ts'
import { earliest } from './earliest.ts'
import type { Brief } from './effect.ts'
import { UNAVAILABLE } from './holds.ts'
import type { Head } from './head.ts'
import type { Journal, PendingRow } from './journal.ts'
import { briefOf } from './mode.ts'
import { nextDelivery, type Delivery } from './outbox.ts'

/**
 * What is then done, by whoever is asked to: `tend` runs a slice of a task that the service drives, looks after one whose worker may
 * have died, ends a question that nobody answered; `deliver` sends to the callback; `retire` deletes what ended long ago. `remind`
 * is a workspace's: it sends the reminders of its tenant, and tells it of commands for workers.
 */
export const TaskJob = z.object({ kind: z.enum(['tend', 'deliver', 'retire']), tenant: z.string(), task: z.string() })
export const RemindJob = z.object({ kind: z.literal('remind'), tenant: z.string() })
export const Job = z.discriminatedUnion('kind', [TaskJob, RemindJob])
export type TaskJob = z.infer<typeof TaskJob>
export type RemindJob = z.infer<typeof RemindJob>
export type Job = z.infer<typeof Job>
/** The line of the log for one that failed: nothing of what was said, in which a secret may stand. */
export const jobFailure = (job: Job, error: unknown): string =>
  JSON.stringify({ event: 'job_failed', ...job, reason: error instanceof Error ? error.name : 'error' })

export type Due = Record<TaskJob['kind'], number | null>

export function dueOf(journal: Journal, deliveries: readonly Delivery[], here: Here): Due {
  const last = journal.last()
  if (last === null) return { tend: null, deliver: null, retire: null }
  const { head } = last
  const brief = briefOf(journal.recall)
  const deliver = nextDelivery(deliveries)?.due ?? null
  // What the callback is still to be told goes first.
  const retire = deliver === null ? Math.max(head.updated_at, head.created_at) + brief.idle_ttl_s * 1000 : null
  if (head.end !== null) return { tend: null, deliver, retire }
  const waits = reportDue(head, journal.recall) ?? remindsAt(head, brief) ?? expiresAt(head, brief)
  const tend = earliest([driveAt(head, brief, journal.pending(), here) ?? Infinity, waits ?? Infinity])
  return { tend, deliver, retire: null }
}

/** How often a slice under way is looked after: its process may be gone long before its lease is. */
const WATCH_MS = 15_000

function driveAt(head: Head, brief: Brief, pending: PendingRow | null, here: Here): number | null {
  if (brief.drive === 'manual') return null
  if (pending !== null) return isAlive(pending, here) ? here.now_ms + WATCH_MS : here.now_ms
  if (head.hold !== null && !isAside(head)) return triesAgainAt(head)
  return head.asking_since === null && awaitedRow(head) === null ? (head.retry_at ?? here.now_ms) : null
}

const UNAVAILABLE_FIRST_MS = 60_000
const UNAVAILABLE_MAX_MS = 3_600_000

/** A background task that is paused for want of a model resumes by itself, later each time. */
export function triesAgainAt({ hold, unavailable, updated_at }: Head): number | null {
  if (hold !== UNAVAILABLE) return null
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
