/** The TaskStore port in memory: the same methods over rows that live in maps, for tests and simulation. */
import { secondsUntilTomorrow, type DailyLimits } from '../../../src/core/workspace/daily-totals.ts'
import { calendarEntries } from '../../../src/core/workspace/calendar.ts'
import { memoryBook } from './memory-book.ts'
import { ok, refuse, type Result } from '../../../src/core/terms/refusal.ts'
import type { ObjectContext } from '../../../src/core/protocol/advance.ts'
import { dueOf, needsRunSlot } from '../../../src/core/protocol/alarm-times.ts'
import type { RemoteTask, StoredTask } from '../../../src/core/replay/stored-task.ts'
import { ambiguousAdmission, incarnationOf, wasAdmittedBy } from '../../../src/core/workspace/incarnation.ts'
import { listedText, type ListedText } from '../../../src/core/protocol/view/list-entry.ts'
import { foldCase, matchesSearch } from '../../../src/core/workspace/search-match.ts'
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
  type IndexFilter,
  type IndexPage,
  type RunSlotMethods,
  type WorkspaceMethods,
} from '../../../src/core/protocol/workspace-methods.ts'
import type { Remote, TaskStore } from '../../../src/shell/ports.ts'
import type { DelegationRows } from '../../../src/store/workspace/delegations/delegations.ts'
import { memoryDelegations } from './memory-delegations.ts'
import { memoryDeliveries } from './memory-deliveries.ts'
import { memoryRows } from '../../../src/store/task/rows/memory-rows.ts'
import { memoryStored } from './memory-stored.ts'
import { memoryTotals } from './memory-totals.ts'
import { memoryRates } from './memory-rates.ts'
import { taskMethods } from '../../../src/store/task/task-methods.ts'
import { remainsOf } from '../../../src/store/task/task-facts.ts'
import { refuseUnreadable } from '../../../src/store/task/refuse-unreadable.ts'
import { memoryRunSlots } from './memory-run-slots.ts'
import {
  entriesOf,
  takeReminders,
  type ReminderAttempts,
} from '../../../src/store/workspace/reminders/due-reminders.ts'
import { requestName, findReply, runInBook, type AppliedKeys } from '../../../src/store/workspace/book/run-in-book.ts'

/** `here` gives the time and process that the objects see. */
export function memoryStore(
  here: () => ObjectContext,
  slots_max = 10,
  slot_rows: RunSlotRows = memoryRunSlots(),
): TaskStore & { rows: Map<string, ReturnType<typeof memoryRows>> } {
  const rows = new Map<string, ReturnType<typeof memoryRows>>()
  const workspaces = new Map<string, WorkspaceMethods>()
  /** What a task shows now: in memory the index is told at once. */
  const told = (tenant: string) => (id: string) => {
    const found = rows.get(JSON.stringify([tenant, id]))
    const seen = found === undefined ? null : refuseUnreadable(() => taskMethods(found, here).ask({ kind: 'view' }))
    return seen?.ok === true ? listedText(seen.value, here().now_ms) : null
  }
  return {
    rows,
    of(tenant, id) {
      const name = JSON.stringify([tenant, id])
      const found = rows.get(name) ?? memoryRows()
      const methods: Omit<StoredTask, 'retire'> = {
        ...taskMethods(found, here),
        driveLater: () => undefined,
        wake: () => {
          const needs = refuseUnreadable(() => ok(needsRunSlot(found, here())))
          return needs.ok && needs.value
        },
        remove() {
          const left = remainsOf(found)
          found.clear()
          return rows.delete(name) ? ok(left) : refuse({ code: 'task_not_found' })
        },
      }
      const retire: StoredTask['retire'] = () => {
        const at = dueOf(found, found.deliveries(), here()).retire
        return at !== null && at <= here().now_ms ? methods.remove() : refuse({ code: 'task_not_found' })
      }
      const create: StoredTask['create'] = (task, ticket) => {
        rows.set(name, found)
        return methods.create(task, ticket)
      }
      const fork: StoredTask['fork'] = (wish, ticket) => {
        const made = methods.fork(wish, ticket)
        if (made.ok) rows.set(name, found)
        return made
      }
      return remote({ ...methods, create, fork, retire }, refuseUnreadable) as unknown as RemoteTask // what it answers comes later
    },
    workspace(tenant) {
      const found =
        workspaces.get(tenant) ??
        memoryWorkspace(() => here().now_ms, told(tenant), { max: slots_max, rows: slot_rows })
      workspaces.set(tenant, found)
      return remote(found)
    },
  }
}

const copied = (answer: unknown): unknown => structuredClone(answer)

/** Calls as they look from elsewhere: arguments and answers are copies, answers come later. */
function remote<T extends object>(
  methods: T,
  guard: (decide: () => Result<unknown>) => unknown = (decide) => decide(),
): Remote<T> {
  const entries = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      const answer: unknown = guard(() => method(...structuredClone(args)))
      return answer instanceof Promise ? answer.then(copied) : Promise.resolve(copied(answer))
    },
  ])
  return Object.fromEntries(entries) as Remote<T> // the same names, each answering a promise
}

interface Slots {
  max: number
  rows: RunSlotRows
}
function memoryWorkspace(now: () => number, told: (id: string) => ListedText | null, limited: Slots): WorkspaceMethods {
  const { dropKeys, ...keys } = memoryKeys()
  const tasks = new Map<string, Indexed>()
  const { free: freeSlotOf, ...slots } = memorySlots(now, limited)
  let positions = 0
  const costs = new Map<string, Spend>()
  const { drop: dropDeliveries, ...deliveries } = memoryDeliveries()
  const { isUsedUp, ...totals } = memoryTotals(now)
  const { dropStored, blobsOf, ...stored } = memoryStored((id) => tasks.has(id), now)
  const delegations = memoryDelegations((id) => tasks.get(id) ?? null, now)
  const { admitAgain, ...admissions } = memoryAdmissions(tasks, blobsOf, limited, now)
  const roomIn = memoryRoom(tasks, isUsedUp, now)
  return {
    ...deliveries,
    ...slots,
    ...totals,
    ...stored,
    ...memoryRates(),
    ...delegations.methods,
    ...memoryDesk(keys, delegations.rows, now),
    admit(entry, open_max, daily) {
      if (admitAgain(entry)) return ok(null)
      const room = roomIn(open_max, daily)
      const admitted = incarnationOf(entry.slice)
      if (room.ok) tasks.set(entry.id, { ...entry, position: ++positions, version: 0, admitted_at: now(), admitted })
      return room
    },
    reopen(id, open_max, daily) {
      const task = tasks.get(id)
      if (task === undefined || !ENDED_STATUSES.has(task.status)) return ok(null)
      const room = roomIn(open_max, daily)
      if (room.ok) tasks.set(id, { ...task, status: 'running', admitted_at: now() })
      return room
    },
    ...memoryReplies(keys),
    setStatus(id, status, version, cost) {
      if (!RUNNING_STATUSES.has(status)) freeSlotOf(id, version)
      const task = tasks.get(id)
      if (task === undefined) return
      const waits =
        task.version === version && task.status !== status && Math.abs(task.admitted_at - now()) > ADMITTED_MS_MAX
      if (task.version >= version && !waits) return
      tasks.set(id, { ...task, status, version })
      if (ENDED_STATUSES.has(status)) delegations.cancel(id)
      if (cost === null) return
      costs.delete(id)
      costs.set(id, cost)
    },
    finished: (limit) => [...costs.values()].toReversed().slice(0, limit),
    ...admissions,
    drop(id, admitted) {
      const known = tasks.get(id)
      if (known !== undefined && !admitted.includes(known.admitted)) return
      tasks.delete(id)
      freeSlotOf(id, Infinity)
      dropDeliveries(id)
      dropStored(id)
      delegations.rows.drop(id)
      dropKeys(id)
    },
    ...UNNEEDED,
    list: (filter, before, limit) => pageOf([...tasks.values()], told, filter, before, limit),
  }
}

const memoryRoom =
  (tasks: ReadonlyMap<string, Indexed>, isUsedUp: (daily: DailyLimits) => boolean, now: () => number) =>
  (open_max: number, daily: DailyLimits): Result<null> => {
    const open = [...tasks.values()].filter((task) => !ENDED_STATUSES.has(task.status)).length
    if (open >= open_max) return refuse({ code: 'quota_exceeded', open, max: open_max })
    return isUsedUp(daily) ? refuse({ code: 'tenant_budget_exceeded', reset_s: secondsUntilTomorrow(now()) }) : ok(null)
  }

const memoryReplies = (keys: AppliedKeys): Pick<WorkspaceMethods, 'recall' | 'keep'> => ({
  recall: (request) => findReply(keys, request),
  keep: (request, answer) => keys.keep(requestName(request), request.digest, answer),
})

/** What is in memory is lost with its index. */
const UNNEEDED: Pick<WorkspaceMethods, 'restore' | 'recount'> = { restore: () => undefined, recount: () => 0 }
type Indexed = IndexEntry & { position: number; version: number; admitted_at: number; admitted: string }

function memoryAdmissions(
  tasks: Map<string, Indexed>,
  blobsOf: (task: string) => string[],
  slots: Slots,
  now: () => number,
) {
  const admission = (id: string): Admission | null => {
    const entry = tasks.get(id)
    return entry === undefined ? null : { admitted: entry.admitted, at: entry.admitted_at, blobs: blobsOf(id) }
  }
  return {
    /** False: it is new. */
    admitAgain({ id, slice }: IndexEntry): boolean {
      const known = tasks.get(id)
      if (known === undefined) return false
      forgetVersions(slots.rows, id, now())
      if (wasAdmittedBy(known.admitted, slice)) return true
      tasks.set(id, { ...known, admitted: ambiguousAdmission(slice), admitted_at: now() })
      return true
    },
    admission,
    // Lists of this one always ask the task.
    leaving: admission,
  }
}

function pageOf(
  tasks: readonly Indexed[],
  told: (id: string) => ListedText | null,
  filter: IndexFilter,
  before: number,
  limit: number,
): IndexPage {
  const found = tasks
    .filter((task) => (before === 0 || task.position < before) && fits(task, filter))
    .sort((a, b) => b.position - a.position)
  const entries = found.slice(0, limit).map(({ id, position, mode, status, metadata, admitted_at }) => {
    const { text = null, as_of = null } = told(id) ?? {}
    return { id, position, mode, status, metadata, admitted_at, text, as_of }
  })
  const next = found.length > limit ? (entries.at(-1)?.position ?? null) : null
  return { entries, has_more: next !== null, next }
}

function memoryKeys(): AppliedKeys & { dropKeys(task: string): void } {
  const applied = new Map<string, { digest: string; result: string }>()
  return {
    find: (key) => applied.get(key) ?? null,
    keep: (key, digest, result) => void applied.set(key, { digest, result }),
    dropKeys(task) {
      for (const key of applied.keys()) if (key.startsWith(`${task}:`)) applied.delete(key)
    },
  }
}

function memorySlots(
  now: () => number,
  { max, rows }: Slots,
): RunSlotMethods & { free(task: string, below: number): void } {
  const limits = () => ({ max, now_ms: now() })
  const free = (task: string, below: number) => void freeSlot(rows, task, below, limits())
  return {
    acquireSlot: (claim) => acquireSlot(rows, claim, limits()).held,
    releaseSlot: (task, version) => free(task, version === null ? Infinity : version + 1),
    holdersToWake: () => holdersToWake(rows, 100, now()),
    free,
  }
}

function memoryDesk(
  keys: AppliedKeys,
  commands: DelegationRows,
  now: () => number,
): Pick<WorkspaceMethods, 'command' | 'remind' | 'entries'> {
  const book = memoryBook()
  const told = { book, tried: memoryReminders(), commands }
  return {
    command: (call) => runInBook(book, keys, call),
    remind: (call) => takeReminders(told, call, now()),
    entries: () => calendarEntries(entriesOf(book)),
  }
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

function fits(task: IndexEntry, { status, mode, metadata, q }: IndexFilter): boolean {
  const tagged = Object.entries(metadata).every(([key, value]) => task.metadata[key] === value)
  const found = q === null || matchesSearch(foldCase(q), { id: task.id, goal: foldCase(task.goal) })
  return (status === null || task.status === status) && (mode === null || task.mode === mode) && tagged && found
}
