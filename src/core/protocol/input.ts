/** What a text from a person means for a task (POST /tasks/{id}/input in openapi.yaml): one routing rule, after trimming. */
import { approvalAnswer, approvalId, openApproval } from '../engine/approval.ts'
import { awaitedRow, reportDueAt } from '../engine/awaiting.ts'
import type { Grant } from '../terms/axes.ts'
import type { Amounts } from '../terms/delegation.ts'
import { expiresAt, remindsAt, triesAgainAt } from './alarm-times.ts'
import type { Event, EventOf, Recall } from '../terms/effect.ts'
import type { Approval, Head } from '../terms/head.ts'
import { normalizeAnswer, type AnswerForm, type SchemaValidator } from '../terms/schema/answer-form.ts'
import { briefOf, type Question } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import type { Journal } from './journal.ts'
import { foreignCounter } from '../engine/grants.ts'
import { exhaustedAxis, type PauseReason } from '../terms/pause-reason.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'
import type { Settings } from '../terms/settings.ts'
import { chargedAmounts } from '../terms/budget-share.ts'

/** `command`: it runs beside the task, which stays exactly as it is (S0-25). `word`: it is for the task to hear. */
type Route = 'cancel' | 'command' | 'word'

/** `input` is trimmed and not empty; the order of the tests is that of O0-02. */
export function routeOf(input: string, recall: Recall): Route {
  if (input === briefOf(recall).settings.cancel_phrase) return 'cancel'
  return input.startsWith('/') ? 'command' : 'word'
}

/** Whether a word to the task as it stands begins its next run (U20). */
export const reopens = ({ mode, end }: Head): boolean => modeOf(mode).reopens && end?.status === 'completed'

/** What a word means to the task as it stands. */
export function eventsForInput(
  journal: Journal,
  input: string,
  request_id: string | null,
  fits: SchemaValidator,
): Result<Event[]> {
  const last = journal.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  const { head } = last
  if (head.end !== null && !reopens(head)) return refuse({ code: 'task_ended', status: head.end.status })
  const approval = openApproval(head)
  const open = approval === null ? openQuestion(head, journal) : null
  const awaited = approval === null ? open?.request_id : approvalId(approval)
  if (request_id !== null && request_id !== awaited) return refuse({ code: 'question_settled' })
  if (approval !== null) return ok(decided(head, approval, input))
  // Of a task that is paused with its question open a continue text opens it again, any other is its answer.
  const answers = open !== null && (head.pause_reason === null || !isContinue(input))
  if (answers) return answerEvents(open, head.pause_reason !== null, input, fits)
  if (head.pause_reason === null) return ok([{ kind: 'user_remarked', text: input }])
  return ok(whilePaused(head, briefOf(journal.recall).settings, input))
}

/** As of a question: a continue text opens the request of a paused task again, any other decides it. */
function decided({ pause_reason }: Head, approval: Approval, input: string): Event[] {
  const resumed: Event = { kind: 'resumed', grant: false }
  if (pause_reason === null) return [approvalAnswer(approval, input)]
  return isContinue(input) ? [resumed] : [approvalAnswer(approval, input), resumed]
}

/** An answer that does not fit leaves the question open. */
export function answerEvents(form: AnswerForm, held: boolean, input: string, fits: SchemaValidator): Result<Event[]> {
  const read = normalizeAnswer(form, input, fits)
  const message = read.ok ? '' : `input ${read.message}`
  if (!read.ok) return refuse({ code: 'validation_failed', errors: [{ pointer: '/input', message }] })
  const heard: Event = { kind: 'user_answered', text: read.text }
  return ok(held ? [heard, { kind: 'resumed', grant: false }] : [heard])
}

/** The one that a task waits for, be it paused meanwhile; null: it waits for none. */
export function openQuestion(head: Head, journal: Pick<Journal, 'recall'>): Question | null {
  const mode = modeOf(head.mode)
  const view = mode.view(head.state, { recall: journal.recall, ended: null, thought_row: null, paused: false })
  return view.question
}

/** U14: a spent budget is granted again by a continue text only; any other text there is kept and resumes nothing. */
function whilePaused(head: Head, { continue_grants, auto_continue }: Settings, input: string): Event[] {
  const spent = exhaustedAxis(head.pause_reason) !== null
  const hasAsides = modeOf(head.mode).side_phase !== null
  // A session that goes on by itself does so at any word (O4-08).
  const goesOn = isContinue(input) || (hasAsides && auto_continue)
  const text = hasAsides ? { text: input } : {}
  if (goesOn && spent) return continue_grants ? [{ kind: 'resumed', grant: true, ...text }] : []
  if (goesOn) return [{ kind: 'resumed', grant: false, ...text }]
  if (hasAsides) return [{ kind: 'user_asked_aside', text: input }]
  const remark: Event = { kind: 'user_remarked', text: input }
  return spent ? [remark] : [remark, { kind: 'resumed', grant: false }]
}

const GO_ON = /继续|\b(?:continue|resume|go\s+on|proceed)\b/i
const WORD = '(?:continue|resume|go\\s+on|proceed)'
/** What turns a continue word round: in front of it within the same clause, or as the last word. */
const NEGATIONS = [
  /(?:不|没|别|勿|莫|无需|无须|停止|暂停|取消)[^，。；！？、,.;!?\s]{0,6}继续/,
  /继续[^\p{L}]*(?:不|不要|不用|算了)[。！!.]*$/u,
  new RegExp(
    `\\b(?:don['’]?t|do\\s+not|not|never|no|stop|cannot|can['’]?t|won['’]?t|shouldn['’]?t|without)\\s+(?:(?!and\\b|then\\b|but\\b)\\w+\\s+){0,2}${WORD}\\b`,
    'i',
  ),
  new RegExp(`\\b${WORD}\\b\\W+(?:no|nope|not|never)\\W*$`, 'i'),
]
/** Double negations and questions that ask for going on. */
const STILL = /(?:不得不|为什么不|为何不|何不|不妨)继续|\bwhy\s+not\s+(?:continue|resume|go\s+on|proceed)\b/gi

/** A continue text: contains 继续, or continue, resume, go on, proceed as whole words; not when negated (R23). */
export function isContinue(input: string): boolean {
  const plain = input.replace(STILL, '继续')
  return GO_ON.test(plain) && !NEGATIONS.some((negation) => negation.test(plain))
}

/** A pause takes hold before the next round; of a task that rests already it changes nothing. */
export function eventsForPause(journal: Journal, why?: EventOf<'paused'>['reason']): Result<Event[]> {
  const head = journal.last()?.head
  if (head === undefined || head.end !== null) return ok([])
  const reason = nextPauseReason(head, journal)
  // One that would try again by itself is held all the same.
  const isRetried = reason?.kind === 'model_unavailable' && briefOf(journal.recall).drive === 'background'
  return ok(reason === null || isRetried ? [{ kind: 'paused', ...(why === undefined ? {} : { reason: why }) }] : [])
}

/** A resume by request never grants anything (U14). */
export function eventsForResume(journal: Journal): Result<Event[]> {
  const head = journal.last()?.head
  if (head === undefined || head.end !== null) return ok([])
  const reason = nextPauseReason(head, journal)
  return ok(reason !== null && exhaustedAxis(reason) === null ? [{ kind: 'resumed', grant: false }] : [])
}

/** Its pause as it will be once what is queued behind the effect is applied. */
const nextPauseReason = (head: Head, journal: Journal): PauseReason | null =>
  journal.queued().reduce<PauseReason | null>((reason, { event }) => {
    if (event.kind === 'paused') return reason ?? { kind: event.reason ?? 'user' }
    return event.kind === 'resumed' ? null : reason
  }, head.pause_reason)

/**
 * What time alone brings about: a reminder of a question, its end when nobody answers, a report that does not come, a new try of a task
 * that is paused for want of a model. `shareGiven`: what the command of a row might spend.
 */
export function eventsForTime(
  journal: Journal,
  now_ms: number,
  shareGiven: (row: number) => Amounts | null,
): Result<Event[]> {
  const head = journal.last()?.head
  if (head === undefined) return ok([])
  const brief = briefOf(journal.recall)
  const isDue = (at: number | null) => at !== null && at <= now_ms
  if (isDue(expiresAt(head, brief))) return ok([{ kind: 'question_expired' }])
  if (isDue(remindsAt(head, brief))) return ok([{ kind: 'question_reminded' }])
  const overdue = awaitedRow(head)
  if (overdue !== null && isDue(reportDueAt(head, journal.recall)))
    return ok([{ kind: 'report_expired', delegation: overdue, charged: chargedAmounts(shareGiven(overdue), null) }])
  const again = brief.drive === 'background' ? triesAgainAt(head) : null
  return ok(isDue(again) ? [{ kind: 'resumed', grant: false }] : [])
}

/** A top-up of the budget: heard by any task that has not ended. */
export function eventsForTopUp(journal: Journal, add: Grant): Result<Event[]> {
  const head = journal.last()?.head
  const end = head?.end ?? null
  if (end !== null) return refuse({ code: 'task_ended', status: end.status })
  const strange = head === undefined ? null : foreignCounter(modeOf(head.mode).counter, add)
  if (strange === null) return ok([{ kind: 'budget_added', add }])
  const message = `add.${strange} is nothing that a task of mode ${head?.mode} counts; name ${strange === 'steps' ? 'iterations' : 'steps'}`
  return refuse({ code: 'validation_failed', errors: [{ pointer: `/add/${strange}`, message }] })
}
