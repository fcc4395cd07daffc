/**
 * The job `export`: takes the closed rows of a task that have not left it yet into the usage of its tenant, and as spans to the receivers.
 * The cursors are stored when all that is done. A job that dies before repeats what it did, which changes nothing: usage is counted once for
 * each row, and a span that is sent twice has the same id.
 */
import {
  RUN_GAP_MS,
  type ExportedTask,
  type ExportPage,
  type ExportProgress,
  type TraceCursor,
} from '../../core/replay/export/export-page.ts'
import { usageOfRows } from '../../core/replay/export/row-usage.ts'
import { spansOfPage } from '../../core/replay/export/spans.ts'
import { sumRows } from '../../core/terms/values/usage-sums.ts'
import { errorFacts } from '../../telemetry/error-facts.ts'
import type { SpanEvent } from '../../telemetry/log.ts'
import type { Ports } from '../ports.ts'
import type { SentSpan } from './otlp-spans.ts'
import { serviceReceiver, tenantReceiver, type OpenReceiver } from './receivers.ts'
import { sentSpans } from './sent-spans.ts'
import type { SendOutcome } from './send-spans.ts'
import type { ExportPorts } from '../network/export-ports.ts'
import { isSampled, traceOf } from './trace-ids.ts'

/** The rows of one job. More of them make the next one. */
const ROWS_MAX = 200
/** With prompts and results a page is larger. */
const ROWS_WITH_CONTENT_MAX = 25

/** The first retry comes after this time, each later one after twice the time before. */
const RETRY_FIRST_MS = 15_000
const RETRY_MS_MAX = 3_600_000

interface ExportJob {
  ports: Ports
  exports: ExportPorts
  tenant: string
  id: string
  /** The task is deleted after this, so its run of work ends now, and its receivers get little time. */
  is_last: boolean
}

export async function exportTask(ports: Ports, tenant: string, id: string): Promise<void> {
  const { exports } = ports
  if (exports !== null) await exportOnce({ ports, exports, tenant, id, is_last: false })
}

/** So many pages of a task that is deleted are exported. It has more only if it is from a release without exports. */
const LAST_PAGES_MAX = 50

/** Exports what a task owes before it is deleted. Spans that a receiver does not take at once are lost with their task. Never rejects: a fault stops no deletion. */
export async function exportBeforeDeletion(ports: Ports, tenant: string, id: string): Promise<void> {
  const { exports } = ports
  if (exports === null) return
  const job = { ports, exports, tenant, id, is_last: true }
  try {
    for (let pages = 0; pages < LAST_PAGES_MAX; pages++) if (!(await exportOnce(job))) return
  } catch (error) {
    ports.telemetry.log.write({ event: 'job_failed', kind: 'export', tenant, task: id, ...errorFacts(error) })
  }
}

/** Exports the rows that were closed between the export before a deletion and the deletion itself. Never rejects. */
export async function exportAfterDeletion(ports: Ports, tenant: string, id: string, page: ExportPage): Promise<void> {
  const { exports } = ports
  if (exports === null || (page.rows.at(-1)?.seq ?? 0) <= page.state.usage) return
  const job = { ports, exports, tenant, id, is_last: true }
  try {
    if (page.task !== null && exports.usage) await countUsage(job, page, page.task)
    await exportSpans(job, page, page.state.service, () => serviceReceiver(exports))
    await exportSpans(job, page, page.state.tenant, () => tenantReceiver(ports, exports, tenant))
  } catch (error) {
    ports.telemetry.log.write({ event: 'job_failed', kind: 'export', tenant, task: id, ...errorFacts(error) })
  }
}

/** Whether there is more to export. */
async function exportOnce(job: ExportJob): Promise<boolean> {
  const { ports, exports, tenant, id } = job
  const task = ports.store.of(tenant, id)
  const asked = await task.ask({ kind: 'export', after: null, limit: ROWS_MAX })
  if (!asked.ok) return false
  const page = asked.value
  const last = page.rows.at(-1)?.seq ?? page.state.usage
  const progress: ExportProgress = { usage: last }
  if (page.task !== null && exports.usage) await countUsage(job, page, page.task)
  const [service, own] = await Promise.all([
    exportSpans(job, page, page.state.service, () => serviceReceiver(exports)),
    exportSpans(job, page, page.state.tenant, () => tenantReceiver(ports, exports, tenant)),
  ])
  if (service !== null) progress.service = service
  if (own !== null) progress.tenant = own
  await task.upkeep({ kind: 'settle_export', progress })
  return page.has_more
}

async function countUsage({ ports, tenant, id }: ExportJob, page: ExportPage, task: ExportedTask): Promise<void> {
  const rows = usageOfRows(page, task, page.state.usage)
  if (sumRows(rows).length === 0) return
  const { incarnation, mode, key_name } = task
  await ports.store
    .workspace(tenant)
    .tell({ kind: 'count_usage', task: id, incarnation, mode, key: key_name ?? '', rows })
}

/** Sends the spans behind a cursor, and answers the cursor behind them. null: it stays as it is. */
async function exportSpans(
  job: ExportJob,
  first: ExportPage,
  cursor: TraceCursor,
  open: () => Promise<OpenReceiver | null> | OpenReceiver | null,
): Promise<TraceCursor | null> {
  const { ports } = job
  const passed = passedBy(first, cursor)
  if (first.task === null) return passed
  const receiver = await open()
  const trace = receiver === null ? null : await traceOf(first.task)
  // Nobody gets spans, so none is owed.
  if (receiver === null || trace === null || !isSampled(trace, job.exports.sampler)) return passed
  if (cursor.due > ports.clock.now_ms() && !job.is_last) return null
  const limit = receiver.capture_content ? ROWS_WITH_CONTENT_MAX : ROWS_MAX
  const page = await pageBehind(job, first, cursor, limit)
  if (page === null) return null
  const made = spansOfPage(page, cursor)
  if (made.dropped > 0) report('spans_dropped', job, { spans: made.dropped, reason: 'older than a day' })
  if (made.spans.length === 0) return isSame(made.cursor, cursor) ? null : made.cursor
  const of = { task: page.task, trace, provider_of: job.exports.provider_of }
  const outcome = await sent(job, receiver, () => sentSpans(ports, of, made.spans, receiver.capture_content))
  if (outcome.kind === 'failed') return failed(job, receiver, cursor, outcome)
  if (outcome.kind === 'refused') report('spans_refused', job, { spans: outcome.spans, reason: outcome.detail })
  else if (outcome.rejected > 0)
    report('spans_rejected', job, { spans: outcome.rejected, reason: 'the collector has rejected them' })
  return made.cursor
}

/** A fault of this service is a failed try too, so that it keeps neither the other receiver nor the usage from going on. */
async function sent(
  { ports, is_last }: ExportJob,
  receiver: OpenReceiver,
  make: () => Promise<SentSpan[]>,
): Promise<SendOutcome> {
  try {
    return await receiver.send(ports, await make(), is_last)
  } catch {
    return { kind: 'failed', detail: 'not sent: a fault of this service', asked_ms: null, is_away: false }
  }
}

/** The page that a cursor goes on from. It is nearly always the one that is there. null: the task is gone. */
async function pageBehind(
  { ports, tenant, id, is_last }: ExportJob,
  first: ExportPage,
  { seq }: TraceCursor,
  limit: number,
): Promise<(ExportPage & { task: ExportedTask }) | null> {
  let page = first
  if (seq !== first.state.usage || limit < first.rows.length - 1) {
    const asked = await ports.store.of(tenant, id).ask({ kind: 'export', after: seq, limit })
    if (!asked.ok) return null
    page = asked.value
  }
  const { task } = page
  if (task === null) return null
  return is_last ? { ...page, task, is_under_way: false, now_ms: page.now_ms + RUN_GAP_MS + 1 } : { ...page, task }
}

/** The cursor of a receiver that there is not: behind all that is known, with no run to be closed. */
function passedBy({ rows, state }: ExportPage, cursor: TraceCursor): TraceCursor | null {
  const next = { seq: Math.max(cursor.seq, state.usage, rows.at(-1)?.seq ?? 0), run: 0, attempts: 0, due: 0 }
  return isSame(next, cursor) ? null : next
}

const isSame = (one: TraceCursor, other: TraceCursor) =>
  one.seq === other.seq && one.run === other.run && other.attempts === 0

async function failed(
  job: ExportJob,
  receiver: OpenReceiver,
  cursor: TraceCursor,
  { detail, asked_ms }: Extract<SendOutcome, { kind: 'failed' }>,
): Promise<TraceCursor> {
  const { ports } = job
  const attempts = cursor.attempts + 1
  const backoff = Math.min(RETRY_MS_MAX, RETRY_FIRST_MS * 2 ** Math.min(16, attempts - 1))
  const wait = Math.max(backoff * (1 + ports.webhooks.chance() / 4), Math.min(asked_ms ?? 0, RETRY_MS_MAX))
  if (attempts === 1) {
    report('spans_delayed', job, { reason: detail })
    await receiver.note(detail)
  }
  return { ...cursor, attempts, due: Math.ceil(ports.clock.now_ms() + wait) }
}

/** A line of the log. What a collector says of itself comes from outside, so no line has it. */
function report(event: SpanEvent, { ports, tenant, id }: ExportJob, more: { spans?: number; reason: string }): void {
  ports.telemetry.log.write({ event, tenant, task: id, ...more })
}
