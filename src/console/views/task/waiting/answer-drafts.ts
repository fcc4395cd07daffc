/** What has been typed as an answer, and what became of it: nothing of it is lost, and nothing that was taken is called unsent. */
import { taskDraftKey } from '../../../state/drafts.ts'

export interface AnswerDraft {
  request_id: string
  question: string
  /** What stands in the form. */
  typed: string
  /** The answer that this would be; null: none yet. */
  answer: string | null
  sent: SentAnswer | null
  /** The last one that got no answer: a later one that is refused does not tell what became of it. */
  unknown: SentAnswer | null
}
/** An answer that went out and was not refused, and what stood in the form by then. */
export interface SentAnswer {
  answer: string
  typed: string
  /** `unknown`: no answer of the service came, so it may have been taken. */
  state: 'under_way' | 'taken' | 'unknown'
}
export type DraftChange = Partial<AnswerDraft> & Pick<AnswerDraft, 'request_id'>
/** Takes what is typed, and what became of it. */
export type KeepDraft = (change: DraftChange) => void
/**
 * Of what was typed for a question that is settled: another answer counts, it is not known whether this one does, or it does, and what was
 * typed beside it or after it does not.
 */
type Verdict = 'elsewhere' | 'unknown' | 'afterwards'
export interface SettledAnswer {
  draft: AnswerDraft
  /** The answer that counts; null while that is not known here. */
  counts: string | null
  verdict: Verdict
}

/** Where all that was typed for requests of a task is kept. */
export const answersDraftKey = (task: string) => taskDraftKey(task, 'waiting')
/** Where the fields of an answer are kept while its reader is elsewhere. */
export const answerDraftKey = (task: string, request_id: string) => taskDraftKey(task, `answer:${request_id}`)

/**
 * Laid over what is known of its question: an answer that comes back changes nothing of what was typed meanwhile. Where nothing is typed,
 * or what was has been taken, there is nothing to be lost.
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

/** Those that answer nothing any more: `open` is the request that still does. */
export const closedDrafts = (drafts: readonly AnswerDraft[], open: string | null): AnswerDraft[] =>
  drafts.filter(({ request_id }) => request_id !== open)

/** null: there is nothing to be said. `counts`: the answer that the service took; null while that is not known here. */
export function verdictOf({ typed, answer, sent }: AnswerDraft, counts: string | null): Verdict | null {
  const isWhatCounts = (text: string | null) => text !== null && counts !== null && text.trim() === counts.trim()
  if (sent?.state === 'under_way' || isWhatCounts(answer)) return null
  if (sent === null) return 'elsewhere'
  if (sent.state === 'taken' || isWhatCounts(sent.answer)) return typed === sent.typed ? null : 'afterwards'
  return counts === null ? 'unknown' : 'elsewhere'
}
