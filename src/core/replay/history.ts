/** Shows the journal as events and as a ledger. What a row caused is derived again from the head before it (U4). */
import { rebuildPrompt, requestText } from '../engine/rebuild-prompt.ts'
import { isBareEvent, type Event, type EventOf, type Message, type Recall, type StoredEffect } from '../terms/effect.ts'
import { fingerprint } from '../terms/values/hash.ts'
import { createHead, type Head } from '../terms/head.ts'
import { limitsOf } from '../engine/limits.ts'
import { sourcesOf, withListedTools } from '../engine/tools/tool-lists.ts'
import type { ClosedRow, PendingRow, QueuedRow } from '../protocol/journal.ts'
import { briefOf } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import { dollars } from '../terms/money.ts'
import { tokenKinds } from '../terms/values/usage.ts'
import { reduce, type ReduceResult } from '../engine/reduce.ts'
import { chargeOf } from '../engine/charge-row.ts'
import { DEFAULT_SETTINGS } from '../terms/settings.ts'
import { amountsView, exceedsShare, shareOf } from '../terms/budget-share.ts'
import { envelopes } from '../protocol/transaction.ts'
import { rfc3339 } from '../terms/text.ts'
import { unreadable } from '../terms/unreadable.ts'
import type { Envelope, JournalEntry } from '../terms/view.ts'

/** The head from which a closed row was reduced: the head of the row before it, or the initial head. */
function headBefore(row: ClosedRow, before: Head | null): Head {
  if (before !== null) return before
  if (row.seq > 1) throw unreadable(`row ${row.seq - 1} is missing`)
  return initialHead(row.head, row.event, row.at)
}

/** The head before the first row. A fork was created when it was forked, although its rows are older. */
export function initialHead(
  { id, tenant, mode }: Pick<Head, 'id' | 'tenant' | 'mode'>,
  event: Event,
  at: number,
): Head {
  const brief = event.kind === 'task_created' ? event.brief : undefined
  const settings = brief?.settings ?? DEFAULT_SETTINGS
  return createHead(
    { id, tenant, mode, limits: limitsOf(mode, settings) },
    modeOf(mode).start(settings),
    brief?.forked?.made_ms ?? at,
  )
}

/** Folds one closed row again. The head of the result has to equal the stored head. */
export function refold(row: ClosedRow, before: Head | null, recall: Recall): ReduceResult {
  const { seq, effect, reserved } = row
  const closing = { seq, now_ms: row.head.updated_at, elapsed_ms: elapsedOf(row), reserved, effect, recall }
  // A reply is read once for each object that holds it, and the one that is recalled stays in memory.
  const event = row.event.kind === 'model_replied' ? recall(seq).event : row.event
  return reduce(headBefore(row, before), event, closing)
}

const elapsedOf = (row: ClosedRow) => (row.effect === null ? 0 : row.head.updated_at - row.at)

/** The observer events of a row. Their number is the stored one, so that ids stay the same if newer code makes more notes. */
export function eventsOf(row: ClosedRow, before: Head | null, recall: Recall): Envelope[] {
  if (row.head.events.count === 0) return []
  return envelopes(row.head, row.seq, refold(row, before, recall).notes.slice(0, row.head.events.count))
}

export function closedEntry(row: ClosedRow, before: Head | null, recall: Recall): JournalEntry {
  const { outcome, counted } = refold(row, before, recall)
  const { event } = row
  const usage = event.kind === 'model_replied' || event.kind === 'model_failed' ? (event.usage ?? null) : null
  return {
    ...rowEntry(row),
    ...requestOf(row.effect, headBefore(row, before), recall),
    counted,
    outcome,
    tokens:
      usage === null ? null : { input: usage.input_tokens, output: usage.output_tokens, kinds: tokenKinds(usage) },
    ...costOfRow(row, headBefore(row, before), recall),
    model: row.event.kind === 'model_replied' ? row.event.model : null,
    endpoint: endpointOf(row.effect, row.event),
    finished_at: rfc3339(row.head.updated_at),
    duration_ms: row.effect === null ? null : elapsedOf(row),
    reply: replyOf(row.event),
  }
}

/** What a row was charged in tokens and money, and whether it was more than its reservation (U11). */
function costOfRow(row: ClosedRow, before: Head, recall: Recall) {
  if (row.event.kind === 'report_arrived' || row.event.kind === 'report_expired')
    return costOfReport(row.event, before, recall)
  if (row.effect === null) return UNPRICED
  const charge = chargeOf(before, row.event, {
    reserved: row.reserved,
    elapsed_ms: elapsedOf(row),
    effect: row.effect,
  })
  return {
    charged_tokens: charge.tokens,
    cost_usd: dollars(charge.cost),
    price_version: row.reserved?.price?.version ?? null,
    over_reserve: charge.over_reserve,
  }
}
const UNPRICED = { charged_tokens: null, cost_usd: null, price_version: null, over_reserve: false }

/** What a worker has spent of the task's budget, which is charged with its report. */
function costOfReport({ charged }: EventOf<'report_arrived' | 'report_expired'>, before: Head, recall: Recall) {
  const { tokens = 0, cost = 0 } = charged
  const over_reserve = exceedsShare(shareOf(before.budget, briefOf(recall).settings), charged)
  return { charged_tokens: tokens, cost_usd: dollars(cost), price_version: null, over_reserve }
}

/** The entry of a row whose effect is still running. It is counted when it closes (U3). */
export function pendingEntry(row: PendingRow, before: Head, recall: Recall): JournalEntry {
  const unknown = { counted: false, outcome: null, tokens: null, model: null, finished_at: null, duration_ms: null }
  const endpoint = endpointOf(row.effect, null)
  return { ...rowEntry(row), ...requestOf(row.effect, before, recall), ...unknown, endpoint, ...UNPRICED, reply: null }
}

/** The entry of an event that waits for the running effect. */
export function queuedEntry(row: QueuedRow): JournalEntry {
  const unknown = { counted: false, outcome: null, tokens: null, model: null, finished_at: null, duration_ms: null }
  const nothing = { endpoint: null, request: null, request_exact: null }
  return { ...rowEntry(row), ...unknown, ...UNPRICED, ...nothing, reply: replyOf(row.event) }
}

/** The name of the endpoint that a call went to. null: it is the default one, or nothing was called. */
function endpointOf(effect: StoredEffect | null, event: Event | null): string | null {
  const answered = event?.kind === 'model_replied' || event?.kind === 'model_failed' ? event.endpoint : undefined
  return answered ?? (effect?.kind === 'call_model' ? effect.endpoint : undefined) ?? null
}

const rowEntry = (row: ClosedRow | PendingRow | QueuedRow) => ({
  seq: row.seq,
  kind: row.kind,
  phase: 'effect' in row ? (row.effect?.phase ?? null) : null,
  attempt: 'lease' in row ? (row.lease?.attempt ?? null) : null,
  started_at: rfc3339(row.at),
})

function requestOf(effect: StoredEffect | null, before: Head, recall: Recall) {
  if (effect === null) return { request: null, request_exact: null }
  if (effect.kind === 'run_tool') {
    return { request: { tool: effect.tool, input: inputAt(before, recall) }, request_exact: true }
  }
  if (effect.kind === 'list_tools') {
    const source = sourcesOf(recall)[effect.source]
    return { request: { source: source?.name ?? null }, request_exact: true }
  }
  const { messages, version, tools, hash } = rebuildRequest(effect, before, recall)
  const exact = effect.prompt === version && effect.hash === hash
  const offered = tools === undefined ? {} : { tools: tools.map(({ name }) => name) }
  const shown = messages.map(withoutReasoning)
  return { request: { prompt: effect.prompt, messages: shown, ...offered }, request_exact: exact }
}

/** Reasoning is never shown. */
function withoutReasoning(message: Message): Message {
  if (message.role !== 'assistant') return message
  const { role, content, tool_calls } = message
  return tool_calls === undefined ? { role, content } : { role, content, tool_calls }
}

/** The input of the tool that a head chooses. null: it chooses no tool. */
export function inputAt({ mode, state, lists }: Head, recall: Recall): string | null {
  const next = modeOf(mode).next(state, withListedTools({ lists }, recall))
  return next.kind === 'run' && next.effect.kind === 'run_tool' ? next.effect.input : null
}

/** The request of a model call, built by today's code from the head that chose the call. */
export function rebuildRequest(effect: Extract<StoredEffect, { kind: 'call_model' }>, before: Head, recall: Recall) {
  const prompt = rebuildPrompt(before, effect.phase, recall, effect.wall_ms)
  return { ...prompt, hash: fingerprint(requestText(prompt)) }
}

function replyOf(event: Event): object | null {
  if (isBareEvent(event)) return null
  switch (event.kind) {
    case 'model_replied':
      return {
        text: event.text,
        ...(event.tool_calls === undefined ? {} : { tool_calls: event.tool_calls }),
        ...(event.negotiated === undefined ? {} : { negotiated: event.negotiated }),
      }
    case 'model_failed':
      return {
        reason: event.reason,
        status: event.status,
        ...(event.negotiated === undefined ? {} : { negotiated: event.negotiated }),
      }
    case 'tool_returned':
      return {
        ok: event.ok,
        code: event.code,
        text: event.text,
        ...(event.images === undefined ? {} : { images: event.images }),
      }
    case 'tools_listed':
      return { tools: event.tools.map(({ name }) => name), digest: event.digest, notes: event.notes }
    case 'tools_unlisted':
      return { reason: event.reason }
    case 'tool_asked':
      return { question: event.question.text, response_schema: event.question.schema }
    case 'tool_waits':
      return { message: event.message, poll_ms: event.poll_ms }
    case 'tool_answered':
      return { request_id: `tool_${event.request}`, action: event.action, content: event.content }
    case 'task_created':
      return { settings: event.brief.settings }
    case 'task_changed':
      return Object.fromEntries(event.members.map((name) => [name, event[name]]))
    case 'budget_added':
      return event.add
    case 'budget_spent':
      return { axis: event.axis }
    case 'aside_refused':
      return event.reason === undefined ? { axis: event.axis } : { reason: event.reason }
    case 'resumed':
      return { granted: event.grant }
    case 'user_answered':
    case 'user_remarked':
    case 'user_asked_aside':
      return { text: event.text }
    case 'file_arrived':
      return { name: event.name }
    case 'report_extended':
      return { dispatched_by: event.delegation, until: rfc3339(event.until) }
    case 'approval_answered':
      return { verdict: event.verdict, text: event.text }
    case 'report_arrived':
    case 'report_expired':
      return {
        dispatched_by: event.delegation,
        spent: amountsView(event.charged),
        ...(event.kind === 'report_arrived' ? { report: event.report } : {}),
      }
    case 'plan_edited':
      return { author: event.author, items: event.items }
    case 'effect_orphaned':
    case 'outcome_unknown':
    case 'abandoned':
    case 'question_expired':
      return null
  }
}
