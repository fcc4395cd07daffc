/** The rows of a task as they leave it for traces and usage, and how far each consumer has come. */
import {
  RECEIVERS,
  type ExportedTask,
  type ExportPage,
  type ExportProgress,
  type ExportRow,
  type ExportState,
  type LedgerRow,
  type TraceCursor,
} from '../../core/replay/export/export-page.ts'
import { reportedEvent } from '../../core/replay/export/reported-event.ts'
import { NOTHING_USED } from '../../core/replay/export/row-usage.ts'
import { awaitedRow, dispatchedAt } from '../../core/engine/awaiting.ts'
import type { Fact } from '../../core/terms/effect.ts'
import type { Head } from '../../core/terms/head.ts'
import { briefOf } from '../../core/mode/mode.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { isUnreadable } from '../../core/terms/unreadable.ts'
import type { QueryHandlers, UpkeepHandlers } from './handlers.ts'
import type { Rows } from './rows/rows.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import { storedIncarnation } from './task-facts.ts'

export const EXPORT_QUERIES: QueryHandlers<'export'> = {
  export: ({ rows, context }, { after, limit }) => exportPage(rows, after, limit, context().now_ms),
}

export const EXPORT_UPKEEP: UpkeepHandlers<'settle_export'> = {
  settle_export: ({ rows }, { progress }) => ok(settle(rows, progress)),
}

/** What is owed of a task that is deleted now. More than a page is owed only where the export before the deletion has failed. */
export function owedPage(rows: Rows, now_ms: number): { owed?: ExportPage } {
  const page = refuseUnreadable(() => exportPage(rows, null, OWED_ROWS_MAX, now_ms))
  return page.ok ? { owed: page.value } : {}
}
const OWED_ROWS_MAX = 200

function exportPage(rows: Rows, after: number | null, limit: number, now_ms: number): Result<ExportPage> {
  const last = rows.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  const state = rows.exported()
  const from = after ?? state.usage
  // The row before tells from where the next one went on.
  const found = rows.ledger(Math.max(1, from), limit + 2)
  const has_more = found.length > limit + 1
  const runs = [...new Set(RECEIVERS.map((name) => state[name].run))].flatMap((run) => runStart(rows, run))
  return ok({
    task: readOrNull(() => exportedTask(rows, last.head)),
    state,
    rows: found.slice(0, limit + 1).map((row) => exportRow(rows, row, last.head)),
    runs,
    has_more,
    is_under_way: rows.pending() !== null,
    now_ms,
  })
}

function exportedTask(rows: Rows, { id, tenant, mode }: Head): ExportedTask {
  const { settings, drive, agent, maker, forked } = briefOf(rows.recall)
  return {
    id,
    tenant,
    incarnation: storedIncarnation(rows),
    mode,
    drive,
    settings: { model: settings.model, models: settings.models },
    agent: agent ?? null,
    key_name: maker?.key_name ?? null,
    traceparent: maker?.traceparent ?? null,
    forked: forked === undefined ? null : { task: forked.task, at: forked.at },
  }
}

function exportRow(rows: Rows, row: LedgerRow, { created_at }: Head): ExportRow {
  const fact = readOrNull(() => rows.recall(row.seq))
  // A fork hands out anew what its parent waited for.
  const handedOutAt = (seq: number) => readOrNull(() => Math.max(dispatchedAt(rows.recall(seq)), created_at)) ?? row.at
  const withdrawn = fact === null || fact.effect !== null ? null : readOrNull(() => withdrawnBy(rows, row.seq, fact))
  return {
    ...row,
    effect: fact?.effect ?? null,
    event: fact === null ? null : reportedEvent(fact.event, handedOutAt),
    withdrawn: withdrawn === null ? null : { delegation: withdrawn, dispatched_at: handedOutAt(withdrawn) },
  }
}

/** The command that a row without an effect and without a report has taken back: the task was canceled, or its plan was edited. */
function withdrawnBy(rows: Rows, seq: number, { event: { kind } }: Fact): number | null {
  if (seq === 1 || kind === 'report_arrived' || kind === 'report_expired') return null
  const before = rows.closed(seq - 1)
  const awaited = before === null ? null : awaitedRow(before.head)
  const now = awaited === null ? null : rows.closed(seq)
  return now === null || awaitedRow(now.head) === awaited ? null : awaited
}

/** The first row of a run of work, and what the task had used before. */
function runStart(rows: Rows, run: number): ExportPage['runs'] {
  if (run === 0) return []
  const found = rows.ledger(Math.max(1, run - 1), 2)
  const row = found.find(({ seq }) => seq === run)
  const before = found.find(({ seq }) => seq === run - 1)
  return row === undefined ? [] : [{ row, before: before?.used ?? NOTHING_USED }]
}

/** A row that cannot be read keeps no other row from being exported. */
function readOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

/** Two jobs may export the same rows at the same time, so a cursor only goes on. */
function settle(rows: Rows, progress: ExportProgress): ExportState {
  const state = rows.exported()
  const next: ExportState = {
    usage: Math.max(state.usage, progress.usage ?? 0),
    service: later(state.service, progress.service),
    tenant: later(state.tenant, progress.tenant),
  }
  if (JSON.stringify(next) !== JSON.stringify(state)) rows.saveExported(next)
  return next
}

/** At the same row, the later run: 0 stands for one that was sent. A try that failed is recorded, unless another one has brought it on. */
function later(known: TraceCursor, next: TraceCursor | undefined): TraceCursor {
  if (next === undefined || next.seq < known.seq) return known
  if (next.seq > known.seq) return next
  return known.run === 0 && next.run !== 0 ? known : next
}
