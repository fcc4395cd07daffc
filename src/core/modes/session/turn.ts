/** A turn of the model: it calls tools, which makes or extends the plan, or it answers, which ends the run (S4-13, S4-17, O4-06). */
import { startedNote } from '../conversation/acts.ts'
import { callAt } from '../conversation/calls.ts'
import type { EventOf, Note } from '../../terms/effect.ts'
import type { Context, Turn } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { crossesBoundary } from './detector.ts'
import { completed, planned, type Planned } from './plan.ts'
import { isEmpty, saidIn, type Said } from './said.ts'
import { currentId, planOf, type State } from './state.ts'

type T = Turn<State>

/** counters.iterations has every turn, whatever became of it. */
export const COUNTED = { iterations: 1 }

/** Of what is shown of a reply; the journal has it whole. */
export const SHOWN_CHARS = 2_000

export const EMPTY_REPLY = 'the reply is empty: it neither says anything nor calls a tool'

export function onReply(state: State, event: EventOf<'model_replied'>, context: Context): T {
  const said = saidIn(event)
  if (isEmpty(said)) {
    return { state, notes: [], failure: { kind: 'contract', reason: EMPTY_REPLY }, counts: COUNTED }
  }
  return said.calls.length === 0 ? onAnswer(state, said, context) : onCalls(state, said, context)
}

export const decided = (state: State, decision: string, said: Said): Note => ({
  type: 'thought_decided',
  payload: { phase: 'turn', item_id: currentId(state), decision, text: cut(said.shown, SHOWN_CHARS) },
})

/** Whatever steps are left (R22). */
function onAnswer(state: State, said: Said, { seq }: Context): T {
  return {
    state: { ...state, phase: 'ended', fresh: false, ending: seq },
    notes: [decided(state, 'done', said)],
    counts: COUNTED,
    stop: { status: 'completed', reason: 'done' },
  }
}

function onCalls(state: State, said: Said, context: Context): T {
  const begun: State = { ...state, fresh: false, by: context.seq, calls: said.calls.length, call: 0, phase: 'acting' }
  const taken = planned(begun, said, context)
  const { state: next, notes } = crossed(taken, said, context)
  return {
    state: next,
    notes: [
      ...taken.notes,
      ...notes,
      decided(next, 'continue', said),
      startedNote(next, context.recall, currentId(next)),
    ],
    counts: COUNTED,
  }
}

/** A step of reading may be over as a reply begins to act; then this reply is the first of the next step (S4-26). */
function crossed({ state }: Planned, said: Said, context: Context): Planned {
  const plan = planOf(state)
  const calls = said.calls.map((_, index) => callAt(context.recall, context.seq, index))
  const over = context.brief.settings.tool_boundary_hint && plan !== null && crossesBoundary(plan, calls)
  if (!over) return { state: { ...state, advanced: false }, notes: [] }
  const { state: next, notes } = completed(state, plan, context)
  return { state: { ...next, advanced: true }, notes }
}
