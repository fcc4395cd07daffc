/** The calls of a reply, one after the other (S1-21); each is answered to the model, whatever became of it. */
import { callHandlers } from '../conversation/call-loop.ts'
import { finishedNote, withheldNote } from '../plan/actions.ts'
import { refusalText } from '../conversation/entry.ts'
import type { Handler } from '../../mode/mode.ts'
import { currentId } from '../plan/items.ts'
import { addRemark } from '../plan/remarks.ts'
import { afterCalls, startPlanning } from './stages.ts'
import { TASKS } from './replies.ts'
import type { AutonomousState } from './state.ts'

export const { onReturned, onLost, onActionAnswered } = callHandlers<AutonomousState>({
  currentId: ({ plan }) => currentId(TASKS, plan),
  onResult: (state, ok, { seq }) => ({ ...state, failed: ok ? state.failed : seq, stuck: !ok }),
  // What is wanted instead of the call is a word of the user.
  onWithheld: (state, changes, { seq }) => ({ ...(changes ? addRemark(state, seq) : state), failed: seq, stuck: true }),
  afterCalls: (state, { recall }) => afterCalls({ ...state, phase: 'turning' }, recall),
})

/** The program's own look at the data needs approval too; without it the run goes on all the same. */
export const onExploringAnswered: Handler<AutonomousState, 'approval_answered'> = (
  state,
  { verdict, text },
  { seq },
) => {
  if (verdict === 'approved') return { state, notes: [] }
  const next = { ...(verdict === 'changes' ? addRemark(state, seq) : state), failed: seq }
  return { state: startPlanning(next), notes: [withheldNote(null, 'read_dataset', refusalText('en', verdict, text))] }
}

/** The program's own look at the data: whatever came of it is told to the model. */
export const onExplored: Handler<AutonomousState, 'tool_returned'> = (state, { ok }, { seq, recall }) => ({
  state: startPlanning({ ...state, explored: seq, failed: ok ? state.failed : seq }),
  notes: [finishedNote(recall(seq))],
})
export const onExploredLost: Handler<AutonomousState, 'outcome_unknown'> = (state, _event, { seq, recall }) => ({
  state: startPlanning({ ...state, failed: seq }),
  notes: [finishedNote(recall(seq))],
})
