/** A workspace in memory: the same requests over maps, for tests and simulation. */
import type { SpendLimits, SpendTotal } from '../../../src/core/workspace/daily-totals.ts'
import { calendarEntries } from '../../../src/core/workspace/calendar.ts'
import { memoryBook } from './memory-book.ts'
import { ok, refuse, type Result } from '../../../src/core/terms/refusal.ts'
import { ambiguousAdmission, incarnationOf, wasAdmittedBy } from '../../../src/core/workspace/incarnation.ts'
import { type ListedText } from '../../../src/core/protocol/view/list-entry.ts'
import {
  acquireSlot,
  forgetVersions,
  freeSlot,
  holdersToWake,
  type RunSlotRows,
} from '../../../src/core/workspace/run-slots.ts'
import { ENDED_STATUSES, RUNNING_STATUSES, type Spend } from '../../../src/core/terms/status.ts'
import {
  ADMITTED_MS_MAX,
  type Admission,
  type IndexEntry,
  type RunRef,
  type WorkLimits,
} from '../../../src/core/protocol/workspace-records.ts'
import type { ShardCommandTypes } from '../../../src/core/protocol/shard-requests.ts'
import type { StoredWorkspace } from '../../../src/core/protocol/workspace-requests.ts'
import { cancelOpen, withdrawEnd, type DelegationRows } from '../../../src/store/workspace/delegations/delegations.ts'
import { memoryDelegations } from './memory-delegations.ts'
import { memoryDeliveries } from './memory-deliveries.ts'
import { pageOf, type Indexed } from './memory-index.ts'
import { memoryAgents } from './memory-agents.ts'
import { memorySecrets } from './memory-secrets.ts'
import { memoryScheduleRows, memorySchedules } from './memory-schedules.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'
import { memoryStored } from './memory-stored.ts'
import { memoryUsage } from './memory-usage.ts'
import { memoryTotals } from './memory-totals.ts'
import { memoryPools } from './memory-pools.ts'
import { memoryRates } from './memory-rates.ts'
import {
  entriesOf,
  takeReminders,
  type ReminderAttempts,
} from '../../../src/store/workspace/reminders/due-reminders.ts'
import { unsettledRun } from '../../../src/store/workspace/schedules/schedules.ts'
import { requestName, findReply, runInBook, type AppliedKeys } from '../../../src/store/workspace/book/run-in-book.ts'

interface Slots {
  max: number
  rows: RunSlotRows
}
export function memoryWorkspace(
  now: () => number,
  told: (id: string) => ListedText | null,
  limited: Slots,
): StoredWorkspace {
  const keys = memoryKeys()
  const tasks = new Map<string, Indexed>()
  const slots = memorySlots(now, limited)
  const deliveries = memoryDeliveries()
  const secrets = memorySecrets(now)
  const openTasksOf = (agent: string, ids_max: number) => {
    const open = [...tasks.values()].filter((task) => task.agent === agent && !ENDED_STATUSES.has(task.status))
    const ids = open.toReversed().slice(0, ids_max)
    return { tasks: open.length, ids: ids.map(({ id }) => id) }
  }
  const agents = memoryAgents(now, openTasksOf)
  const usage = memoryUsage((id) => tasks.has(id), now)
  const schedule_rows = memoryScheduleRows()
  const schedules = memorySchedules(now, schedule_rows)
  const totals = memoryTotals(now)
  const stored = memoryStored((id) => tasks.has(id), now)
  const delegations = memoryDelegations((id) => tasks.get(id) ?? null, now)
  const pools = memoryPools((id) => tasks.get(id) ?? null, delegations.rows)
  const desk = memoryDesk(keys, delegations.rows, now)
  const dropped = (id: string) => {
    slots.free(id, Infinity)
    deliveries.drop(id)
    stored.drop(id)
    delegations.rows.drop(id)
    pools.forget(id)
    keys.dropKeys(id)
    totals.forgetChunk(id)
  }
  const statuses = memoryStatuses(
    tasks,
    { free: slots.free, ended: (id, version) => cancelOpen(delegations.rows, id, version), rests: totals.forgetChunk },
    now,
  )
  const reopened = (id: string, until: number) => withdrawEnd(delegations.rows, id, until)
  const runOf = (id: string) => unsettledRun(schedule_rows, now(), id)
  const parts = { slots: limited, totals, blobsOf: stored.blobsOf, runOf, poolOf: pools.poolOf, dropped, reopened }
  const index = memoryIndex(tasks, parts, now)
  const commands: MemoryCommands = {
    ...deliveries.commands,
    ...secrets.commands,
    ...usage.commands,
    ...agents.commands,
    ...schedules.commands,
    ...slots.commands,
    ...totals.commands,
    ...stored.commands,
    ...memoryRates(),
    ...delegations.commands,
    ...pools.commands,
    ...desk.commands,
    ...statuses.commands,
    ...index.commands,
    ...UNNEEDED,
  }
  const queries: MemoryQueries = {
    ...deliveries.queries,
    ...secrets.queries,
    ...usage.queries,
    ...agents.queries,
    ...schedules.queries,
    ...totals.queries,
    ...stored.queries,
    ...delegations.queries,
    ...pools.queries,
    ...desk.queries,
    ...statuses.queries,
    ...index.queries,
    list: (query) => pageOf([...tasks.values()], told, query),
    open_tasks_of_agent: ({ agent, limit }) => openTasksOf(agent, limit),
    unsettled_run: ({ task }) => runOf(task),
    feed_batch: () => null,
    listed: () => ({ entries: [], feed: null }),
  }
  return {
    tell: (command) => commands[command.kind](command),
    ask: (query) => queries[query.kind](query),
    tellInShard: notSharded,
    awaitDelegation: delegations.wait,
  }
}

interface Ending {
  free(task: string, below: number): void
  ended(task: string, version: number): void
  /** Called for the news that a task rests or has ended. */
  rests(task: string): void
}
function memoryStatuses(tasks: Map<string, Indexed>, { free, ended, rests }: Ending, now: () => number) {
  const costs = new Map<string, Spend>()
  const commands: MemoryCommands<'set_status'> = {
    set_status({ id, status, version, spend, outcome, metadata }) {
      if (!RUNNING_STATUSES.has(status)) free(id, version)
      const task = tasks.get(id)
      if (task === undefined) return
      if (metadata !== undefined && version >= task.version) task.metadata = metadata
      const waits =
        task.version === version && task.status !== status && Math.abs(task.admitted_at - now()) > ADMITTED_MS_MAX
      if (task.version >= version && !waits) return
      tasks.set(id, { ...task, status, version, outcome: outcome ?? null })
      if (!RUNNING_STATUSES.has(status)) rests(id)
      if (ENDED_STATUSES.has(status)) ended(id, version)
      if (spend === null) return
      costs.delete(id)
      costs.set(id, spend)
    },
  }
  const queries: MemoryQueries<'finished'> = {
    finished: ({ limit }) => [...costs.values()].toReversed().slice(0, limit),
  }
  return { commands, queries }
}

const memoryRoom =
  (tasks: ReadonlyMap<string, Indexed>, check: (limits: SpendLimits) => Result<null>) =>
  ({ open_max, key_open_max, ...limits }: WorkLimits, key_name: string | undefined): Result<null> => {
    const open = openIn(tasks, null)
    if (open >= open_max) return refuse({ code: 'quota_exceeded', open, max: open_max })
    const own = key_name === undefined ? 0 : openIn(tasks, key_name)
    if (key_name !== undefined && key_open_max !== undefined && own >= key_open_max)
      return refuse({ code: 'quota_exceeded', open: own, max: key_open_max, holder: 'key' })
    return check(limits)
  }

const openIn = (tasks: ReadonlyMap<string, Indexed>, key_name: string | null): number =>
  [...tasks.values()].filter(
    (task) => !ENDED_STATUSES.has(task.status) && (key_name === null || task.key_name === key_name),
  ).length

/** Rows in memory are lost with their index. */
const UNNEEDED: MemoryCommands<
  | 'restore'
  | 'recount'
  | 'confirm_feed'
  | 'restart_feed'
  | Exclude<keyof ShardCommandTypes, 'tie_to_pool' | 'note_task_change'>
> = {
  restore: () => undefined,
  recount: () => 0,
  confirm_feed: () => undefined,
  restart_feed: () => undefined,
  settle_shares: notSharded,
  give_share: notSharded,
  shrink_share: notSharded,
  tie_task: notSharded,
  reserve_in_shard: notSharded,
  give_back_to_shard: notSharded,
  empty_pockets: notSharded,
  drop_double: notSharded,
}

/** Shards are played over SQL (test/support/sql-workspace.ts). */
function notSharded(): never {
  throw new Error('a workspace in memory has no shards')
}

interface IndexParts {
  slots: Slots
  totals: { check(limits: SpendLimits): Result<null>; totalsOf(limits: SpendLimits): SpendTotal[] }
  blobsOf(task: string): string[]
  /** The run that is to be settled for a task. */
  runOf(task: string): RunRef | null
  /** The pool that keeps delegations of a task. */
  poolOf(task: string): string | undefined
  /** Deletes the entry of a task. */
  dropped(task: string): void
  /** A task goes on after its end. */
  reopened(task: string, until: number): void
}
function memoryIndex(
  tasks: Map<string, Indexed>,
  { slots, totals, blobsOf, runOf, poolOf, dropped, reopened }: IndexParts,
  now: () => number,
) {
  let positions = 0
  const roomIn = memoryRoom(tasks, totals.check)
  const admission = ({ id }: { id: string }): Admission | null => {
    const entry = tasks.get(id)
    if (entry === undefined) return null
    const pool = poolOf(id)
    const found = { admitted: entry.admitted, at: entry.admitted_at, blobs: blobsOf(id) }
    return pool === undefined ? found : { ...found, pool }
  }
  /** False if the row is new. */
  const admitAgain = ({ id, slice }: IndexEntry): boolean => {
    const known = tasks.get(id)
    if (known === undefined) return false
    forgetVersions(slots.rows, id, now())
    if (wasAdmittedBy(known.admitted, slice)) return true
    tasks.set(id, { ...known, admitted: ambiguousAdmission(slice), admitted_at: now() })
    return true
  }
  const commands: MemoryCommands<'admit' | 'reopen' | 'begin_removal' | 'drop'> = {
    admit({ entry, ...limits }) {
      if (admitAgain(entry)) return ok(null)
      const room = roomIn(limits, entry.key_name)
      const admitted = incarnationOf(entry.slice)
      if (room.ok)
        tasks.set(entry.id, {
          ...entry,
          position: ++positions,
          version: 0,
          admitted_at: now(),
          admitted,
          outcome: null,
        })
      return room
    },
    reopen({ id, ...limits }) {
      const task = tasks.get(id)
      if (task === undefined || !ENDED_STATUSES.has(task.status)) return ok(null)
      const { key_name } = task
      if (key_name !== undefined && key_name !== limits.key?.name) return ok({ made_with: key_name })
      const room = roomIn(limits, key_name)
      if (!room.ok) return room
      tasks.set(id, { ...task, status: 'running', outcome: null, admitted_at: now() })
      reopened(id, task.version)
      return ok({ until: task.version, pool: poolOf(id) ?? null })
    },
    // The lists of this fake always ask the task.
    begin_removal({ id }) {
      const known = admission({ id })
      return known === null ? null : { ...known, unsettled: runOf(id) }
    },
    drop({ id, admitted }) {
      const known = tasks.get(id)
      if (known !== undefined && !admitted.includes(known.admitted)) return
      tasks.delete(id)
      dropped(id)
    },
  }
  const queries: MemoryQueries<'admission' | 'limit_use'> = {
    admission,
    limit_use: ({ kind: _kind, ...limits }) => ({
      totals: totals.totalsOf(limits),
      open_tasks: openIn(tasks, null),
      key_open_tasks: limits.key === undefined ? null : openIn(tasks, limits.key.name),
      stored_bytes: 0,
    }),
  }
  return { commands, queries }
}

function memoryKeys(): AppliedKeys & { dropKeys(task: string): void } {
  const applied = new Map<string, { digest: string; result: string }>()
  return {
    find: (key) => applied.get(key) ?? null,
    // The first answer stands, as in SQL.
    keep: (key, digest, result) => void (applied.has(key) || applied.set(key, { digest, result })),
    dropKeys(task) {
      for (const key of applied.keys()) if (key.startsWith(`${task}:`)) applied.delete(key)
    },
  }
}

function memorySlots(now: () => number, { max, rows }: Slots) {
  const limits = () => ({ max, now_ms: now() })
  const free = (task: string, below: number) => void freeSlot(rows, task, below, limits())
  const commands: MemoryCommands<'acquire_slot' | 'release_slot' | 'take_holders_to_wake'> = {
    acquire_slot: ({ task, version }) => acquireSlot(rows, { task, version }, limits()).held,
    release_slot: ({ task, version }) => free(task, version === null ? Infinity : version + 1),
    take_holders_to_wake: () => holdersToWake(rows, 100, now()),
  }
  return { commands, free }
}

function memoryDesk(keys: AppliedKeys, delegations: DelegationRows, now: () => number) {
  const book = memoryBook()
  const told = { book, tried: memoryReminders(), commands: delegations }
  const commands: MemoryCommands<'run_command' | 'remind' | 'keep'> = {
    run_command: (call) => runInBook(book, keys, call),
    remind: (call) => takeReminders(told, call, now()),
    keep: ({ request, answer }) => keys.keep(requestName(request), request.digest, answer),
  }
  const queries: MemoryQueries<'entries' | 'recall'> = {
    entries: () => calendarEntries(entriesOf(book)),
    recall: ({ request }) => findReply(keys, request),
  }
  return { commands, queries }
}

function memoryReminders(): ReminderAttempts {
  const reminded = new Map<string, { at: number; until: number | null }>()
  let planned: number | null = null
  return {
    owedSince: () =>
      Math.min(Infinity, ...[...reminded.values()].flatMap(({ at, until }) => (until === null ? [] : [at]))),
    planned: () => planned,
    plan: (at) => void (planned = at),
    all: () => new Map([...reminded].map(([id, { until }]) => [id, until])),
    keep: (id, at, until) => void reminded.set(id, { at, until }),
    forget(before) {
      for (const [id, { at }] of reminded) if (at < before) reminded.delete(id)
    },
  }
}
