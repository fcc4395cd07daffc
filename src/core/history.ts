/** Events and ledger as views of the journal: what a row caused is derived again from the head before it (ruling 4). */
import { rebuildPrompt, workedMs } from './assignment.ts'
import type { Event, Recall, StoredEffect } from './effect.ts'
import { fingerprint } from './hash.ts'
import { firstHead, type Head } from './head.ts'
import type { ClosedRow, PendingRow } from './journal.ts'
import { modeOf } from './modes/index.ts'
import { reduce, type Reduced } from './reduce.ts'
import { envelopes } from './task.ts'
import { rfc3339 } from './text.ts'
import { unreadable } from './unreadable.ts'
import type { Envelope, JournalEntry } from './view.ts'

/** The head a closed row was reduced from: that of the row before it, or the first one. */
function headBefore(row: ClosedRow, before: Head | null): Head {
  if (before !== null) return before
  if (row.seq > 1) throw unreadable(`row ${row.seq - 1} is missing`)
  const { id, tenant, mode } = row.head
  const steps_max = row.event.kind === 'task_created' ? row.event.brief.settings.max_steps : 1
  return firstHead({ id, tenant, mode, steps_max }, modeOf(mode).start(), row.at)
}

/** Folds one closed row again. Law: the result's head equals the stored one. */
export function refold(row: ClosedRow, before: Head | null, recall: Recall): Reduced {
  const { seq, at, effect } = row
  const now_ms = row.head.updated_at
  const working_ms = effect === null ? 0 : workedMs({ at, effect }, now_ms, recall)
  const closing = { seq, now_ms, working_ms, effect, recall }
  return reduce(headBefore(row, before), row.event, closing)
}

/** What observers were shown of a row; ids are the stored ones, however many notes today's code would make. */
export function eventsOf(row: ClosedRow, before: Head | null, recall: Recall): Envelope[] {
  if (row.head.events.count === 0) return []
  return envelopes(row.head, row.seq, refold(row, before, recall).notes.slice(0, row.head.events.count))
}

export function closedEntry(row: ClosedRow, before: Head | null, recall: Recall): JournalEntry {
  const { outcome, counted } = refold(row, before, recall)
  const usage = row.event.kind === 'model_replied' ? row.event.usage : null
  return {
    ...opened(row),
    ...requestOf(row.effect, headBefore(row, before), recall),
    counted,
    outcome,
    tokens: usage === null ? null : { input: usage.input_tokens, output: usage.output_tokens },
    model: row.event.kind === 'model_replied' ? row.event.model : null,
    finished_at: rfc3339(row.head.updated_at),
    reply: replyOf(row.event),
  }
}

/** A row whose effect is still under way: counted when it closes (ruling 3). */
export function pendingEntry(row: PendingRow, before: Head, recall: Recall): JournalEntry {
  const unknown = { counted: false, outcome: null, tokens: null, model: null, finished_at: null, reply: null }
  return { ...opened(row), ...requestOf(row.effect, before, recall), ...unknown }
}

const opened = (row: ClosedRow | PendingRow) => ({
  seq: row.seq,
  kind: row.kind,
  phase: row.effect?.phase ?? null,
  cost_usd: null,
  attempt: row.lease?.attempt ?? null,
  started_at: rfc3339(row.at),
})

function requestOf(effect: StoredEffect | null, before: Head, recall: Recall) {
  if (effect === null) return { request: null, request_exact: null }
  if (effect.kind === 'run_tool') {
    const mode = modeOf(before.mode)
    const next = mode.next(mode.state.parse(before.state), recall)
    const input = next.kind === 'run' && next.effect.kind === 'run_tool' ? next.effect.input : null
    return { request: { tool: effect.tool, input }, request_exact: true }
  }
  const { messages, version } = rebuildPrompt(before, effect.phase, recall, effect.wall_ms)
  const exact = effect.prompt === version && effect.hash === fingerprint(JSON.stringify(messages))
  return { request: { prompt: effect.prompt, messages }, request_exact: exact }
}

function replyOf(event: Event): unknown {
  switch (event.kind) {
    case 'model_replied':
      return { text: event.text, ...(event.negotiated === undefined ? {} : { negotiated: event.negotiated }) }
    case 'model_failed':
      return { reason: event.reason, status: event.status }
    case 'tool_returned':
      return { ok: event.ok, code: event.code, text: event.text }
    case 'user_answered':
    case 'user_remarked':
      return { text: event.text }
    default:
      return null
  }
}
