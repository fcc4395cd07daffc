/** How a task takes parts of its tenant's total of the day, in chunks ahead, and gives back what it does not spend (U16). */
import { briefNow } from '../engine/changed-brief.ts'
import { beginNext, insert, stopAt, type ObjectContext, type Ticket, type Transaction } from './advance.ts'
import { NO_ALLOWANCE, type Allowance, type AllowanceRefund } from '../terms/axes.ts'
import { findEarlierRequest } from './idempotency.ts'
import type { Journal } from './journal.ts'
import { refuse } from '../terms/refusal.ts'
import {
  endWaiting,
  continueEffect,
  limitRounds,
  refundsWithKey,
  showEarlier,
  transact,
  type Decision,
} from './transaction.ts'

/**
 * Begins the effect that lacked a part of the tenant's total. `allowance` is the part that was reserved for it, in addition to what
 * the task holds. null: nothing is left of the total, and the task pauses. With `later`, other tasks hold parts that may come back,
 * so the task returns what it holds and waits. The task may have changed since the effect asked: what is no longer needed is returned.
 */
export function fund(
  journal: Journal,
  allowance: Allowance | null,
  ticket: Ticket,
  context: ObjectContext,
  later = false,
): Decision {
  const decision = decideFunding(journal, allowance, ticket, context, later)
  if (!decision.ok || allowance === null) return decision
  const isTaken = decision.writes.some(({ row }) => row.kind === 'allowance_granted')
  if (isTaken) return decision
  const { result } = decision
  const head = journal.last()?.head
  // If the task holds nothing else, its refund names it. Otherwise other tasks would go on waiting for a part of the total to come back.
  const refund = head?.allowance.day === '' ? { ...allowance, task: head.id } : allowance
  return {
    ...decision,
    result: { ...result, returned: [...result.returned, ...refundsWithKey([refund], journal.recall)] },
  }
}

function decideFunding(
  journal: Journal,
  allowance: Allowance | null,
  ticket: Ticket,
  context: ObjectContext,
  later: boolean,
): Decision {
  // Another worker may have continued the request. If it died, the rounds that it began count.
  const lookup = findEarlierRequest(journal, ticket, context)
  if (lookup.kind === 'refused') return refuse(lookup.refusal)
  if (lookup.kind === 'finished') return showEarlier(journal, ticket, context, lookup.earlier)
  const earlier = lookup.kind === 'dead' ? lookup.earlier : null
  const limitedTicket = earlier === null ? ticket : limitRounds(ticket, earlier)
  const begins = (transaction: Transaction) => {
    const next = continueEffect(transaction)
    if (next === null && earlier !== null) endWaiting(transaction)
    if (next === null || !('lacks' in next)) return next
    const head = transaction.draft.last()?.head
    const held = head?.allowance ?? NO_ALLOWANCE
    if (allowance !== null) insert(transaction, { kind: 'allowance_granted', allowance: addAllowance(held, allowance) })
    else if (!later && head !== undefined) stopAt(transaction, head, 'tenant')
    else if (held.day !== '') insert(transaction, { kind: 'allowance_granted', allowance: NO_ALLOWANCE })
    else return waitForOthers(transaction)
    return beginNext(transaction)
  }
  return transact(journal, limitedTicket, context, begins, earlier)
}

/** A part that was taken on another day is replaced. The row that replaces it returns the old part. */
const addAllowance = (held: Allowance, addition: Allowance): Allowance =>
  held.day === addition.day
    ? { tokens: held.tokens + addition.tokens, cost: held.cost + addition.cost, day: addition.day }
    : { tokens: addition.tokens, cost: addition.cost, day: addition.day }

/** Ends a request with a key by a row, so that its answer can be shown again. */
function waitForOthers(transaction: Transaction): null {
  if (transaction.ticket.key !== null) insert(transaction, { kind: 'request_ended' })
  return null
}

/**
 * Gives back what a task holds of a scarce total when its slice ends. A client may step its task much later, and other tasks
 * would wait for tokens that nobody spends.
 */
export function giveBackUnused(transaction: Transaction): void {
  const { draft, ticket } = transaction
  const head = draft.last()?.head
  if (ticket.scarce !== true || head === undefined || head.allowance.day === '' || draft.pending() !== null) return
  if (briefNow(head, draft.recall).drive === 'manual')
    insert(transaction, { kind: 'allowance_granted', allowance: NO_ALLOWANCE })
}

/** What a deleted task still holds of its tenant's total. The worst case of a call under way counts as spent. */
export function heldAllowance(journal: Journal): AllowanceRefund | null {
  const last = journal.last()
  const { tokens = 0, cost = 0, day = '' } = last?.head.allowance ?? {}
  const { input_tokens = 0, output_tokens = 0, cost: call_cost = 0 } = journal.pending()?.reserved ?? {}
  const held = { tokens: Math.max(0, tokens - input_tokens - output_tokens), cost: Math.max(0, cost - call_cost), day }
  if (last === null || day === '') return null
  return refundsWithKey([{ ...held, task: last.head.id }], journal.recall)[0] ?? null
}
