/** Decides what a text from a person means for a task (POST /tasks/{id}/input in openapi.yaml). The text is trimmed first. */
import { briefNow } from '../engine/changed-brief.ts'
import { approvalAnswer, approvalId, openApproval } from '../engine/approval.ts'
import { awaitedRow, missingFile, openFileRequest, reportDueAt } from '../engine/awaiting.ts'
import { openToolQuestion, toolAnswer } from '../engine/tools/tool-questions.ts'
import type { Grant } from '../terms/axes.ts'
import type { Amounts } from '../terms/delegation.ts'
import { expiresAt, remindsAt, triesAgainAt } from './alarm-times.ts'
import type { Event, EventOf, Recall } from '../terms/effect.ts'
import { hasFailedAttempts, type Approval, type Head } from '../terms/head.ts'
import { fileName } from '../terms/files/files.ts'
import { normalizeAnswer, type AnswerForm, type SchemaValidator } from '../terms/schema/answer-form.ts'
import { isNamedByClient, isRequested, isUsable, type FileRequest } from '../mode/file-request.ts'
import { briefOf, type Question } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import type { Journal, PendingRow } from './journal.ts'
import { foreignCounter } from '../engine/grants.ts'
import { endsByItself, exhaustedAxis, type PauseReason } from '../terms/pause-reason.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'
import type { Settings } from '../terms/settings.ts'
import { chargedAmounts } from '../terms/budget-share.ts'

/** `command`: a slash command, which runs beside the task and changes nothing of it (S0-25). `word`: a text for the task. */
type Route = 'cancel' | 'command' | 'word'

/** `input` is trimmed and not empty. The checks come in the order of O0-02. */
export function routeOf(input: string, recall: Recall): Route {
  if (input === briefOf(recall).settings.cancel_phrase) return 'cancel'
  return input.startsWith('/') ? 'command' : 'word'
}

/** Whether a text to the task would begin its next run (U20). */
const hasNextRun = ({ mode, end }: Head): boolean => modeOf(mode).reopens && end?.status === 'completed'

/** Whether a task that has ended may go on: with its next run, or with more attempts after replies that broke their contract. */
export const mayReopen = (head: Head): boolean => hasNextRun(head) || hasFailedAttempts(head)

/** The events that a text causes in the current state of the task. */
export function eventsForInput(
  journal: Journal,
  input: string,
  request_id: string | null,
  fits: SchemaValidator,
  hasFile: (name: string) => boolean,
): Result<Event[]> {
  const last = journal.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  const { head } = last
  const goesOn = hasNextRun(head) || (hasFailedAttempts(head) && isContinue(input))
  if (head.end !== null && !goesOn) return refuseEnded(head, head.end.status)
  const approval = openApproval(head)
  const ofTool = approval === null ? openToolQuestion(head, journal.recall) : null
  const ofMode = approval === null && ofTool === null
  const file = ofMode ? openFileRequest(head, journal) : null
  const question = ofMode ? openQuestion(head, journal) : null
  const expected_id = approval === null ? (ofTool ?? file ?? question)?.request_id : approvalId(approval)
  if (request_id !== null && request_id !== expected_id) return refuse({ code: 'question_settled' })
  if (hasFailedAttempts(head)) return ok(eventsAfterEnd(head, input))
  if (approval !== null) return ok(eventsForDecision(head, approval, input))
  if (ofTool !== null && (head.pause_reason === null || !isContinue(input)))
    return toolAnswerEvents(ofTool, head.pause_reason !== null, input, fits)
  if (file !== null && (head.pause_reason === null || !isContinue(input)))
    return ok(eventsForFileInput(head, file, input, hasFile))
  // If the task is paused with an open question, a continue text asks the question again. Any other text answers it.
  const answers = question !== null && (head.pause_reason === null || !isContinue(input))
  if (answers) return answerEvents(question, head.pause_reason !== null, input, fits)
  if (head.pause_reason === null) return ok([{ kind: 'user_remarked', text: input }])
  return ok(eventsWhilePaused(head, briefOf(journal.recall).settings, input))
}

/** A task that has ended takes no more, except what lets it go on. */
const refuseEnded = (head: Head, status: string) =>
  refuse({ code: 'task_ended', status, ...(hasFailedAttempts(head) ? { takes_attempts: true as const } : {}) })

/** A continue text to a task whose model has failed too often. What it says beyond that is a remark. */
function eventsAfterEnd({ mode }: Head, input: string): Event[] {
  const resumed: EventOf<'resumed'> = { kind: 'resumed', grant: false, reopens: true }
  if (modeOf(mode).side_phase !== null) return [{ ...resumed, text: input }]
  return [resumed, ...remarkBeyond(input)]
}

/** If the task is paused, a continue text asks for the approval again. Any other text decides the approval. */
function eventsForDecision({ pause_reason }: Head, approval: Approval, input: string): Event[] {
  const resumed: Event = { kind: 'resumed', grant: false }
  if (pause_reason === null) return [approvalAnswer(approval, input)]
  return isContinue(input) ? [...remarkBeyond(input), resumed] : [approvalAnswer(approval, input), resumed]
}

/** A text that names a file of the task stands for that file. After any other text the task goes on without a file. */
function eventsForFileInput(
  { pause_reason }: Head,
  request: FileRequest,
  input: string,
  hasFile: (name: string) => boolean,
): Event[] {
  const name = fileName(input)
  const isChosen = name !== null && isUsable(request, name) && hasFile(name)
  const event: Event = isChosen
    ? { kind: 'file_arrived', name, ...(isRequested(request, name) ? {} : { chosen: true }) }
    : { kind: 'user_answered', text: input, missing: request.row }
  return pause_reason === null ? [event] : [event, { kind: 'resumed', grant: false }]
}

/** The most uploads that a task is told of while one effect is under way. One that its client has named is told of beyond that. */
const QUEUED_FILES_MAX = 8

/** Whether the task may come to wait for this file at the end of the effect under way, and was not told of it yet. */
function mayAwaitFile({ mode, state }: Head, journal: Journal, { effect }: PendingRow, name: string): boolean {
  const { recall } = journal
  if (modeOf(mode).mayAwaitFile?.(state, name, { recall, effect }) !== true) return false
  const names = journal.queued().flatMap(({ event }) => (event.kind === 'file_arrived' ? [event.name] : []))
  return !names.includes(name) && (names.length < QUEUED_FILES_MAX || isNamedByClient(briefOf(recall), name))
}

/**
 * The events of a file that a client has put. A task that does not wait for it is told nothing. While an effect is under way,
 * the task may come to wait for the file at the end of it, so the file is queued behind the effect.
 */
export function eventsForFile(journal: Journal, name: string): Result<Event[]> {
  const head = journal.last()?.head
  if (head === undefined || head.end !== null) return ok([])
  const event: Event = { kind: 'file_arrived', name }
  const pending = journal.pending()
  if (pending !== null) return ok(mayAwaitFile(head, journal, pending, name) ? [event] : [])
  const request = missingFile(head, journal)
  if (request === null || !isRequested(request, name)) return ok([])
  const isExpired = head.pause_reason?.kind === 'question_expired'
  return ok(isExpired ? [event, { kind: 'resumed', grant: false }] : [event])
}

/** The events of an answer. An answer that does not fit is refused, and the question stays open. */
export function answerEvents(
  form: AnswerForm & Pick<Question, 'call'>,
  isPaused: boolean,
  input: string,
  fits: SchemaValidator,
): Result<Event[]> {
  const normalized = normalizeAnswer(form, input, fits)
  const message = normalized.ok ? '' : `input ${normalized.message}`
  if (!normalized.ok) return refuse({ code: 'validation_failed', errors: [{ pointer: '/input', message }] })
  const asked = form.call === undefined ? {} : { asked: form.call }
  const answer: Event = { kind: 'user_answered', text: normalized.text, ...asked }
  return ok(isPaused ? [answer, { kind: 'resumed', grant: false }] : [answer])
}

/** The events of an answer to a tool that asks. An answer that does not fit is refused, and the question stays open. */
export function toolAnswerEvents(
  question: Question,
  isPaused: boolean,
  input: string,
  fits: SchemaValidator,
): Result<Event[]> {
  const answer = toolAnswer(question, input, fits)
  if (!answer.ok) return answer
  return ok(isPaused ? [answer.value, { kind: 'resumed', grant: false }] : [answer.value])
}

/** The question that a task waits for, even if the task is paused. null: no question is open. */
export function openQuestion(head: Head, journal: Pick<Journal, 'recall'>): Question | null {
  const mode = modeOf(head.mode)
  const view = mode.view(head.state, { recall: journal.recall, ended: null, thought_row: null, paused: false })
  return view.question
}

/** U14: only a continue text grants a spent budget again. Any other text is stored as a remark, and the task stays paused. */
function eventsWhilePaused(head: Head, { continue_grants, auto_continue }: Settings, input: string): Event[] {
  const spent = exhaustedAxis(head.pause_reason) !== null
  // While an ending is held there is no turn that a side turn could stand beside.
  const hasAsides = modeOf(head.mode).side_phase !== null && head.closing === null
  // A session with `auto_continue` continues after any text (O4-08).
  const isContinued = isContinue(input) || (hasAsides && auto_continue)
  const remark: Event = { kind: 'user_remarked', text: input }
  // A task that was not begun yet hears the text when it begins (U52).
  if (head.pause_reason?.kind === 'held' && !isContinue(input)) return [remark]
  // Without a grant the task stays paused. A text that asks for more than to continue is kept for its next turn.
  if (isContinued && spent && !continue_grants) return remarkBeyond(input)
  if (isContinued && hasAsides) return [{ kind: 'resumed', grant: spent, text: input }]
  if (isContinued) return [...remarkBeyond(input), { kind: 'resumed', grant: spent }]
  if (hasAsides) return [{ kind: 'user_asked_aside', text: input }]
  return spent ? [remark] : [remark, { kind: 'resumed', grant: false }]
}

const GO_ON = /继续|\b(?:continue|resume|go\s+on|proceed)\b/i
const WORD = '(?:continue|resume|go\\s+on|proceed)'
/** A negation stands before the continue word in the same clause, or is the last word. */
const NEGATIONS = [
  /(?:不|没|别|勿|莫|无需|无须|停止|暂停|取消)[^，。；！？、,.;!?\s]{0,6}继续/,
  /继续[^\p{L}]*(?:不|不要|不用|算了)[。！!.]*$/u,
  new RegExp(
    `\\b(?:don['’]?t|do\\s+not|not|never|no|stop|cannot|can['’]?t|won['’]?t|shouldn['’]?t|without)\\s+(?:(?!and\\b|then\\b|but\\b)\\w+\\s+){0,2}${WORD}\\b`,
    'i',
  ),
  new RegExp(`\\b${WORD}\\b\\W+(?:no|nope|not|never)\\W*$`, 'i'),
]
/** Double negations and questions that mean "continue". */
const CONTINUE_QUESTIONS =
  /(?:不得不|为什么不|为何不|何不|不妨)继续|\bwhy\s+not\s+(?:continue|resume|go\s+on|proceed)\b/gi

/** Whether the text contains 继续, or "continue", "resume", "go on" or "proceed" as whole words, without a negation (R23). */
export function isContinue(input: string): boolean {
  const plain = input.replace(CONTINUE_QUESTIONS, '继续')
  return GO_ON.test(plain) && !NEGATIONS.some((negation) => negation.test(plain))
}

/** A longer text says more than to continue. */
const BARE_CHARS = 60
const GO_ON_WORDS = /继续|\b(?:continue|resume|go\s+on|proceed)\b/gi
const ZH_COURTESY = /没问题|不要停|谢谢|麻烦|可以|执行|任务|工作|下去|那就|好的|请|吧|好|你|您|了|啊|呀|那/g
const EN_COURTESY: ReadonlySet<string> = new Set(
  'please kindly ok okay yes yeah sure fine good alright thanks thank you just and so then now again go ahead can may could let us the this it with task work'.split(
    ' ',
  ),
)

/** Whether a continue text says nothing beyond that the task is to go on. */
function isBareContinue(input: string): boolean {
  if (input.length > BARE_CHARS) return false
  const rest = input.replace(CONTINUE_QUESTIONS, ' ').replace(GO_ON_WORDS, ' ').replace(ZH_COURTESY, ' ')
  return rest.split(/[^\p{L}\p{N}]+/u).every((word) => word === '' || EN_COURTESY.has(word.toLowerCase()))
}

/** What a continue text says beyond that the task is to go on is a remark, as a whole. */
const remarkBeyond = (input: string): Event[] => (isBareContinue(input) ? [] : [{ kind: 'user_remarked', text: input }])

/** A pause takes effect before the next round. It changes nothing of a task that is paused already. */
export function eventsForPause(journal: Journal, reason?: EventOf<'paused'>['reason']): Result<Event[]> {
  const head = journal.last()?.head
  if (head === undefined || head.end !== null) return ok([])
  const current = nextPauseReason(head, journal)
  // A task that would try again by itself is paused as well.
  const isRetried = endsByItself(current) && briefNow(head, journal.recall).drive === 'background'
  return ok(current === null || isRetried ? [{ kind: 'paused', ...(reason === undefined ? {} : { reason }) }] : [])
}

/** A resume by request never grants any budget (U14). A task whose model has failed too often may try again. */
export function eventsForResume(journal: Journal): Result<Event[]> {
  const head = journal.last()?.head
  if (head !== undefined && hasFailedAttempts(head)) return ok([{ kind: 'resumed', grant: false, reopens: true }])
  if (head === undefined || head.end !== null) return ok([])
  const reason = nextPauseReason(head, journal)
  return ok(reason !== null && exhaustedAxis(reason) === null ? [{ kind: 'resumed', grant: false }] : [])
}

/** The pause reason after the events that are queued behind the effect have been applied. */
const nextPauseReason = (head: Head, journal: Journal): PauseReason | null =>
  journal.queued().reduce<PauseReason | null>((reason, { event }) => {
    if (event.kind === 'paused') return reason ?? { kind: event.reason ?? 'user' }
    return event.kind === 'resumed' ? null : reason
  }, head.pause_reason)

/**
 * The events that are due by time: the expiry of a question or a reminder of it, an overdue report, or a new try of a task that
 * lacks a model. `shareOfCommand` returns what the command of a row may spend.
 */
export function eventsForTime(
  journal: Journal,
  now_ms: number,
  shareOfCommand: (row: number) => Amounts | null,
): Result<Event[]> {
  const head = journal.last()?.head
  if (head === undefined) return ok([])
  const brief = briefNow(head, journal.recall)
  const isDue = (at: number | null) => at !== null && at <= now_ms
  if (isDue(expiresAt(head, brief))) return ok([{ kind: 'question_expired' }])
  if (isDue(remindsAt(head, brief))) return ok([{ kind: 'question_reminded' }])
  const overdue = awaitedRow(head)
  if (overdue !== null && isDue(reportDueAt(head, journal.recall)))
    return ok([{ kind: 'report_expired', delegation: overdue, charged: chargedAmounts(shareOfCommand(overdue), null) }])
  const retry_at = brief.drive === 'background' ? triesAgainAt(head) : null
  return ok(isDue(retry_at) ? [{ kind: 'resumed', grant: false }] : [])
}

/** A top-up of the budget. Every task that has not ended takes it, and one that lacks attempts takes those. */
export function eventsForTopUp(journal: Journal, add: Grant): Result<Event[]> {
  const head = journal.last()?.head
  if (head === undefined) return refuse({ code: 'task_not_found' })
  const goesOn = hasFailedAttempts(head) && add.attempts !== undefined
  if (head.end !== null && !goesOn) return refuseEnded(head, head.end.status)
  const otherCounter = foreignCounter(modeOf(head.mode).counter, add)
  if (otherCounter === null) return ok([{ kind: 'budget_added', add }])
  const message = `add.${otherCounter} is nothing that a task of mode ${head.mode} counts; name ${otherCounter === 'steps' ? 'iterations' : 'steps'}`
  return refuse({ code: 'validation_failed', errors: [{ pointer: `/add/${otherCounter}`, message }] })
}
