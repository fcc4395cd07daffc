/** Reads back what the state refers to: observations, decisions and remarks as the model and the handover see them. */
import { contractOf, type Fact, type Recall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { replyOf } from '../../mode/reply.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut } from '../../terms/text.ts'
import { observeAction, type Observation } from '../plan/actions.ts'
import { CONTRACTS, NO_ACTION } from './contract.ts'
import { savedAs } from './data.ts'
import { itemId } from '../plan/items.ts'
import { actionOf, decisionOf, readThought, STEPS } from './replies.ts'
import type { DynamicState } from './state.ts'

/** Characters of what is shown in full of the current step, and actions of earlier steps that are shown in short. */
export const OBSERVATIONS_CHARS = 60_000
const EARLIER_SHOWN = 10
/** Of an input and a result where they are only named (S3-09). */
export const SUMMARY_CHARS = 200
export const PREVIEW_CHARS = 100
/** Of a reason in the history of decisions. */
export const REASON_CHARS = 300
/** Of the current step, in short. */
export const ACTIONS_SHOWN = 30
/** Newest of all decisions. */
export const DECISIONS_SHOWN = 10

/**
 * The newest observations, oldest first (O0-14): what the current step has brought in full as far as there is room, the rest in short. So a
 * prompt is as long at the two hundredth action as at the tenth; any result can be asked for by its name (S3-15).
 */
export function observationsOf(
  { observations, step }: DynamicState,
  recall: Recall,
  settings: Settings,
): Observation[] {
  const shown = Math.min(settings.observation_history_limit, step.observed + EARLIER_SHOWN)
  const own = observations.length - step.observed
  let room = OBSERVATIONS_CHARS
  const newestFirst = observations.slice(-shown).toReversed()
  const seen = newestFirst.map((row, index) => {
    const one = observe(recall, row)
    const full = cut(one.result, settings.observation_char_limit)
    const isOwn = observations.length - 1 - index >= own
    if (isOwn) room -= full.length + one.input.length
    const inFull = isOwn && (room >= 0 || index === 0)
    return inFull
      ? { ...one, result: full }
      : { ...one, input: cut(one.input, SUMMARY_CHARS), result: cut(full, PREVIEW_CHARS) }
  })
  return seen.toReversed()
}

/** One row as an observation: an action, an action that was refused, or a reply that broke its contract. */
export function observe(recall: Recall, row: number): Observation {
  const fact = recall(row)
  return observeAction(fact, (by) => actionOf(recall, by)) ?? refusedObservation(fact, row, recall)
}

function refusedObservation(fact: Fact, row: number, recall: Recall): Observation {
  const nothing = { item_id: null, tool: fact.effect?.phase ?? '', input: '', ok: false }
  const reason = brokenBy(fact)
  const action = reason === null ? actionOf(recall, row) : null
  if (action === null) return { ...nothing, result: `refused: ${reason ?? NO_ACTION}` }
  const result = 'refused: the same actions came too often in a row, it was not run'
  return { ...nothing, tool: action.tool, input: action.input, result }
}

/** What is wrong with a reply; null: it satisfied its contract. */
function brokenBy(fact: Fact): string | null {
  const event = expectEvent(fact, 'model_replied')
  if (fact.effect?.kind !== 'call_model') return null
  const name = contractOf(fact.effect) as keyof typeof CONTRACTS // next() wants no others
  const read = name === 'think' ? readThought(event) : replyOf<unknown>(CONTRACTS[name], event)
  return read.ok ? null : read.reason
}

/** Rows of the actions of this step, oldest first, as far as they are remembered. */
function ownActions({ observations, step }: DynamicState, recall: Recall): number[] {
  const own = step.observed === 0 ? [] : observations.slice(-step.observed)
  return own.filter((row) => recall(row).effect?.kind === 'run_tool')
}

/** What the last action of the step brought; null before the first. */
export function lastResult(state: DynamicState, recall: Recall, settings: Settings) {
  const row = ownActions(state, recall).at(-1)
  if (row === undefined) return null
  const { tool, ok, result } = observe(recall, row)
  return { tool, ok, result: cut(result, settings.observation_char_limit) }
}

/** What the step has done so far, in short (S3-09). */
export function completedActions(state: DynamicState, recall: Recall) {
  return ownActions(state, recall)
    .slice(-ACTIONS_SHOWN)
    .map((row) => {
      const { tool, input, ok, result } = observe(recall, row)
      const summary = { tool, input: cut(input, SUMMARY_CHARS), ok, result: cut(result, PREVIEW_CHARS) }
      const save_as = savedAs(recall, row)
      return save_as === null ? summary : { ...summary, save_as }
    })
}

/** S3-16: what was decided, and why. */
export function decisionsOf(state: DynamicState, recall: Recall) {
  return state.decisions.slice(-DECISIONS_SHOWN).map(([row, id]) => {
    const { is_complete, reason, add_steps, remove_steps } = decisionOf(recall, row)
    const changes = {
      ...(add_steps.length === 0 ? {} : { add_steps: add_steps.map(({ name }) => cut(name, PREVIEW_CHARS)) }),
      ...(remove_steps.length === 0 ? {} : { remove_steps: remove_steps.map((name) => cut(name, PREVIEW_CHARS)) }),
    }
    return { item_id: itemId(STEPS, id), is_complete, reason: cut(reason, REASON_CHARS), ...changes }
  })
}
