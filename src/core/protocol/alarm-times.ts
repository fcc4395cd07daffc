/** The times at which something is due for a task. The alarm of its object is set by them. All are in ms since the epoch; null means never. */
import { briefNow } from '../engine/changed-brief.ts'
import * as z from 'zod'
import { isSideTurn } from '../engine/idle.ts'
import { awaitedRow, reportDueAt } from '../engine/awaiting.ts'
import { isAlive, type ObjectContext } from './advance.ts'
import type { Brief } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import type { Journal, PendingRow } from './journal.ts'
import { endsByItself } from '../terms/pause-reason.ts'
import { nextDelivery, type Delivery } from './outbox.ts'
import { SLOT_KEPT_MS } from '../workspace/run-slots.ts'

/** When the job was due, in ms since the epoch. Absent: not known, as in messages of an earlier release. */
const Due = { due_ms: z.number().optional() }
/**
 * A job that the alarm of a task asks for. `tend` tells the task the time, so that an unanswered question expires. `deliver`
 * sends a message to the callback. `retire` deletes a task that ended long ago. `export` takes its closed rows to traces and usage.
 */
export const TimeJob = z.object({
  kind: z.enum(['tend', 'deliver', 'export', 'retire']),
  tenant: z.string(),
  task: z.string(),
  ...Due,
})
/**
 * Runs a slice of a task that the service drives, under a run slot of its tenant. It also takes over a slice whose worker has
 * died. `version` is the version of the task when it asked, and `asked_ms` is that time by the clock of its object.
 */
export const DriveJob = z.object({
  kind: z.literal('drive'),
  tenant: z.string(),
  task: z.string(),
  version: z.int(),
  asked_ms: z.number(),
  /** The key of the registry that made the task. Absent: none. */
  key_name: z.string().optional(),
  ...Due,
})
/** With `pool`, the notices that the object of a pool keeps. */
export const RemindJob = z.object({
  kind: z.literal('remind'),
  tenant: z.string(),
  pool: z.string().optional(),
  ...Due,
})
/** The shard of the tenant that asks. Absent: the first one, which most tenants have alone (core/workspace/shards). */
const Shard = z.int().min(0).optional()
/** Repairs the index of a tenant for a few tasks whose entries may be outdated. */
const MendJob = z.object({
  kind: z.literal('mend'),
  tenant: z.string(),
  tasks: z.array(z.string()),
  shard: Shard,
  ...Due,
})
export const WakeJob = z.object({ kind: z.literal('wake'), tenant: z.string(), shard: Shard, ...Due })
/** Deletes blobs whose writers have died. */
export const SweepJob = z.object({ kind: z.literal('sweep'), tenant: z.string(), shard: Shard, ...Due })
/** Makes the tasks of the schedules of a tenant that are due. */
export const SchedulesJob = z.object({ kind: z.literal('schedules'), tenant: z.string(), ...Due })
/** Hands the changes of a workspace to the index database. */
const FeedJob = z.object({ kind: z.literal('feed_index'), tenant: z.string(), shard: Shard, ...Due })
export const Job = z.discriminatedUnion('kind', [
  TimeJob,
  DriveJob,
  RemindJob,
  WakeJob,
  MendJob,
  SweepJob,
  SchedulesJob,
  FeedJob,
])
export type TimeJob = z.infer<typeof TimeJob>
export type DriveJob = z.infer<typeof DriveJob>
export type TaskJob = TimeJob | DriveJob
/** Sends the reminders of a tenant, and its notices of commands for workers. */
export type RemindJob = z.infer<typeof RemindJob>
/** Wakes the tasks of a tenant that have received a run slot. */
export type WakeJob = z.infer<typeof WakeJob>
type MendJob = z.infer<typeof MendJob>
export type SweepJob = z.infer<typeof SweepJob>
export type SchedulesJob = z.infer<typeof SchedulesJob>
export type FeedJob = z.infer<typeof FeedJob>
export type WorkspaceJob = RemindJob | WakeJob | MendJob | SweepJob | SchedulesJob | FeedJob
export type Job = z.infer<typeof Job>
/** What a job is about, as a line of the log names it. */
export const subjectOf = (job: Job): { kind: Job['kind']; tenant: string; task?: string } => {
  const { kind, tenant } = job
  return 'task' in job ? { kind, tenant, task: job.task } : { kind, tenant }
}

type DueTimes = Record<TaskJob['kind'], number | null>

/** `exports` is the time of the next export of rows. null: none is owed. */
export function dueOf(
  journal: Journal,
  deliveries: readonly Delivery[],
  context: ObjectContext,
  exports: number | null = null,
): DueTimes {
  const last = journal.last()
  if (last === null) return { tend: null, drive: null, deliver: null, export: null, retire: null }
  const { head } = last
  const brief = briefNow(head, journal.recall)
  const deliver = nextDelivery(deliveries)?.due ?? null
  // Messages to the callback are sent, and rows are exported, before the task is deleted.
  const isDone = deliver === null && exports === null
  const retire = isDone ? Math.max(head.updated_at, head.created_at) + brief.idle_ttl_s * 1000 : null
  if (head.end !== null) return { tend: null, drive: null, deliver, export: exports, retire }
  const tend = reportDueAt(head, journal.recall) ?? remindsAt(head, brief) ?? expiresAt(head, brief)
  return { tend, drive: driveAt(head, brief, journal.pending(), context), deliver, export: exports, retire: null }
}

/** Whether the task can use a run slot now: the service drives the task, and it has something to do or an effect under way. */
export function needsRunSlot(journal: Journal, context: ObjectContext): boolean {
  const last = journal.last()
  if (last === null || last.head.end !== null) return false
  const pending = journal.pending()
  const at = driveAt(last.head, briefNow(last.head, journal.recall), pending, context)
  return at !== null && (pending !== null || at <= context.now_ms + SLOT_KEPT_MS)
}

/** How often a slice under way is checked. Its process may be gone long before its lease ends. */
const WATCH_MS = 15_000

function driveAt(head: Head, brief: Brief, pending: PendingRow | null, context: ObjectContext): number | null {
  if (brief.drive === 'manual') return null
  if (pending !== null) return isAlive(pending, context) ? context.now_ms + WATCH_MS : context.now_ms
  if (head.pause_reason !== null && !isSideTurn(head)) return triesAgainAt(head)
  return head.asking_since === null && awaitedRow(head) === null ? (head.retry_at ?? context.now_ms) : null
}

const UNAVAILABLE_FIRST_MS = 60_000
const UNAVAILABLE_MAX_MS = 3_600_000

/** A background task that is paused because no model, or no list of tools, is available resumes by itself, after a longer time on each failure. */
export function triesAgainAt({ pause_reason, unavailable, updated_at }: Head): number | null {
  if (!endsByItself(pause_reason)) return null
  return updated_at + Math.min(UNAVAILABLE_MAX_MS, UNAVAILABLE_FIRST_MS * 2 ** Math.min(16, unavailable - 1))
}

/** When the callback is told a second time of an open question: after half of the question's time. */
export function remindsAt(head: Head, { callback_url, settings }: Brief): number | null {
  const since = askedSince(head)
  if (since === null || head.reminded || callback_url === null) return null
  return since + settings.question_ttl_s * 500
}

/** When the open question expires (`question_ttl_s`). null: no question is open. */
export function expiresAt(head: Head, { settings }: Brief): number | null {
  const since = askedSince(head)
  return since === null ? null : since + settings.question_ttl_s * 1000
}

/** The question of a fork may be older than the fork. Nobody could answer before the fork existed, so the time counts from there. */
const askedSince = ({ asking_since, created_at }: Head) =>
  asking_since === null ? null : Math.max(asking_since, created_at)
