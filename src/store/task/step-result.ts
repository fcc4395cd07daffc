/** What a written transaction answers: the task as its client sees it, and the events that the request caused. */
import type { ObjectContext } from '../../core/protocol/advance.ts'
import type { EarlierRequest } from '../../core/protocol/idempotency.ts'
import type { StoredTaskView } from '../../core/protocol/view/stored-task-view.ts'
import type { StepResult } from '../../core/protocol/task-answers.ts'
import { taskView } from '../../core/protocol/view/task-view.ts'
import type { TransactionResult } from '../../core/protocol/transaction.ts'
import type { Envelope } from '../../core/terms/view.ts'
import { eventPage } from './pages.ts'
import type { Rows } from './rows/rows.ts'

/** A request that came before answers as it did then: with the version that its key names, and with its events. */
export function stepResult(rows: Rows, result: TransactionResult, context: ObjectContext): StepResult {
  const { earlier } = result
  // A caller who is handed an effect gets the task with the answer to its commit.
  const current = () => (result.assignment === null ? currentView(rows, context) : null)
  if (earlier === null) return { ...result, task: current() }
  const events = withEarlierEvents(rows, result.events, earlier)
  return { ...result, events, task: earlier.version === null ? current() : viewAt(rows, earlier.version, earlier) }
}

/** The task as its newest closed row shows it; null where there is no task. */
export function currentView(rows: Rows, context: ObjectContext): StoredTaskView | null {
  const last = rows.last()
  if (last === null) return null
  const input = { head: last.head, version: last.seq, under_way: rows.pending() !== null }
  return taskView(input, rows, context.now_ms)
}

/** The task as the answer of a finished request showed it. */
function viewAt(rows: Rows, version: number, { answered_ms, under_way }: EarlierRequest): StoredTaskView {
  const row = rows.closed(version)
  if (row === null) throw new Error('a known key names a row that is missing')
  return taskView({ head: row.head, version: row.seq, under_way }, rows, answered_ms ?? row.head.updated_at)
}

/** A request that goes on has caused some of its events in this transaction: these come once, and last. */
function withEarlierEvents(rows: Rows, events: readonly Envelope[], earlier: EarlierRequest): Envelope[] {
  const fresh = new Set(events.map((event) => event.seq))
  return [...eventsOfRequest(rows, earlier.rows).filter((event) => !fresh.has(event.seq)), ...events]
}

/** More than an answer shows (U24). */
const SLICE_EVENTS_READ = 100

/** The events of the closed rows of a request. Each row counts from the start of its transaction to what was closed with it. */
function eventsOfRequest(rows: Rows, written: EarlierRequest['rows']): Envelope[] {
  const events: Envelope[] = []
  for (const { seq, first_event } of written) {
    const range = rows.closed(rows.closedWith(seq))?.head.events
    if (range === undefined || events.length >= SLICE_EVENTS_READ) break
    const [first, end] = [Math.max(first_event, (events.at(-1)?.seq ?? 0) + 1), range.first + range.count]
    if (first >= end) continue
    const page = eventPage(rows, first - 1, Math.min(end - first, SLICE_EVENTS_READ))
    if (page.ok) events.push(...page.value.data)
  }
  return events
}
