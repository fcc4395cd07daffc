/** The calls of a reply, one after the other (S1-21). The model gets a result for each call, also for a lost or rejected one. */
import { callHandlers } from '../conversation/call-loop.ts'
import { finishedNote, withheldNote } from '../plan/actions.ts'
import { refusalText } from '../conversation/entry.ts'
import type { Handler } from '../../mode/mode.ts'
import { currentId } from '../plan/items.ts'
import { addRemark } from '../plan/remarks.ts'
import { afterCalls, startPlanning } from './stages.ts'
import { noteCall, waitIfMissing } from './missing-file.ts'
import { TASKS } from './replies.ts'
import type { AutonomousState } from './state.ts'

export const { onReturned, onLost, onActionAnswered, onAnswered } = callHandlers<AutonomousState>({
  currentId: ({ plan }) => currentId(TASKS, plan),
  onResult: (state, ok, context) => ({
    ...noteCall(state, context),
    failed: ok ? null : context.seq,
    stuck: !ok,
  }),
  // What the user wants instead of the call is a remark.
  onWithheld: (state, changes, { seq }) => ({ ...(changes ? addRemark(state, seq) : state), failed: seq, stuck: true }),
  onAnswer: (state) => state,
  afterCalls(state, context) {
    const turn = afterCalls({ ...state, phase: 'turning' }, context)
    const wait = waitIfMissing(turn.state, context)
    return { state: wait.state, notes: [...turn.notes, ...wait.notes] }
  },
})

/** The program's own look at the data needs approval too. Without the approval the run goes on. */
export const onExploringAnswered: Handler<AutonomousState, 'approval_answered'> = (
  state,
  { verdict, text },
  { seq },
) => {
  if (verdict === 'approved') return { state, notes: [] }
  const next = { ...(verdict === 'changes' ? addRemark(state, seq) : state), failed: seq }
  return { state: startPlanning(next), notes: [withheldNote(null, 'read_dataset', refusalText('en', verdict, text))] }
}

/** The program's own look at the data. The model sees its result, also a failed one. */
export const onExplored: Handler<AutonomousState, 'tool_returned'> = (state, { ok }, context) => {
  const { seq, recall } = context
  const looked = noteCall({ ...state, failed: ok ? null : seq }, context)
  const finished = finishedNote(recall(seq))
  if (looked.missing === null) return { state: startPlanning({ ...looked, explored: seq }), notes: [finished] }
  const wait = waitIfMissing(looked, context)
  return { state: wait.state, notes: [finished, ...wait.notes] }
}
export const onExploredLost: Handler<AutonomousState, 'outcome_unknown'> = (state, _event, { seq, recall }) => ({
  state: startPlanning({ ...state, failed: seq }),
  notes: [finishedNote(recall(seq))],
})
