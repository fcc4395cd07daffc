/** The calls of a reply, made one after the other: the next one as an effect, and what observers are told of each. */
import * as z from 'zod'
import type { Effect, Fact, Note, Recall } from '../../terms/effect.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { callAt } from './calls.ts'

/** Members of the state: the latest reply with calls, how many it has, and the one that is made now or next. */
export const Acting = z.object({ by: z.int().min(1).nullable(), calls: z.int().min(0), call: z.int().min(0) })
export type Acting = z.infer<typeof Acting>
export const NOT_ACTING: Acting = { by: null, calls: 0, call: 0 }

/** Calls of one reply. */
export const CALLS_MAX = 32

/** The call that is made now or next. */
export function currentCall({ by, call }: Acting, recall: Recall) {
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

/** How a call ended, of its row; one that was lost may have had its effect. */
export function finishedNote({ effect, event }: Fact): Note {
  const acted = effect?.kind === 'run_tool' ? { item_id: effect.item_id, tool: effect.tool } : {}
  const { ok, text } = event.kind === 'tool_returned' ? event : { ok: false, text: 'outcome unknown' }
  return { type: 'action_finished', payload: { ...acted, ok, status: ok ? 'success' : 'error', text } }
}

/** Of one that a person did not want made. */
export const withheldNote = (item_id: string | null, tool: string, text: string): Note => ({
  type: 'action_finished',
  payload: { item_id, tool, ok: false, status: 'error', text },
})
