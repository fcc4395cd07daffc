/**
 * A fork is a new task that begins with the first rows of another one, under its own id and brief. It does not get the keys,
 * slices, leases and the allowance of its parent.
 */
import type { ObjectContext, Ticket } from '../protocol/advance.ts'
import { fallbacksOfFork } from '../engine/model-choice.ts'
import { NO_RULES } from '../engine/model-rules.ts'
import type { SchemaValidator } from '../terms/schema/answer-form.ts'
import { firstDifference } from '../terms/values/difference.ts'
import type { Brief, Recall } from '../terms/effect.ts'
import type { OutcomeEdit } from './fork-edit.ts'
import type { StoredFile } from '../terms/files/files.ts'
import { mergeFiles, filesFromRows, wroteFile, type FileWriteRow } from './fork-files.ts'
import { foldArrival, foldFork } from './fork-fold.ts'
import type { Head } from '../terms/head.ts'
import type { ClosedRow, Journal, Write } from '../protocol/journal.ts'
import { findEarlierRequest } from '../protocol/idempotency.ts'
import { incarnationOf } from '../workspace/incarnation.ts'
import { refuse } from '../terms/refusal.ts'
import { Settings } from '../terms/settings.ts'
import { statusOf } from '../protocol/view/current-status.ts'
import { showEarlier, transact, type Decision } from '../protocol/transaction.ts'
import type { NewFork, PastRow } from './past-row.ts'
import type { Drive, Status } from '../terms/status.ts'

/** What the caller asks for. */
export interface ForkRequest {
  /** The last row that is copied. */
  at: number
  /** The settings that differ from the parent's. */
  settings: Record<string, unknown>
  /** The new outcome of the last copied row. null: it keeps its outcome. */
  outcome: OutcomeEdit | null
  /** Who advances the fork. The default is `manual`, whatever drives the parent (U52). */
  drive?: Drive
  /** Where the fork reports. The default is nowhere, wherever the parent reports. */
  callback_url?: string | null
  /** The task is made again from its first row, which takes an ended one. What is left out here, and the labels, are as they are in it. */
  again?: boolean
}
export interface Fork extends NewFork {
  rows: PastRow[]
  /** Copies of the parent's files that no row contains. */
  files: StoredFile[]
}

/**
 * The brief of a fork: the brief of its parent with the requested settings, and with the fallback lists of models that they add. Nobody
 * drives it and nobody is told of it, unless its own request says so.
 */
export function forkBrief(
  parent: Brief,
  { id: task, tenant }: Pick<Head, 'id' | 'tenant'>,
  request: ForkRequest,
  { now_ms: made_ms, model_rules = NO_RULES }: Pick<ObjectContext, 'now_ms' | 'model_rules'>,
): Brief {
  const { at, drive = 'manual', callback_url = null } = request
  const settings = Settings.parse({ ...parent.settings, ...request.settings })
  const changed = firstDifference(parent.settings, settings) !== null
  const inexact_until = changed ? at : Math.min(at, parent.forked?.inexact_until ?? 0)
  const fallbacks = fallbacksOfFork(parent, settings, model_rules, tenant)
  // Who made the parent, and for which trace, is not said of the fork.
  const { maker: _maker, ...kept } = parent
  return { ...kept, settings, fallbacks, drive, callback_url, forked: { task, at, made_ms, inexact_until } }
}

/** Writes the fork and its files, and that a file has arrived for which it would wait. Or shows the fork that the same key has made before. It begins no effect. */
export function fork(
  journal: Journal,
  target: Fork,
  ticket: Ticket,
  context: ObjectContext,
  fits: SchemaValidator,
): Decision {
  if (journal.last() !== null) return earlierFork(journal, ticket, context)
  const rows: { row: PastRow; head: Head }[] = []
  const written: FileWriteRow[] = []
  const folded = foldFork(target, target.rows, recallOf(target.rows), fits, (row, head) => {
    const before = rows.at(-1)?.head
    if (before !== undefined && wroteFile(row)) written.push({ row, before })
    rows.push({ row, head })
  })
  if (!folded.ok) return folded
  const files = mergeFiles(target.files, filesFromRows(written, folded.value.recall), target.at)
  const arrival = foldArrival(target, folded.value, files, context.now_ms)
  if (arrival !== null) rows.push(arrival)
  const key = keyOf(rows.length, ticket, context)
  const writes = rows.map(({ row, head }): Write => ({
    kind: 'insert_closed',
    row: storedRow(row, head, row.seq === 1 ? key : null, ticket.slice),
  }))
  const status = statusOf(arrival?.head ?? folded.value.head, false, folded.value.recall)
  const nothing = {
    assignment: null,
    events: [],
    advanced: false,
    earlier: null,
    wants: null,
    returned: [],
    dropped: [],
    notice: null,
  }
  return { ok: true, writes, files, result: { ...nothing, status_before: null, status } }
}

function earlierFork(journal: Journal, ticket: Ticket, context: ObjectContext): Decision {
  const found = findEarlierRequest(journal, ticket, context)
  if (found.kind === 'refused') return refuse(found.refusal)
  if (found.kind === 'none') return transact(journal, ticket, context, () => null)
  return showEarlier(journal, ticket, context, found.earlier)
}

const recallOf =
  (rows: PastRow[]): Recall =>
  (seq) => {
    const row = rows[seq - 1]
    if (row === undefined) throw new Error(`a fork refers to row ${seq}, which it does not have`)
    return { effect: row.effect, event: row.event, at: row.closed_at }
  }

/**
 * The key of the request that makes the fork, on its first row. That row has the time of the parent, so the key stores the
 * time of the fork itself.
 */
const keyOf = (seen: number, { key }: Ticket, { now_ms }: ObjectContext): ClosedRow['key'] =>
  key === null ? null : { ...key, first_event: 1, seen, took_over_at: now_ms }

/**
 * A row of the fork as it is stored. A row with an effect stores the slice of the request, which serves as the nonce in links to its
 * question. The first row stores the incarnation in its place. No process holds the leases of these rows.
 */
function storedRow(row: PastRow, head: Head, key: ClosedRow['key'], slice: string): ClosedRow {
  const { closed_at, attempt, ...kept } = row
  const lease = attempt === null ? null : { boot: null, until: closed_at, attempt }
  return { ...kept, key, slice: row.seq === 1 ? incarnationOf(slice) : row.effect === null ? null : slice, lease, head }
}
/** The fork that a request would make. Nothing is written for this answer. */
export interface Forkable {
  brief: Brief
  status: Status
  /** The labels after the last copied row. */
  metadata: Record<string, string>
  /** About how many bytes its rows will take. */
  bytes: number
}
