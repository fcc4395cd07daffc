/**
 * The commands of a task as its journal tells them: derived from the rows, stored nowhere. A command is what the mode wanted at the
 * head before the row that dispatched it; what became of it stands in the rows behind.
 */
import { busy, isAlive, type ObjectContext } from './advance.ts'
import { awaitedRow, deadlineAfter, dispatchedAt } from '../engine/awaiting.ts'
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

/** How a command was sent: at which head, and when. */
interface Dispatch {
  command: Command
  head: Head
  at: number
}

function dispatchOf(rows: CommandRows, seq: number): Dispatch | null {
  const { recall } = rows
  const pending = rows.pending()
  if (pending !== null && pending.seq === seq)
    return isDispatch(pending.effect) ? wantedAt(rows.last()?.head, dispatchedAt(pending), recall) : null
  const row = rows.closed(seq)
  if (row === null) return null
  const at = dispatchedAt({ effect: row.effect, at: row.head.updated_at })
  // A command that could not be handed out may have ended its task: then the row stands for the one that was.
  const last = row.head.end?.row === seq ? farewellOf(row.head, recall) : null
  if (last !== null) return { command: last, head: row.head, at: row.head.updated_at }
  return isDispatch(row.effect) ? wantedAt(rows.closed(seq - 1)?.head, at, recall) : null
}

function wantedAt(head: Head | undefined, at: number, recall: Recall): Dispatch | null {
  if (head === undefined) return null
  const command = modeOf(head.mode).currentCommand?.(head.state, { recall })
  return command === undefined ? null : { command, head, at }
}

/** The `end` that a session is sent when its task has ended (R17); null: there is none. */
export function farewellOf({ mode, state, end }: Head, recall: Recall): Command | null {
  return end === null ? null : (modeOf(mode).finalCommand?.(state, { recall }) ?? null)
}

export function delegationOf(rows: CommandRows, seq: number, now_ms: number): Result<Delegation> {
  const last = rows.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  const found = dispatchOf(rows, seq)
  if (found === null) return refuse({ code: 'delegation_not_found' })
  const { command, head, at } = found
  const { recall } = rows
  const brief = briefOf(recall)
  const deadline = deadlineAfter(at, head, recall)
  const settled = settlementOf(rows, seq, last.seq)
  const under_way = rows.pending()?.seq === seq
  const open = command.type === 'end' || under_way || awaitedRow(last.head) === seq
  // Its time begins once it is handed out.
  const overdue = now_ms >= deadline && !under_way ? 'expired' : 'pending'
  return ok({
    id: delegationId(head.id, seq),
    task: head.id,
    seq,
    command_id: commandId(head.id, seq),
    command,
    status: settled?.status ?? (open ? overdue : 'canceled'),
    created: Math.max(at, head.created_at),
    deadline,
    report: settled?.report ?? null,
    origin: brief.origin,
    share: command.type === 'end' ? null : shareGiven(rows, seq),
  })
}

/** What the command of a row may spend: a share of what was left when it was handed out – while it is, less what that may take. */
export function shareGiven(rows: CommandRows, seq: number): Amounts | null {
  const { settings } = briefOf(rows.recall)
  const [last, pending] = [rows.last(), rows.pending()]
  if (last !== null && pending?.seq === seq)
    return shareOf(chargeAmounts(last.head.budget, { working_ms: pending.reserved.ms }), settings)
  const row = rows.closed(seq)
  return row === null ? null : shareOf(row.head.budget, settings)
}

/** The first thing that was said of it settled it; it stands among the rows before the next command. */
function settlementOf(rows: CommandRows, seq: number, last: number) {
  for (let row = seq + 1; row <= last; row += 1) {
    const { event, effect } = rows.recall(row)
    const settled = settledBy(event, seq)
    if (settled !== null) return settled
    if (isDispatch(effect)) return null
  }
  return rows.queued().reduce<Settled | null>((found, { event }) => found ?? settledBy(event, seq), null)
}

/** Whether a report may stand in a row though nobody waits for it: it came while its command was handed out, which came to nothing. */
export function cameMeanwhile(seq: number, command: number, recall: Recall): boolean {
  if (command >= seq || !isDispatch(recall(command).effect)) return false
  const between = Array.from({ length: seq - command - 1 }, (_, index) => recall(command + 1 + index))
  return between.every(({ effect, event }) => effect === null && settledBy(event, command) === null)
}

type Settled = { status: 'reported'; report: Report } | { status: 'expired'; report: null }

function settledBy(event: Event, seq: number): Settled | null {
  if (event.kind === 'report_arrived' && event.delegation === seq) return { status: 'reported', report: event.report }
  return event.kind === 'report_expired' && event.delegation === seq ? { status: 'expired', report: null } : null
}

/** The effect behind which an edit of the plan waits: whether that withdraws the command is known when it is over. */
function beforeAnEdit(rows: CommandRows, here: ObjectContext): PendingRow | null {
  const pending = rows.pending()
  const waits = rows.queued().some(({ event }) => event.kind === 'plan_edited')
  return waits && pending !== null && isAlive(pending, here) ? pending : null
}

/** Records the report of a command once: the first one stands, and the same one again is shown and not heard. */
export function reportOnce<T>(
  rows: CommandRows,
  seq: number,
  sent: SentReport,
  here: ObjectContext,
  tell: (hear: () => Result<Event[]>) => Result<T>,
): Result<{ delegation: Delegation; advanced: T | null }> {
  const known = delegationOf(rows, seq, here.now_ms)
  if (!known.ok) return known
  const { command_id, status, report, share } = known.value
  if (sent.command_id !== null && sent.command_id !== command_id)
    return refuse({ code: 'wrong_command', wanted: command_id, given: sent.command_id })
  switch (status) {
    case 'expired':
      return refuse({ code: 'delegation_expired' })
    case 'canceled':
      return refuse({ code: 'delegation_canceled' })
    case 'reported':
      return firstDifference(report, sent.report) === null
        ? ok({ delegation: known.value, advanced: null })
        : refuse({ code: 'already_reported', recorded: report?.status })
    case 'pending': {
      const unsure = beforeAnEdit(rows, here)
      if (unsure !== null) return refuse(busy(unsure, here))
      const charged = chargedAmounts(share, sent.spent)
      const advanced = tell(() => ok([{ kind: 'report_arrived', delegation: seq, report: sent.report, charged }]))
      if (!advanced.ok) return advanced
      const recorded = { ...known.value, status: 'reported' as const, report: sent.report }
      return ok({ delegation: recorded, advanced: advanced.value })
    }
  }
}
