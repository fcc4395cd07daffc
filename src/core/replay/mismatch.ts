/** How a row of the journal differs from what was expected at the head before it. What the world and people said is taken as it is. */
import { openApproval } from '../engine/approval.ts'
import { opensRound } from '../engine/assignment.ts'
import { isSideTurn } from '../engine/idle.ts'
import { awaitedRow } from '../engine/awaiting.ts'
import { cameMeanwhile } from '../protocol/delegations.ts'
import { firstDifference } from '../terms/values/difference.ts'
import type { Event, Recall, StoredEffect } from '../terms/effect.ts'
import { expectedEffect, type ExpectedEffect } from '../protocol/expected-effect.ts'
import type { Head } from '../terms/head.ts'
import type { ClosedRow } from '../protocol/journal.ts'
import { modeOf } from '../modes/index.ts'

export interface Mismatch {
  /** As in RFC 6901, from the row. */
  path: string
  expected: unknown
  found: unknown
}

/** What may become of each kind of effect; every other event comes from outside. */
const OUTCOMES: Record<StoredEffect['kind'], ReadonlySet<Event['kind']>> = {
  call_model: new Set(['model_replied', 'model_failed', 'effect_orphaned', 'abandoned']),
  run_tool: new Set(['tool_returned', 'outcome_unknown', 'abandoned']),
}
const isOutcome = (event: Event) => Object.values(OUTCOMES).some((kinds) => kinds.has(event.kind))

type EffectRow = Pick<ClosedRow, 'effect' | 'reserved'>

/** Of a row that is closed. */
export function mismatchOf(
  before: Head,
  row: EffectRow & Pick<ClosedRow, 'seq' | 'event'>,
  recall: Recall,
): Mismatch | null {
  const { effect, event } = row
  if (effect === null) return mismatchOfEvent(before, row, recall)
  const fits = OUTCOMES[effect.kind].has(event.kind)
  const outcome = { path: '/event/kind', expected: [...OUTCOMES[effect.kind]].join(' or '), found: event.kind }
  return mismatchOfEffect(before, row, recall) ?? (fits ? null : outcome)
}

/** Of a row that is begun, closed or not: another effect than was expected, or one that did not fit into the budget. */
export function mismatchOfEffect(before: Head, { effect, reserved }: EffectRow, recall: Recall): Mismatch | null {
  if (effect === null) return null
  const kept = new Map<string, unknown>(Object.entries(effect))
  const next = expectedEffect(before, recall)
  if (next.kind === 'nothing') return { path: '/effect/kind', expected: said(next), found: effect.kind }
  // The row keeps the parts of an effect that the journal does not hold elsewhere.
  for (const [name, expected] of Object.entries(next)) {
    const found = kept.get(name)
    if (kept.has(name) && firstDifference(expected, found) !== null) return { path: `/effect/${name}`, expected, found }
  }
  return opening(before, effect) ?? overdrawn(before, reserved)
}

const said = (expected: ExpectedEffect) =>
  expected.kind === 'nothing' ? `nothing: ${expected.because}` : expected.kind

function opening(before: Head, effect: StoredEffect): Mismatch | null {
  const expected = opensRound(before, effect)
  const found = effect.opens_round ?? false
  return found === expected ? null : { path: '/effect/opens_round', expected, found }
}

/** The worst case of an effect fits into what is left, or it is not begun (P13). */
function overdrawn({ budget }: Head, reserved: EffectRow['reserved']): Mismatch | null {
  if (reserved === null) return null
  const { input_tokens, output_tokens, cost, ms } = reserved
  const asked = [
    ['tokens', budget.tokens, input_tokens + output_tokens],
    ['cost', budget.cost, cost],
    ['working_ms', budget.working_ms, ms],
  ] as const
  // More may have been spent than there was (U11); an effect that takes nothing of that is begun all the same.
  const over = asked.find(([, { used, max }, amount]) => max !== null && amount > 0 && used + amount > max)
  if (over === undefined) return null
  const [name, { used, max }, found] = over
  return { path: `/reserved/${name}`, expected: `at most ${Math.max(0, (max ?? 0) - used)}`, found }
}

function mismatchOfEvent(
  before: Head,
  { seq, event }: Pick<ClosedRow, 'seq' | 'event'>,
  recall: Recall,
): Mismatch | null {
  const mismatch = (expected: string): Mismatch => ({ path: '/event/kind', expected, found: event.kind })
  if (isOutcome(event)) return mismatch('an event from outside')
  switch (event.kind) {
    case 'task_created':
      return mismatch('row 1')
    case 'budget_spent': {
      const expected = expectedEffect(before, recall)
      const steps = expected.kind === 'budget_spent'
      return steps === (event.axis === 'steps') && expected.kind !== 'nothing' ? null : mismatch(said(expected))
    }
    case 'approval_answered':
      return openApproval(before) === null ? mismatch('no open approval') : null
    case 'user_answered':
      return modeOf(before.mode).transitions[before.state.phase]?.user_answered === undefined
        ? mismatch('no answer')
        : null
    case 'aside_refused':
      return isSideTurn(before) ? null : mismatch('no side turn')
    case 'report_arrived': {
      const isOpen = [awaitedRow(before), before.end?.row].includes(event.delegation)
      return isOpen || cameMeanwhile(seq, event.delegation, recall) ? null : mismatch('no open command')
    }
    case 'report_expired':
      return awaitedRow(before) === event.delegation ? null : mismatch('no open command')
    case 'question_expired':
      return before.asking_since === null ? mismatch('no open question') : null
    default:
      return null
  }
}
