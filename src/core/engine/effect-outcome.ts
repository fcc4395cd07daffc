/** What became of an effect, in one word of the ledger. */
import type { Event } from '../terms/effect.ts'
import type { Failure } from '../terms/failure-streak.ts'

export type EffectOutcome =
  'ok' | 'contract_error' | 'model_error' | 'tool_error' | 'orphaned' | 'outcome_unknown' | 'abandoned'

export function outcomeOf(event: Event, failure: Failure | undefined): EffectOutcome {
  switch (event.kind) {
    case 'model_failed':
      return 'model_error'
    case 'tool_returned':
      return event.ok ? 'ok' : 'tool_error'
    case 'effect_orphaned':
      return 'orphaned'
    case 'outcome_unknown':
    case 'abandoned':
      return event.kind
    default:
      return failure === undefined ? 'ok' : 'contract_error'
  }
}
