/** The calls of a reply, one after the other (S1-21); each is answered to the model, whatever became of it. */
import { callAt } from '../conversation/calls.ts'
import { finishedNote, startedNote, withheldNote } from '../conversation/acts.ts'
import { refusalText } from '../conversation/entry.ts'
import type { Note } from '../../terms/effect.ts'
import type { Context, Handler, HandlerResult } from '../../mode/mode.ts'
import { currentId } from '../plan/items.ts'
import { addRemark } from '../plan/remarks.ts'
import { afterCalls, planning } from './staged.ts'
import { TASKS } from './said.ts'
import type { AutonomousState } from './state.ts'

export const onReturned: Handler<AutonomousState, 'tool_returned'> = (state, { ok }, context) =>
  onResult(state, ok, context)
export const onLost: Handler<AutonomousState, 'outcome_unknown'> = (state, _event, context) =>
  onResult(state, false, context)

function onResult(state: AutonomousState, ok: boolean, context: Context): HandlerResult<AutonomousState> {
  const next = { ...state, failed: ok ? state.failed : context.seq, stuck: !ok }
  return goneOn(next, finishedNote(context.recall(context.seq)), context)
}

/** With the next call of the reply; behind the last one the model has its turn. */
function goneOn(state: AutonomousState, finished: Note, { recall }: Context): HandlerResult<AutonomousState> {
  const next = { ...state, call: state.call + 1 }
  if (next.call < next.calls)
    return { state: next, notes: [finished, startedNote(next, recall, currentId(TASKS, next.plan))] }
  const over = afterCalls({ ...next, phase: 'turning' }, recall)
  return { state: over.state, notes: [finished, ...over.notes] }
}

/** A call that is not approved has an error for its result (U15); what is wanted instead is a word of the user. */
export const onActionAnswered: Handler<AutonomousState, 'approval_answered'> = (state, { verdict, text }, context) => {
  if (verdict === 'approved' || state.by === null) return { state, notes: [] }
  const { tool } = callAt(context.recall, state.by, state.call)
  const heard = verdict === 'changes' ? addRemark(state, context.seq) : state
  const next = { ...heard, failed: context.seq, stuck: true }
  return goneOn(next, withheldNote(currentId(TASKS, state.plan), tool, refusalText('en', verdict, text)), context)
}

/** The program's own look at the data needs approval too; without it the run goes on all the same. */
export const onExploringAnswered: Handler<AutonomousState, 'approval_answered'> = (
  state,
  { verdict, text },
  { seq },
) => {
  if (verdict === 'approved') return { state, notes: [] }
  const next = { ...(verdict === 'changes' ? addRemark(state, seq) : state), failed: seq }
  return { state: planning(next), notes: [withheldNote(null, 'read_dataset', refusalText('en', verdict, text))] }
}

/** The program's own look at the data: whatever came of it is told to the model. */
export const onExplored: Handler<AutonomousState, 'tool_returned'> = (state, { ok }, { seq, recall }) => ({
  state: planning({ ...state, explored: seq, failed: ok ? state.failed : seq }),
  notes: [finishedNote(recall(seq))],
})
export const onExploredLost: Handler<AutonomousState, 'outcome_unknown'> = (state, _event, { seq, recall }) => ({
  state: planning({ ...state, failed: seq }),
  notes: [finishedNote(recall(seq))],
})
