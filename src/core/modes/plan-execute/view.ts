/** What a plan_execute task shows: plan with item states, last thought, open question, result, progress. */
import type { Recall } from '../../terms/effect.ts'
import { answerFormOf } from '../../terms/schema/answer-form.ts'
import type { ItemEnding, ViewContext, Mode, ModeView, Progress, Question } from '../../mode/mode.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import type { ItemStatus } from '../../terms/view.ts'
import { observe } from './prompt-history.ts'
import { actionProgress } from '../plan/actions.ts'
import { endOf } from '../plan/plan.ts'
import { itemStatus, phaseOf, planProgress, planView } from '../plan/view.ts'
import { ITEMS, replanOf, requestId, textAt, type PlanExecuteState, thoughtOf } from './state.ts'

/** Conclusions and thoughts in an answer; the journal has them whole. */
const SHOWN_CHARS = 2_000

const shortly = (text: string | null) => (text === null ? null : cut(text, SHOWN_CHARS))

/** The position of the item that was announced. */
const runningIn = ({ plan, started }: PlanExecuteState) => plan.items.findIndex(([id]) => id === started)

export const statusOf = (state: PlanExecuteState, index: number, ended: ItemEnding | null = null): ItemStatus =>
  itemStatus(state.plan, index, runningIn(state), ended)

export function viewOf(state: PlanExecuteState, { recall, ended, thought_row }: ViewContext): ModeView {
  const { plan } = state
  const resultAt = (row: number | null = null) => (row === null ? null : shortly(thoughtOf(recall, row).response))
  return {
    plan: planView(ITEMS, plan, recall, phaseOf(plan, recall), (index) => ({
      status: statusOf(state, index, ended),
      result: resultAt(endOf(plan, index)?.[1]),
      progress: null,
    })),
    thought: thought_row === null ? null : lastThought(recall, thought_row),
    question: openQuestion(state, recall),
    result: resultOf(state, recall),
  }
}

/** The latest decision of a thought, in its user-safe words; never raw reasoning (S0-46, S0-72). */
function lastThought(recall: Recall, row: number): ModeView['thought'] {
  const thought = thoughtOf(recall, row)
  const text = thought.status === 'done' ? (thought.response ?? thought.current_step) : thought.current_step
  return { phase: 'thought', decision: thought.status, text: shortly(text) ?? '', at: rfc3339(recall(row).at) }
}

function openQuestion(state: PlanExecuteState, recall: Recall): ModeView['question'] {
  return state.phase !== 'asking' || state.by === null ? null : questionOf(recall, state.by)
}

function questionOf(recall: Recall, row: number): Question {
  const thought = thoughtOf(recall, row)
  return { row, request_id: requestId(row), question: thought.question ?? '', ...answerFormOf(thought) }
}

/** One that was refused as a repeated one is not among them. */
export function askedOf(
  state: PlanExecuteState,
  row: number,
  recall: Recall,
): ReturnType<Mode<PlanExecuteState>['questionAt']> {
  const answered = state.clarifications.find(([asked]) => asked === row)
  const open = state.phase === 'asking' && state.by === row
  if (answered === undefined && !open) return null
  return { question: questionOf(recall, row), answer_row: answered?.[1] ?? null }
}

function resultOf(state: PlanExecuteState, recall: Recall): string | null {
  return state.phase === 'ended' && state.conclusion !== null ? replanOf(recall, state.conclusion).response : null
}

/** S0-33, O0-15: finished items and the last successful actions; the open items; the last failure. */
export function progressOf(state: PlanExecuteState, { recall }: { recall: Recall }): Progress {
  const { actions, failure } = actionProgress(state.observations.map((row) => observe(recall, row)))
  const finished = state.finished.map(([row, index]) => textAt(row, index, recall).title)
  return {
    ...planProgress(ITEMS, state.plan, recall),
    completed: [...finished, ...actions],
    last_failure: failure,
  }
}
