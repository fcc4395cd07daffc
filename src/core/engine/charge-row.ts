/**
 * What a closed row costs: its effect is charged to the budget, the allowance and the counters of the task. Only reduce()
 * changes a head with it. The ledger and the replay compute the same charge to show it and to check it.
 */
import { modeOf } from '../modes/index.ts'
import type { AllowanceRefund } from '../terms/axes.ts'
import { charge, chargeAmounts, settleReservation, type Charge, type Reservation } from '../terms/budget.ts'
import type { Event, Recall, StoredEffect } from '../terms/effect.ts'
import type { Failure } from '../terms/failure-streak.ts'
import type { Head } from '../terms/head.ts'
import type { EffectOutcome } from '../terms/status.ts'
import { pricedPhase } from './result/closing.ts'

/** The row that an event closes. */
export interface ClosingRow {
  seq: number
  now_ms: number
  /** How long the effect ran. It is 0 for a row without an effect. */
  elapsed_ms: number
  /** The worst case that was reserved for the effect. */
  reserved: Reservation | null
  effect: StoredEffect | null
  recall: Recall
}

interface ChargedRow {
  head: Head
  /** The working time that was charged. A lost effect is charged no more than its deadline. */
  charged_ms: number
  /** What the effect cost beyond the allowance, as negative amounts. */
  overspent: AllowanceRefund[]
}

/** Charges a closed row. A row without an effect costs nothing, but a report may say what its worker has spent. */
export function chargeRow(head: Head, event: Event, row: ClosingRow): ChargedRow {
  if (row.effect === null) return { head: chargeReport(head, event), charged_ms: 0, overspent: [] }
  const cost = chargeOf(head, event, row)
  return { ...chargeEffect(head, event, row.effect, cost), charged_ms: cost.ms }
}

/** What the effect of a row cost. */
export function chargeOf(
  head: Head,
  event: Event,
  { effect, ...row }: Pick<ClosingRow, 'reserved' | 'elapsed_ms' | 'effect'>,
): Charge {
  const steps = isFree(effect, event) ? 0 : (modeOf(head.mode).cost[pricedPhase(head)] ?? 0)
  return settleReservation(steps, row.reserved ?? NOTHING_RESERVED, event, row.elapsed_ms)
}

/** A list of tools costs no step. An action costs one when it has a result, however often its tool asks or is looked at before. */
export const isFree = (effect: StoredEffect | null, { kind }: Event): boolean =>
  effect?.kind === 'list_tools' || kind === 'tool_asked' || kind === 'tool_waits'

/** Rows of the first release have no reservation. */
const NOTHING_RESERVED: Reservation = { input_tokens: 0, output_tokens: 0, cost: 0, ms: 0, price: null }

/** Charges what an effect cost, with any outcome (D2). */
function chargeEffect(head: Head, event: Event, effect: StoredEffect, cost: Charge) {
  const budget = charge(head.budget, cost)
  const { tokens, cost: micro, day } = head.allowance
  const left = { tokens: tokens - cost.tokens, cost: micro - cost.cost }
  const allowance = { tokens: Math.max(0, left.tokens), cost: Math.max(0, left.cost), day }
  // Without a day no total bounds the tenant, so the task holds no allowance and owes nothing.
  const overspent: AllowanceRefund[] =
    day === '' ? [] : [{ tokens: Math.min(0, left.tokens), cost: Math.min(0, left.cost), day }]
  return { head: { ...head, budget, allowance, counters: countEffect(head.counters, event, effect) }, overspent }
}

function countEffect(counters: Head['counters'], event: Event, effect: StoredEffect): Head['counters'] {
  if (isFree(effect, event)) return counters
  if (effect.kind === 'call_model') return { ...counters, model_calls: counters.model_calls + 1 }
  const actions = counters.actions + 1
  return event.kind === 'tool_returned' && event.ok
    ? { ...counters, actions, successful_actions: counters.successful_actions + 1 }
    : { ...counters, actions, failed_actions: counters.failed_actions + 1 }
}

/** Charges what a worker has spent to the task. The tenant's total is not charged, because it counts what this service spends. */
function chargeReport(head: Head, event: Event): Head {
  const isReport = event.kind === 'report_arrived' || event.kind === 'report_expired'
  return isReport ? { ...head, budget: chargeAmounts(head.budget, event.charged) } : head
}

/** The outcome of an effect, in one word of the ledger. */
export function outcomeOf(event: Event, failure: Failure | undefined): EffectOutcome {
  switch (event.kind) {
    case 'model_failed':
      return 'model_error'
    case 'tool_returned':
      return event.ok ? 'ok' : 'tool_error'
    case 'tools_unlisted':
      return 'tool_error'
    case 'effect_orphaned':
      return 'orphaned'
    case 'outcome_unknown':
    case 'abandoned':
      return event.kind
    default:
      return failure === undefined ? 'ok' : 'contract_error'
  }
}

/** What goes back to the tenant's total: overspent amounts, a replaced allowance, and the allowance of an idle task. */
export function refundsOf(before: Head, head: Head, idle: boolean, event: Event, overspent: AllowanceRefund[]) {
  const refunds = [...overspent, ...replacedAllowance(before, event)]
  if (idle) refunds.push({ ...head.allowance, task: head.id })
  return refunds.filter(
    ({ tokens, cost, day, task }) => tokens !== 0 || cost !== 0 || (task !== undefined && day !== ''),
  )
}

/**
 * The old allowance that a new one replaces. On the same day the new one contains what is left of it, so nothing goes back.
 * A new allowance without a day is none, and the task holds nothing any more.
 */
function replacedAllowance({ allowance, id }: Head, event: Event): AllowanceRefund[] {
  if (event.kind !== 'allowance_granted' || event.allowance.day === allowance.day) return []
  return [event.allowance.day === '' ? { ...allowance, task: id } : allowance]
}
