/** Makes the list of steps, replaces it from the current step on (S2-16, O2-03), and works it off. No step is left out silently (R17). */
import { currentId, itemNote } from '../plan/items.ts'
import { replaceItems, splitItems } from '../plan/list.ts'
import { currentItem, endItem, type Item, type ItemEnd } from '../plan/plan.ts'
import type { Note } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import type { StepReply } from './contract.ts'
import { sessionOfStep } from './known.ts'
import { STEPS } from './replies.ts'
import { ENDED_MAX, freshStep, type OrchestratorPlan, type OrchestratorState } from './state.ts'

type T = HandlerResult<OrchestratorState>

/** Replaces the open steps by the steps of a row (O2-03). */
export function replaceSteps(
  plan: OrchestratorPlan,
  steps: readonly StepReply[],
  context: Pick<HandlerContext, 'seq' | 'recall'>,
): OrchestratorPlan {
  const titles = steps.map(({ title }) => title)
  const newPlan = replaceItems(STEPS, plan, titles, context, ENDED_MAX)
  const { ended } = splitItems(newPlan)
  return { ...newPlan, constraints: constraintsOf(ended, plan) }
}

/** An edit contains no constraints, so the steps that it keeps retain theirs. */
export function keepConstraints(newPlan: OrchestratorPlan, old: OrchestratorPlan): OrchestratorPlan {
  const { ended, open } = splitItems(newPlan)
  const kept_items = open.flatMap(([number]) => old.items.filter((item) => item[0] === number))
  const places = kept_items.map((item) => constraintsOf([item], old)[0] ?? item)
  return { ...newPlan, constraints: [...constraintsOf(ended, old), ...places] }
}

const constraintsOf = (items: readonly Item[], { constraints }: OrchestratorPlan): Item[] =>
  items.flatMap(([number]) => constraints.filter((place) => place[0] === number))

/** Starts the current step, with a session of its own (R17). A step that an earlier report was about continues its session. */
export function startStep(state: OrchestratorState, { seq, recall }: HandlerContext): T {
  const item_id = currentId(STEPS, state.plan)
  const session = item_id === null ? null : sessionOfStep(state.reports, item_id, recall)
  const step = { ...freshStep(), session }
  const next: OrchestratorState = { ...state, phase: 'dispatching', step, by: seq, command: null }
  return { state: next, notes: [itemNote(STEPS, 'item_started', state.plan, recall)] }
}

/** The state of a plan that waits for its approval. No step has started. */
export const waitingPlan = (state: OrchestratorState, { seq }: HandlerContext): OrchestratorState => ({
  ...state,
  phase: 'dispatching',
  step: freshStep(false),
  by: seq,
})

/** Ends the current step and starts the next one. After the last step the summary is made. */
export function endStep(state: OrchestratorState, how: ItemEnd[0], notes: Note[], context: HandlerContext): T {
  const ended = endCurrent(state, how, notes, context)
  return continuePlan(ended.state, ended.notes, context)
}

/** Ends the current step. */
export function endCurrent(state: OrchestratorState, how: ItemEnd[0], notes: Note[], context: HandlerContext) {
  const { plan } = state
  const type = how === 'completed' ? 'item_completed' : 'item_failed'
  const note = itemNote(STEPS, type, plan, context.recall, how === 'skipped' ? { skipped: true } : {})
  return { state: { ...state, plan: endItem(plan, how, context.seq) }, notes: [...notes, note] }
}

/** Starts the current step, or the summary if no step is left. */
export function continuePlan(state: OrchestratorState, notes: Note[], context: HandlerContext): T {
  if (currentItem(state.plan) === null) return { state: startSummary(state), notes }
  const started = startStep(state, context)
  return { ...started, notes: [...notes, ...started.notes] }
}

const startSummary = (state: OrchestratorState): OrchestratorState => ({
  ...state,
  phase: 'summarizing',
  step: freshStep(false),
  by: null,
  command: null,
})
