/** The list of steps: made, replaced from the current one on (S2-16, O2-03), worked off one by one; none of them is left out in silence (R17). */
import { itemNote } from '../plan/items.ts'
import { replaceItems, splitItems } from '../plan/list.ts'
import { currentItem, endItem, type Item, type ItemEnd } from '../plan/plan.ts'
import type { Note } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import type { StepReply } from './contract.ts'
import { STEPS } from './replies.ts'
import { ENDED_MAX, freshStep, type OrchestratorPlan, type OrchestratorState } from './state.ts'

type T = HandlerResult<OrchestratorState>

/** The steps that a row has written in place of the open ones (O2-03). */
export function replaceSteps(
  plan: OrchestratorPlan,
  steps: readonly StepReply[],
  context: Pick<Context, 'seq' | 'recall'>,
): OrchestratorPlan {
  const titles = steps.map(({ title }) => title)
  const replaced = replaceItems(STEPS, plan, titles, context, ENDED_MAX)
  const { ended } = splitItems(replaced)
  return { ...replaced, constraints: constraintsOf(ended, plan) }
}

/** An edit names no constraints: the steps that it keeps have those that they had. */
export function keepConstraints(edited: OrchestratorPlan, before: OrchestratorPlan): OrchestratorPlan {
  const { ended, open } = splitItems(edited)
  const known = open.flatMap(([number]) => before.items.filter((item) => item[0] === number))
  const places = known.map((item) => constraintsOf([item], before)[0] ?? item)
  return { ...edited, constraints: [...constraintsOf(ended, before), ...places] }
}

const constraintsOf = (items: readonly Item[], { constraints }: OrchestratorPlan): Item[] =>
  items.flatMap(([number]) => constraints.filter((place) => place[0] === number))

/** The step under the cursor begins, with a session of its own (R17). */
export function startStep(state: OrchestratorState, { seq, recall }: Context): T {
  const started: OrchestratorState = { ...state, phase: 'dispatching', step: freshStep(), by: seq, command: null }
  return { state: started, notes: [itemNote(STEPS, 'item_started', state.plan, recall)] }
}

/** No step of a plan starts that waits for its approval. */
export const waitingPlan = (state: OrchestratorState, { seq }: Context): OrchestratorState => ({
  ...state,
  phase: 'dispatching',
  step: freshStep(false),
  by: seq,
})

/** The current step has ended; the next one begins, and after the last one the summary is made. */
export function endStep(state: OrchestratorState, how: ItemEnd[0], notes: Note[], context: Context): T {
  const { plan } = state
  const type = how === 'completed' ? 'item_completed' : 'item_failed'
  const told = [...notes, itemNote(STEPS, type, plan, context.recall, how === 'skipped' ? { skipped: true } : {})]
  return goOn({ ...state, plan: endItem(plan, how, context.seq) }, told, context)
}

/** To the step under the cursor, or to the summary. */
export function goOn(state: OrchestratorState, notes: Note[], context: Context): T {
  if (currentItem(state.plan) === null) return { state: summing(state), notes }
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
