/** Reads back what the state refers to: observations and clarifications as the model and the handover see them. */
import type { Recall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { newestWithin } from '../../terms/values/bounded-list.ts'
import { replyOf } from '../../mode/reply.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut } from '../../terms/text.ts'
import { observeAction, type Observation } from '../plan/actions.ts'
import { ReplanReply, ThoughtReply } from './contract.ts'
import { thoughtOf, type PlanExecuteState } from './state.ts'

/** All observations of one prompt together: the two settings could ask for a hundred times what a message holds. */
const OBSERVATIONS_CHARS_MAX = 1_000_000

/** The newest observations, oldest first, each cut to the configured length (O0-14). */
export function observationsOf(state: PlanExecuteState, recall: Recall, settings: Settings): Observation[] {
  const read = (row: number) => {
    const seen = observe(recall, row)
    return { ...seen, result: cut(seen.result, settings.observation_char_limit) }
  }
  const rows = state.observations.slice(-settings.observation_history_limit)
  return newestWithin(rows, read, ({ result, input }) => result.length + input.length, OBSERVATIONS_CHARS_MAX)
}

/** One row as an observation: an action, or a thought or replan that was refused. */
export function observe(recall: Recall, row: number): Observation {
  const fact = recall(row)
  const action = observeAction(fact, (by) => thoughtOf(recall, by).next_action)
  if (action !== null) return action
  return { item_id: null, tool: fact.effect?.phase ?? '', input: '', ok: false, result: refusalOf(recall, row) }
}

/** Why a thought or replan was not accepted: its broken contract, or the guard that refused it. */
function refusalOf(recall: Recall, row: number): string {
  const fact = recall(row)
  const event = expectEvent(fact, 'model_replied')
  const read = fact.effect?.phase === 'replan' ? replyOf(ReplanReply, event) : replyOf(ThoughtReply, event)
  if (!read.ok) return `refused: ${read.reason}`
  return read.value.status === 'ask_user'
    ? `refused: this question was asked before, or no more questions are allowed: ${read.value.question ?? ''}`
    : 'refused: too many actions in a row failed, only ask_user or done is allowed'
}

export function clarificationsOf(state: PlanExecuteState, recall: Recall): { question: string; answer: string }[] {
  return state.clarifications.map(([asked, answered]) => {
    const { event } = recall(answered)
    return {
      question: thoughtOf(recall, asked).question ?? '',
      answer: event.kind === 'user_answered' ? event.text : '',
    }
  })
}
