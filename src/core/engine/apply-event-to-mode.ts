/** One event, told to the mode of a task: what it makes of it, and what the engine changes beside. */
import type { Event } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import type { Context, ModeEvent, HandlerResult } from '../mode/mode.ts'
import type { AnyMode } from '../modes/index.ts'

type AnyTurn = HandlerResult<{ phase: string }>
export interface ModeTransition extends AnyTurn {
  /** What the engine itself changes. */
  head: Partial<Head>
}

/** Hands an event to the mode; a phase without a handler stays as it is. */
export function tell(
  mode: AnyMode,
  state: Head['state'],
  event: Event & { kind: ModeEvent },
  context: Context,
): AnyTurn {
  // The table is indexed by the event's own kind, so handler and event agree; TypeScript cannot see the correlation.
  const handler = mode.transitions[state.phase]?.[event.kind] as
    ((state: unknown, event: Event, context: Context) => AnyTurn) | undefined
  const turn = handler === undefined ? { state, notes: [] } : handler(state, event, context)
  // Of a side turn it is no failure of the work, which rests.
  if (event.kind !== 'model_failed' || state.phase === mode.aside) return turn
  return { ...turn, failure: { kind: 'model', reason: event.reason } }
}

/** What was said to a task that rested, and goes on or has ended by now, is a word like any other: it is heard all the same. */
export function asHeard({ pause_reason }: Head, event: Event): Event {
  const late = pause_reason === null && (event.kind === 'user_asked_aside' || event.kind === 'resumed')
  return late && event.text !== undefined ? { kind: 'user_remarked', text: event.text } : event
}
