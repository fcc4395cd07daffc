/** The data in requests to a tenant's workspace and in its answers: slash commands, entries of the task index, records of deliveries. */
import type { SpendLimits, SpendTotal } from '../workspace/daily-totals.ts'
import type { DeliveryStatus, Outcome, Status } from '../terms/status.ts'
import type { Locale } from '../terms/locale.ts'
import type { CommandToolName } from '../workspace/commands/tool-call/forms.ts'
import type { RequestKey } from './advance.ts'
import type { ListedText } from './view/list-entry.ts'

export interface CommandCall {
  /** A slash command, or the JSON of the members of `tool`. */
  command: string
  /** The tool by which a model does what a slash command does. It is absent for a slash command. */
  tool?: CommandToolName
  /** A command that changes something is done once under a key. If it comes again, it has the same answer (D4). */
  key: string | null
  /** The Idempotency-Key of a request. Every answer of the command is kept under it and given again. */
  request: RequestKey | null
  locale: Locale
  /** Who reads the result: a model is shown the weekday of each date. */
  reader: 'person' | 'model'
  /** The wall clock that commands read. */
  wall_ms: number
  /** IANA zones of the workspace and of the caller (U25). */
  timezone: string
  caller_timezone: string
  schedule_window_days: number
  conflict_preview_days: number
}

/** The outcome of messages that were handed out, and how many more the caller takes. */
export interface RemindCall {
  settled: { id: string; at: number; delivered: boolean }[]
  max: number
  /** IANA zone of the workspace. */
  timezone: string
}

/** A create or a next run that was admitted longer ago than this, and has left no row in its task, has failed. */
export const ADMITTED_MS_MAX = 60_000

/** What the index knows of a task: enough to filter and to page. Everything else is read from the task. */
export interface IndexEntry {
  id: string
  mode: string
  status: Status
  metadata: Record<string, string>
  /** The goal as the client gave it. A search looks in it. */
  goal: string
  /** The task whose past this one has. Absent: it is no fork. */
  forked_from?: string
  /** The agent that it was made by. Absent: none. */
  agent?: string
  /** The id is random, so that no shard can know the task. Absent: it follows from a key, and the task may have been made before. */
  is_fresh?: true
  /** It is made for a schedule, which has to know when it has ended. */
  is_scheduled?: true
  /** The key of the registry that it was made with, which may bound its open tasks. Absent: none. */
  key_name?: string
  /** The slice that creates the task. */
  slice: string
}
/** An entry that is restored from its task. */
export interface RestoredEntry extends Omit<IndexEntry, 'slice' | 'is_fresh' | 'is_scheduled'> {
  version: number
  incarnation: string
  created_at: number
  /** The bytes that the task may take without asking, or already takes. */
  room: number
  listed: ListedText
  /** null: the task has none. */
  outcome: Outcome | null
}
/** The admission of an entry, and the blobs that are counted for its task. */
export interface Admission {
  /** The incarnation, or a mark if several requests were admitted (core/workspace/incarnation.ts). Each admission changes it. */
  admitted: string
  /** The time of the admission, in ms since the epoch. */
  at: number
  blobs: string[]
  /** The pool whose object keeps delegations of the task. Absent: none does. */
  pool?: string
}
/** The admission of a task that is about to be deleted, and the run of a schedule that does not say yet that this task was made for it. */
export interface Removal extends Admission {
  unsettled: RunRef | null
}
/** A run of a schedule, by the id of the schedule. */
export interface RunRef {
  id: string
  seq: number
}
export interface IndexFilter {
  status: Status | null
  mode: string | null
  metadata: Record<string, string>
  /** Only tasks whose goal or id contains this text. Upper and lower case are the same. */
  q: string | null
  /** A task of an earlier release may be listed although it has another outcome, because the index does not know it. */
  outcome: Outcome | null
  /** Only forks of this task. A task of an earlier release may be listed although it is none, because the index does not know it. */
  forked_from?: string | null
  /** Only tasks that were made by the agent of this name. */
  agent?: string | null
}
/** One task on a page of the index. */
export interface IndexedTask {
  id: string
  /** The time at which the task was entered, in ms since the epoch, or one more than the highest position. */
  position: number
  mode: string
  status: Status
  metadata: Record<string, string>
  admitted_at: number
  /** What a list shows of the task (core/protocol/view/list-entry.ts), and as of which time. null: the task has not reported it. */
  text: string | null
  as_of: number | null
}
/** Newest first. A search may end before the page is full. It goes on at `next`. */
export interface IndexPage {
  entries: IndexedTask[]
  has_more: boolean
  /** The cursor of the next page. null: this is the last page. */
  next: number | null
}

/** A message that was not delivered to a callback in time. Times are in ms since the epoch. */
export interface DeliveryRecord {
  id: string
  task: string
  /** The row of the task whose state the message reports. */
  seq: number
  type: string
  status: DeliveryStatus
  attempts: number
  detail: string | null
  created: number
  updated: number
}
/** Newest first. The `position` of the last record is the cursor of the next page. */
export interface DeliveryPage {
  records: (DeliveryRecord & { position: number })[]
  has_more: boolean
}

/** The limits of new work: how many tasks of the tenant may be open, how many of them by the key that makes the task, and what they may spend. */
export interface WorkLimits extends SpendLimits {
  open_max: number
  /** Absent: the key has no limit of its own. */
  key_open_max?: number | undefined
}
/** What is used of the limits of a tenant, and of one of its keys. */
export interface LimitUse {
  /** The totals that have a bound. */
  totals: SpendTotal[]
  open_tasks: number
  /** Those that the key has made. null: no key was named. */
  key_open_tasks: number | null
  stored_bytes: number
}

export interface BlobsOfTask {
  task: string
  blobs: readonly string[]
}
/** A page that begins with the newest entry: at most `limit` entries, all with a position below `before`. 0: the first page. */
export interface NewestFirst {
  before: number
  limit: number
}
