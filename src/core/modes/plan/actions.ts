/** Actions of a task: what observers are told of each, and what the model is shown of it. */
import type { EventOf, Fact, Note } from '../../terms/effect.ts'
import type { Context } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'

/** How an action ended, of its row; one that was lost may have had its effect. */
export function finishedNote({ effect, event }: Fact): Note {
  const action = effect?.kind === 'run_tool' ? { item_id: effect.item_id, tool: effect.tool } : {}
  const { ok, text } = event.kind === 'tool_returned' ? event : { ok: false, text: 'outcome unknown' }
  return { type: 'action_finished', payload: { ...action, ok, status: ok ? 'success' : 'error', text } }
}

/** Of an action that was chosen and is not run. */
export const withheldNote = (item_id: string | null, tool: string, text: string): Note => ({
  type: 'action_finished',
  payload: { item_id, tool, ok: false, status: 'error', text },
})

/** Why an action is not run. */
export const PLAN_EDITED = 'not run: the plan was edited'
const REJECTED = 'not run: the user rejected it'
export const withheldText = ({ verdict, text }: EventOf<'approval_answered'>): string =>
  verdict === 'changes' ? `not run: ${text}` : REJECTED

/** Whether the plan waits for its approval: nothing of it starts before that (U15). */
export const isPlanToApprove = ({ phase }: { phase: string }, { awaits, brief }: Context): boolean =>
  awaits === 'plan' || (phase === 'planning' && brief.settings.approve === 'plan')

export interface Observation {
  item_id: string | null
  tool: string
  input: string
  ok: boolean
  result: string
}

const LOST = 'outcome unknown: the call was lost; it may or may not have had its effect'

/** An action with its result, or one that the user did not approve; null: the row is something else. */
export function observeAction(
  { effect, event }: Fact,
  chosenAt: (row: number) => { tool: string; input: string } | null,
): Observation | null {
  if (event.kind === 'approval_answered') {
    const chosen = event.action === null ? null : chosenAt(event.action.by)
    const result = event.verdict === 'changes' ? `not run: the user wants something else: ${event.text}` : REJECTED
    return { item_id: null, tool: chosen?.tool ?? '', input: chosen?.input ?? '', ok: false, result }
  }
  if (effect?.kind !== 'run_tool') return null
  const action = { item_id: effect.item_id, tool: effect.tool, input: chosenAt(effect.by)?.input ?? '' }
  return event.kind === 'tool_returned'
    ? { ...action, ok: event.ok, result: event.text }
    : { ...action, ok: false, result: LOST }
}

/** Actions named in the completed part of a handover (O0-15). */
const ACTIONS_SHOWN = 3
/** Inputs in an answer; the journal has them whole. */
const SHOWN_CHARS = 2_000

/** The latest actions that worked, in short, and what came of the latest that did not. */
export function actionProgress(observations: readonly Observation[]): { actions: string[]; failure: string | null } {
  const actions = observations.filter(({ ok }) => ok).slice(-ACTIONS_SHOWN)
  return {
    actions: actions.map(({ tool, input }) => cut(`${tool}: ${input}`, SHOWN_CHARS)),
    failure: observations.findLast(({ ok }) => !ok)?.result ?? null,
  }
}
