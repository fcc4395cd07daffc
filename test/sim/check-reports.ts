/**
 * The laws of commands and their reports (S2-15…S2-18, R17, U2, U19), written a second time over the rows alone: a command is settled
 * once, by the report that was acknowledged or by its time, and what is charged for it is what its worker said, or its share.
 */
import type { Amounts, Delegation, DelegationStatus, SentReport } from '../../src/core/terms/delegation.ts'
import type { ReportResult } from '../../src/core/protocol/task-answers.ts'
import type { EventOf } from '../../src/core/terms/effect.ts'
import type { Head } from '../../src/core/terms/head.ts'
import type { ClosedRow, PendingRow } from '../../src/core/protocol/journal.ts'
import { modeOf } from '../../src/core/modes/index.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import type { SimRows } from './cached-rows.ts'
import type { Coverage } from './coverage.ts'
import { same } from './same.ts'
import { demand } from './violation.ts'

type Settling = EventOf<'report_arrived'> | EventOf<'report_expired'>

/** By the row of the command: what settled it, and in which row. */
export type Settled = Map<number, { row: number; event: Settling }>

const settlingOf = (event: { kind: string }): Settling | null =>
  event.kind === 'report_arrived' || event.kind === 'report_expired' ? (event as Settling) : null // by its kind

export const isCommand = ({ effect }: Pick<ClosedRow | PendingRow, 'effect'>): boolean =>
  effect?.kind === 'run_tool' && effect.tool === 'delegate'

const settingsOf = (rows: SimRows): Settings | null => {
  const { event } = rows.recall(1)
  return event.kind === 'task_created' ? event.brief.settings : null
}

/** The row of the command for which the state machine waits. */
export const awaitedIn = (head: Head | undefined): number | null =>
  head === undefined || head.end !== null ? null : (modeOf(head.mode).awaitedCommandRow?.(head.state) ?? null)

/** The time at which the command of a closed row is overdue, counted from its first dispatch, or the end of a claim that lasts longer. */
export function deadlineOf(rows: SimRows, seq: number): number {
  const row = rows.closed(seq)
  // The `end` command is as old as the end of its task.
  const sent = isFarewell(rows, seq) ? row?.head.updated_at : row?.at
  const from = Math.max(sent ?? 0, row?.head.created_at ?? 0)
  const set = from + (settingsOf(rows)?.report_timeout_s ?? 0) * 1000
  return Math.max(set, ...claimedUntil(rows, seq))
}

/** Behind the row of a command: until when its workers have claimed it. */
function claimedUntil(rows: SimRows, seq: number): number[] {
  const last = rows.last()?.seq ?? 0
  return Array.from({ length: Math.max(0, last - seq) }, (_, index) => rows.recall(seq + 1 + index)).flatMap(
    ({ event }) => (event.kind === 'report_extended' && event.delegation === seq ? [event.until] : []),
  )
}

/** Checks a row that has just been closed. */
export function checkSettling(rows: SimRows, settled: Settled, row: ClosedRow): void {
  const event = settlingOf(row.event)
  if (event === null) return
  const { delegation } = event
  const where = () => `row ${row.seq} (${event.kind}) of ${delegation}`
  const before = rows.closed(row.seq - 1)?.head
  demand(!settled.has(delegation), 'a command is settled once', where)
  settled.set(delegation, { row: row.seq, event })
  const sent = rows.closed(delegation)
  const ends = before?.end?.row === delegation
  demand(ends || (sent !== null && isCommand(sent)), 'a report is of a command', where)
  if (event.kind === 'report_arrived') return
  demand(awaitedIn(before) === delegation, 'only what is waited for is overdue', where)
  demand(row.at >= deadlineOf(rows, delegation), 'nothing is overdue before its time', where)
  const share = shareBy(rows, { last: before, pending: null }, delegation)
  demand(same(event.charged, share), 'what nobody reports costs its share', () => `${where()}: ${shown(event, share)}`)
}

const shown = ({ charged }: Settling, wanted: Amounts) => `${JSON.stringify(charged)}, not ${JSON.stringify(wanted)}`

interface Before {
  last: Head | undefined
  pending: PendingRow | null
}

/** The share is the setting, but at most the remaining budget after the dispatch; before it, the reservation is subtracted too. */
function shareBy(rows: SimRows, { last, pending }: Before, seq: number): Amounts {
  const { command_budget = null } = settingsOf(rows) ?? {}
  const budget = pending?.seq === seq ? last?.budget : rows.closed(seq)?.head.budget
  if (command_budget === null || budget === undefined) return {}
  const taken = pending?.seq === seq ? pending.reserved.ms : 0
  const { tokens, cost_usd, seconds } = command_budget
  const most = (wanted: number, axis: { used: number; max: number | null }, less = 0) =>
    Math.max(0, Math.min(wanted, axis.max === null ? Infinity : axis.max - axis.used - less))
  return {
    ...(tokens === undefined ? {} : { tokens: most(tokens, budget.tokens) }),
    ...(cost_usd === undefined ? {} : { cost: most(Math.round(Number(cost_usd) * 1_000_000), budget.cost) }),
    ...(seconds === undefined ? {} : { working_ms: most(seconds * 1000, budget.working_ms, taken) }),
  }
}

export interface ReportCall {
  seq: number
  sent: SentReport
  now_ms: number
  before: Before & { records: ReadonlyMap<number, { event: string | null }> }
}

/** Checks one accepted call of `report`; `settled` is the state before it. */
export function checkReported(
  rows: SimRows,
  settled: Settled,
  call: ReportCall,
  reported: ReportResult,
  seen: Coverage,
): void {
  const { seq, sent, before, now_ms } = call
  const where = () => `the report of ${seq}`
  const { delegation, advanced } = reported
  demand(delegation.seq === seq && delegation.status === 'reported', 'a report that is taken is shown', where)
  demand(same(delegation.report, sent.report), 'a report that is taken is shown', where)
  const fits = sent.command_id === null || sent.command_id === delegation.command_id
  demand(fits, 'a report names its command', where)
  const known = [...before.records.values()].some(({ event }) => isOf(event, seq))
  demand(known === (advanced === null), 'a report is heard once', where)
  if (advanced === null) {
    demand(rows.records.size === before.records.size, 'the same report again writes nothing', where)
    seen('report taken again')
    return
  }
  const out = before.pending?.seq === seq
  const timely = out || isFarewell(rows, seq) || now_ms < deadlineOf(rows, seq)
  demand(timely && settled.get(seq)?.event.kind !== 'report_expired', 'after its time no report is taken', where)
  const event = [...rows.records.values()].map((record) => record.event).find((text) => isOf(text, seq))
  const written = settlingOf(JSON.parse(event ?? '{"kind":""}') as { kind: string })
  const share = isFarewell(rows, seq) ? {} : shareBy(rows, before, seq)
  const wanted = { ...share, ...sent.spent }
  demand(written !== null, 'nothing acknowledged is lost', where)
  const beyond = (['tokens', 'cost', 'working_ms'] as const).some(
    (axis) => (wanted[axis] ?? 0) > (share[axis] ?? Infinity),
  )
  if (beyond) seen('report above its share')
  if (written !== null)
    demand(same(written.charged, wanted), 'a report costs what it says', () => shown(written, wanted))
}

const isOf = (event: string | null, seq: number): boolean =>
  event !== null && event.includes('"report_') && settlingOf(JSON.parse(event) as { kind: string })?.delegation === seq

/** Whether a row has sent the `end` command because it ended the task. */
export function isFarewell(rows: SimRows, seq: number): boolean {
  const head = rows.closed(seq)?.head
  if (head === undefined || head.end?.row !== seq) return false
  return (modeOf(head.mode).finalCommand?.(head.state, rows) ?? null) !== null
}

/** A task that goes on after its end has withdrawn its `end` command. */
const isOpenFarewell = (rows: SimRows, seq: number): boolean =>
  rows.last()?.head.end?.row === seq && isFarewell(rows, seq)

/** Every row that dispatched a command, also the pending one and the `end` of a task that has ended. */
export function commandRows(rows: SimRows): number[] {
  const pending = rows.pending()
  const closed = Array.from({ length: rows.last()?.seq ?? 0 }, (_, index) => index + 1).filter((seq) => {
    const row = rows.closed(seq)
    return row !== null && (isCommand(row) || isFarewell(rows, seq))
  })
  return pending !== null && isCommand(pending) ? [...closed, pending.seq] : closed
}

/** The view of a command agrees with the rows. */
export function checkShown(rows: SimRows, settled: Settled, shownAs: Delegation, now_ms: number): void {
  const { seq, report } = shownAs
  checkShownAs(rows, settled, shownAs, now_ms)
  const event = settlingIn(rows, settled, seq)
  demand(
    same(report, event?.kind === 'report_arrived' ? event.report : null),
    'a command shows its report',
    () => `${seq}`,
  )
}

export function checkShownAs(
  rows: SimRows,
  settled: Settled,
  { seq, status }: { seq: number; status: DelegationStatus },
  now_ms: number,
): void {
  const event = settlingIn(rows, settled, seq)
  const out = rows.pending()?.seq === seq
  const waits = out || awaitedIn(rows.last()?.head) === seq || isOpenFarewell(rows, seq)
  const overdue = !out && now_ms >= deadlineOf(rows, seq) ? 'expired' : 'pending'
  const wanted = event === undefined ? (waits ? overdue : 'canceled') : END[event.kind]
  // Only the workspace knows who has claimed what the task waits for.
  const shown = status === 'claimed' ? 'pending' : status
  demand(shown === wanted, 'a command is shown as what became of it', () => `${seq} is ${status}, not ${wanted}`)
}
const END: Record<Settling['kind'], DelegationStatus> = { report_arrived: 'reported', report_expired: 'expired' }

/** A queued report has settled its command too. */
function settlingIn(rows: SimRows, settled: Settled, seq: number): Settling | undefined {
  const waiting = rows.queued().flatMap(({ event }) => settlingOf(event) ?? [])
  return settled.get(seq)?.event ?? waiting.find(({ delegation }) => delegation === seq)
}
