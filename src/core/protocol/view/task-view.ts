/** Derives what clients see of a task from its head (`Task` in openapi.yaml). It is derived on every read and stored nowhere. */
import { briefNow } from '../../engine/changed-brief.ts'
import { ITEM_ENDINGS } from '../../mode/endings.ts'
import { worksOutside } from '../../engine/tools/held-calls.ts'
import { openToolQuestion } from '../../engine/tools/tool-questions.ts'
import { withListedTools } from '../../engine/tools/tool-lists.ts'
import { awaitedRow, openFileRequest, reportDeadline, dispatchedAt, reportDueAt } from '../../engine/awaiting.ts'
import { approvalId, openApproval, proposedAction } from '../../engine/approval.ts'
import { axisView, budgetView } from '../../terms/budget.ts'
import { delegationId } from '../../terms/delegation-id.ts'
import { endCommandOf } from '../delegations.ts'
import { contractOf, type Brief, type Fact, type Recall } from '../../terms/effect.ts'
import { expiresAt } from '../alarm-times.ts'
import { documentsOf, filesWith, isArtifact } from './documents.ts'
import { contentTypeOf, endingOf } from '../../terms/files/file-types.ts'
import type { FileRow } from '../../terms/files/files.ts'
import { stopReasonOf, type Head } from '../../terms/head.ts'
import type { FileRequest } from '../../mode/file-request.ts'
import { briefOf, type Question } from '../../mode/mode.ts'
import { contractError, modeOf } from '../../modes/index.ts'
import type { Journal } from '../journal.ts'
import { exhaustedAxis } from '../../terms/pause-reason.ts'
import { endOfCounter } from '../../engine/grants.ts'
import { filePath, nonceOf, type QuestionLink, type StoredTaskView } from './stored-task-view.ts'
import { namesFor } from '../../engine/model-choice.ts'
import { DEFAULT_ENDPOINT } from '../../terms/values/endpoint-name.ts'
import { RESULT_PHASE } from '../../terms/settings.ts'
import { misfitOf, typedData } from '../../engine/result/typed-data.ts'
import { goalOutcomeOfView } from '../../engine/outcome.ts'
import { taskSpend } from '../../engine/forecast/forecast.ts'
import {
  questionPrompt,
  filePrompt,
  emptyReplyText,
  estimateText,
  handoverText,
  lostCallText,
  nextSteps,
  resumeHint,
  rfc3339,
  unfinishedReason,
} from '../../terms/text.ts'
import { offeredTools } from '../../engine/tools/offered-tools.ts'
import type { Status } from '../../terms/status.ts'
import type { Handover } from '../../terms/view.ts'
import { statusOf } from './current-status.ts'

/** What a view shows: the head of the task, its journal seq, and whether an effect is under way. */
interface ViewInput {
  head: Head
  version: number
  under_way: boolean
}

type Rows = Pick<Journal, 'recall' | 'holder'> & { files(): readonly FileRow[]; linkEpoch(): number }

const withRecall = (rows: Rows, recall: Recall): Rows => ({
  recall,
  holder: (seq) => rows.holder(seq),
  files: () => rows.files(),
  linkEpoch: () => rows.linkEpoch(),
})

/** The task without the slice of a request and without its links. */
export function taskView({ head, version, under_way }: ViewInput, stored: Rows, now_ms: number): StoredTaskView {
  const rows: Rows = withRecall(stored, withListedTools(head, stored.recall))
  const { recall } = rows
  const brief = briefNow(head, recall)
  const mode = modeOf(head.mode)
  const ended = head.end === null ? null : ITEM_ENDINGS[head.end.status]
  const modeView = mode.view(head.state, {
    recall,
    ended,
    thought_row: head.thought_row,
    paused: head.pause_reason !== null,
  })
  const status = statusOf(head, under_way, recall)
  const approval = openApproval(head)
  return {
    id: head.id,
    link_epoch: rows.linkEpoch(),
    mode: mode.name,
    goal: brief.goal,
    ...givenTexts(brief),
    status,
    stop_reason:
      stopReasonOf(head) ??
      (status === 'waiting_external' ? (worksOutside(head) ? 'tool' : 'report') : null) ??
      (status === 'input_required' ? (approval === null ? askedFor(head, recall) : 'approval') : null),
    plan: modeView.plan,
    last_thought: modeView.thought,
    budget: budgetView(head.budget, mode.counter.unit),
    step_count: head.budget.steps.used,
    counters: head.counters,
    pending: pendingOf(head, status, rows, modeView.question),
    result:
      modeView.result === null && status !== 'completed'
        ? null
        : {
            ...resultOf(modeView.result ?? '', head, version, rows),
            ...goalOutcomeOfView(head, modeView, recall),
            ...(brief.output_schema === undefined ? {} : { data: typedData(head, recall) }),
          },
    handover: handoverOf(head, recall),
    error: head.end?.status === 'failed' ? { code: head.end.reason, detail: failureDetail(head, recall) } : null,
    retry_after_ms: head.retry_at === null || head.retry_at <= now_ms ? null : Math.ceil(head.retry_at - now_ms),
    locale: brief.locale,
    timezone: brief.timezone,
    settings: brief.settings,
    tools: offeredTools(brief).map((tool) => tool.name),
    drive: brief.drive,
    callback_url: brief.callback_url,
    metadata: brief.metadata,
    title: brief.title ?? null,
    agent: brief.agent ?? null,
    forked_from: brief.forked === undefined ? null : { id: brief.forked.task, at: brief.forked.at },
    version,
    spend: taskSpend(head, modeView.plan.cursor, recall),
    command: commandOut(head, recall),
    created_at: rfc3339(head.created_at),
    // The rows of a fork may be older than the fork.
    updated_at: rfc3339(Math.max(head.updated_at, head.created_at)),
  }
}

/** What the task was given beside its goal. */
const givenTexts = ({
  instructions,
  output_schema,
  input,
}: Brief): Pick<StoredTaskView, 'instructions' | 'output_schema' | 'input'> => ({
  ...(instructions === undefined ? {} : { instructions }),
  ...(output_schema === undefined ? {} : { output_schema }),
  ...(input === undefined ? {} : { input }),
})

/** The open command of the task, as the tenant's workspace stores it. */
function commandOut(head: Head, recall: Recall): StoredTaskView['command'] {
  const row = awaitedRow(head) ?? head.end?.row
  if (row === undefined) return null
  const command =
    head.end === null ? modeOf(head.mode).currentCommand?.(head.state, { recall }) : endCommandOf(head, recall)
  if (command === null || command === undefined) return null
  const at = dispatchedAt(recall(row))
  const deadline = reportDeadline(row, at, head, recall)
  return { id: delegationId(head.id, row), task: head.id, type: command.type, at, deadline }
}

function resultOf(
  text: string,
  head: Head,
  version: number,
  rows: Rows,
): Pick<NonNullable<StoredTaskView['result']>, 'text' | 'artifacts' | 'origin'> {
  const files = filesWith(rows.files(), documentsOf({ seq: version, head }, rows.recall)).filter(isArtifact)
  const artifacts = files.map(({ name, content_type, bytes }) => ({ name, content_type, size: bytes }))
  return { text, artifacts, origin: briefOf(rows.recall).origin }
}

function pendingOf(head: Head, status: Status, rows: Rows, question: Question | null): StoredTaskView['pending'] {
  const brief = briefOf(rows.recall)
  const { locale, settings } = brief
  if (status === 'paused' && head.pause_reason !== null) {
    return {
      kind: 'resume',
      hint: resumeHint(locale, exhaustedAxis(head.pause_reason) !== null, settings.continue_grants),
    }
  }
  const awaited_row = awaitedRow(head)
  if (status === 'waiting_external' && awaited_row !== null) {
    const deadline = reportDueAt(head, rows.recall) ?? head.updated_at
    return { kind: 'report', delegation_id: delegationId(head.id, awaited_row), deadline: rfc3339(deadline) }
  }
  if (status === 'waiting_external') return pendingTool(head, rows)
  if (status !== 'input_required') return null
  const approval = openApproval(head)
  if (approval !== null) {
    const action = proposedAction(head, modeOf(head.mode), rows.recall)
    return { kind: 'approval', request_id: approvalId(approval), action }
  }
  const ofTool = openToolQuestion(head, rows.recall)
  const file = ofTool === null ? openFileRequest(head, rows) : null
  if (file !== null) return pendingFile(file, head, brief)
  const asked = ofTool ?? question
  if (asked === null) return null
  const { row, ...shown } = asked
  const prompt = questionPrompt(locale, asked.question)
  const expires_ms = expiresAt(head, brief)
  const expires_at = expires_ms === null ? null : rfc3339(expires_ms)
  return { kind: 'question', ...shown, prompt, expires_at, link: linkOf(row, expires_ms, brief, rows) }
}

/** What a task that waits for its client asks for. */
const askedFor = (head: Head, recall: Recall) =>
  openToolQuestion(head, recall) !== null || openFileRequest(head, { recall }) === null ? 'question' : 'file'

/** The wait for a tool that works on outside. */
function pendingTool({ held, retry_at, updated_at }: Head, { recall }: Rows): StoredTaskView['pending'] {
  if (held === null) return null
  const { effect, event } = recall(held.row)
  return {
    kind: 'tool',
    tool: effect?.kind === 'run_tool' ? effect.tool : '',
    message: event.kind === 'tool_waits' ? event.message : null,
    looks_at: rfc3339(retry_at ?? updated_at),
    deadline: rfc3339(held.since + briefOf(recall).settings.report_timeout_s * 1000),
  }
}

/** The wait for a file, with all that a client needs to put it. */
function pendingFile(request: FileRequest, head: Head, brief: Brief): StoredTaskView['pending'] {
  const { name, request_id } = request
  const expires_ms = expiresAt(head, brief)
  const endings = name === null ? request.endings : [endingOf(name)]
  return {
    kind: 'file',
    request_id,
    name,
    prompt: filePrompt(brief.locale, name, request.endings),
    put_url: `${brief.origin}${filePath(head.id, name ?? 'NAME', null)}`,
    endings: [...endings],
    content_types: endings.map((ending) => contentTypeOf(`.${ending}`)),
    expires_at: expires_ms === null ? null : rfc3339(expires_ms),
  }
}

/** The parts of an answer link. A task of an earlier release has no origin, so it has no link. */
function linkOf(seq: number, expires_ms: number | null, { origin }: Brief, rows: Rows): QuestionLink | null {
  return expires_ms === null || origin === '' ? null : { seq, nonce: nonceOf(rows, seq), expires_ms, origin }
}

function failureDetail(head: Head, recall: Recall): string {
  const { last_failure } = modeOf(head.mode).progress(head.state, { recall })
  return unfinishedReason(briefOf(recall).locale, stopOf(head, recall, last_failure))
}

function stopOf(head: Head, recall: Recall, last_failure: string | null) {
  const { counter } = modeOf(head.mode)
  const { unit } = counter
  // Only the native counter ends a task; a spent axis pauses it.
  const isOver = head.end?.reason === endOfCounter(counter)
  const axis = isOver ? 'steps' : exhaustedAxis(head.pause_reason)
  const spent = axis === null ? null : { axis: axis === 'steps' ? unit : axis, ...axisView(head.budget, axis) }
  const failed = head.failed_row === null ? null : recall(head.failed_row)
  const detail = failed === null ? null : failureOf(head, failed, recall)
  const endpoints = failed === null ? [] : endpointsOf(failed, briefOf(recall))
  return { reason: stopReasonOf(head) ?? '', ended: head.end !== null, spent, last_failure, detail, endpoints }
}

/** The endpoints that a failed call could go to. The row knows the name of the default one, unless it has no other. */
function endpointsOf({ effect, event }: Fact, brief: Brief): string[] {
  if (effect?.kind !== 'call_model') return []
  const answered = event.kind === 'model_failed' ? event.endpoint : undefined
  const [first, ...others] = namesFor(brief, effect.phase)
  const own = effect.endpoint === undefined && first === DEFAULT_ENDPOINT ? (answered ?? first) : first
  return own === undefined || (own === DEFAULT_ENDPOINT && others.length === 0) ? [] : [own, ...others]
}

/** Why the latest failed attempt failed, as text for people. */
function failureOf(head: Head, { effect, event }: Fact, recall: Recall): string {
  if (event.kind === 'model_failed' || event.kind === 'tools_unlisted') return event.reason
  const { locale } = briefOf(recall)
  if (event.kind === 'model_replied' && effect?.phase === RESULT_PHASE) return misfitOf(event, briefOf(recall))
  if (event.kind !== 'model_replied' || effect?.kind !== 'call_model') return lostCallText(locale)
  const mode = modeOf(head.mode)
  const contract = mode.contracts[contractOf(effect)]
  // A mode without a contract for this phase takes free text, which can only be empty.
  const context = { brief: briefOf(recall), recall }
  if (contract === undefined) return mode.replyError?.(head.state, event, context) ?? emptyReplyText(locale)
  if (event.tool_calls !== undefined) return mode.replyError?.(head.state, event, context) ?? NOT_ALLOWED
  return contractError(mode, contract, event, briefOf(recall).settings) ?? NOT_ALLOWED
}

/** What is said of a reply that only a guard has refused. */
const NOT_ALLOWED = 'a decision that was not allowed here'

/** The handover at any limit or failure (S0-33). null: the task can go on, or it reached its goal. */
function handoverOf(head: Head, recall: Recall): Handover | null {
  if (head.pause_reason === null && head.end?.status !== 'failed') return null
  const { locale } = briefOf(recall)
  const mode = modeOf(head.mode)
  const progress = mode.progress(head.state, { recall })
  const stop = stopOf(head, recall, progress.last_failure)
  const done = { items: progress.finished_count, steps: head.budget.steps.used }
  const { unit } = mode.counter
  const estimate = stop.spent === null ? null : estimateText(locale, done, progress.open_count, unit)
  const parts = {
    completed: progress.completed,
    unfinished_reason: unfinishedReason(locale, stop),
    remaining: progress.remaining,
    next_steps: [...nextSteps(locale, stop), ...(estimate === null ? [] : [estimate])],
  }
  return { ...parts, text: handoverText(locale, parts, progress.summary ?? null) }
}
