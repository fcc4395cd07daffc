/** Applies one event to the mode of a task by its transition table. */
import type { Event } from '../terms/effect.ts'
import { hasFailedAttempts, type Head } from '../terms/head.ts'
import type { HandlerContext, ModeEvent, HandlerResult } from '../mode/mode.ts'
import type { AnyMode } from '../modes/index.ts'

type AnyHandlerResult = HandlerResult<{ phase: string }>
export interface ModeTransition extends AnyHandlerResult {
  /** The changes that the engine itself makes to the head. */
  head: Partial<Head>
}

/** Calls the handler of the phase. Without a handler the state stays as it is. */
export function applyToMode(
  mode: AnyMode,
  state: Head['state'],
  event: Event & { kind: ModeEvent },
  context: HandlerContext,
): AnyHandlerResult {
  // The cast holds because the table is indexed by the kind of the event, which TypeScript cannot correlate.
  const handler = mode.transitions[state.phase]?.[event.kind] as
    | ((state: unknown, event: Event, context: HandlerContext) => AnyHandlerResult)
    | undefined
  const result = handler === undefined ? { state, notes: [] } : handler(state, event, context)
  // A failed side turn is not a failure of the task, which is paused.
  if (event.kind !== 'model_failed' || state.phase === mode.side_phase) return result
  return { ...result, failure: { kind: 'model', reason: event.reason } }
}

/** An input to a paused task that goes on or has ended since becomes a remark. Otherwise its text would be lost. */
export function lateInputAsRemark(head: Head, event: Event): Event {
  if (event.kind !== 'user_asked_aside' && event.kind !== 'resumed') return event
  // Nobody is asked aside while an ending is held: what is said goes to the closing call, or begins the next run.
  const isLate =
    (head.pause_reason === null && !isReopenedBy(head, event)) ||
    (head.closing !== null && event.kind === 'user_asked_aside')
  return isLate && event.text !== undefined ? { kind: 'user_remarked', text: event.text } : event
}

/** Whether the task goes on after its end by this event. More attempts do this too, if they arrive while the task is failing. */
export function isReopenedBy(head: Head, event: Event): boolean {
  if (!hasFailedAttempts(head)) return false
  return event.kind === 'resumed'
    ? event.reopens === true
    : event.kind === 'budget_added' && event.add.attempts !== undefined
}
