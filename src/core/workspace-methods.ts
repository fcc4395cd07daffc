/** What a tenant's workspace answers: slash commands over todos and schedule, and the index of its tasks. */
import type { RequestKey } from './advance.ts'
import type { Allowance, Refund } from './axes.ts'
import type { CommandResult } from './commands/result.ts'
import type { DelegationMethods } from './delegation-methods.ts'
import type { Locale } from './effect.ts'
import type { Result } from './refusal.ts'
import type { Reminder } from './reminder-message.ts'
import type { Entries } from './reminders.ts'
import type { DeliveryStatus, Spend, Status } from './status.ts'

export interface CommandCall {
  command: string
  /** Under a key a command that changes something is done once; repeated, it answers as before (D4). */
  key: string | null
  /** The Idempotency-Key of a request: whatever the command answers is kept under it, and given again. */
  request: RequestKey | null
  locale: Locale
  /** The wall clock commands see. */
  wall_ms: number
  /** IANA zones of the workspace and of the caller (ruling 25). */
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
/** Who was admitted for an entry, and what is counted for its task. */
export interface Admission {
  /** A life, unless there have been several (core/lives.ts). Another one whenever somebody is admitted. */
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
/** Newest first; `position` of the last one is the cursor of the next page. */
export interface IndexPage {
  entries: { id: string; position: number; status: Status; admitted_at: number }[]
  has_more: boolean
}

/** A tenant's totals of a UTC day; money in micro-dollars, null: not bounded. */
export interface Daily {
  tokens: number | null
  cost: number | null
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
export interface DeliveryPage {
  records: (DeliveryRecord & { position: number })[]
  has_more: boolean
}

/** What a tenant's blobs take together. */
export interface StoredMethods {
  /**
   * From now on the blob takes so many bytes, unless all of them together would then take more than `max`. Asked before any of it is
   * kept, so that what is there is never more than what is counted; of a task that the index does not know nothing is counted.
   */
  holdBytes(held: { task: string; blob: string; bytes: number }, max: number): Result<null>
  /** Those are gone. */
  releaseBytes(task: string, blobs: readonly string[]): void
}

export interface WorkspaceMethods extends DeliveryMethods, StoredMethods, DelegationMethods {
  command(call: CommandCall): Result<{ result: CommandResult; replayed: boolean }>
  /** Reminders that are due, the earliest first, then commands to be told of; each is held by whoever gets it, and comes again if it is not settled. */
  remind(call: RemindCall): Reminder[]
  /** What a calendar shows: the events and the todos that are due, as many as fit into one answer. */
  entries(): Entries
  /** Enters a new task, unless `open_max` tasks are open already; one that is there already counts as entered, and tells that it was asked for again. */
  admit(entry: IndexEntry, open_max: number, daily: Daily): Result<null>
  /** Counts a completed task among the open ones again, for its next run, as `admit` does a new one; one that is open, or gone, stays so. */
  reopen(id: string, open_max: number, daily: Daily): Result<null>
  /** Reserves `want` or a multiple of it from the total of the day, or nothing when less than that is left (ruling 16). */
  reserve(want: { tokens: number; cost: number }, daily: Daily): Allowance | null
  giveBack(refund: Refund): void
  /** The answer kept under an Idempotency-Key; null: none. Refuses a key that came with another body. */
  recall(request: RequestKey): Result<string | null>
  keep(request: RequestKey, answer: string): void
  /**
   * `version` is the task's: what is older than the entry changes nothing, nor does what is as old, unless the entry waits for a next
   * run that has not begun in time. What the task cost takes the place of what it had cost by its run before. Of one that has ended
   * the open commands are canceled, but for those of type `end`.
   */
  setStatus(id: string, status: Status, version: number, spend: Spend | null): void
  /** What the newest finished tasks cost, at most `limit`. */
  finished(limit: number): Spend[]
  /** A turn of a task that the service drives: 0, or after how many ms it is asked for again. */
  takeTurn(turn: { id: string; slice: string }, max: number): number
  /** Nothing where another slice has it. */
  endTurn(turn: { id: string; slice: string }): void
  /** null: the index has no such entry. */
  admission(id: string): Admission | null
  /** Forgets a task whose entry is of one of those who were `admitted`, or that has none: not one made under its id since. */
  drop(id: string, admitted: readonly string[]): void
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
