/** Typed answers and their outcomes. No typed text is lost, and no accepted answer is called unsent. */
import { taskDraftKey } from '../../../state/drafts.ts'

export interface AnswerDraft {
  request_id: string
  question: string
  /** The text in the form. */
  typed: string
  /** The answer that the form would send; null if it has errors. */
  answer: string | null
  sent: SentAnswer | null
  /** The last answer with an unknown outcome. The refusal of a later answer does not tell this outcome. */
  unknown: SentAnswer | null
}
/** An answer that was sent and not refused, and the text of the form at that time. */
export interface SentAnswer {
  answer: string
  typed: string
  /** `unknown`: the service did not answer, so it may have accepted this answer. */
  state: 'under_way' | 'taken' | 'unknown'
}
type DraftChange = Partial<AnswerDraft> & Pick<AnswerDraft, 'request_id'>
/** Stores a typed answer or its outcome. */
export type KeepDraft = (change: DraftChange) => void
/**
 * The outcome of a typed text whose question is settled. `elsewhere`: another answer counts. `unknown`: this answer may count.
 * `afterwards`: this answer counts, and more text was typed beside it.
 */
type Verdict = 'elsewhere' | 'unknown' | 'afterwards'
export interface SettledAnswer {
  draft: AnswerDraft
  /** The answer that counts; null while it is unknown. */
  counts: string | null
  verdict: Verdict
}

/** The key of all typed answers of a task. */
export const answersDraftKey = (task: string) => taskDraftKey(task, 'waiting')
/** The key of the draft of one answer. */
export const answerDraftKey = (task: string, request_id: string) => taskDraftKey(task, `answer:${request_id}`)

/**
 * Applies a change to the draft of its question. Text that was typed while an answer was sent stays. A draft without text, or with an
 * accepted text, is dropped.
 */
export const changeDrafts = (drafts: readonly AnswerDraft[], change: DraftChange): AnswerDraft[] => {
  const before = drafts.find(({ request_id }) => request_id === change.request_id)
  const blank = { question: '', typed: '', answer: null, sent: null, unknown: null }
  const after: AnswerDraft = { ...blank, ...before, ...change }
  if (after.sent?.state === 'unknown') after.unknown = after.sent
  after.sent ??= after.unknown
  const isDone = after.sent?.state === 'taken' && after.sent.typed === after.typed
  const others = drafts.filter((draft) => draft !== before)
  return isDone || after.typed.trim() === '' ? others : [...others, after]
}

/** Returns the drafts whose requests are closed. `open` is the request that is still open. */
export const closedDrafts = (drafts: readonly AnswerDraft[], open: string | null): AnswerDraft[] =>
  drafts.filter(({ request_id }) => request_id !== open)

/** Returns null if there is nothing to report. `counts` is the answer that the service accepted; null while it is unknown. */
export function verdictOf({ typed, answer, sent }: AnswerDraft, counts: string | null): Verdict | null {
  const matchesAccepted = (text: string | null) => text !== null && counts !== null && text.trim() === counts.trim()
  if (sent?.state === 'under_way' || matchesAccepted(answer)) return null
  if (sent === null) return 'elsewhere'
  if (sent.state === 'taken' || matchesAccepted(sent.answer)) return typed === sent.typed ? null : 'afterwards'
  return counts === null ? 'unknown' : 'elsewhere'
}
