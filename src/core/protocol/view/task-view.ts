/** From the head of a task to what clients see of it (`Task` in openapi.yaml). Derived on every read, stored nowhere. */
import { ITEM_ENDINGS } from '../../mode/endings.ts'
import { awaitedRow, deadlineAfter, dispatchedAt, reportDueAt } from '../../engine/awaiting.ts'
import { approvalId, openApproval, proposedAction } from '../../engine/approval.ts'
import { axisView, budgetView } from '../../terms/budget.ts'
import { delegationId } from '../../terms/delegation-id.ts'
import { farewellOf } from '../delegations.ts'
import { contractOf, type Brief, type Fact, type Recall } from '../../terms/effect.ts'
import { expiresAt } from '../alarm-times.ts'
import { documentsOf, filesWith, isArtifact } from './documents.ts'
import type { FileRow } from '../../terms/files/files.ts'
import { stopReasonOf, type Head } from '../../terms/head.ts'
import { briefOf, type Question } from '../../mode/mode.ts'
import { modeOf } from '../../modes/index.ts'
import type { Journal } from '../journal.ts'
import { exhaustedAxis, pauseReasonText } from '../../terms/pause-reason.ts'
import { counterSpent } from '../../engine/grants.ts'
import { replyOf } from '../../mode/reply.ts'
import { nonceOf, type QuestionLink, type StoredTaskView } from './stored-task-view.ts'
import { taskSpend } from '../../engine/forecast.ts'
import {
  questionPrompt,
  emptyReplyText,
  estimateText,
  handoverText,
  lostCallText,
  nextSteps,
  resumeHint,
  rfc3339,
  unfinishedReason,
} from '../../terms/text.ts'
import { offeredTools } from '../../engine/offered-tools.ts'
import type { Status } from '../../terms/status.ts'
import type { Handover } from '../../terms/view.ts'
import { statusOf } from './current-status.ts'

/** The stop reason of a status that has one only. */
const WAITS: Partial<Record<Status, string>> = { waiting_external: 'report' }

/** What is shown of a task: its head, the journal seq of that, and whether an effect is under way. */
interface ViewInput {
  head: Head
  version: number
  under_way: boolean
}

type Rows = Pick<Journal, 'recall' | 'holder'> & { files(): readonly FileRow[]; linkEpoch(): number }

/** The answer of a request, without its slice and its links. */
export function taskView({ head, version, under_way }: ViewInput, rows: Rows, now_ms: number): StoredTaskView {
  const { recall } = rows
  const brief = briefOf(recall)
  const mode = modeOf(head.mode)
  const ended = head.end === null ? null : ITEM_ENDINGS[head.end.status]
  const shown = mode.view(head.state, {
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
    status,
    stop_reason:
      stopReasonOf(head) ??
      WAITS[status] ??
      (status === 'input_required' ? (approval === null ? 'question' : 'approval') : null),
    plan: shown.plan,
    last_thought: shown.thought,
    budget: budgetView(head.budget, mode.counter.unit),
    step_count: head.budget.steps.used,
    counters: head.counters,
    pending: pendingOf(head, status, rows, shown.question),
    result: shown.result === null && status !== 'completed' ? null : resultOf(shown.result ?? '', head, version, rows),
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
    version,
    spend: taskSpend(head, shown.plan.cursor, recall),
    command: commandOut(head, recall),
    created_at: rfc3339(head.created_at),
    // The rows of a fork may be older than it is.
    updated_at: rfc3339(Math.max(head.updated_at, head.created_at)),
  }
}

/** As its tenant's workspace enters it. */
function commandOut(head: Head, recall: Recall): StoredTaskView['command'] {
  const row = awaitedRow(head) ?? head.end?.row
  if (row === undefined) return null
  const command =
    head.end === null ? modeOf(head.mode).currentCommand?.(head.state, { recall }) : farewellOf(head, recall)
  if (command === null || command === undefined) return null
  const at = dispatchedAt(recall(row))
  const deadline = deadlineAfter(at, head, recall)
  return { id: delegationId(head.id, row), task: head.id, type: command.type, at, deadline }
}

function resultOf(text: string, head: Head, version: number, rows: Rows): NonNullable<StoredTaskView['result']> {
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
  const awaited = awaitedRow(head)
  if (status === 'waiting_external' && awaited !== null) {
    const deadline = reportDueAt(head, rows.recall) ?? head.updated_at
    return { kind: 'report', delegation_id: delegationId(head.id, awaited), deadline: rfc3339(deadline) }
  }
  if (status !== 'input_required') return null
  const approval = openApproval(head)
  if (approval !== null) {
    const action = proposedAction(head, modeOf(head.mode), rows.recall)
    return { kind: 'approval', request_id: approvalId(approval), action }
  }
  if (question === null) return null
  const { row, ...shown } = question
  const prompt = questionPrompt(locale, question.question)
  const expires_ms = expiresAt(head, brief)
  const expires_at = expires_ms === null ? null : rfc3339(expires_ms)
  return { kind: 'question', ...shown, prompt, expires_at, link: linkOf(row, expires_ms, brief, rows) }
}

/** A task of an earlier release does not know where it can be reached. */
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
  // No axis but the native counter ends a task.
  const isOver = head.end?.reason === pauseReasonText(counterSpent(counter))
  const axis = isOver ? 'steps' : exhaustedAxis(head.pause_reason)
  const spent = axis === null ? null : { axis: axis === 'steps' ? unit : axis, ...axisView(head.budget, axis) }
  const detail = head.failed_row === null ? null : failureOf(head, recall(head.failed_row), recall)
  return { reason: stopReasonOf(head) ?? '', ended: head.end !== null, spent, last_failure, detail }
}

/** Why the latest failed attempt failed, in words for people. */
function failureOf(head: Head, { effect, event }: Fact, recall: Recall): string {
  if (event.kind === 'model_failed') return event.reason
  const { locale } = briefOf(recall)
  if (event.kind !== 'model_replied' || effect?.kind !== 'call_model') return lostCallText(locale)
  const mode = modeOf(head.mode)
  const contract = mode.contracts[contractOf(effect)]
  // Free text can break little but that there is some.
  if (contract === undefined) return mode.replyError?.(head.state, event) ?? emptyReplyText(locale)
  const read = replyOf(contract, event, mode.reader)
  return read.ok ? 'a decision that was not allowed here' : read.reason
}

/** The handover at any limit or failure (S0-33): null while the task can go on, and when it reached its goal. */
function handoverOf(head: Head, recall: Recall): Handover | null {
  if (head.pause_reason === null && head.end?.status !== 'failed') return null
  const { locale } = briefOf(recall)
  const mode = modeOf(head.mode)
  const progress = mode.progress(head.state, { recall })
  const stop = stopOf(head, recall, progress.last_failure)
  const done = { items: progress.finished_count, steps: head.budget.steps.used }
  const { unit } = mode.counter
  const estimated = stop.spent === null ? null : estimateText(locale, done, progress.remaining.length, unit)
  const parts = {
    completed: progress.completed,
    unfinished_reason: unfinishedReason(locale, stop),
    remaining: progress.remaining,
    next_steps: [...nextSteps(locale, stop), ...(estimated === null ? [] : [estimated])],
  }
  const text = handoverText(locale, parts)
  return { ...parts, text: progress.summary === undefined ? text : `${progress.summary}\n\n${text}` }
}
