/** Reads back what the state refers to: observations and clarifications as the model and the handover see them. */
import type { EventOf, Recall } from '../../terms/effect.ts'
import { expectEvent, remarkAt } from '../../mode/mode.ts'
import { newestWithin } from '../../terms/values/bounded-list.ts'
import { replyOf } from '../../mode/reply.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut } from '../../terms/text.ts'
import { ReplanReply, ThoughtReply } from './contract.ts'
import { thoughtOf, type PlanExecuteState } from './state.ts'

export interface Observation {
  item_id: string | null
  tool: string
  input: string
  ok: boolean
  result: string
}

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

/** One row as an observation: an action with its result or without its approval, or a thought or replan that was refused. */
export function observe(recall: Recall, row: number): Observation {
  const { effect, event } = recall(row)
  if (effect?.kind === 'run_tool') {
    const input = thoughtOf(recall, effect.by).next_action?.input ?? ''
    const seen = { item_id: effect.item_id, tool: effect.tool, input }
    if (event.kind === 'tool_returned') return { ...seen, ok: event.ok, result: event.text }
    return { ...seen, ok: false, result: 'outcome unknown: the call was lost; it may or may not have had its effect' }
  }
  if (event.kind === 'approval_answered') return withheld(recall, event)
  return { item_id: null, tool: effect?.phase ?? '', input: '', ok: false, result: refusalOf(recall, row) }
}

/** An action that the user did not approve. */
function withheld(recall: Recall, { action, verdict, text }: EventOf<'approval_answered'>): Observation {
  const chosen = action === null ? null : thoughtOf(recall, action.by).next_action
  const result = verdict === 'changes' ? `not run: the user wants something else: ${text}` : REJECTED
  return { item_id: null, tool: chosen?.tool ?? '', input: chosen?.input ?? '', ok: false, result }
}
export const REJECTED = 'not run: the user rejected it'

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

/** Characters of all remarks of one prompt together. */
const REMARKS_CHARS_MAX = 100_000

/** The newest remarks, oldest first. */
export function remarksOf(state: PlanExecuteState, recall: Recall): string[] {
  const read = (row: number) => remarkAt(recall, row)
  return newestWithin(state.remarks, read, (text) => text.length, REMARKS_CHARS_MAX)
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
