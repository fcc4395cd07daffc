/** The part of a task's spending that comes out of its tenant's total of the day (ruling 16): taken in chunks ahead, given back. */
import { beginNext, insert, stopAt, type Here, type Ticket } from './advance.ts'
import type { Allowance } from './axes.ts'
import { earlier } from './keyed.ts'
import type { Journal } from './journal.ts'
import { refuse } from './refusal.ts'
import { endWaiting, goOn, shown, transact, type Decision } from './transaction.ts'

/**
 * Begins the effect that lacked its tenant's total, with what was reserved for it; null: there is nothing left. Whatever happened to
 * the task meanwhile is looked at first, and what is not needed any more is returned.
 */
export function fund(journal: Journal, allowance: Allowance | null, ticket: Ticket, here: Here): Decision {
  const decision = begunWith(journal, allowance, ticket, here)
  if (!decision.ok || allowance === null) return decision
  const taken = decision.writes.some(({ row }) => row.kind === 'allowance_granted')
  const { advance } = decision
  return taken ? decision : { ...decision, advance: { ...advance, returned: [...advance.returned, allowance] } }
}

function begunWith(journal: Journal, allowance: Allowance | null, ticket: Ticket, here: Here): Decision {
  // The request may have been gone on with by another worker.
  const known = earlier(journal, ticket, here)
  if (known.kind === 'refused') return refuse(known.refusal)
  if (known.kind === 'finished') return shown(journal, ticket, here, known.earlier)
  return transact(journal, ticket, here, (turn) => {
    const begun = goOn(turn)
    if (begun === null && known.kind === 'dead') endWaiting(turn)
    if (begun === null || !('lacks' in begun)) return begun
    const head = turn.draft.last()?.head
    if (allowance !== null) insert(turn, { kind: 'allowance_granted', allowance })
    else if (head !== undefined) stopAt(turn, head, 'tenant')
    return beginNext(turn)
  })
}

/** What a task that is deleted still holds of its tenant's total; what a call under way may cost counts as spent. */
export function heldAllowance(journal: Journal): Allowance | null {
  const { tokens = 0, cost = 0, day = '' } = journal.last()?.head.allowance ?? {}
  const { input_tokens = 0, output_tokens = 0, cost: risked = 0 } = journal.pending()?.reserved ?? {}
  const held = { tokens: Math.max(0, tokens - input_tokens - output_tokens), cost: Math.max(0, cost - risked), day }
  return held.tokens + held.cost > 0 ? held : null
}
