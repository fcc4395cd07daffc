/** The calls of a reply, made one after the other: the next one as an effect, and what observers are told of each. */
import * as z from 'zod'
import type { Context, Handler, HandlerResult } from '../../mode/mode.ts'
import { finishedNote, withheldNote } from '../plan/actions.ts'
import type { Effect, Note, Recall } from '../../terms/effect.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { callAt } from './calls.ts'
import { refusalText } from './entry.ts'

/** Members of the state: the latest reply with calls, how many it has, and the one that is made now or next. */
export const Acting = z.object({ by: z.int().min(1).nullable(), calls: z.int().min(0), call: z.int().min(0) })
export type Acting = z.infer<typeof Acting>
export const NOT_ACTING: Acting = { by: null, calls: 0, call: 0 }

/** The members of a state that makes the calls of a reply. */
export const actingOn = (row: number, { length: calls }: readonly unknown[]) => ({
  phase: 'acting' as const,
  by: row,
  calls,
  call: 0,
})

/** Calls of one reply. */
export const CALLS_MAX = 32

/** The call that is made now or next. */
function currentCall({ by, call }: Acting, recall: Recall) {
  if (by === null) throw unreadable('acting without a reply')
  return { ...callAt(recall, by, call), by, call }
}

export const callEffect = (state: Acting, recall: Recall, item_id: string | null): Effect => ({
  kind: 'run_tool',
  phase: 'act',
  ...currentCall(state, recall),
  item_id,
})

export function startedNote(state: Acting, recall: Recall, item_id: string | null): Note {
  const { tool, input } = currentCall(state, recall)
  return { type: 'action_started', payload: { item_id, tool, input } }
}

/** How a mode goes on between the calls of a reply. */
interface CallLoop<S> {
  currentId(state: S): string | null
  /** After a call that came back, or was lost. */
  onResult(state: S, ok: boolean, context: Context): S
  /** After a call that a person did not want made; `changes`: they said what they want instead. */
  onWithheld(state: S, changes: boolean, context: Context): S
  /** After the last call: the model has its turn. */
  afterCalls(state: S, context: Context): { state: S; notes: Note[] }
}

/** The handlers of a mode while it makes the calls of a reply. Each call has a result for the model, whatever came of it. */
export function callHandlers<S extends Acting & { phase: string }>(loop: CallLoop<S>) {
  const next = (before: S, note: Note, context: Context): HandlerResult<S> => {
    const state = { ...before, call: before.call + 1 }
    if (state.call < state.calls)
      return { state, notes: [note, startedNote(state, context.recall, loop.currentId(state))] }
    const over = loop.afterCalls(state, context)
    return { state: over.state, notes: [note, ...over.notes] }
  }
  const returned = (state: S, ok: boolean, context: Context) =>
    next(loop.onResult(state, ok, context), finishedNote(context.recall(context.seq)), context)
  const answered: Handler<S, 'approval_answered'> = (state, { verdict, text }, context) => {
    if (verdict === 'approved' || state.by === null) return { state, notes: [] }
    const { tool } = callAt(context.recall, state.by, state.call)
    const note = withheldNote(loop.currentId(state), tool, refusalText('en', verdict, text))
    return next(loop.onWithheld(state, verdict === 'changes', context), note, context)
  }
  const onReturned: Handler<S, 'tool_returned'> = (state, { ok }, context) => returned(state, ok, context)
  const onLost: Handler<S, 'outcome_unknown'> = (state, _event, context) => returned(state, false, context)
  return { onReturned, onLost, onActionAnswered: answered }
}
