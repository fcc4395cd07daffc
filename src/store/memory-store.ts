/** The TaskStore port in memory: the same methods over rows that live in maps, for tests and simulation. */
import type { Refund } from '../core/axes.ts'
import { chunkOf, dayOf, isExhausted, NOTHING_SPENT, type Spent, untilTomorrow } from '../core/daily.ts'
import { calendarEntries } from '../core/calendar.ts'
import { memoryBook } from '../core/commands/memory-book.ts'
import { ok, refuse, type Result } from '../core/refusal.ts'
import type { Here } from '../core/advance.ts'
import { dueOf } from '../core/due.ts'
import type { StoredTask } from '../core/task-methods.ts'
import { contested, lifeBy, isOfAdmitted } from '../core/lives.ts'
import { folded, isSought } from '../core/sought.ts'
import { turnOf, type Turn } from '../core/turns.ts'
import { ENDED, type Spend } from '../core/status.ts'
import {
  ADMITTED_MS_MAX,
  type Admission,
  type Daily,
  type IndexEntry,
  type IndexFilter,
  type IndexPage,
  type WorkspaceMethods,
} from '../core/workspace-methods.ts'
import type { Remote, TaskStore } from '../shell/ports.ts'
import type { DelegationRows } from './delegations.ts'
import { memoryDelegations } from './memory-delegations.ts'
import { memoryDeliveries } from './memory-deliveries.ts'
import { memoryRows } from './memory-rows.ts'
import { memoryStored } from './memory-stored.ts'
import { guarded, leftOf, taskMethods } from './rows.ts'
import { entriesOf, remindFrom, type TriedReminders } from './remind.ts'
import { nameOf, recalled, runInBook, type AppliedKeys } from './run-in-book.ts'

/** `here` gives the time and process that the objects see. */
export function memoryStore(here: () => Here): TaskStore & { rows: Map<string, ReturnType<typeof memoryRows>> } {
  const rows = new Map<string, ReturnType<typeof memoryRows>>()
  const workspaces = new Map<string, WorkspaceMethods>()
  return {
    rows,
    of(tenant, id) {
      const name = JSON.stringify([tenant, id])
      const found = rows.get(name) ?? memoryRows()
      const methods: Omit<StoredTask, 'retire'> = {
        ...taskMethods(found, here),
        later: () => undefined,
        remove() {
          const left = leftOf(found)
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
      return remote<StoredTask>({ ...methods, create, fork, retire }, guarded)
    },
    workspace(tenant) {
      const found = workspaces.get(tenant) ?? memoryWorkspace(() => here().now_ms)
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

function memoryWorkspace(now: () => number): WorkspaceMethods {
  const { dropKeys, ...keys } = memoryKeys()
  const tasks = new Map<
    string,
    IndexEntry & { position: number; version: number; admitted_at: number; admitted: string }
  >()
  const { drop: dropTurn, ...turns } = memoryTurns(now)
  let positions = 0
  const costs = new Map<string, Spend>()
  const { drop: dropDeliveries, ...deliveries } = memoryDeliveries()
  const { isUsedUp, ...totals } = memoryTotals(now)
  const { dropStored, blobsOf, ...stored } = memoryStored((id) => tasks.has(id))
  const delegations = memoryDelegations((id) => tasks.get(id) ?? null, now)
  const { admitAgain, admission } = memoryAdmissions(tasks, blobsOf, now)
  const roomIn = (open_max: number, daily: Daily): Result<null> => {
    const open = [...tasks.values()].filter((task) => !ENDED.has(task.status)).length
    if (open >= open_max) return refuse({ code: 'quota_exceeded', open, max: open_max })
    return isUsedUp(daily) ? refuse({ code: 'tenant_budget_exceeded', reset_s: untilTomorrow(now()) }) : ok(null)
  }
  return {
    ...deliveries,
    ...turns,
    ...totals,
    ...stored,
    ...delegations.methods,
    ...memoryDesk(keys, delegations.rows, now),
    admit(entry, open_max, daily) {
      if (admitAgain(entry)) return ok(null)
      const room = roomIn(open_max, daily)
      const admitted = lifeBy(entry.slice)
      if (room.ok) tasks.set(entry.id, { ...entry, position: ++positions, version: 0, admitted_at: now(), admitted })
      return room
    },
    reopen(id, open_max, daily) {
      const task = tasks.get(id)
      if (task === undefined || !ENDED.has(task.status)) return ok(null)
      const room = roomIn(open_max, daily)
      if (room.ok) tasks.set(id, { ...task, status: 'running', admitted_at: now() })
      return room
    },
    recall: (request) => recalled(keys, request),
    keep: (request, answer) => keys.keep(nameOf(request), request.digest, answer),
    setStatus(id, status, version, cost) {
      const task = tasks.get(id)
      if (task === undefined) return
      const waits =
        task.version === version && task.status !== status && Math.abs(task.admitted_at - now()) > ADMITTED_MS_MAX
      if (task.version >= version && !waits) return
      tasks.set(id, { ...task, status, version })
      if (ENDED.has(status)) delegations.cancel(id)
      if (cost === null) return
      costs.delete(id)
      costs.set(id, cost)
    },
    finished: (limit) => [...costs.values()].toReversed().slice(0, limit),
    admission,
    drop(id, admitted) {
      const known = tasks.get(id)
      if (known !== undefined && !admitted.includes(known.admitted)) return
      tasks.delete(id)
      dropTurn(id)
      dropDeliveries(id)
      dropStored(id)
      delegations.rows.drop(id)
      dropKeys(id)
    },
    list: (filter, before, limit) => pageOf([...tasks.values()], filter, before, limit),
  }
}

type Indexed = IndexEntry & { position: number; version: number; admitted_at: number; admitted: string }

function memoryAdmissions(tasks: Map<string, Indexed>, blobsOf: (task: string) => string[], now: () => number) {
  return {
    /** False: it is new. */
    admitAgain({ id, slice }: IndexEntry): boolean {
      const known = tasks.get(id)
      if (known === undefined) return false
      if (isOfAdmitted(known.admitted, slice)) return true
      tasks.set(id, { ...known, admitted: contested(slice), admitted_at: now() })
      return true
    },
    admission(id: string): Admission | null {
      const entry = tasks.get(id)
      return entry === undefined ? null : { admitted: entry.admitted, at: entry.admitted_at, blobs: blobsOf(id) }
    },
  }
}

function pageOf(tasks: readonly Indexed[], filter: IndexFilter, before: number, limit: number): IndexPage {
  const found = tasks
    .filter((task) => (before === 0 || task.position < before) && fits(task, filter))
    .sort((a, b) => b.position - a.position)
  return {
    entries: found
      .slice(0, limit)
      .map(({ id, position, status, admitted_at }) => ({ id, position, status, admitted_at })),
    has_more: found.length > limit,
  }
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

function memoryTotals(now: () => number) {
  const spent = new Map<string, Spent>()
  const spentOn = (day: string) => spent.get(day) ?? NOTHING_SPENT
  const spend = ({ day, tokens, cost }: Refund, sign: 1 | -1) => {
    const before = spentOn(day)
    spent.set(day, { tokens: before.tokens + sign * tokens, cost: before.cost + sign * cost })
  }
  const totals: Pick<WorkspaceMethods, 'reserve' | 'giveBack'> = {
    reserve(want, daily) {
      const day = dayOf(now())
      const chunk = chunkOf(want, spentOn(day), daily, day)
      if (chunk !== null) spend(chunk, 1)
      return chunk
    },
    giveBack: (refund) => spend(refund, -1),
  }
  return { ...totals, isUsedUp: (daily: Daily) => isExhausted(spentOn(dayOf(now())), daily) }
}

function memoryTurns(now: () => number): Pick<WorkspaceMethods, 'takeTurn' | 'endTurn'> & { drop(id: string): void } {
  const turns = new Map<string, Turn>()
  return {
    takeTurn(asked, max) {
      const { wait_ms, ...turn } = turnOf([...turns.values()], asked, max, now())
      turns.set(turn.id, turn)
      return wait_ms
    },
    endTurn({ id, slice }) {
      if (turns.get(id)?.slice === slice) turns.delete(id)
    },
    drop: (id) => void turns.delete(id),
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
    remind: (call) => remindFrom(told, call, now()),
    entries: () => calendarEntries(entriesOf(book)),
  }
}

function memoryReminders(): TriedReminders {
  const reminded = new Map<string, { at: number; until: number | null }>()
  return {
    all: () => new Map([...reminded].map(([id, { until }]) => [id, until])),
    keep: (id, at, until) => void reminded.set(id, { at, until }),
    forget(before) {
      for (const [id, { at }] of reminded) if (at < before) reminded.delete(id)
    },
  }
}

function fits(task: IndexEntry, { status, mode, metadata, q }: IndexFilter): boolean {
  const tagged = Object.entries(metadata).every(([key, value]) => task.metadata[key] === value)
  const found = q === null || isSought(folded(q), { id: task.id, goal: folded(task.goal) })
  return (status === null || task.status === status) && (mode === null || task.mode === mode) && tagged && found
}
