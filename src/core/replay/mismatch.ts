/** How a row differs from what the head before it expects. Outcomes of effects and texts of people are taken as they are. */
import { openApproval } from '../engine/approval.ts'
import { opensRound } from '../engine/assignment.ts'
import { asksPerson } from '../engine/tools/held-calls.ts'
import { isSideTurn } from '../engine/idle.ts'
import { awaitedRow } from '../engine/awaiting.ts'
import { arrivedDuringDispatch } from '../protocol/delegations.ts'
import { isSameToolName } from '../terms/tools/client-tools.ts'
import { firstDifference } from '../terms/values/difference.ts'
import { isBareEvent, type Event, type Recall, type StoredEffect } from '../terms/effect.ts'
import { expectedEffect, type ExpectedEffect } from '../protocol/expected-effect.ts'
import type { Head } from '../terms/head.ts'
import type { ClosedRow } from '../protocol/journal.ts'
import { modeOf } from '../modes/index.ts'

export interface Mismatch {
  /** A JSON pointer (RFC 6901) within the row. */
  path: string
  expected: unknown
  found: unknown
}

/** The possible outcomes of each kind of effect. Every other event comes from outside. */
const OUTCOME_KINDS: Record<StoredEffect['kind'], ReadonlySet<Event['kind']>> = {
  call_model: new Set(['model_replied', 'model_failed', 'effect_orphaned', 'abandoned']),
  run_tool: new Set(['tool_returned', 'tool_asked', 'tool_waits', 'outcome_unknown', 'abandoned']),
  list_tools: new Set(['tools_listed', 'tools_unlisted', 'outcome_unknown', 'abandoned']),
}

type EffectRow = Pick<ClosedRow, 'effect' | 'reserved'>

/** The mismatch of a closed row, or null. */
export function mismatchOf(
  before: Head,
  row: EffectRow & Pick<ClosedRow, 'seq' | 'event'>,
  recall: Recall,
): Mismatch | null {
  const { effect, event } = row
  if (effect === null) return mismatchOfEvent(before, row, recall)
  const fits = OUTCOME_KINDS[effect.kind].has(event.kind)
  const outcome = { path: '/event/kind', expected: [...OUTCOME_KINDS[effect.kind]].join(' or '), found: event.kind }
  return mismatchOfEffect(before, row, recall) ?? (fits ? null : outcome)
}

/** The mismatch of a begun row: it has another effect than expected, or an effect that did not fit into the budget. */
export function mismatchOfEffect(before: Head, { effect, reserved }: EffectRow, recall: Recall): Mismatch | null {
  if (effect === null) return null
  const stored = new Map<string, unknown>(Object.entries(effect))
  const next = expectedEffect(before, recall)
  if (next.kind === 'nothing') return { path: '/effect/kind', expected: textOfExpected(next), found: effect.kind }
  // The row stores only the parts of an effect that no other row of the journal holds.
  for (const [name, expected] of Object.entries(next)) {
    const found = stored.get(name)
    if (stored.has(name) && !isSameTool(name, expected, found) && firstDifference(expected, found) !== null)
      return { path: `/effect/${name}`, expected, found }
  }
  return roundMismatch(before, effect) ?? reservationMismatch(before, reserved)
}

/** Rows of earlier releases have a tool that was not offered in lower case. */
const isSameTool = (member: string, expected: unknown, found: unknown): boolean =>
  member === 'tool' && typeof expected === 'string' && typeof found === 'string' && isSameToolName(expected, found)

const textOfExpected = (expected: ExpectedEffect) =>
  expected.kind === 'nothing' ? `nothing: ${expected.because}` : expected.kind

function roundMismatch(before: Head, effect: StoredEffect): Mismatch | null {
  const expected = opensRound(before, effect)
  const found = ('opens_round' in effect && effect.opens_round) ?? false
  return found === expected ? null : { path: '/effect/opens_round', expected, found }
}

/** An effect begins only if its worst case fits into what is left (P13). */
function reservationMismatch({ budget }: Head, reserved: EffectRow['reserved']): Mismatch | null {
  if (reserved === null) return null
  const { input_tokens, output_tokens, cost, ms } = reserved
  const amounts = [
    ['tokens', budget.tokens, input_tokens + output_tokens],
    ['cost', budget.cost, cost],
    ['working_ms', budget.working_ms, ms],
  ] as const
  // An axis may be overspent (U11). An effect that reserves nothing of this axis begins all the same.
  const over = amounts.find(([, { used, max }, amount]) => max !== null && amount > 0 && used + amount > max)
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
  if (isBareEvent(event)) return null
  switch (event.kind) {
    case 'model_replied':
    case 'model_failed':
    case 'tool_returned':
    case 'effect_orphaned':
    case 'outcome_unknown':
    case 'abandoned':
    case 'tools_listed':
    case 'tools_unlisted':
    case 'tool_asked':
    case 'tool_waits':
      return mismatch('an event from outside')
    case 'task_created':
      return mismatch('row 1')
    case 'budget_spent': {
      const expected = expectedEffect(before, recall)
      const steps = expected.kind === 'budget_spent'
      return steps === (event.axis === 'steps') && expected.kind !== 'nothing'
        ? null
        : mismatch(textOfExpected(expected))
    }
    case 'approval_answered':
      return openApproval(before) === null ? mismatch('no open approval') : null
    case 'tool_answered':
      return before.held?.row === event.request && asksPerson(before) ? null : mismatch('no open question of a tool')
    case 'user_answered':
      return modeOf(before.mode).transitions[before.state.phase]?.user_answered === undefined
        ? mismatch('no answer')
        : null
    case 'aside_refused':
      return isSideTurn(before) ? null : mismatch('no side turn')
    case 'report_arrived': {
      const isOpen = [awaitedRow(before), before.end?.row].includes(event.delegation)
      return isOpen || arrivedDuringDispatch(seq, event.delegation, recall) ? null : mismatch('no open command')
    }
    case 'report_expired':
      return awaitedRow(before) === event.delegation ? null : mismatch('no open command')
    case 'question_expired':
      return before.asking_since === null ? mismatch('no open question') : null
    case 'user_remarked':
    case 'file_arrived':
    case 'user_asked_aside':
    case 'resumed':
    case 'plan_edited':
    case 'task_changed':
    case 'report_extended':
    case 'budget_added':
      return null
  }
}
