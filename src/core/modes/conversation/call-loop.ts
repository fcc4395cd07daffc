/** Makes the calls of a reply one after the other: the effect of the next call, and the events about each. */
import * as z from 'zod'
import { asksUser } from '../../mode/ask-user.ts'
import {
  briefOf,
  type HandlerContext,
  type Handler,
  type HandlerResult,
  type Mode,
  type Question,
} from '../../mode/mode.ts'
import { isRefused, NOTHING_SEEN, rememberAction, RepeatGuard } from '../../mode/repeat-guard.ts'
import { finishedNote, withheldNote } from '../plan/actions.ts'
import type { Next, Note, Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { callAt } from './calls.ts'
import { refusalText } from './entry.ts'
import { Clarifications, questionRefusal, shownQuestion } from './questions.ts'

/** Members of the state: the latest reply with calls, the number of its calls, and the current or next call. */
export const Acting = z.object({
  by: z.int().min(1).nullable(),
  calls: z.int().min(0),
  call: z.int().min(0),
  clarifications: Clarifications,
  /** The calls since the latest text of a person, for the guard against repetition. */
  seen: RepeatGuard,
})
export type Acting = z.infer<typeof Acting>
export const NOT_ACTING: Acting = { by: null, calls: 0, call: 0, clarifications: [], seen: NOTHING_SEEN }

/** The members of a state that makes the calls of a reply. */
export const actingOn = (row: number, { length: calls }: readonly unknown[]) => ({
  phase: 'acting' as const,
  by: row,
  calls,
  call: 0,
})

/** The most calls of one reply. */
export const CALLS_MAX = 32

/** The current or next call. */
function currentCall({ by, call }: Pick<Acting, 'by' | 'call'>, recall: Recall) {
  if (by === null) throw unreadable('acting without a reply')
  return { ...callAt(recall, by, call), by, call }
}

const REPEATED: Record<Locale, string> = {
  en: 'not called: the same call has brought the same result twice, so it would bring nothing new; do something else, or say what keeps you from it',
  zh: '未调用：同一调用已两次得到同样的结果，不会带来新内容；请换一种做法，或说明受阻原因',
}

/** Why the current call is not made, as its result. null: it is made. */
function refusalOf(state: Acting, recall: Recall): string | null {
  const { mistake, ...action } = currentCall(state, recall)
  if (asksUser(action.tool)) return questionRefusal(state.clarifications, action, recall)
  return mistake ?? (isRefused(state.seen, action) ? REPEATED[briefOf(recall).locale] : null)
}

/** What comes next while the calls of a reply are made. A question waits for its answer. */
export function nextCall(state: Acting, recall: Recall, item_id: string | null): Next {
  const { mistake: _, ...action } = currentCall(state, recall)
  const refused = refusalOf(state, recall)
  if (refused === null && asksUser(action.tool)) return { kind: 'wait', for: 'answer' }
  const effect = { kind: 'run_tool' as const, phase: 'act', ...action, item_id }
  return { kind: 'run', effect: refused === null ? effect : { ...effect, refused } }
}

/** The question that the current call asks. null: it asks none. */
export function openQuestion(state: Acting & { phase: string }, recall: Recall): Question | null {
  if (state.phase !== 'acting') return null
  const call = currentCall(state, recall)
  return asksUser(call.tool) && refusalOf(state, recall) === null ? shownQuestion(call, recall) : null
}

/** The question that a reply has asked, open or answered. */
export function askedIn(
  state: Acting & { phase: string },
  row: number,
  recall: Recall,
): ReturnType<Mode<{ phase: string }>['questionAt']> {
  const [by, call, answer_row] = state.clarifications.find(([asked]) => asked === row) ?? []
  if (by === undefined || call === undefined || answer_row === undefined) {
    const question = openQuestion(state, recall)
    return question?.row === row ? { question, answer_row: null } : null
  }
  const question = shownQuestion({ by, call }, recall)
  return question === null ? null : { question, answer_row }
}

/** The event that the current call begins, or that it asks its question. */
export function actionStartedNote(state: Acting & { phase: string }, recall: Recall, item_id: string | null): Note {
  const question = openQuestion(state, recall)
  if (question !== null) {
    const { request_id, question: text } = question
    return { type: 'clarification_requested', payload: { request_id, question: text } }
  }
  const { tool, input } = currentCall(state, recall)
  return { type: 'action_started', payload: { item_id, tool, input } }
}

/** What a mode does between the calls of a reply. */
interface CallLoop<S> {
  currentId(state: S): string | null
  /** After a call that returned or was lost. */
  onResult(state: S, ok: boolean, context: HandlerContext): S
  /** After a call that a person rejected. `changes`: the person said what they want instead. */
  onWithheld(state: S, changes: boolean, context: HandlerContext): S
  /** After the user has answered the question of a call. */
  onAnswer(state: S, context: HandlerContext): S
  /** After the last call, before the next turn of the model. */
  afterCalls(state: S, context: HandlerContext): { state: S; notes: Note[] }
}

/** The code of a result that the program has written instead of a tool. */
const REFUSED_CODE = 'refused'

/** The handlers of a mode while it makes the calls of a reply. Each call has a result for the model, even if it was lost or rejected. */
export function callHandlers<S extends Acting & { phase: string }>(loop: CallLoop<S>) {
  const next = (current: S, note: Note, context: HandlerContext): HandlerResult<S> => {
    const state = { ...current, call: current.call + 1 }
    if (state.call < state.calls)
      return { state, notes: [note, actionStartedNote(state, context.recall, loop.currentId(state))] }
    const end = loop.afterCalls(state, context)
    return { state: end.state, notes: [note, ...end.notes] }
  }
  const onOutcome = (state: S, ok: boolean, context: HandlerContext) =>
    next(loop.onResult(state, ok, context), finishedNote(context.recall(context.seq)), context)
  const onActionAnswered: Handler<S, 'approval_answered'> = (state, { verdict, text }, context) => {
    if (verdict === 'approved' || state.by === null) return { state, notes: [] }
    const { tool } = callAt(context.recall, state.by, state.call)
    const note = withheldNote(loop.currentId(state), tool, refusalText('en', verdict, text))
    return next(loop.onWithheld(state, verdict === 'changes', context), note, context)
  }
  const onReturned: Handler<S, 'tool_returned'> = (state, { ok, text, code }, context) => {
    // A refusal is no result of the call.
    const seen =
      code === REFUSED_CODE ? state.seen : rememberAction(state.seen, currentCall(state, context.recall), text)
    return onOutcome({ ...state, seen }, ok, context)
  }
  const onLost: Handler<S, 'outcome_unknown'> = (state, _event, context) => onOutcome(state, false, context)
  const onAnswered: Handler<S, 'user_answered'> = (state, { text }, context) => {
    const question = openQuestion(state, context.recall)
    // The first answer counts. A later one meets no question.
    if (question === null) return { state, notes: [] }
    const note: Note = { type: 'clarification_answered', payload: { request_id: question.request_id, answer: text } }
    const answered: Clarifications[number] = [question.row, state.call, context.seq]
    const answeredState = { ...state, clarifications: [...state.clarifications, answered], seen: NOTHING_SEEN }
    return next(loop.onAnswer(answeredState, context), note, context)
  }
  return { onReturned, onLost, onActionAnswered, onAnswered }
}
