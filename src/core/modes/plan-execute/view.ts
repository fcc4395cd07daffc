/** What a plan_execute task shows: plan with item states, last thought, open question, result, progress. */
import type { Fact, Recall } from '../../terms/effect.ts'
import { formOf } from '../../terms/schema/answer-form.ts'
import type { ItemEnding, ViewContext, Mode, ModeView, Progress, Question } from '../../mode/mode.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import type { ItemStatus, PlanItem } from '../../terms/view.ts'
import { observe } from './prompt-history.ts'
import { itemId, itemsOf, replanOf, requestId, type PlanExecuteState, thoughtOf, titleAt, titlesOf } from './state.ts'

/** Actions named in the completed part of a handover (O0-15). */
const ACTIONS_SHOWN = 3
/** Conclusions and thoughts in an answer; the journal has them whole. */
const SHOWN_CHARS = 2_000

const shortly = (text: string | null) => (text === null ? null : cut(text, SHOWN_CHARS))

export function itemStatus(state: PlanExecuteState, index: number, ended: ItemEnding | null = null): ItemStatus {
  const { plan } = state
  if (index < plan.cursor) return 'completed'
  if (ended !== null) return index === plan.cursor ? ended.current : ended.later
  return plan.ids[index] === state.started ? 'running' : 'pending'
}

export function viewOf(state: PlanExecuteState, { recall, ended, thought_row }: ViewContext): ModeView {
  const texts = itemsOf(recall, state.plan)
  const items = state.plan.ids.map((id, index): PlanItem => {
    const doneRow = state.plan.done[index]
    return {
      id: itemId(id),
      title: texts[index]?.title ?? '',
      description: texts[index]?.description ?? '',
      expected_output: texts[index]?.expected_output ?? null,
      status: itemStatus(state, index, ended),
      result: doneRow === undefined ? null : shortly(thoughtOf(recall, doneRow).response),
      progress: null,
    }
  })
  const { revision, cursor, row } = state.plan
  const source = row === null ? 'plan' : sourceOf(recall(row))
  return {
    plan: { revision, cursor, source, items },
    thought: thought_row === null ? null : lastThought(recall, thought_row),
    question: openQuestion(state, recall),
    result: resultOf(state, recall),
  }
}

const sourceOf = ({ effect, event }: Fact) => (event.kind === 'plan_edited' ? 'edit' : (effect?.phase ?? 'plan'))

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
  return { row, request_id: requestId(row), question: thought.question ?? '', ...formOf(thought) }
}

/** One that was refused as a repeated one is not among them. */
export function askedOf(
  state: PlanExecuteState,
  row: number,
  recall: Recall,
): ReturnType<Mode<PlanExecuteState>['asked']> {
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
  const titles = titlesOf(recall, state.plan)
  const seen = state.observations.map((row) => observe(recall, row))
  const actions = seen.filter((one) => one.ok).slice(-ACTIONS_SHOWN)
  const failure = seen.filter((one) => !one.ok).at(-1)
  return {
    completed: [
      ...state.finished.map((place) => titleAt(recall, place)),
      ...actions.map((action) => cut(`${action.tool}: ${action.input}`, SHOWN_CHARS)),
    ],
    finished_count: state.finished_count,
    remaining: titles.slice(state.plan.cursor),
    last_failure: failure === undefined ? null : failure.result,
  }
}
