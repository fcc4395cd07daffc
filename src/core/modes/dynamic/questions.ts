/** Questions to the user, files that the user has to put, and what becomes of an action or a question that is refused. */
import { wasAsked } from '../../terms/failure-streak.ts'
import type { EventOf, Note, Recall } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult, Mode, Question } from '../../mode/mode.ts'
import { questionIn } from '../../mode/ask-user.ts'
import { newestWithin, pushBounded } from '../../terms/values/bounded-list.ts'
import { expectEvent, remarkAt } from '../../mode/mode.ts'
import { readFileNeeds } from '../files/read-file.ts'
import { fileWaits } from '../files/waits.ts'
import { addRemark } from '../plan/remarks.ts'
import { guard } from './adjust.ts'
import type { Action } from './contract.ts'
import { fillPlaceholders, nameByRow, withResult } from './data.ts'
import { actionOf, userQuestionAt } from './replies.ts'
import { CLARIFICATIONS_MAX, roundPhase, withoutRepeats, type ActionHint, type DynamicState } from './state.ts'
import { failStep } from './step.ts'

type T = HandlerResult<DynamicState>

const requestId = (row: number): string => `question_${row}`

/** Asks the user. A question that was answered, or one too many, is refused. */
export function ask(state: DynamicState, action: Action, context: HandlerContext): T {
  const asked = questionIn(action.input)
  if (!asked.ok) throw new Error(asked.reason)
  const { question } = asked.value
  const refusal = questionRefusal(state, question, context)
  if (refusal !== null) {
    const notes = [guard(refusal, state.step.refused + 1, [question])]
    return refuse(state, refusal, notes, context)
  }
  const payload = { request_id: requestId(context.seq), question }
  return {
    state: { ...state, phase: 'asking', by: context.seq, step: { ...state.step, refused: 0 } },
    notes: [{ type: 'clarification_requested', payload }],
  }
}

function questionRefusal({ clarifications, asked }: DynamicState, question: string, { brief, recall }: HandlerContext) {
  if (asked >= brief.settings.max_clarifications) return 'max_clarifications'
  const questions = clarifications.map(([row]) => userQuestionAt(recall, row).question)
  return wasAsked(questions, question) ? 'repeated_question' : null
}

/** This many refusals in a row end the step, so that a model that insists does not go on for ever. */
const REFUSED_MAX = 3

/** A refused action or question is not run or shown. It counts as an action of the step (R20), and the next prompt tells why. */
export function refuse(state: DynamicState, kind: ActionHint, notes: Note[], context: HandlerContext): T {
  const { actions, refused } = state.step
  const step = { ...state.step, actions: actions + 1, refused: refused + 1 }
  const hints = [...state.hints, { kind, row: context.seq, indexes: [] }]
  const next: DynamicState = { ...state, phase: roundPhase(context.brief.settings), step, hints }
  if (step.refused >= REFUSED_MAX) return failStep(next, 'loop', notes, context)
  return { state: next, notes, undecided: true }
}

/** The answer begins a new round, and the guards of the step begin anew. */
export function onAnswer(
  state: DynamicState,
  { text }: EventOf<'user_answered'>,
  { seq, brief, recall }: HandlerContext,
): T {
  if (state.by === null) throw new Error('an answer met no question')
  const answered: DynamicState = {
    ...state,
    phase: roundPhase(brief.settings),
    clarifications: pushBounded(state.clarifications, [state.by, seq], CLARIFICATIONS_MAX),
    asked: state.asked + 1,
    by: null,
    step: withoutRepeats(state.step),
  }
  const isNamed = typeof actionOf(recall, state.by)?.save_as === 'string'
  return {
    state: isNamed ? withResult(answered, seq) : answered,
    notes: [{ type: 'clarification_answered', payload: { request_id: requestId(state.by), answer: text } }],
  }
}

const shownQuestion = (recall: Recall, row: number): Question => ({
  row,
  request_id: requestId(row),
  ...userQuestionAt(recall, row),
})

export const openQuestion = ({ phase, by }: DynamicState, recall: Recall): Question | null =>
  phase !== 'asking' || by === null ? null : shownQuestion(recall, by)

/** The question of a row. null: the row asked none, or its question was refused. */
export const questionAt: Mode<DynamicState>['questionAt'] = (state, row, recall) => {
  const clarification = state.clarifications.find(([asked]) => asked === row)
  const isOpen = state.phase === 'asking' && state.by === row
  if (clarification === undefined && !isOpen) return null
  return { question: shownQuestion(recall, row), answer_row: clarification?.[1] ?? null }
}

/** Characters of all questions with their answers in one prompt. */
export const CLARIFICATIONS_CHARS = 100_000

/** The newest questions with their answers, oldest first. An answer that was to be saved has its name. */
export function clarificationsOf(state: DynamicState, recall: Recall) {
  const { clarifications } = state
  const names = nameByRow(state, recall)
  const question_by_answer = new Map(clarifications.map(([question, answer]) => [answer, question]))
  return newestWithin(
    clarifications.map(([, answer]) => answer),
    (row) => ({
      question: userQuestionAt(recall, question_by_answer.get(row) ?? 0).question,
      answer: expectEvent(recall(row), 'user_answered').text,
      ...(names.has(row) ? { name: names.get(row) } : {}),
    }),
    ({ question, answer }) => question.length + answer.length,
    CLARIFICATIONS_CHARS,
  )
}

/** The task goes on with a new round, and the guards of the step begin anew. */
const nextRound = (state: DynamicState, { brief }: HandlerContext): DynamicState => ({
  ...state,
  phase: roundPhase(brief.settings),
  step: withoutRepeats(state.step),
})

/** The wait for a file that an action found missing (U36). */
export const { fileRequest, mayAwaitFile, noteCall, waitIfMissing, onFileArrived, onAnswerForFile } =
  fileWaits<DynamicState>({
    ...readFileNeeds<DynamicState>({
      inputOf: (state, { by }, recall) => fillPlaceholders(actionOf(recall, by)?.input ?? '', state, recall),
      textsOf: ({ remarks, clarifications }, recall) =>
        [...remarks, ...clarifications.map(([, answer]) => answer)].map((row) => remarkAt(recall, row)),
    }),
    goOn: (state, _request, context) => ({ state: nextRound(state, context), notes: [] }),
    goOnWithout: (state, _request, context) => nextRound(addRemark(state, context.seq), context),
  })
