/** The list of steps: made, replaced from the current one on (S2-16, O2-03), worked off one by one; none of them is left out in silence (R17). */
import { sameItems } from '../human-edits.ts'
import type { Note, Recall } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import type { StepReply } from './contract.ts'
import { titleOf } from './replies.ts'
import {
  currentOf,
  ENDED_MAX,
  freshStep,
  itemId,
  type End,
  type OrchestratorItem,
  type OrchestratorPlan,
  type OrchestratorState,
} from './state.ts'

type T = HandlerResult<OrchestratorState>

export const withTitles = (items: readonly OrchestratorItem[], recall: Recall) =>
  items.map((item) => ({ id: itemId(item.id), title: titleOf(recall, item) }))

export function listNote(
  type: 'plan_created' | 'plan_replanned',
  { items, cursor, revision }: OrchestratorPlan,
  recall: Recall,
): Note {
  return { type, payload: { items: withTitles(items, recall), cursor, revision } }
}

export function itemNote(
  type: 'item_started' | 'item_completed' | 'item_failed',
  { plan }: OrchestratorState,
  recall: Recall,
  more: Record<string, unknown> = {},
): Note {
  const item = currentOf(plan)
  if (item === null) throw new Error('no step is being worked on')
  return { type, payload: { item_id: itemId(item.id), title: titleOf(recall, item), index: plan.cursor, ...more } }
}

/** Of a very long list the oldest steps that have ended leave: what the head refers to stays bounded. */
export function endedOf(plan: OrchestratorPlan): Pick<OrchestratorPlan, 'items' | 'ends' | 'left' | 'cursor'> {
  const first = Math.max(0, plan.cursor - ENDED_MAX)
  const items = plan.items.slice(first, plan.cursor)
  return { items, ends: plan.ends.slice(first), left: plan.left + first, cursor: items.length }
}

/** The steps that a row has written in place of the current one and all later ones (O2-03); of the same title is the same step (U18). */
export function replaceSteps(
  plan: OrchestratorPlan,
  steps: readonly StepReply[],
  { seq, recall }: Pick<Context, 'seq' | 'recall'>,
): OrchestratorPlan {
  const open = plan.items.slice(plan.cursor)
  const ids = sameItems(
    withTitles(open, recall),
    steps.map(({ title }) => ({ title })),
  )
  const numbers = new Map(open.map(({ id }) => [itemId(id), id]))
  let { next_id } = plan
  const items = ids.map((id, index): OrchestratorItem => {
    const known = id === null ? undefined : numbers.get(id)
    return { id: known ?? next_id++, at: [seq, index] }
  })
  const ended = endedOf(plan)
  return { ...plan, ...ended, row: seq, revision: plan.revision + 1, items: [...ended.items, ...items], next_id }
}

/** The step under the cursor begins, with a session of its own (R17). */
export function startStep(state: OrchestratorState, { seq, recall }: Context): T {
  const started: OrchestratorState = { ...state, phase: 'dispatching', step: freshStep(), by: seq, command: null }
  return { state: started, notes: [itemNote('item_started', started, recall, { total: state.plan.items.length })] }
}

/** Of a plan that waits for its approval no step has begun. */
export const unbegun = (state: OrchestratorState, { seq }: Context): OrchestratorState => ({
  ...state,
  phase: 'dispatching',
  step: freshStep(false),
  by: seq,
})

/** The current step has ended; the next one begins, and after the last one the summary is made. */
export function endStep(state: OrchestratorState, how: End[0], notes: Note[], context: Context): T {
  const { plan } = state
  const type = how === 'completed' ? 'item_completed' : 'item_failed'
  const told = [...notes, itemNote(type, state, context.recall, how === 'skipped' ? { skipped: true } : {})]
  const moved: OrchestratorPlan = { ...plan, cursor: plan.cursor + 1, ends: [...plan.ends, [how, context.seq]] }
  return goOn({ ...state, plan: moved }, told, context)
}

/** To the step under the cursor, or to the summary. */
export function goOn(state: OrchestratorState, notes: Note[], context: Context): T {
  if (currentOf(state.plan) === null) return { state: summing(state), notes }
  const started = startStep(state, context)
  return { ...started, notes: [...notes, ...started.notes] }
}

const summing = (state: OrchestratorState): OrchestratorState => ({
  ...state,
  phase: 'summarizing',
  step: freshStep(false),
  by: null,
  command: null,
})
