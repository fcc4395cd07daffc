/** Queries for forks and replays over the rows of a task. */
import { briefNow } from '../../core/engine/changed-brief.ts'
import { foldFork } from '../../core/replay/fork-fold.ts'
import { forkBrief, type ForkRequest, type Forkable } from '../../core/replay/fork.ts'
import { toPastRow, type PastRow } from '../../core/replay/past-row.ts'
import { type ReplayPage, replayPending, replayRow } from '../../core/replay/replay.ts'
import { briefOf } from '../../core/mode/mode.ts'
import type { ObjectContext } from '../../core/protocol/advance.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import { statusOf } from '../../core/protocol/view/current-status.ts'
import type { Brief } from '../../core/terms/effect.ts'
import type { Head } from '../../core/terms/head.ts'
import type { PageOf } from '../../core/protocol/task-answers.ts'
import { unreadable } from '../../core/terms/unreadable.ts'
import { fits } from '../fits.ts'
import { collector } from './pages.ts'
import type { Rows } from './rows/rows.ts'
import type { QueryHandlers } from './handlers.ts'

/** The most characters in the events of a fork. They cross to its object in one call, which takes 32 MiB. */
const FORK_CHARS_MAX = 10_000_000

export const FORK_QUERIES: QueryHandlers<'forkable' | 'past_rows' | 'replay'> = {
  forkable: ({ rows, context }, { request }) => forkable(rows, request, context()),
  past_rows: ({ rows }, { after, limit }) => pastPage(rows, after, limit),
  replay: ({ rows }, { after, limit }) => replayPage(rows, after, limit),
}

function forkable(rows: Rows, request: ForkRequest, context: ObjectContext): Result<Forkable> {
  const last = rows.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  if (request.at > last.seq) return refuseAt(`at must be a closed row, from 1 to ${last.seq}`)
  const { id, tenant } = last.head
  const brief = forkedBrief(rows, last.head, request, context)
  if (!brief.ok) return brief
  let [chars, bytes] = [0, 0]
  const folded = foldFork(
    { id, tenant, brief: brief.value, ...request },
    pastRows(rows, request.at),
    rows.recall,
    fits,
    (row, made) => {
      chars += JSON.stringify(row.event).length
      bytes += JSON.stringify(row).length + JSON.stringify(made).length
    },
  )
  if (!folded.ok) return folded
  const { head, recall } = folded.value
  if (chars <= FORK_CHARS_MAX) {
    const { metadata } = briefNow(head, recall)
    return ok({ brief: brief.value, status: statusOf(head, false, recall), metadata, bytes })
  }
  return refuseAt(`at is behind more than ${FORK_CHARS_MAX} characters of rows: fork at an earlier one`)
}

function forkedBrief(rows: Rows, head: Head, request: ForkRequest, context: ObjectContext): Result<Brief> {
  if (request.again !== true) return ok(forkBrief(briefOf(rows.recall), head, request, context))
  if (head.end === null) return refuse({ code: 'task_not_ended', status: statusOf(head, false, rows.recall) })
  const parent = briefNow(head, rows.recall)
  const { drive = parent.drive, callback_url = parent.callback_url } = request
  return ok(forkBrief(parent, head, { ...request, drive, callback_url }, context))
}

const refuseAt = (message: string) => refuse({ code: 'validation_failed', errors: [{ pointer: '/at', message }] })

function* pastRows(rows: Rows, until: number, after = 0): Generator<PastRow, void> {
  for (let seq = after + 1; seq <= until; seq++) yield toPastRow(closedAt(rows, seq))
}

function closedAt(rows: Rows, seq: number) {
  const row = rows.closed(seq)
  if (row === null) throw unreadable(`row ${seq} is missing`)
  return row
}

function pastPage(rows: Rows, after: number, limit: number): Result<PageOf<PastRow>> {
  const last = rows.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  const found = collector<PastRow>(limit)
  for (const row of pastRows(rows, last.seq, after)) {
    if (!found.open()) break
    found.add(row)
  }
  return ok(found.page())
}

export function replayPage(rows: Rows, after: number, limit: number): Result<ReplayPage> {
  const last = rows.last()
  if (last === null) return refuse({ code: 'task_not_found' })
  const until = Math.min(last.seq, after + limit)
  let before = after === 0 ? null : closedAt(rows, after).head
  for (let seq = after + 1; seq <= until; seq++) {
    const row = closedAt(rows, seq)
    const first_difference = replayRow(row, before, rows.recall)
    if (first_difference !== null) return ok({ rows: seq - after, first_difference, next: null })
    before = row.head
  }
  const pending = until === last.seq ? rows.pending() : null
  const first_difference = pending === null ? null : replayPending(pending, last.head, rows.recall)
  return ok({ rows: Math.max(0, until - after), first_difference, next: until < last.seq ? until : null })
}
