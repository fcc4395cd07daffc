/** The view of a plan_execute task: plan with item states, last thought, open question, result, progress. */
import type { Recall } from '../../terms/effect.ts'
import { requestedAnswerForm } from '../../terms/schema/answer-form.ts'
import type { ItemEnding, ViewContext, Mode, ModeView, Progress, Question, Verdict } from '../../mode/mode.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import type { ItemStatus } from '../../terms/view.ts'
import { resultAt } from './item-end.ts'
import { actionRows, observe } from './prompt-history.ts'
import { endedItems, endOf } from '../plan/plan.ts'
import { itemStatus, phaseOf, observedProgress, planView, type ItemViews } from '../plan/view.ts'
import { replanOf, thoughtOf } from './replies.ts'
import { ITEMS, requestId, type PlanExecuteState } from './state.ts'

/** Characters of a conclusion or a thought in an answer. The journal has the full text. */
const SHOWN_CHARS = 2_000

const shorten = (text: string | null) => (text === null ? null : cut(text, SHOWN_CHARS))

/** The position of the item that was announced as started. */
const runningIn = ({ plan, started }: PlanExecuteState) => plan.items.findIndex(([id]) => id === started)

export const statusOf = (state: PlanExecuteState, index: number, ended: ItemEnding | null = null): ItemStatus =>
  itemStatus(state.plan, index, runningIn(state), ended)

/** The states and the results of the items. */
function itemViews(state: PlanExecuteState, recall: Recall, ended: ItemEnding | null): ItemViews {
  const resultOfRow = (row: number | null = null) => shorten(resultAt(recall, row))
  return {
    stateOf: (index) => ({
      status: statusOf(state, index, ended),
      result: resultOfRow(endOf(state.plan, index)?.[1]),
      progress: null,
    }),
    goneResult: ([, row]) => resultOfRow(row),
  }
}

export function viewOf(state: PlanExecuteState, { recall, ended, thought_row }: ViewContext): ModeView {
  const { plan } = state
  return {
    plan: planView(ITEMS, plan, recall, phaseOf(plan, recall), itemViews(state, recall, ended)),
    thought: thought_row === null ? null : lastThought(recall, thought_row),
    question: openQuestion(state, recall),
    result: finalReply(state, recall)?.response ?? null,
    verdict: verdictOf(state, recall),
  }
}

/** The latest decision of a thought, in its text for users. Raw reasoning is never shown (S0-46, S0-72). */
function lastThought(recall: Recall, row: number): ModeView['thought'] {
  const thought = thoughtOf(recall, row)
  const text = thought.status === 'done' ? (thought.response ?? thought.current_step) : thought.current_step
  return { phase: 'thought', decision: thought.status, text: shorten(text) ?? '', at: rfc3339(recall(row).at) }
}

function openQuestion(state: PlanExecuteState, recall: Recall): ModeView['question'] {
  return state.phase !== 'asking' || state.by === null ? null : questionOf(recall, state.by)
}

function questionOf(recall: Recall, row: number): Question {
  const thought = thoughtOf(recall, row)
  return { row, request_id: requestId(row), question: thought.question ?? '', ...requestedAnswerForm(thought) }
}

/** The question of a row. null: the row asked none, or its question was refused as a repetition. */
export function askedOf(
  state: PlanExecuteState,
  row: number,
  recall: Recall,
): ReturnType<Mode<PlanExecuteState>['questionAt']> {
  const clarification = state.clarifications.find(([asked]) => asked === row)
  const isOpen = state.phase === 'asking' && state.by === row
  if (clarification === undefined && !isOpen) return null
  return { question: questionOf(recall, row), answer_row: clarification?.[1] ?? null }
}

/** The replan that has ended the task. null: the task has not ended by itself. */
const finalReply = ({ phase, conclusion }: PlanExecuteState, recall: Recall) =>
  phase === 'ended' && conclusion !== null ? replanOf(recall, conclusion) : null

/** What the model says of the goal at the end. A goal that is not reached is reached in part if an item was completed. */
function verdictOf(state: PlanExecuteState, recall: Recall): Verdict | null {
  const reply = finalReply(state, recall)
  if (reply === null || reply.achieved === null) return null
  const reason = reply.response ?? ''
  if (reply.achieved) return { outcome: 'done', reason }
  const isAnyDone = endedItems(state.plan).some(([, , , how]) => how === 'completed')
  return { outcome: isAnyDone ? 'partial' : 'not_done', reason }
}

/** S0-33, O0-15: finished items and the last successful actions, the open items, the last failure. */
export const progressOf = (state: PlanExecuteState, { recall }: { recall: Recall }): Progress =>
  observedProgress(ITEMS, state.plan, recall, itemViews(state, recall, null), {
    rows: actionRows(state.observations, recall),
    observe,
  })
