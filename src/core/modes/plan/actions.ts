/** The actions of a task, as events for observers and as observations for the model. */
import type { EventOf, Fact, Note } from '../../terms/effect.ts'
import type { HandlerContext } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { endedItems, type Plan } from './plan.ts'

/** The event of an action that has ended, from its row. A lost action may have had its effect. */
export function finishedNote({ effect, event }: Fact): Note {
  const { item_id, tool } = effect?.kind === 'run_tool' ? effect : { item_id: null, tool: '' }
  const { ok, text } = event.kind === 'tool_returned' ? event : { ok: false, text: 'outcome unknown' }
  return { type: 'action_finished', payload: { item_id, tool, ok, status: ok ? 'success' : 'error', text } }
}

/** The event of an action that was chosen and is not run. */
export const withheldNote = (item_id: string | null, tool: string, text: string): Note => ({
  type: 'action_finished',
  payload: { item_id, tool, ok: false, status: 'error', text },
})

/** Why an action is not run. */
export const PLAN_EDITED = 'not run: the plan was edited'
const REJECTED = 'not run: the user rejected it'
export const withheldText = ({ verdict, text }: EventOf<'approval_answered'>): string =>
  verdict === 'changes' ? `not run: ${text}` : REJECTED

/** Whether the plan waits for its approval. No step of it starts before that (U15). */
export const isPlanToApprove = ({ phase }: { phase: string }, { awaits, brief }: HandlerContext): boolean =>
  awaits === 'plan' || (phase === 'planning' && brief.settings.approve === 'plan')

export interface Observation {
  item_id: string | null
  tool: string
  input: string
  ok: boolean
  result: string
}

const LOST = 'outcome unknown: the call was lost; it may or may not have had its effect'

/** The action of a row with its result. The user may have rejected it. null: the row is no action. */
export function observeAction(
  { effect, event }: Fact,
  chosenAt: (row: number) => { tool: string; input: string } | null,
): Observation | null {
  if (event.kind === 'approval_answered') {
    const action = event.action === null ? null : chosenAt(event.action.by)
    const result = event.verdict === 'changes' ? `not run: the user wants something else: ${event.text}` : REJECTED
    return { item_id: null, tool: action?.tool ?? '', input: action?.input ?? '', ok: false, result }
  }
  if (effect?.kind !== 'run_tool') return null
  const action = { item_id: effect.item_id, tool: effect.tool, input: chosenAt(effect.by)?.input ?? '' }
  return event.kind === 'tool_returned'
    ? { ...action, ok: event.ok, result: event.text }
    : { ...action, ok: false, result: LOST }
}

/** Actions named in the completed part of a handover (O0-15). */
const ACTIONS_SHOWN = 3
/** Characters of an input in an answer. The journal has the full input. */
const SHOWN_CHARS = 2_000

/**
 * The latest successful actions in short, and the obstacle of the latest one. Actions of `told_items` are left out, because the results
 * of these items say what came of them. An obstacle is overcome when an action succeeds or an item ends.
 */
export function actionProgress(
  plan: Plan,
  told_items: ReadonlySet<string | null>,
  rows: readonly number[],
  observe: (row: number) => Observation,
): { actions: string[]; failure: string | null } {
  const observations = rows.map(observe)
  const actions = observations.flatMap(({ ok, item_id, tool, input }) =>
    ok && !told_items.has(item_id) ? [cut(`${tool}: ${input}`, SHOWN_CHARS)] : [],
  )
  const last_end = Math.max(0, ...endedItems(plan).map(([, , , , row]) => row ?? 0))
  const last = observations.at(-1)
  const isOvercome = last === undefined || last.ok || (rows.at(-1) ?? 0) < last_end
  return { actions: [...new Set(actions)].slice(-ACTIONS_SHOWN), failure: isOvercome ? null : last.result }
}
