/** The ports of one request over Durable Objects: each call stops at a gate of the scheduler, and is checked when it is made. */
import type { Ticket } from '../../../src/core/protocol/advance.ts'
import type { ReportResult, InputResult } from '../../../src/core/protocol/task-answers.ts'
import type { SentReport } from '../../../src/core/terms/delegation.ts'
import type { Event } from '../../../src/core/terms/effect.ts'
import type { Head } from '../../../src/core/terms/head.ts'
import type { PendingRow } from '../../../src/core/protocol/journal.ts'
import { refuse, type Result } from '../../../src/core/terms/refusal.ts'
import type { TaskCommand } from '../../../src/core/protocol/commands.ts'
import type { QueryKind, RemoteTask, StoredTask, TaskQuery, TaskUpkeep } from '../../../src/core/replay/stored-task.ts'
import type {
  RemoteWorkspace,
  WorkspaceCommand,
  WorkspaceQuery,
} from '../../../src/core/protocol/workspace-requests.ts'
import { failureOf } from '../../../src/http/gate/failure.ts'
import type { Ports, TaskStore } from '../../../src/shell/ports.ts'
import { taskMethods } from '../../../src/store/task/task-methods.ts'
import type { JournalRecord } from '../../../src/store/task/rows/schema.ts'
import { builtInTools } from '../../../src/tools/index.ts'
import { parsedRows } from '../../sim/cached-rows.ts'
import { checkCall } from '../../sim/check-calls.ts'
import { checkReported } from '../../sim/check-reports.ts'
import { heardIn, isReported } from '../../sim/checked.ts'
import { toolsOf } from '../../sim/effects.ts'
import { same } from '../../sim/same.ts'
import type { Watched } from '../../sim/check-rows.ts'
import type { Actor } from '../../sim/scheduler.ts'
import { demand, violation } from '../../sim/violation.ts'
import { NO_RUNNERS, filesOver } from '../../support/scripted.ts'
import { toolGate } from '../../sim/effect-gates.ts'
import { hereOf, noPool, portsOn, reserve } from '../../sim/world.ts'
import { deskOfRun, look, reach, taskIn, type Bench } from './bench.ts'
import { wasReset, type Outcome } from './objects.ts'

type TaskFace = RemoteTask

const FOR_FORKS: ReadonlySet<string> = new Set<QueryKind>(['forkable', 'past_rows', 'forked_files'])

export function durablePorts(bench: Bench, actor: Actor): Ports {
  const { world } = bench
  const store: TaskStore = {
    of: (_tenant, id) => taskGates(bench, actor, id),
    workspace: () => deskGates(bench, actor),
    pool: noPool,
  }
  const ledgered = toolsOf(store, (tool, input, call) =>
    toolGate(world, actor, { tool, input, key: call.key }, call.timeout_ms),
  )
  // Todos and calendar are the real tools on the real workspace; what needs a world beside it is the simulation's.
  const none = { name: 'none', search: () => Promise.reject(new Error('not asked')) }
  const real = builtInTools(store, filesOver(store), none, 'UTC', NO_RUNNERS)
  const own = ['todo', 'schedule'].flatMap((name) => [...real].filter(([known]) => known === name))
  return portsOn(world, actor, store, new Map([...ledgered, ...own]))
}

/** The answer, or the error as the caller gets it: only that the object was lost, which HTTP answers with 503 (F17). */
function taken(outcome: Outcome, method: string): unknown {
  if ('answer' in outcome) return outcome.answer
  const { error } = outcome
  if (!wasReset(error)) throw violation('a store method never throws', `${method}: ${String(error)}`)
  const { refusal } = failureOf(error instanceof Error ? error : new Error(String(error)))
  demand(refusal.code === 'unavailable', 'an aborted call is 503', () => `${method}: ${refusal.code}`)
  throw error
}

function taskGates(bench: Bench, actor: Actor, id: string): TaskFace {
  const gate = <T>(method: string, deliver: () => Promise<T>) =>
    bench.world.scheduler.gate({
      actor,
      label: `store.${method}`,
      repeatable: false,
      shown: () => `${id}.${method}`,
      deliver,
    })
  const write = <T extends InputResult | ReportResult>(order: Order) => {
    bench.world.holders.set(order.ticket.slice, actor)
    // The method answers what its interface says.
    return gate(order.method, () => written(bench, id, order)) as Promise<Result<T>>
  }
  const read = <T>(door: 'ask' | 'upkeep', kind: string, call: object) =>
    gate(kind, async () =>
      taken(await reach(bench, taskIn(bench, id), { method: door, args: [call] }), kind),
    ) as Promise<Result<T>>
  return {
    create: (task, ticket) => write({ method: 'create', args: [task, ticket], ticket }),
    begin: (ticket) => write({ method: 'begin', args: [ticket], ticket }),
    commit: (seq, event, ticket) => write({ method: 'commit', args: [seq, event, ticket], ticket, seq, event }),
    tell: (command, ticket) => {
      const told = command as TaskCommand
      const { kind } = told
      if (kind === 'answer') return Promise.reject(new Error('nobody here holds a link'))
      const order = { method: kind, door: 'tell' as const, args: [told, ticket], ticket }
      return write(kind === 'report' ? { ...order, report: { seq: told.seq, sent: told.sent } } : order)
    },
    // Nobody watches here, and a call that does not count any more is fenced when it commits.
    relay: () => Promise.resolve({ open: true, watched: false }),
    ask: (query) => {
      const asked = query as TaskQuery
      if (FOR_FORKS.has(asked.kind)) return Promise.reject(new Error('nobody here forks'))
      if (asked.kind === 'linked_files') return Promise.reject(new Error('nobody here holds a link'))
      if (asked.kind === 'earlier_answer')
        return write({ method: asked.kind, door: 'ask', args: [asked], ticket: asked.ticket }) as never // it answers a step
      return read('ask', asked.kind, asked)
    },
    upkeep: (call) => {
      const { kind } = call as TaskUpkeep
      if (kind === 'stall' || kind === 'give_room') return Promise.reject(new Error('nobody here is short of room'))
      if (kind === 'end_links') return Promise.reject(new Error('nobody here holds a link'))
      return read('upkeep', kind, call)
    },
    fork: () => Promise.reject(new Error('nobody here forks')),
    driveLater: async () => undefined,
    wake: async () => false,
    remove: () => gate('remove', () => removed(bench, id)),
    retire: async () => refuse({ code: 'task_not_found' }),
  }
}

interface Order {
  /** What it is called in reports: the kind of a command or a question, else the method. */
  method: string
  /** The method of the object that takes it; without it `method`. */
  door?: 'tell' | 'ask'
  args: unknown[]
  ticket: Ticket
  seq?: number
  event?: Event
  report?: { seq: number; sent: SentReport }
}
interface Before {
  last: Head | undefined
  pending: PendingRow | null
  records: Map<number, JournalRecord>
}

/** One call that may write, with every checker behind it. */
async function written(bench: Bench, id: string, order: Order): Promise<unknown> {
  const { world } = bench
  const { method, ticket, seq = null, event = null, report } = order
  const { rows, frozen: { length: known } = [], settled } = world.tasks.get(id) ?? {}
  const [last, pending] = [rows?.last()?.head, rows?.pending() ?? null]
  const before: Before = { last, pending, records: new Map(rows?.records) }
  const settledBefore = new Map(settled)
  const here = hereOf(world)
  const outcome = await reach(bench, taskIn(bench, id), { method: order.door ?? method, args: order.args })
  const watched = await look(bench, id)
  const fresh = closedSince(watched, known)
  const { records } = watched.rows
  demand(before.records.size === 0 || records.size > 0, 'nothing acknowledged is lost', () => `${id} after ${method}`)
  demand(before.records.size > 0 || records.size === 0 || method === 'create', 'nothing resurrects', () => method)
  if ('error' in outcome) {
    checkWhole(bench, order, before, records)
    return taken(outcome, method)
  }
  const result = outcome.answer as Result<InputResult | ReportResult> // what the method answers
  if (!result.ok) {
    demand(result.refusal.code !== 'state_unreadable', 'what was written can be read', () => JSON.stringify(result))
    bench.seen(result.refusal.code)
    if (method === 'commit' && before.pending?.seq === seq) bench.seen('fenced by the slice alone')
  }
  checkCall(watched, { method, seq, event, ticket, here, before, result: heardIn(result) }, fresh, bench.seen)
  if (report !== undefined && result.ok && isReported(result.value)) {
    const call = { ...report, now_ms: here.now_ms, before }
    checkReported(watched.rows, settledBefore, call, result.value, bench.seen)
  }
  if (before.pending !== null && method === 'cancel' && fresh.length > 0) bench.seen('cancel in flight')
  return result
}

const closedSince = ({ rows, frozen }: Watched, known: number) =>
  frozen.slice(known).flatMap((_record, index) => rows.closed(known + index + 1) ?? [])

/** A call whose answer was lost wrote all it had to write, or nothing (P15). */
function checkWhole(
  bench: Bench,
  { method, door, args }: Order,
  { records }: Before,
  now: Map<number, JournalRecord>,
): void {
  const untouched = same([...records.values()], [...now.values()])
  bench.seen(untouched ? 'lost call' : 'lost reply')
  if (untouched) return
  const scratch = parsedRows()
  for (const [seq, record] of records) scratch.records.set(seq, record)
  const [methods, asked] = [taskMethods(scratch, () => hereOf(bench.world)), structuredClone(args)]
  // The order names one of its methods, with the arguments of it.
  void (Reflect.get(methods, door ?? method) as (...given: unknown[]) => unknown)(...asked)
  const whole = same([...scratch.records.values()].map(parsedRecord), [...now.values()].map(parsedRecord))
  demand(whole, 'a call is whole or not at all', () => `${method}: ${now.size} rows, ${scratch.records.size} expected`)
}

/** Heads are compared by their members. A state that was parsed again may have them in another order. */
const parsedRecord = (record: JournalRecord) => ({ ...record, head: JSON.parse(record.head ?? 'null') as unknown })

async function removed(bench: Bench, id: string): Promise<ReturnType<StoredTask['remove']>> {
  const { world } = bench
  const { tasks, lives } = world
  const known = tasks.get(id)
  const pending = known?.rows.pending() ?? null
  const outcome = await reach(bench, taskIn(bench, id), { method: 'remove', args: [] })
  const watched = await look(bench, id)
  const gone = watched.rows.records.size === 0
  if (known !== undefined && gone) {
    if (pending !== null) bench.seen('delete in flight')
    if (pending?.effect.kind === 'run_tool') world.cut_tools += 1
    tasks.delete(id)
    lives.set(id, (lives.get(id) ?? 1) + 1)
  }
  const result = taken(outcome, 'remove') as ReturnType<StoredTask['remove']> // what the method answers
  demand(
    gone && result.ok === (known !== undefined),
    'a deleted task is gone',
    () => `${id}: ${JSON.stringify(result)}`,
  )
  return result
}

function deskGates(bench: Bench, actor: Actor): RemoteWorkspace {
  const { world } = bench
  const gate = (method: 'tell' | 'ask', request: WorkspaceCommand | WorkspaceQuery) => {
    const { kind } = request
    return world.scheduler.gate({
      actor,
      label: `workspace.${kind}`,
      repeatable: false,
      shown: () => `workspace.${kind}`,
      // The method answers what its interface says.
      deliver: async () => taken(await reach(bench, deskOfRun(bench), { method, args: [request] }), kind) as never,
    })
  }
  return {
    tell(command) {
      const told = command as WorkspaceCommand
      return told.kind === 'reserve' ? reserve(world, () => gate('tell', told)) : gate('tell', told)
    },
    ask: (query) => gate('ask', query as WorkspaceQuery),
    tellInShard: () => Promise.reject(new Error('nobody here has shards')),
    awaitDelegation: () => Promise.reject(new Error('nobody here waits for work')),
  }
}
