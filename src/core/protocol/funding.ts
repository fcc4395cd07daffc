/** The part of a task's spending that comes out of its tenant's total of the day (U16): taken in chunks ahead, given back. */
import { beginNext, insert, stopAt, type ObjectContext, type Ticket, type Transaction } from './advance.ts'
import { NO_ALLOWANCE, type Allowance, type AllowanceRefund } from '../terms/axes.ts'
import { findEarlierRequest } from './idempotency.ts'
import type { Journal } from './journal.ts'
import { briefOf } from '../mode/mode.ts'
import { refuse } from '../terms/refusal.ts'
import { endWaiting, goOn, showEarlier, transact, type Decision } from './transaction.ts'

/**
 * Begins the effect that lacked its tenant's total, with what was reserved for it beside what the task holds; null: there is nothing left,
 * and the task pauses, unless `later`: other tasks hold what may come back, so it returns what it holds itself and waits. Whatever happened
 * to the task meanwhile is looked at first, and what is not needed any more is returned.
 */
export function fund(
  journal: Journal,
  allowance: Allowance | null,
  ticket: Ticket,
  here: ObjectContext,
  later = false,
): Decision {
  const decision = begunWith(journal, allowance, ticket, here, later)
  if (!decision.ok || allowance === null) return decision
  const taken = decision.writes.some(({ row }) => row.kind === 'allowance_granted')
  if (taken) return decision
  const { advance } = decision
  const head = journal.last()?.head
  // A task that holds nothing else is no longer one whose chunk others may wait for.
  const refund = head?.allowance.day === '' ? { ...allowance, task: head.id } : allowance
  return { ...decision, advance: { ...advance, returned: [...advance.returned, refund] } }
}

function begunWith(
  journal: Journal,
  allowance: Allowance | null,
  ticket: Ticket,
  here: ObjectContext,
  later: boolean,
): Decision {
  // The request may have been gone on with by another worker.
  const known = findEarlierRequest(journal, ticket, here)
  if (known.kind === 'refused') return refuse(known.refusal)
  if (known.kind === 'finished') return showEarlier(journal, ticket, here, known.earlier)
  return transact(journal, ticket, here, (turn) => {
    const begun = goOn(turn)
    if (begun === null && known.kind === 'dead') endWaiting(turn)
    if (begun === null || !('lacks' in begun)) return begun
    const head = turn.draft.last()?.head
    const held = head?.allowance ?? NO_ALLOWANCE
    if (allowance !== null) insert(turn, { kind: 'allowance_granted', allowance: together(held, allowance) })
    else if (!later && head !== undefined) stopAt(turn, head, 'tenant')
    else if (held.day !== '') insert(turn, { kind: 'allowance_granted', allowance: NO_ALLOWANCE })
    else return waitForOthers(turn)
    return beginNext(turn)
  })
}

/** What was taken on another day is returned by the row that takes its place. */
const together = (held: Allowance, more: Allowance): Allowance =>
  held.day === more.day
    ? { tokens: held.tokens + more.tokens, cost: held.cost + more.cost, day: more.day }
    : { tokens: more.tokens, cost: more.cost, day: more.day }

/** A request with a key is over with this row: it is shown again like any other. */
function waitForOthers(turn: Transaction): null {
  if (turn.ticket.key !== null) insert(turn, { kind: 'request_ended' })
  return null
}

/**
 * Gives back what a task holds of a scarce total when its slice ends. Nobody knows when a task that its client drives is stepped again,
 * and other tasks would wait meanwhile for tokens that nobody spends.
 */
export function giveBackUnused(turn: Transaction): void {
  const { draft, ticket } = turn
  const head = draft.last()?.head
  if (ticket.scarce !== true || head === undefined || head.allowance.day === '' || draft.pending() !== null) return
  if (briefOf(draft.recall).drive === 'manual') insert(turn, { kind: 'allowance_granted', allowance: NO_ALLOWANCE })
}

/** What a task that is deleted still holds of its tenant's total; what a call under way may cost counts as spent. */
export function heldAllowance(journal: Journal): AllowanceRefund | null {
  const last = journal.last()
  const { tokens = 0, cost = 0, day = '' } = last?.head.allowance ?? {}
  const { input_tokens = 0, output_tokens = 0, cost: risked = 0 } = journal.pending()?.reserved ?? {}
  const held = { tokens: Math.max(0, tokens - input_tokens - output_tokens), cost: Math.max(0, cost - risked), day }
  return last !== null && day !== '' ? { ...held, task: last.head.id } : null
}
