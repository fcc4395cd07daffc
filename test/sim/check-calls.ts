/**
 * The laws of lease, fence and keys, checked on every store call (P3–P12): who may close what, who may take it
 * over, and that a refusal writes nothing. `Coverage` is told what was seen on the way.
 */
import type { ObjectContext, Ticket } from '../../src/core/protocol/advance.ts'
import { isSideTurn } from '../../src/core/engine/idle.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import { IMAGES_MAX, imageTokensMax } from '../../src/core/terms/files/images.ts'
import { pauseReasonText } from '../../src/core/terms/pause-reason.ts'
import type { ClosedRow, PendingRow } from '../../src/core/protocol/journal.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import type { StepResult, InputResult } from '../../src/core/protocol/task-answers.ts'
import type { JournalRecord } from '../../src/store/task/rows/schema.ts'
import { refsIn } from '../support/image-bench.ts'
import { noteEndpoint } from './check-endpoints.ts'
import type { Watched } from './check-rows.ts'
import type { Coverage } from './coverage.ts'
import { tierOf } from './ledger.ts'
import { same } from './same.ts'
import { demand, violation } from './violation.ts'
import { noteCommand } from './note-commands.ts'
import { noteFileWait } from './file-waits.ts'
import { noteTools } from './check-tools.ts'
import { noteResult } from './typed-results.ts'

/** One call, with the state of the task before it. */
export interface Call {
  method: string
  /** The row of a commit. */
  seq: number | null
  event: Event | null
  ticket: Ticket
  here: ObjectContext
  before: { pending: PendingRow | null; records: ReadonlyMap<number, JournalRecord> }
  /** `known` is true for a report that was already there. */
  result: Result<InputResult | 'known'>
}

/** The rule of P5, written a second time. */
const isDead = ({ lease }: PendingRow, { now_ms, boot }: ObjectContext) =>
  now_ms >= lease.until || (lease.boot !== null && lease.boot !== boot)

const WORKED = new Set<Event['kind']>([
  'model_replied',
  'model_failed',
  'tool_returned',
  'tool_asked',
  'tool_waits',
  'tools_listed',
  'tools_unlisted',
])

/** A lost call that may be made again under its key: a list, a call of an idempotent tool, or a look at a call that works on outside. */
const isLeasedAgain = ({ effect, lease }: PendingRow): boolean =>
  lease.attempt < 3 && (effect.kind === 'list_tools' || (effect.kind === 'run_tool' && effect.idempotent))

export function checkCall(watched: Watched, call: Call, fresh: ClosedRow[], seen: Coverage): void {
  const { before, result } = call
  const { pending } = before
  if (!result.ok) checkRefusal(watched, call, result.refusal.code)
  else if (typeof result.value !== 'string') checkAnswer(watched, call, result.value, seen)
  if (pending !== null) checkHeld(watched, call, pending, fresh)
  for (const row of fresh) noteRow(watched, row, before.records, seen)
  if (call.method === 'commit') checkCommit(watched, call, fresh, seen)
}

/** A refusal writes nothing, and says busy only for an active lease or a full queue. */
function checkRefusal({ rows }: Watched, { before, here, method }: Call, code: string): void {
  const { records } = before
  const untouched =
    rows.records.size === records.size && [...records].every(([seq, one]) => rows.records.get(seq) === one)
  demand(untouched, 'a refusal writes nothing', () => `${method} was refused with ${code}`)
  const { pending } = before
  if (code !== 'task_busy' && code !== 'request_in_progress') return
  const full = method !== 'begin' && records.size - (pending?.seq ?? 0) >= 16
  // A request is also running between its rows and the effect that its tenant's daily limit stops.
  const funding = [...records.values()].some((one) => one.key?.includes('"waits"') === true)
  if (code === 'request_in_progress' && funding) return
  demand(pending !== null && (full || !isDead(pending, here)), 'only a live lease is busy', () => method)
}

/** The effect that is handed out is the pending row, held by the slice that asked. */
function checkAnswer(
  { rows, id }: Watched,
  { ticket, method }: Call,
  { assignment, task }: StepResult,
  seen: Coverage,
): void {
  demand((assignment === null) !== (task === null), 'an answer is an effect or a task', () => method)
  if (assignment === null) return
  demand(
    method !== 'commit' || ticket.more !== 'nothing',
    'nothing is begun after a hang-up',
    () => `${assignment.seq}`,
  )
  const pending = rows.pending()
  const { seq, key, timeout_ms, work } = assignment
  const held = pending?.seq === seq && pending.slice === ticket.slice
  demand(held, 'one holder: (seq, slice)', () => `${method} handed out ${seq}, pending is ${pending?.seq}`)
  demand(key.startsWith(id) && key.endsWith(`:${seq}`), 'the effect key is task:seq', () => key)
  demand(timeout_ms === pending?.reserved.ms, 'the deadline is the reserved time', () => `row ${seq}`)
  const capped = work.kind !== 'call_model' || work.max_output_tokens === pending?.reserved.output_tokens
  demand(capped, 'the output cap is the reserved one', () => `row ${seq}`)
  const images = work.kind === 'call_model' ? refsIn(work.messages) : []
  const tokens = images.reduce((sum, image) => sum + imageTokensMax(image), 0)
  demand(images.length <= IMAGES_MAX, 'a request shows few images', () => `row ${seq}`)
  demand(tokens <= (pending?.reserved.input_tokens ?? 0), 'the tokens of images are reserved', () => `row ${seq}`)
  if (images.length > 0) seen('image shown')
}

/** Checks the result for the row that was pending before the call. */
function checkHeld({ rows }: Watched, call: Call, pending: PendingRow, fresh: ClosedRow[]): void {
  const { method, here, ticket } = call
  const now = rows.pending()
  const closed = fresh.find((row) => row.seq === pending.seq)
  if (closed !== undefined) {
    checkClosing(call, pending, closed)
    return
  }
  demand(now?.seq === pending.seq, 'a pending row is never dropped', () => `row ${pending.seq} after ${method}`)
  if (now === null || (now.slice === pending.slice && now.lease.attempt === pending.lease.attempt)) return
  const where = () => `row ${pending.seq} by ${method}`
  demand(isDead(pending, here), 'a live lease is never taken over', where)
  const again = isLeasedAgain(pending)
  demand(again && now.lease.attempt === pending.lease.attempt + 1, 'only an idempotent tool is leased again', where)
  const kept = same(now.effect, pending.effect) && same(now.reserved, pending.reserved) && same(now.key, pending.key)
  demand(kept && now.slice === ticket.slice, 'a row leased again is the same effect', where)
}

function checkClosing({ method, seq, event, ticket, here }: Call, pending: PendingRow, row: ClosedRow): void {
  const where = () => `row ${row.seq} (${row.event.kind}) by ${method}`
  if (WORKED.has(row.event.kind)) {
    const holder = method === 'commit' && seq === pending.seq && ticket.slice === pending.slice
    demand(holder && row.slice === pending.slice, 'a commit from its holder only', where)
    // The validator has its say when a closing reply is committed.
    const { misfit: _, ...said } = { misfit: '', ...row.event }
    demand(same(event, said), 'the row keeps what was committed', where)
    return
  }
  if (row.event.kind === 'abandoned' && method === 'commit') {
    const holder = seq === pending.seq && ticket.slice === pending.slice
    demand(holder && row.slice === pending.slice, 'a commit from its holder only', where)
    demand(ticket.more === 'nothing', 'only a caller that has left gives a call up', where)
    return
  }
  demand(row.slice === null, 'a row that was taken away has no holder', where)
  if (row.event.kind === 'abandoned') {
    demand(method === 'cancel' || method === 'input', 'only a cancel abandons', where)
    return
  }
  demand(isDead(pending, here), 'a live lease is never taken over', where)
  const model = pending.effect.kind === 'call_model'
  const lost = row.event.kind === (model ? 'effect_orphaned' : 'outcome_unknown')
  demand(lost, 'a lost effect is closed as lost', where)
  demand(!isLeasedAgain(pending), 'a lost idempotent tool is leased again', where)
}

function checkCommit({ rows }: Watched, call: Call, fresh: ClosedRow[], seen: Coverage): void {
  const { seq, ticket, result, before } = call
  const { pending, records } = before
  const holds = pending !== null && pending.seq === seq && pending.slice === ticket.slice
  demand(!holds || result.ok, 'the holder may commit', () => `row ${seq}: ${JSON.stringify(result)}`)
  if (!result.ok) {
    if (result.refusal.code === 'lease_lost') seen('fenced commit')
    return
  }
  if (holds) {
    demand(fresh[0]?.seq === seq, 'an accepted commit closes its row', () => `row ${seq}`)
    return
  }
  const mine = rows.records.get(seq ?? 0)
  demand(
    mine?.slice === ticket.slice,
    'a commit from its holder only',
    () => `row ${seq} is not held by ${ticket.slice}`,
  )
  demand(
    fresh.length === 0 && rows.records.size === records.size,
    'a repeated commit writes nothing',
    () => `row ${seq}`,
  )
  seen('repeated commit')
}

/** Counts the events, for the counters that must not stay at zero. */
function noteRow(watched: Watched, row: ClosedRow, before: Call['before']['records'], seen: Coverage): void {
  const { event, effect, lease, head } = row
  const previous = watched.rows.closed(row.seq - 1)
  if (event.kind === 'task_created') seen(`mode: ${head.mode}`)
  if (event.kind === 'aside_refused') seen('aside_refused')
  if (event.kind === 'model_replied' && previous !== null && isSideTurn(previous.head)) seen('side turn')
  if (previous?.head.end?.status === 'completed' && head.end === null) seen('next run')
  if (previous?.head.end?.status === 'failed' && head.end === null) seen(`goes on after its end: ${event.kind}`)
  const price = row.reserved?.price ?? null
  if (event.kind === 'model_replied' && event.usage !== null && price !== null)
    seen(`price above ${tierOf(price, event.usage.input_tokens).above} tokens`)
  if (event.kind === 'effect_orphaned') seen('orphaned call')
  if (event.kind === 'outcome_unknown') seen('outcome_unknown')
  if (event.kind === 'outcome_unknown' && (lease?.attempt ?? 1) > 2) seen('tool given up')
  if (event.kind === 'approval_answered') seen(`${event.action === null ? 'plan' : 'action'} ${event.verdict}`)
  if (event.kind === 'plan_edited') seen(before.has(row.seq) ? 'edit that waited' : 'edit')
  if (event.kind === 'budget_spent') seen(`limit hit: ${event.axis}`)
  if (event.kind === 'tool_returned' && (lease?.attempt ?? 1) > 1) seen('resumed tool')
  if (typeof before.get(row.seq)?.event === 'string') seen('queued event applied')
  if (effect?.phase === 'replan' && previous !== null && HEARD.has(previous.event.kind)) seen('replan after input')
  if (previous?.head.end === null && head.end !== null) seen(`ending: ${head.end.status} ${head.end.reason}`)
  if (previous?.head.pause_reason === null && head.pause_reason !== null)
    seen(`paused: ${pauseReasonText(head.pause_reason)}`)
  noteEndpoint(row, previous?.head ?? null, seen)
  noteResult(row, previous?.head ?? null, seen)
  noteCommand(watched, row, before.has(row.seq), seen)
  noteFileWait(watched, row, before.has(row.seq), seen)
  noteTools({ rows: watched.rows, row }, seen)
}
const HEARD = new Set<Event['kind']>(['user_answered', 'user_remarked'])

/** Errors of the tested code are violations too, because a store method never throws. */
export function thrown(error: unknown, method: string): Error {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return violation('a store method never throws', `${method}: ${text}`)
}
