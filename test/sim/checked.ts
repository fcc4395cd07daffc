/** One call on a stored task of the simulation, with every checker behind it; and its end by a delete. */
import type { Here, Ticket } from '../../src/core/protocol/advance.ts'
import type { Reported, SentReport } from '../../src/core/protocol/delegation-methods.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import { ok, refuse, type Result } from '../../src/core/terms/refusal.ts'
import type { Heard, StoredTask, TaskMethods } from '../../src/core/protocol/task-methods.ts'
import { guarded, leftOf, taskMethods } from '../../src/store/task/task-methods.ts'
import { cachedRows } from './cached-rows.ts'
import { checkCall, thrown, type Call } from './check-calls.ts'
import { checkReported } from './check-reports.ts'
import { checkRows, watch } from './check-rows.ts'
import { checkTenant } from './check-tenant.ts'
import { demand } from './violation.ts'
import type { World } from './world.ts'

export interface Order<T> {
  method: string
  ticket: Ticket
  run: (methods: TaskMethods) => Result<T>
  commit: { seq: number; event: Event } | null
  report: { seq: number; sent: SentReport } | null
}

export function checked<T extends Heard | Reported>(world: World, id: string, order: Order<T>, here: Here): Result<T> {
  const { method, ticket, run, commit, report } = order
  const watched = world.tasks.get(id) ?? watch(id, cachedRows())
  if (method === 'create') world.tasks.set(id, watched)
  const { rows } = watched
  const before = { last: rows.last()?.head, pending: rows.pending(), records: new Map(rows.records) }
  const settled = new Map(watched.settled)
  let result: Result<T>
  try {
    result = guarded(() => run(taskMethods(rows, () => here)))
  } catch (error) {
    throw thrown(error, method)
  }
  if (!result.ok) {
    const { refusal } = result
    demand(refusal.code !== 'state_unreadable', 'what was written can be read', () => JSON.stringify(refusal))
    world.seen(refusal.code)
  }
  const fresh = checkRows(watched)
  const call = { method, seq: commit?.seq ?? null, event: commit?.event ?? null, ticket, here, before }
  checkCall(watched, { ...call, result: heardIn(result) }, fresh, world.seen)
  if (report !== null && result.ok && isReported(result.value))
    checkReported(rows, settled, { ...report, now_ms: here.now_ms, before }, result.value, world.seen)
  if (before.pending !== null && method === 'cancel' && fresh.length > 0) world.seen('cancel in flight')
  if (watched.ledger?.over_reserve === true) world.seen('over_reserve')
  for (const row of fresh) checkTenant(world.tenant, row, rows.closed(row.seq - 1))
  return result
}

export const isReported = (value: Heard | Reported): value is Reported =>
  typeof value === 'object' && 'delegation' in value

/** What came of a call, for the laws of all calls: of a report that was there already nothing did. */
export function heardIn(result: Result<Heard | Reported>): Call['result'] {
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
  return ok(leftOf(found.rows))
}
