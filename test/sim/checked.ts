/** One call on a stored task of the simulation, with every checker behind it; and its end by a delete. */
import type { ObjectContext, Ticket } from '../../src/core/protocol/advance.ts'
import type { ReportResult, InputResult } from '../../src/core/protocol/task-answers.ts'
import type { SentReport } from '../../src/core/terms/delegation.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import { ok, refuse, type Result } from '../../src/core/terms/refusal.ts'
import type { StoredTask, TaskMethods } from '../../src/core/replay/stored-task.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { remainsOf } from '../../src/store/task/task-facts.ts'
import { refuseUnreadable } from '../../src/store/task/refuse-unreadable.ts'
import { simRows } from './cached-rows.ts'
import { checkCall, thrown, type Call } from './check-calls.ts'
import { checkPrice } from './check-endpoints.ts'
import { checkReported } from './check-reports.ts'
import { checkRows, watch } from './check-rows.ts'
import { checkTenant } from './check-tenant.ts'
import { checkDrops, checkDue } from './check-tools.ts'
import { awaitedFile, checkFileWait } from './file-waits.ts'
import { demand } from './violation.ts'
import type { World } from './world.ts'

export interface Order<T> {
  method: string
  ticket: Ticket
  run: (methods: TaskMethods) => Result<T>
  commit: { seq: number; event: Event } | null
  report: { seq: number; sent: SentReport } | null
}

export function checked<T extends InputResult | ReportResult>(
  world: World,
  id: string,
  order: Order<T>,
  here: ObjectContext,
): Result<T> {
  const { method, ticket, run, commit, report } = order
  const watched = world.tasks.get(id) ?? watch(id, simRows())
  if (method === 'create') world.tasks.set(id, watched)
  const { rows } = watched
  const before = { last: rows.last()?.head, pending: rows.pending(), records: new Map(rows.records) }
  const settled = new Map(watched.settled)
  let result: Result<T>
  try {
    result = refuseUnreadable(() => run(taskMethods(rows, () => here)))
  } catch (error) {
    throw thrown(error, method)
  }
  if (!result.ok) {
    const { refusal } = result
    demand(refusal.code !== 'state_unreadable', 'what was written can be read', () => JSON.stringify(refusal))
    world.seen(refusal.code)
  }
  const fresh = checkRows(watched)
  checkPrice(rows)
  if (result.ok) checkDrops(rows, fresh, droppedIn(result.value), world.seen)
  checkDue(watched, here)
  const call = { method, seq: commit?.seq ?? null, event: commit?.event ?? null, ticket, here, before }
  checkCall(watched, { ...call, result: heardIn(result) }, fresh, world.seen)
  if (report !== null && result.ok && isReported(result.value))
    checkReported(rows, settled, { ...report, now_ms: here.now_ms, before }, result.value, world.seen)
  if (before.pending !== null && method === 'cancel' && fresh.length > 0) world.seen('cancel in flight')
  if (watched.ledger?.over_reserve === true) world.seen('over_reserve')
  for (const row of fresh) checkTenant(world.tenant, row, rows.closed(row.seq - 1))
  checkFileWait(watched)
  return result
}

/** The calls that an answer of a task says were dropped. */
function droppedIn(value: InputResult | ReportResult) {
  const advanced = isReported(value) ? value.advanced : value
  return advanced !== null && typeof advanced !== 'string' && 'dropped' in advanced ? advanced.dropped : []
}

/** An upload writes the rows of a task too, but is no request for its work: whatever is under way stays with its holder. */
export function checkedArrival<T>(
  world: World,
  id: string,
  run: (methods: TaskMethods) => Result<T>,
  here: ObjectContext,
): Result<T> {
  const watched = world.tasks.get(id)
  if (watched === undefined) return refuse({ code: 'task_not_found' })
  const { rows } = watched
  const before = { pending: rows.pending(), records: new Map(rows.records), awaited: awaitedFile(rows) }
  const result = refuseUnreadable(() => run(taskMethods(rows, () => here)))
  const ticket: Ticket = { slice: 'file', boot: here.boot, more: 'nothing', rounds: 0, wall_ms: here.now_ms, key: null }
  const call = { method: 'write_file', seq: null, event: null, ticket, here, before }
  const fresh = checkRows(watched)
  checkCall(watched, { ...call, result: result.ok ? ok('known') : result }, fresh, world.seen)
  for (const row of fresh) checkTenant(world.tenant, row, rows.closed(row.seq - 1))
  checkFileWait(watched)
  const held = rows.pending()?.slice !== ticket.slice
  demand(held, 'an upload takes no work over', () => `${id}: row ${rows.pending()?.seq}`)
  if (result.ok && before.awaited !== null && fresh.length === 0) world.seen(`another file: ${rows.last()?.head.mode}`)
  return result
}

export const isReported = (value: InputResult | ReportResult): value is ReportResult =>
  typeof value === 'object' && 'delegation' in value

/** What came of a call, for the laws of all calls: of a report that was there already nothing did. */
export function heardIn(result: Result<InputResult | ReportResult>): Call['result'] {
  if (!result.ok) return result
  const { value } = result
  return ok(isReported(value) ? (value.advanced ?? 'known') : value)
}

/** Deletes a task as the object does: its next life, if any, starts from nothing. */
export function remove(world: World, id: string): ReturnType<StoredTask['remove']> {
  const found = world.tasks.get(id)
  if (found === undefined) return refuse({ code: 'task_not_found' })
  const pending = found.rows.pending()
  if (pending !== null) world.seen('delete in flight')
  if (pending?.effect.kind === 'run_tool') world.cut_tools += 1
  world.tasks.delete(id)
  world.lives.set(id, (world.lives.get(id) ?? 1) + 1)
  return ok(remainsOf(found.rows))
}
