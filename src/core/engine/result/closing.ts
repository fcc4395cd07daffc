/**
 * The closing call of a task with an `output_schema` (U54). When its mode would complete the task, the engine holds this ending and asks
 * the model for the data first. The mode is told nothing of it.
 */
import type { Effect, Event, EventOf, StoredEffect } from '../../terms/effect.ts'
import type { Head } from '../../terms/head.ts'
import type { PauseReason } from '../../terms/pause-reason.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { modeOf } from '../../modes/index.ts'
import { RESULT_PHASE } from '../../terms/settings.ts'
import { dataIn } from './typed-data.ts'

type ClosingHead = Pick<Head, 'mode' | 'state' | 'closing'>
type Transition = HandlerResult<Head['state']> & { head: Partial<Head> }

/** Remarks to a task that is about to end are shown to the closing call. */
export const REMARKS_MAX = 6

export const CLOSING_CALL: Effect = { kind: 'call_model', phase: RESULT_PHASE }

/** No reply fits the schema, as often as a phase may fail. */
export const RESULT_UNMET: PauseReason = { kind: 'result_unmet' }

/** The phase by which the next effect is priced. */
export const pricedPhase = ({ state, closing }: Pick<Head, 'state' | 'closing'>): string =>
  closing === null ? state.phase : RESULT_PHASE

/** Whether the next effect of the mode, or the closing call, opens a round. */
export const startsRound = ({ mode, state, closing }: ClosingHead): boolean =>
  closing !== null || modeOf(mode).opens_round.has(state.phase)

/** Holds the ending of a task that has to give data first. */
export function holdEnding<T extends Transition>(transition: T, { brief }: HandlerContext): T {
  const { stop } = transition
  if (stop?.status !== 'completed' || brief.output_schema === undefined) return transition
  const closing: Head['closing'] = { remarks: [], refused: null, refusals: 0 }
  const { stop: _, ...others } = transition
  return { ...others, head: { ...transition.head, closing, data_row: null } } as T // Only an optional member is left out.
}

/** What a row changes of a task whose ending is held. null: the mode is told of it. */
export function closingTransition(
  head: Head,
  event: Event,
  { effect, context }: { effect: StoredEffect | null; context: HandlerContext },
): Transition | null {
  const { closing, state, mode } = head
  if (closing === null) return null
  if (effect?.phase === RESULT_PHASE) return afterCall(head, closing, event, context)
  // The next run of a conversation begins with the remark, and has data of its own.
  if (event.kind !== 'user_remarked' || modeOf(mode).reopens) return null
  const remarks = pushBounded(closing.remarks, context.seq, REMARKS_MAX)
  return { state, notes: [], head: { closing: { ...closing, remarks } } }
}

function afterCall(
  { mode, state }: Head,
  closing: NonNullable<Head['closing']>,
  event: Event,
  context: HandlerContext,
): Transition {
  const counts = modeOf(mode).counter.unit === 'iterations' ? { counts: { iterations: 1 } } : {}
  const transition: Transition = { state, notes: [], head: {}, ...counts }
  if (event.kind === 'model_failed') return { ...transition, failure: { kind: 'model', reason: event.reason } }
  return event.kind === 'model_replied' ? { ...transition, ...afterReply(closing, event, context) } : transition
}

/** A reply with data ends the task, as its mode wanted. */
function afterReply(
  closing: NonNullable<Head['closing']>,
  event: EventOf<'model_replied'>,
  { brief, seq }: HandlerContext,
): Partial<Transition> {
  const data = dataIn(event, brief)
  if (data.ok) return { head: { closing: null, data_row: seq }, stop: { status: 'completed', reason: 'done' } }
  const refused = { ...closing, refused: seq, refusals: closing.refusals + 1 }
  return { head: { closing: refused }, failure: { kind: 'contract', reason: data.reason } }
}
