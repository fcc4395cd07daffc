/**
 * The laws of the rows of one task, checked after every store call on what is new (P1, P2, P10, P13):
 * their shape, the fold, the accounting, the events, the ends, and that nothing closed or acknowledged changes.
 */
import type { Event } from '../../src/core/terms/effect.ts'
import type { ClosedRow, PendingRow } from '../../src/core/protocol/journal.ts'
import { isSideTurn } from '../../src/core/engine/idle.ts'
import { openApproval } from '../../src/core/engine/approval.ts'
import type { Head } from '../../src/core/terms/head.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import { refold } from '../../src/core/replay/history.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import { PlanExecuteState } from '../../src/core/modes/plan-execute/state.ts'
import type { JournalRecord } from '../../src/store/task/rows/schema.ts'
import type { SimRows } from './cached-rows.ts'
import { bookEndpoint, checkEndpoint } from './check-endpoints.ts'
import { checkPlan } from './check-plan.ts'
import { checkSettling, type Settled } from './check-reports.ts'
import { book, dearestCall, openLedger, type Ledger } from './ledger.ts'
import { same } from './same.ts'
import { demand } from './violation.ts'
import { checkData } from './typed-results.ts'

/** One incarnation of a task, from its create to its delete. */
export interface Watched {
  id: string
  rows: SimRows
  /** The closed records as they were first seen; a closed record is never written again. */
  frozen: JournalRecord[]
  ledger: Ledger | null
  /** The endpoints that were given up. */
  gone: string[]
  /** The observations to which a head may refer. */
  observed_max: number
  /** The highest version that an answer has named. */
  acknowledged: number
  /** The texts and ids of events from outside that were answered with 200; they must never be missing. */
  promised: Set<string>
  settled: Settled
}

export const watch = (id: string, rows: SimRows): Watched => ({
  id,
  rows,
  frozen: [],
  ledger: null,
  gone: [],
  observed_max: 0,
  acknowledged: 0,
  promised: new Set(),
  settled: new Map(),
})

const HEAD_CHARS_MAX = 16_384

/** Checks everything since the last check, and returns the rows that were closed since. */
export function checkRows(watched: Watched): ClosedRow[] {
  const { rows, frozen } = watched
  const last = rows.last()?.seq ?? 0
  checkShape(watched, last)
  const fresh: ClosedRow[] = []
  for (let seq = frozen.length + 1; seq <= last; seq++) {
    const [row, record] = [rows.closed(seq), rows.records.get(seq)]
    demand(row !== null && record !== undefined, 'rows without gaps', () => `row ${seq} below the head is not closed`)
    if (row === null || record === undefined) continue
    checkClosed(watched, row, record)
    frozen.push(record)
    fresh.push(row)
  }
  const pending = rows.pending()
  if (pending !== null) checkPending(watched, pending)
  return fresh
}

/** The rows are numbered 1, 2, 3, …: first closed ones, then at most one pending, then queued ones. */
function checkShape({ rows, frozen, acknowledged }: Watched, last: number): void {
  const { records } = rows
  frozen.forEach((record, index) =>
    demand(records.get(index + 1) === record, 'a closed row is never written again', () => `row ${index + 1}`),
  )
  demand(
    last >= acknowledged,
    'nothing acknowledged is lost',
    () => `version ${acknowledged} was answered, now ${last}`,
  )
  for (let seq = last + 1; seq <= records.size; seq++) {
    const record = records.get(seq)
    demand(record !== undefined, 'rows without gaps', () => `row ${seq} of ${records.size} is missing`)
    const pending = seq === last + 1
    const fits = record?.head === null && (record.effect !== null) === pending && (record.event === null) === pending
    demand(fits, 'one pending row, queued rows behind it', () => `row ${seq} behind the head at ${last}`)
  }
  const waiting = records.size - last - 1
  demand(waiting <= 16, 'at most 16 queued events', () => `${waiting} wait`)
}

function checkClosed(watched: Watched, row: ClosedRow, record: JournalRecord): void {
  const { rows } = watched
  const before = rows.closed(row.seq - 1)?.head ?? null
  const { head } = row
  const folded = refold(row, before, rows.recall)
  demand(same(folded.head, head), 'head(n) = refold(n)', () => `row ${row.seq} (${row.event.kind})`)
  demand((record.head ?? '').length <= HEAD_CHARS_MAX, 'a head stays within 16 KB', () => `row ${row.seq}`)
  if (row.event.kind === 'task_created') {
    watched.ledger = openLedger(row.event.brief.mode, row.event.brief.settings)
    watched.observed_max = row.event.brief.settings.observation_history_limit
  }
  if (head.mode === 'plan_execute') {
    const observed = PlanExecuteState.parse(head.state).observations.length
    demand(observed <= watched.observed_max, 'a head stays bounded', () => `row ${row.seq}: ${observed} observations`)
  }
  const { ledger } = watched
  demand(ledger !== null && (row.seq === 1) === (before === null), 'row 1 is task_created', () => `row ${row.seq}`)
  if (ledger === null) return
  book(ledger, row, before)
  watched.gone = bookEndpoint(watched.gone, row, before, rows)
  checkSettling(rows, watched.settled, row)
  checkPlan(before, head, row.seq, rows.recall)
  checkBudget(ledger, row, before)
  checkData(rows, row)
  const first = before === null ? 1 : before.events.first + before.events.count
  demand(
    head.events.first === first,
    'event ids are dense',
    () => `row ${row.seq} has ${head.events.first}, not ${first}`,
  )
  const stays = before === null || before.end === null || same(before.end, head.end) || reopens(before, row)
  demand(stays, 'ended stays ended', () => `row ${row.seq} (${row.event.kind})`)
  demand(
    before === null || before.end === null || row.effect === null,
    'ended stays ended',
    () => `row ${row.seq} is an effect`,
  )
  demand(head.end === null || head.pause_reason === null, 'ended stays ended', () => `row ${row.seq} pauses it`)
  const rested = before !== null && (before.end !== null || (before.pause_reason !== null && !isSideTurn(before)))
  demand(!rested || !BEGINS.has(row.event.kind), 'nothing is funded while paused or ended', () => `row ${row.seq}`)
}

/** U20, U9: only a text of the user starts a completed session again, and only a failed contract is forgiven. */
function reopens({ mode, end }: Head, { event, head }: ClosedRow): boolean {
  if (head.end !== null) return false
  if (end?.status === 'completed') return modeOf(mode).reopens === true && event.kind === 'user_remarked'
  if (end?.reason !== 'contract_failures') return false
  return event.kind === 'resumed'
    ? event.reopens === true
    : event.kind === 'budget_added' && event.add.attempts !== undefined
}

/** The events that come before an effect, or in place of it. */
const BEGINS = new Set<Event['kind']>(['allowance_granted', 'budget_spent'])

function checkBudget(ledger: Ledger, { seq, head, event }: ClosedRow, before: Head | null): void {
  const { used, max } = ledger
  const { steps, tokens, cost, working_ms } = head.budget
  const kept = { steps, tokens, cost, ms: working_ms }
  for (const axis of ['steps', 'tokens', 'cost', 'ms'] as const) {
    const shown = () =>
      `row ${seq} (${event.kind}): ${axis} ${JSON.stringify(kept[axis])}, by the rows ${used[axis]} of ${max[axis]}`
    demand(kept[axis].used === used[axis], 'used = counted rows', shown)
    demand(kept[axis].max === max[axis], 'granted = granted rows', shown)
    if (axis !== 'steps' && !isOver(ledger, axis))
      demand(used[axis] <= (max[axis] ?? Infinity), 'spend within the budget', shown)
  }
  demand(used.steps <= (max.steps ?? 0) + 1, 'at most one step above the maximum', () => `row ${seq}: ${used.steps}`)
  const raised = before !== null && steps.used > before.budget.steps.used
  demand(!raised || steps.used - (before?.budget.steps.used ?? 0) === 1, 'a row costs one step', () => `row ${seq}`)
}

/** Whether the reported spending has exceeded an axis of the budget (U11). */
const isOver = ({ over_reserve, overdrawn }: Ledger, axis: 'tokens' | 'cost' | 'ms') =>
  overdrawn.has(axis) || (over_reserve && axis !== 'ms')

/** Whether the program writes the result of the next call instead of making it. */
function isRefused({ mode, state }: Head, { recall }: SimRows): boolean {
  const next = modeOf(mode).next(state, recall)
  return next.kind === 'run' && next.effect.kind === 'run_tool' && next.effect.refused !== undefined
}

/** Whether a source has listed a tool. A call of any other is refused, and so is nothing to approve by its hints. */
const isListed = (tool: string, rows: SimRows): boolean =>
  rows.last()?.head.lists.some(({ row }) => {
    const event = row === null ? null : rows.recall(row).event
    return event?.kind === 'tools_listed' && event.tools.some(({ name }) => name === tool)
  }) === true

/** Whether the call of a tool needs an approval, for the patterns that this world draws. */
function needsApproval(approve: Settings['approve'], tool: string, rows: SimRows): boolean {
  if (typeof approve === 'string') return approve === 'actions'
  return approve.tools.some((pattern) =>
    pattern === 'hint:acts'
      ? isListed(tool, rows) && !tool.endsWith('.read')
      : tool.startsWith(pattern.replace('*', '')),
  )
}

/** Checks from the rows alone that an action which needs an approval has one. */
function isApproved(rows: SimRows, { tool, by, call }: { tool: string; by: number; call: number }): boolean {
  const first = rows.recall(1).event
  if (first.kind !== 'task_created' || !needsApproval(first.brief.settings.approve, tool, rows)) return true
  for (let seq = rows.last()?.seq ?? 0; seq > by; seq--) {
    const { event } = rows.recall(seq)
    if (event.kind !== 'approval_answered' || event.verdict !== 'approved') continue
    if (event.action?.by === by && event.action.call === call) return true
  }
  return false
}

/** The pending effect was allowed, and its worst case fits every axis (P13). */
function checkPending({ rows, ledger, gone }: Watched, pending: PendingRow): void {
  const { reserved, effect, lease, at } = pending
  const last = rows.last()
  if (last === null || ledger === null) return
  const { head } = last
  const where = () => `row ${pending.seq} (${effect.phase})`
  const aside = isSideTurn(head)
  demand(head.end === null && (head.pause_reason === null || aside), 'no effect while paused or ended', where)
  demand(head.retry_at === null || head.retry_at <= at, 'a back-off is kept', where)
  demand(openApproval(head) === null, 'nothing is done before it is approved', where)
  const isDone = effect.kind === 'run_tool' && !isRefused(head, rows)
  demand(!isDone || isApproved(rows, effect), 'nothing is done before it is approved', where)
  const { used, max } = ledger
  const worst = { tokens: reserved.input_tokens + reserved.output_tokens, cost: reserved.cost, ms: reserved.ms }
  for (const axis of ['tokens', 'cost', 'ms'] as const) {
    const fits = used[axis] + worst[axis] <= (max[axis] ?? Infinity) || isOver(ledger, axis)
    demand(fits, 'the worst case fits the budget', () => `${where()}: ${axis}`)
  }
  if (effect.kind !== 'call_model') return
  demand(reserved.cost >= dearestCall(reserved), 'the reservation is as dear as any call within it', where)
  checkEndpoint(gone, pending, rows)
  demand(!effect.opens_round || aside || used.steps < (max.steps ?? 0), 'the limit is checked before a round', where)
  demand(reserved.output_tokens >= 64, 'no call below 64 tokens', where)
  demand(lease.until >= at + reserved.ms + 5_000, 'a lease outlives its effect', where)
}
