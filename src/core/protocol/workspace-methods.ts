/** What a tenant's workspace answers: slash commands over todos and schedule, and the index of its tasks. */
import type { UnfinishedMethods } from '../workspace/unfinished-blobs.ts'
import type { RequestKey } from './advance.ts'
import type { AllowanceChunk, AllowanceRefund, AllowanceRequest } from '../terms/axes.ts'
import type { CommandResult } from '../workspace/commands/result.ts'
import type { DelegationMethods } from '../workspace/delegation-index.ts'
import type { Locale } from '../terms/locale.ts'
import type { ListedText } from './view/list-entry.ts'
import type { ByteMethods } from '../workspace/stored-bytes.ts'
import type { RateMethods } from '../workspace/rate.ts'
import type { Result } from '../terms/refusal.ts'
import type { TenantNotice } from '../workspace/reminder-message.ts'
import type { CalendarEntries } from '../workspace/reminders.ts'
import type { DeliveryStatus, Spend, Status } from '../terms/status.ts'
import type { SlotClaim } from '../workspace/run-slots.ts'
import type { DailyLimits } from '../workspace/daily-totals.ts'

export interface CommandCall {
  command: string
  /** Under a key a command that changes something is done once; repeated, it answers as before (D4). */
  key: string | null
  /** The Idempotency-Key of a request: whatever the command answers is kept under it, and given again. */
  request: RequestKey | null
  locale: Locale
  /** The wall clock commands see. */
  wall_ms: number
  /** IANA zones of the workspace and of the caller (U25). */
  timezone: string
  caller_timezone: string
  schedule_window_days: number
  conflict_preview_days: number
}

/** What came of messages that were handed out, and how many more are wanted. */
export interface RemindCall {
  settled: { id: string; at: number; delivered: boolean }[]
  max: number
  /** IANA zone of the workspace. */
  timezone: string
}

/** A create or a next run that was admitted this long ago without a trace in its task has died on the way. */
export const ADMITTED_MS_MAX = 60_000

/** What the index knows of a task: enough to filter and to page; the rest is asked of the task. */
export interface IndexEntry {
  id: string
  mode: string
  status: Status
  metadata: Record<string, string>
  /** What it is found by, as it was given. */
  goal: string
  /** The slice that makes the task. */
  slice: string
}
/** An entry as its task makes it again. */
export interface RestoredEntry extends Omit<IndexEntry, 'slice'> {
  version: number
  incarnation: string
  created_at: number
  /** Bytes that the task may take without asking, or takes already. */
  room: number
  listed: ListedText
}
/** Who was admitted for an entry, and what is counted for its task. */
export interface Admission {
  /** The incarnation, or a mark if several requests were admitted (core/workspace/incarnation.ts). Each admission changes it. */
  admitted: string
  /** When, ms since the epoch. */
  at: number
  blobs: string[]
}
export interface IndexFilter {
  status: Status | null
  mode: string | null
  metadata: Record<string, string>
  /** Only tasks whose goal or id contains it, in whatever case. */
  q: string | null
}
/** What a page of the index says of one task. */
export interface IndexedTask {
  id: string
  /** When it was entered, in ms, or one more than the highest. */
  position: number
  mode: string
  status: Status
  metadata: Record<string, string>
  admitted_at: number
  /** What a list shows of it (core/protocol/view/list-entry.ts), and when that was so; null: its task has not told it. */
  text: string | null
  as_of: number | null
}
/** Newest first. A search may end before it has found as many as were asked for: `next` goes on where it ended. */
export interface IndexPage {
  entries: IndexedTask[]
  has_more: boolean
  /** The cursor of the next page; null: this is the last. */
  next: number | null
}

/** What a callback was not told in time; times in ms since the epoch. */
export interface DeliveryRecord {
  id: string
  task: string
  /** Of the task's row whose state is told. */
  seq: number
  type: string
  status: DeliveryStatus
  attempts: number
  detail: string | null
  created: number
  updated: number
}
/** Newest first; `position` of the last one is the cursor of the next page. */
interface DeliveryPage {
  records: (DeliveryRecord & { position: number })[]
  has_more: boolean
}

/** What a tenant's blobs take together. */
export interface StoredMethods {
  /**
   * From now on the blob takes so many bytes, unless all of them together would then take more than `max`. Asked before any of it is
   * kept, so that what is there is never more than what is counted; of a task that the index does not know nothing is counted. The hold
   * is unfinished until it is settled, unless a row names the blob already; each call renews it. `lease_lost`: it was taken for a sweep.
   */
  holdBytes(held: { task: string; blob: string; bytes: number; named?: boolean }, max: number): Result<null>
  /** Those were removed with their task, and take nothing. A writer that is still at work may bring one back, so its hold stays unfinished. */
  releaseBytes(task: string, blobs: readonly string[]): void
}

/** The run slots of a tenant (workspace/run-slots.ts). `setStatus` and `drop` free them too. */
export interface RunSlotMethods {
  /** Whether the task holds a run slot now; else it waits for one, and is woken when it is handed one. */
  acquireSlot(claim: SlotClaim): boolean
  /** The task has no use for a run slot at this version; null: whatever its version. */
  releaseSlot(task: string, version: number | null): void
  /** Tasks that were handed a slot, or hold one and have not asked for a while: to be woken now. */
  holdersToWake(): string[]
}

export interface WorkspaceMethods
  extends
    DeliveryMethods,
    StoredMethods,
    UnfinishedMethods,
    DelegationMethods,
    RateMethods,
    ByteMethods,
    RunSlotMethods {
  command(call: CommandCall): Result<{ result: CommandResult; replayed: boolean }>
  /** Reminders that are due, the earliest first, then commands to be told of; each is held by whoever gets it, and comes again if it is not settled. */
  remind(call: RemindCall): TenantNotice[]
  /** What a calendar shows: the events and the todos that are due, as many as fit into one answer. */
  entries(): CalendarEntries
  /** Enters a new task, unless `open_max` tasks are open already; one that is there already counts as entered, and tells that it was asked for again. */
  admit(entry: IndexEntry, open_max: number, daily: DailyLimits): Result<null>
  /** Counts a completed task among the open ones again, for its next run, as `admit` does a new one; one that is open, or gone, stays so. */
  reopen(id: string, open_max: number, daily: DailyLimits): Result<null>
  /** Reserves what is missing of `want`, or more, from the total of the day; null: less than that is left (U16). */
  reserve(want: AllowanceRequest, daily: DailyLimits): AllowanceChunk | null
  /** Whether another task holds a part of a total that may still come back. */
  mayComeBack(task: string): boolean
  giveBack(refund: AllowanceRefund): void
  /** The answer kept under an Idempotency-Key; null: none. Refuses a key that came with another body. */
  recall(request: RequestKey): Result<string | null>
  keep(request: RequestKey, answer: string): void
  /**
   * `version` is the task's: what is older than the entry changes nothing, nor does what is as old, unless the entry waits for a next
   * run that has not begun in time. What the task cost takes the place of what it had cost by its run before. Of one that has ended
   * the open commands are canceled, but for those of type `end`. A task that rests or has
   * ended frees its run slot. `listed` is what lists show of it at this version.
   */
  setStatus(id: string, status: Status, version: number, spend: Spend | null, listed?: ListedText): void
  /** What the newest finished tasks cost, at most `limit`. */
  finished(limit: number): Spend[]
  /** null: the index has no such entry. */
  admission(id: string): Admission | null
  /** The same of a task that is about to be deleted: from now on a list asks the task itself, whatever becomes of its DELETE. */
  leaving(id: string): Admission | null
  /** Forgets a task whose entry is of one of those who were `admitted`, or that has none: not one made under its id since. */
  drop(id: string, admitted: readonly string[]): void
  /** Puts an entry in the place it had by the time its task was made, or over the one that is there. */
  restore(entry: RestoredEntry): void
  /** Counts the open tasks anew, and answers how many there are. */
  recount(): number
  /** Entries with a position below `before` (0: from the newest). */
  list(filter: IndexFilter, before: number, limit: number): IndexPage
}

/** The record of deliveries that were given up. */
export interface DeliveryMethods {
  /** Keeps one that is given up, in place of the oldest where there are too many; of any other only what is kept is brought up to date. */
  noteDelivery(record: DeliveryRecord): void
  findDelivery(id: string): DeliveryRecord | null
  /** Those with a position below `before` (0: from the newest). */
  listDeliveries(status: DeliveryStatus | null, before: number, limit: number): DeliveryPage
}
