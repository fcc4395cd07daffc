/**
 * The interface of a tenant's workspace. `tell` takes a command, which may write. `ask` takes a query, which only reads. Each is
 * data with a `kind` and is answered in one transaction. A new one needs a line in a table of types here and a handler in the store.
 */
import type { AllowanceChunk, AllowanceRefund, AllowanceRequest } from '../terms/axes.ts'
import type { DelegationStatus } from '../terms/delegation.ts'
import type { Result } from '../terms/refusal.ts'
import type { DeliveryStatus, Outcome, Spend, Status } from '../terms/status.ts'
import type { SettledStatus } from '../workspace/claims.ts'
import type { CommandResult } from '../workspace/commands/result.ts'
import type { SpendLimits } from '../workspace/daily-totals.ts'
import type { AgentCondition, StoredAgent } from '../workspace/agents/agent.ts'
import type { Claim, DelegationPage, PoolQueryTypes } from '../workspace/delegation-index.ts'
import type { PermitCall } from '../workspace/rate.ts'
import type { TenantNotice } from '../workspace/reminder-message.ts'
import type { CalendarEntries } from '../workspace/reminders.ts'
import type { SlotClaim } from '../workspace/run-slots.ts'
import type { SealedValue, SecretRecord, StoredSecret } from '../workspace/secrets.ts'
import type { NewRun, Run, SchedulePlan, Spent, StoredSchedule } from '../workspace/schedules/schedule.ts'
import type { TickDecision } from '../workspace/schedules/plan-ticks.ts'
import type { SettledBlobs, UnfinishedBlob } from '../workspace/unfinished-blobs.ts'
import type { Access, AnswerFor } from './access.ts'
import type { RequestKey } from './advance.ts'
import type { UsageCommandTypes, UsageQueryTypes } from '../workspace/telemetry.ts'
import type { EnterCall, ShardAnswer, ShardCall, ShardCommandTypes } from './shard-requests.ts'
import type { FeedCommandTypes, FeedQueryTypes } from './index/feed.ts'
import type { ListedText } from './view/list-entry.ts'
import type {
  Admission,
  BlobsOfTask,
  CommandCall,
  DeliveryPage,
  DeliveryRecord,
  IndexEntry,
  IndexFilter,
  IndexPage,
  LimitUse,
  NewestFirst,
  RemindCall,
  Removal,
  RestoredEntry,
  RunRef,
  WorkLimits,
} from './workspace-records.ts'

/** The parameters and the answer of each kind of command. */
interface WorkspaceCommandTypes extends ShardCommandTypes, FeedCommandTypes, UsageCommandTypes {
  /** Runs a slash command on the todos and the schedule. */
  run_command: [CommandCall, Result<{ result: CommandResult; replayed: boolean }>]
  /**
   * Answers reminders that are due, the earliest first, and then notices about delegations. The caller holds each of them for a while.
   * One that is not settled in this time is answered again.
   */
  remind: [RemindCall, TenantNotice[]]
  /** Keeps the answer to a request under its Idempotency-Key. */
  keep: [{ request: RequestKey; answer: string }, void]

  /**
   * Enters a new task, unless `open_max` tasks are already open. A task that the index already has is admitted again, whatever the
   * limits, and its entry records that several requests were admitted.
   */
  admit: [{ entry: IndexEntry } & WorkLimits, Result<null>]
  /**
   * Opens a completed task again for its next run, under the limits of `admit`. An open or unknown task is left as it is. `made_with`: another
   * key of the registry has made the task, and nothing is opened without its limits. `until`: the last row before it goes on, which its `pool` has
   * to be told too.
   */
  reopen: [{ id: string } & WorkLimits, Result<null | { made_with: string } | { until: number; pool: string | null }>]
  /**
   * Records the status of a task at `version`, the version of the task. A report that is older than the entry changes nothing. A
   * report of the same version changes nothing either, unless the entry waits for a next run that did not begin in time. `spend`, the
   * cost of the task, replaces the cost of its earlier run. The end of a task cancels its open delegations, except those of type
   * `end`. A task that is idle or has ended frees its run slot. `listed` is what lists show of the task at this version, and
   * `outcome` is that of its result; null: it has none. `forked_from` is the task whose past it has; null: it is no fork. `metadata` are its labels. They are left as
   * they are where they are absent.
   */
  set_status: [
    {
      id: string
      status: Status
      version: number
      spend: Spend | null
      listed?: ListedText | undefined
      outcome?: Outcome | null | undefined
      forked_from?: string | null | undefined
      metadata?: Record<string, string> | undefined
    },
    void,
  ]
  /**
   * Answers the admission of a task that is about to be deleted, and the run of a schedule that has to be settled before. From now on lists
   * ask the task itself, even if its DELETE fails.
   */
  begin_removal: [{ id: string }, Removal | null]
  /**
   * Forgets a task and frees its run slot. The entry stays if its admission is not in `admitted`, because it then belongs to a task
   * that was made later under the same id.
   */
  drop: [{ id: string; admitted: readonly string[] }, void]
  /** Restores an entry. It replaces the entry of the task, or gets the position of the time at which the task was made. */
  restore: [{ entry: RestoredEntry }, void]
  /** Counts the open tasks again and answers their number. */
  recount: [object, number]

  /** Reserves at least the difference between `want` and what the task holds, from all totals. null: less is left of one of them (U16). */
  reserve: [{ want: AllowanceRequest } & SpendLimits, AllowanceChunk | null]
  give_back: [{ refund: AllowanceRefund }, void]
  /**
   * Reserves room for a task and answers how much: at least `least`, which the task needs now, and at most `most`, as far as the quota
   * allows. The new room replaces the earlier one and is never smaller.
   */
  hold_room: [{ task: string; least: number; most: number; max: number }, Result<number>]
  /** Answers how many more requests the isolate may let through in this minute. 0: none until the minute is over. */
  take_permits: [PermitCall, number]

  /**
   * Counts this many bytes for a blob, unless the tenant would then exceed `max`. It is called before the blob is written, so that
   * never more is stored than is counted. For a task that the index does not know it counts nothing and refuses. Each call renews the
   * hold, which is unfinished until it is settled. With `named` a row already names the blob, and there is no hold. The refusal
   * `lease_lost` says that the hold was taken for a sweep.
   */
  hold_bytes: [{ task: string; blob: string; bytes: number; named?: boolean; max: number }, Result<null>]
  /** Stops counting blobs that were removed with their task. Their holds stay, because a writer that still works may write a blob again. */
  release_bytes: [BlobsOfTask, void]
  /** Renews the holds of several blobs. False: at least one of them was taken for a sweep or is not held. */
  renew_holds: [BlobsOfTask, boolean]
  /** Ends the holds of blobs. */
  settle_blobs: [{ task: string } & SettledBlobs, void]
  /** Takes some of the overdue holds for a sweep. From now on their writers cannot renew them. */
  take_overdue_blobs: [object, UnfinishedBlob[]]

  /**
   * Enters a delegation. A known one stays as it is. If its task has ended, it is entered as canceled, unless its type is
   * `end`. Nothing is entered for a task that the index does not know, because nobody would ever remove it.
   */
  enter_delegation: [EnterCall, void]
  /**
   * Leases a delegation to one worker. The same worker renews its lease by claiming again. Refusals: `delegation_not_found`,
   * `delegation_claimed`, `already_reported`, `delegation_expired`, `delegation_canceled`.
   */
  claim_delegation: [{ id: string; worker: string; lease_ms: number }, Result<Claim>]
  /** Settles a delegation as its task says. */
  settle_delegation: [{ id: string; status: SettledStatus }, void]

  /** Answers whether the task now holds a run slot. If not, it waits for one, and is woken when it gets one. */
  acquire_slot: [SlotClaim, boolean]
  /** Frees the run slot of a task that does not need one at this version. null: at any version. */
  release_slot: [{ task: string; version: number | null }, void]
  /** Answers the tasks to wake now: they got a slot and have not asked for it, or hold one and have not asked for a while. */
  take_holders_to_wake: [object, string[]]

  /** Keeps the record of a delivery that was given up, and drops the oldest if there are too many. Any other record is only updated. */
  note_delivery: [{ record: DeliveryRecord }, void]

  /** Keeps a secret in place of any other of its name, whose dates of creation and of last use stay. */
  put_secret: [
    { secret: Pick<StoredSecret, 'name' | 'hosts'> & SealedValue; secrets_max: number },
    Result<{ record: SecretRecord; created: boolean }>,
  ]
  /** False: there is none of the name. */
  drop_secret: [{ name: string }, boolean]
  /**
   * Records a use of a secret. `resealed` takes the place of the value, unless that is no longer the one that was used. null: the value
   * stays.
   */
  note_secret_use: [{ name: string; used: SealedValue; resealed: SealedValue | null }, void]

  /** Keeps a version of an agent, unless it is the newest one already. `change`: whether it is the first or the next version, or none. */
  put_agent: [
    { name: string; definition: Record<string, unknown>; condition: AgentCondition; agents_max: number },
    Result<{ agent: StoredAgent; change: 'first' | 'next' | 'none' }>,
  ]
  /** Drops an agent with its versions. False: there is none of the name. It is refused while tasks of it are open, unless `force`. `elsewhere` are those in other shards. */
  drop_agent: [
    { name: string; condition: AgentCondition; force: boolean; elsewhere?: { tasks: number; ids: string[] } },
    Result<boolean>,
  ]

  /**
   * Keeps a schedule in place of any other of its name, whose id and runs stay. `next_at` is its next tick, which counts where the timing has
   * changed or it was paused. `paused` null: as it was.
   */
  put_schedule: [
    {
      name: string
      id: string
      plan: SchedulePlan
      paused: boolean | null
      next_at: number | null
      schedules_max: number
    },
    Result<{ schedule: StoredSchedule; created: boolean }>,
  ]
  /** False: there is none of the name. */
  drop_schedule: [{ name: string }, boolean]
  /** `next_at` is the next tick of a schedule that goes on. null: there is none of the name. */
  pause_schedule: [{ name: string; paused: boolean; next_at: number | null }, StoredSchedule | null]
  /**
   * Notes what becomes of ticks, before any task is made, and which runs have ended. False: the schedule has changed since `revision`, and
   * nothing was noted. A tick that has a run is not noted again.
   */
  decide_ticks: [
    { name: string; revision: number; decision: TickDecision; ended: { seq: number; spent: Spent }[] },
    boolean,
  ]
  /** Notes a run that a client asked for. The run of the same task is answered again. null: there is no schedule of the name. */
  request_run: [{ name: string; run: NewRun }, { schedule: StoredSchedule; run: Run; is_new: boolean } | null]
  /** Notes what became of a run whose task was to be made. null: it is forgotten, because the client that asked for it is told. */
  settle_run: [{ id: string; seq: number; result: Pick<Run, 'outcome' | 'reason' | 'task'> | null }, void]
}

/** The parameters and the answer of each kind of query. */
interface WorkspaceQueryTypes extends FeedQueryTypes, UsageQueryTypes, PoolQueryTypes {
  /** The entries of a calendar: events, and todos with a due time, as many as fit into one answer. */
  entries: [object, CalendarEntries]
  /** The answer that is kept under an Idempotency-Key. null: there is none. A key that came with another body is refused. */
  recall: [{ request: RequestKey }, Result<string | null>]
  /** Entries of the index. */
  list: [{ filter: IndexFilter } & NewestFirst, IndexPage]
  /** The admission of a task. null: the index has no such entry. */
  admission: [{ id: string }, Admission | null]
  /** The costs of the newest finished tasks, at most `limit` of them. */
  finished: [{ limit: number }, Spend[]]
  /** Whether another task holds a part of a total of the day, and may still give some of it back. */
  may_come_back: [{ task: string }, boolean]
  /** Whether new work is refused because a total is used up. */
  check_totals: [SpendLimits, Result<null>]
  /** The open tasks that an agent has made: how many, and the newest ids. */
  open_tasks_of_agent: [{ agent: string; limit: number }, { tasks: number; ids: string[] }]
  /** The run of a schedule that does not say yet that this task was made for it. */
  unsettled_run: [{ task: string }, RunRef | null]
  /** How much of each limit is used. */
  limit_use: [SpendLimits, LimitUse]
  /** All bytes that are counted for the tenant, including the rows of the workspace. */
  used_bytes: [object, number]
  /** The active claim of a delegation. null: the delegation is not known, or has no active claim. */
  claim: [{ id: string }, Claim | null]
  /** A page of delegations. An open one whose deadline has passed is listed as `expired`. */
  delegations: [{ status: DelegationStatus | null } & NewestFirst, DelegationPage]
  delivery: [{ id: string }, DeliveryRecord | null]
  deliveries: [{ status: DeliveryStatus | null } & NewestFirst, DeliveryPage]
  secret: [{ name: string }, StoredSecret | null]
  /** By name: at most `limit` secrets whose names come after `after`. */
  secrets: [{ after: string; limit: number }, SecretRecord[]]
  secret_names: [object, string[]]
  /** `version` null: the newest. null: there is none. */
  agent: [{ name: string; version: number | null }, StoredAgent | null]
  /** By name: the newest versions of at most `limit` agents whose names come after `after`. */
  agents: [{ after: string; limit: number }, StoredAgent[]]
  agent_names: [object, string[]]
  /** The versions of an agent that are kept. */
  agent_versions: [{ name: string } & NewestFirst, StoredAgent[]]
  /** null: there is none of the name. */
  schedule: [{ name: string }, ListedSchedule | null]
  /** By name: at most `limit` schedules whose names come after `after`. */
  schedules: [{ after: string; limit: number }, ListedSchedule[]]
  schedule_names: [object, string[]]
  /** The runs of the schedule with this id that may have a task which has not ended, the oldest first. */
  open_runs: [{ id: string }, Run[]]
  /** The runs of the schedule with this id. */
  schedule_runs: [{ id: string } & NewestFirst, Run[]]
  /** Schedules that have a tick by now, or a task to be made, with their runs that may have an open task. */
  due_schedules: [{ limit: number }, { schedule: StoredSchedule; open: Run[] }[]]
}

/** A schedule with its newest run. */
interface ListedSchedule {
  schedule: StoredSchedule
  last_run: Run | null
}

/** What every request may say: the most bytes of the tenant, where the registry has them. Absent: as the service is configured. */
export interface WithinBytes {
  bytes_max?: number
}
type Requests<T extends { [Kind in keyof T]: [object, unknown] }, K extends keyof T> = {
  [Kind in K]: { kind: Kind } & WithinBytes & T[Kind][0]
}[K]

export type WorkspaceCommandKind = keyof WorkspaceCommandTypes
export type WorkspaceCommand<K extends WorkspaceCommandKind = WorkspaceCommandKind> = Requests<WorkspaceCommandTypes, K>
export type WorkspaceCommandAnswer<K extends WorkspaceCommandKind> = WorkspaceCommandTypes[K][1]

export type WorkspaceQueryKind = keyof WorkspaceQueryTypes
export type WorkspaceQuery<K extends WorkspaceQueryKind = WorkspaceQueryKind> = Requests<WorkspaceQueryTypes, K>
export type WorkspaceQueryAnswer<K extends WorkspaceQueryKind> = WorkspaceQueryTypes[K][1]

export interface StoredWorkspace<A extends Access = 'local'> {
  tell<K extends WorkspaceCommandKind>(command: WorkspaceCommand<K>): AnswerFor<A, WorkspaceCommandAnswer<K>>
  ask<K extends WorkspaceQueryKind>(query: WorkspaceQuery<K>): AnswerFor<A, WorkspaceQueryAnswer<K>>
  /** Does a command in one of several shards, with the share that the shard has of each quota (SHARD-03). */
  tellInShard<K extends WorkspaceCommandKind>(
    call: ShardCall<WorkspaceCommand<K>>,
  ): AnswerFor<A, ShardAnswer<WorkspaceCommandAnswer<K>>>
  /** Resolves when a delegation is pending, or after `wait_ms` (at most 30 s). If too many callers wait, it resolves at once. */
  awaitDelegation(wait_ms: number): Promise<void>
}
/** A workspace as its callers see it. */
export type RemoteWorkspace = StoredWorkspace<'remote'>
