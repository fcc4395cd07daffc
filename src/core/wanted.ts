/**
 * Whether a row is what the state machine wanted at the head before it. What a journal holds besides – what the world and people
 * said – is taken as it is. Asks the mode's table as begin() does, so it knows nothing of any mode.
 */
import { openApproval } from './approval.ts'
import { opensRound } from './assignment.ts'
import { isAside } from './aside.ts'
import { awaitedRow } from './awaiting.ts'
import { stepsSpent } from './budget.ts'
import { cameMeanwhile } from './delegations.ts'
import { differing } from './differ.ts'
import type { Effect, Event, Recall, StoredEffect } from './effect.ts'
import type { Head } from './head.ts'
import type { ClosedRow } from './journal.ts'
import { modeOf } from './modes/index.ts'

export type Wanted =
  | Effect
  | { kind: 'budget_spent'; axis: 'steps' }
  /** It waits, is paused, or has ended. */
  | { kind: 'nothing'; because: string }

export interface Misfit {
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

export function wantedAt(head: Head, recall: Recall): Wanted {
  const aside = isAside(head)
  const rests = head.end?.reason ?? (aside ? null : head.hold)
  if (rests !== null) return { kind: 'nothing', because: rests }
  if (!aside && openApproval(head) !== null) return { kind: 'nothing', because: 'approval' }
  const mode = modeOf(head.mode)
  const next = mode.next(head.state, recall)
  if (next.kind !== 'run') return { kind: 'nothing', because: next.kind }
  // The limit check comes before each effect that opens a round (S0-27).
  const spent = !aside && mode.opens_round.has(head.state.phase) && stepsSpent(head.budget)
  return spent ? { kind: 'budget_spent', axis: 'steps' } : next.effect
}

export type Begun = Pick<ClosedRow, 'effect' | 'reserved'>

/** Of a row that is closed. */
export function misfitOf(before: Head, row: Begun & Pick<ClosedRow, 'seq' | 'event'>, recall: Recall): Misfit | null {
  const { effect, event } = row
  if (effect === null) return misfitOfEvent(before, row, recall)
  const fits = OUTCOMES[effect.kind].has(event.kind)
  const outcome = { path: '/event/kind', expected: [...OUTCOMES[effect.kind]].join(' or '), found: event.kind }
  return misfitOfEffect(before, row, recall) ?? (fits ? null : outcome)
}

/** Of a row that is begun, closed or not: another effect than was wanted, or one that did not fit into the budget. */
export function misfitOfEffect(before: Head, { effect, reserved }: Begun, recall: Recall): Misfit | null {
  if (effect === null) return null
  const kept = new Map<string, unknown>(Object.entries(effect))
  const wanted = wantedAt(before, recall)
  if (wanted.kind === 'nothing') return { path: '/effect/kind', expected: said(wanted), found: effect.kind }
  // The row keeps the parts of an effect that the journal does not hold elsewhere.
  for (const [name, expected] of Object.entries(wanted)) {
    const found = kept.get(name)
    if (kept.has(name) && differing(expected, found) !== null) return { path: `/effect/${name}`, expected, found }
  }
  return opening(before, effect) ?? overdrawn(before, reserved)
}

const said = (wanted: Wanted) => (wanted.kind === 'nothing' ? `nothing: ${wanted.because}` : wanted.kind)

function opening(before: Head, effect: StoredEffect): Misfit | null {
  const expected = opensRound(before, effect)
  const found = effect.opens_round ?? false
  return found === expected ? null : { path: '/effect/opens_round', expected, found }
}

/** The worst case of an effect fits into what is left, or it is not begun (docs/protocol.md 13). */
function overdrawn({ budget }: Head, reserved: Begun['reserved']): Misfit | null {
  if (reserved === null) return null
  const { input_tokens, output_tokens, cost, ms } = reserved
  const asked = [
    ['tokens', budget.tokens, input_tokens + output_tokens],
    ['cost', budget.cost, cost],
    ['working_ms', budget.working_ms, ms],
  ] as const
  // More may have been spent than there was (ruling 11); an effect that takes nothing of that is begun all the same.
  const over = asked.find(([, { used, max }, amount]) => max !== null && amount > 0 && used + amount > max)
  if (over === undefined) return null
  const [name, { used, max }, found] = over
  return { path: `/reserved/${name}`, expected: `at most ${Math.max(0, (max ?? 0) - used)}`, found }
}

function misfitOfEvent(before: Head, { seq, event }: Pick<ClosedRow, 'seq' | 'event'>, recall: Recall): Misfit | null {
  const misfit = (expected: string): Misfit => ({ path: '/event/kind', expected, found: event.kind })
  if (isOutcome(event)) return misfit('an event from outside')
  switch (event.kind) {
    case 'task_created':
      return misfit('row 1')
    case 'budget_spent': {
      const wanted = wantedAt(before, recall)
      const steps = wanted.kind === 'budget_spent'
      return steps === (event.axis === 'steps') && wanted.kind !== 'nothing' ? null : misfit(said(wanted))
    }
    case 'approval_answered':
      return openApproval(before) === null ? misfit('no open approval') : null
    case 'user_answered':
      return modeOf(before.mode).transitions[before.state.phase]?.user_answered === undefined
        ? misfit('no answer')
        : null
    case 'aside_refused':
      return isAside(before) ? null : misfit('no side turn')
    case 'report_arrived': {
      const isOpen = [awaitedRow(before), before.end?.row].includes(event.delegation)
      return isOpen || cameMeanwhile(seq, event.delegation, recall) ? null : misfit('no open command')
    }
    case 'report_expired':
      return awaitedRow(before) === event.delegation ? null : misfit('no open command')
    case 'question_expired':
      return before.asking_since === null ? misfit('no open question') : null
    default:
      return null
  }
}
