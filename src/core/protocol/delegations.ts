/**
 * The delegations of a task, derived from its rows and stored nowhere. The command of a delegation is what the mode wanted at the
 * head before the row that dispatched it. Its report stands in a later row.
 */
import { busy, isAlive, type ObjectContext } from './advance.ts'
import { awaitedRow, reportDeadline, dispatchedAt } from '../engine/awaiting.ts'
import { chargeAmounts } from '../terms/budget.ts'
import {
  DELEGATE,
  type Amounts,
  type Command,
  type Delegation,
  type Report,
  type SentReport,
} from '../terms/delegation.ts'
import { commandId, delegationId } from '../terms/delegation-id.ts'
import { claimedDeadline } from '../workspace/claims.ts'
import { firstDifference } from '../terms/values/difference.ts'
import type { Event, Recall, StoredEffect } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import type { ClosedRow, Journal, PendingRow } from './journal.ts'
import { briefOf } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'
import { chargedAmounts, shareOf } from '../terms/budget-share.ts'

export interface CommandRows extends Journal {
  closed(seq: number): ClosedRow | null
}

const isDispatch = (effect: StoredEffect | null): boolean => effect?.kind === 'run_tool' && effect.tool === DELEGATE

/** A dispatched command, with the head and the time at which it was dispatched. */
interface Dispatch {
  command: Command
  head: Head
  at: number
}

function dispatchOf(rows: CommandRows, seq: number): Dispatch | null {
  const { recall } = rows
  const pending = rows.pending()
  if (pending !== null && pending.seq === seq)
    return isDispatch(pending.effect) ? dispatchAt(rows.last()?.head, dispatchedAt(pending), recall) : null
  const row = rows.closed(seq)
  if (row === null) return null
  const at = dispatchedAt({ effect: row.effect, at: row.head.updated_at })
  // If a command could not be dispatched, its row may have ended the task. Then the row stands for the `end` command.
  const last = row.head.end?.row === seq ? endCommandOf(row.head, recall) : null
  if (last !== null) return { command: last, head: row.head, at: row.head.updated_at }
  return isDispatch(row.effect) ? dispatchAt(rows.closed(seq - 1)?.head, at, recall) : null
}

function dispatchAt(head: Head | undefined, at: number, recall: Recall): Dispatch | null {
  if (head === undefined) return null
  const command = modeOf(head.mode).currentCommand?.(head.state, { recall })
  return command === undefined ? null : { command, head, at }
}

/** The `end` command that is sent to a session when its task has ended (R17). null: there is none. */
export function endCommandOf({ mode, state, end }: Head, recall: Recall): Command | null {
  return end === null ? null : (modeOf(mode).finalCommand?.(state, { recall }) ?? null)
}

export function delegationOf(rows: CommandRows, seq: number, now_ms: number): Result<Delegation> {
  const last = rows.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  const dispatch = dispatchOf(rows, seq)
  if (dispatch === null) return refuse({ code: 'delegation_not_found' })
  const { command, head, at } = dispatch
  const { recall } = rows
  const brief = briefOf(recall)
  const set = reportDeadline(seq, at, last.head, recall)
  // While an effect is under way, what a claim adds waits behind it.
  const deadline = Math.max(set, ...rows.queued().flatMap(({ event }) => extensionIn(event, seq)))
  const settlement = settlementOf(rows, seq, last.seq)
  const under_way = rows.pending()?.seq === seq
  // A task that goes on after its end withdraws its `end` command.
  const ends = command.type === 'end' && last.head.end?.row === seq
  const open = ends || under_way || awaitedRow(last.head) === seq
  // Its deadline counts only when the command has been dispatched.
  const overdue = now_ms >= deadline && !under_way ? 'expired' : 'pending'
  return ok({
    id: delegationId(head.id, seq),
    task: head.id,
    seq,
    command_id: commandId(head.id, seq),
    command,
    status: settlement?.status ?? (open ? overdue : 'canceled'),
    created: Math.max(at, head.created_at),
    deadline,
    report: settlement?.report ?? null,
    origin: brief.origin,
    share: command.type === 'end' ? null : shareOfCommand(rows, seq),
    pool: brief.settings.worker_pool,
  })
}

/**
 * What the command of a row may spend: a share of the budget that was left when it was dispatched. While the dispatch is under
 * way, the time that the dispatch may take is subtracted.
 */
export function shareOfCommand(rows: CommandRows, seq: number): Amounts | null {
  const { settings } = briefOf(rows.recall)
  const [last, pending] = [rows.last(), rows.pending()]
  if (last !== null && pending?.seq === seq)
    return shareOf(chargeAmounts(last.head.budget, { working_ms: pending.reserved.ms }), settings)
  const row = rows.closed(seq)
  return row === null ? null : shareOf(row.head.budget, settings)
}

/** The first report or expiry of the command settles it. It stands before the row of the next command. */
function settlementOf(rows: CommandRows, seq: number, last: number) {
  for (let row = seq + 1; row <= last; row += 1) {
    const { event, effect } = rows.recall(row)
    const settlement = settlementIn(event, seq)
    if (settlement !== null) return settlement
    if (isDispatch(effect)) return null
  }
  return rows.queued().reduce<Settlement | null>((found, { event }) => found ?? settlementIn(event, seq), null)
}

/** Whether the report in a row arrived during the dispatch of its command. Such a report is valid even if the dispatch failed. */
export function arrivedDuringDispatch(seq: number, command: number, recall: Recall): boolean {
  if (command >= seq || !isDispatch(recall(command).effect)) return false
  const between = Array.from({ length: seq - command - 1 }, (_, index) => recall(command + 1 + index))
  return between.every(({ effect, event }) => effect === null && settlementIn(event, command) === null)
}

type Settlement = { status: 'reported'; report: Report } | { status: 'expired'; report: null }

const extensionIn = (event: Event, seq: number): number[] =>
  event.kind === 'report_extended' && event.delegation === seq ? [event.until] : []

function settlementIn(event: Event, seq: number): Settlement | null {
  if (event.kind === 'report_arrived' && event.delegation === seq) return { status: 'reported', report: event.report }
  return event.kind === 'report_expired' && event.delegation === seq ? { status: 'expired', report: null } : null
}

/** The effect behind which an edit of the plan is queued. Only after the effect is it known whether the edit withdraws the command. */
function effectBeforeEdit(rows: CommandRows, context: ObjectContext): PendingRow | null {
  const pending = rows.pending()
  const waits = rows.queued().some(({ event }) => event.kind === 'plan_edited')
  return waits && pending !== null && isAlive(pending, context) ? pending : null
}

/** A claim that lasts beyond the deadline of its report extends it: somebody works on the command. Any other claim changes nothing. */
export function eventsForExtension(rows: CommandRows, seq: number, until: number, now_ms: number): Result<Event[]> {
  const delegation = delegationOf(rows, seq, now_ms)
  if (!delegation.ok) return delegation
  const { status, deadline, created, command } = delegation.value
  // Nobody waits for the report of an `end` command.
  if (status !== 'pending' || command.type === 'end') return ok([])
  const extended = claimedDeadline(deadline, created, until)
  return ok(extended > deadline ? [{ kind: 'report_extended', delegation: seq, until: extended }] : [])
}

/** Records the report of a command once. The first report counts; if the same report comes again, it is shown and not applied. */
export function reportOnce<T>(
  rows: CommandRows,
  seq: number,
  sent: SentReport,
  context: ObjectContext,
  tell: (eventsFor: () => Result<Event[]>) => Result<T>,
): Result<{ delegation: Delegation; advanced: T | null }> {
  const delegation = delegationOf(rows, seq, context.now_ms)
  if (!delegation.ok) return delegation
  const { command_id, status, report, share } = delegation.value
  if (sent.command_id !== null && sent.command_id !== command_id)
    return refuse({ code: 'wrong_command', wanted: command_id, given: sent.command_id })
  switch (status) {
    case 'expired':
      return refuse({ code: 'delegation_expired' })
    case 'canceled':
      return refuse({ code: 'delegation_canceled' })
    case 'reported':
      return firstDifference(report, sent.report) === null
        ? ok({ delegation: delegation.value, advanced: null })
        : refuse({ code: 'already_reported', recorded: report?.status })
    case 'pending': {
      const effect = effectBeforeEdit(rows, context)
      if (effect !== null) return refuse(busy(effect, context))
      const charged = chargedAmounts(share, sent.spent)
      const advanced = tell(() => ok([{ kind: 'report_arrived', delegation: seq, report: sent.report, charged }]))
      if (!advanced.ok) return advanced
      const reported = { ...delegation.value, status: 'reported' as const, report: sent.report }
      return ok({ delegation: reported, advanced: advanced.value })
    }
  }
}
