/**
 * The job `export`: takes the closed rows of a task that have not left it yet into the usage of its tenant, and as spans to the receivers.
 * The cursors are stored when all that is done. A job that dies before repeats what it did, which changes nothing: usage is counted once for
 * each row, and a span that is sent twice has the same id.
 */
import {
  RECEIVERS,
  RUN_GAP_MS,
  type ExportedTask,
  type ExportPage,
  type ExportProgress,
  type ReceiverName,
  type TraceCursor,
} from '../../core/replay/export/export-page.ts'
import { usageOfRows } from '../../core/replay/export/row-usage.ts'
import { spansOfPage } from '../../core/replay/export/spans.ts'
import { sumRows } from '../../core/terms/values/usage-sums.ts'
import { errorFacts } from '../../telemetry/error-facts.ts'
import type { SpanFate } from '../../telemetry/reports.ts'
import { withDeadline } from '../network/bounded-fetch.ts'
import type { Ports } from '../ports.ts'
import type { SentSpan } from './otlp-spans.ts'
import { serviceReceiver, tenantReceiver, triesEnd, type OpenReceiver } from './receivers.ts'
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

/**
 * Exports what a task owes before it is deleted. Spans that a receiver does not take at once are lost with their task.
 * Never rejects: a fault stops no deletion.
 */
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
    await exportSpans(job, page, 'service', () => serviceReceiver(exports))
    await exportSpans(job, page, 'tenant', () => tenantReceiver(ports, exports, tenant))
  } catch (error) {
    ports.telemetry.log.write({ event: 'job_failed', kind: 'export', tenant, task: id, ...errorFacts(error) })
  }
}

/** Receivers that answer within this time have their cursors stored together. */
const SETTLE_MS = 2_000
/** A receiver that takes longer is left alone by other jobs of the task while it is tried, and this much longer. */
const AFTER_TRY_MS = 5_000

/** Whether there is more to export. */
async function exportOnce(job: ExportJob): Promise<boolean> {
  const { ports, exports, tenant, id } = job
  const task = ports.store.of(tenant, id)
  const asked = await task.ask({ kind: 'export', after: null, limit: ROWS_MAX })
  if (!asked.ok) return false
  const page = asked.value
  const progress: ExportProgress = { usage: page.rows.at(-1)?.seq ?? page.state.usage }
  if (page.task !== null && exports.usage) await countUsage(job, page, page.task)
  const waits = new Set<ReceiverName>(RECEIVERS)
  const send = async (name: ReceiverName, open: Parameters<typeof exportSpans>[3]) => {
    try {
      const { cursor, has_more } = await exportSpans(job, page, name, open)
      if (cursor !== null) progress[name] = cursor
      return has_more
    } finally {
      waits.delete(name)
    }
  }
  const sending = Promise.allSettled([
    send('service', () => serviceReceiver(exports)),
    send('tenant', () => tenantReceiver(ports, exports, tenant)),
  ])
  // A receiver that hangs, or cannot be looked up, keeps neither the other one nor the usage from going on: what is done is stored, and not done again.
  if ((await withDeadline(SETTLE_MS, null, () => sending)) === null) {
    const ends = triesEnd(exports, ports.clock.now_ms() + AFTER_TRY_MS)
    const slow = Object.fromEntries([...waits].map((name) => [name, { ...page.state[name], due: ends[name] }]))
    await task.upkeep({ kind: 'settle_export', progress: { ...progress, ...slow } })
  }
  const ended = await sending
  await task.upkeep({ kind: 'settle_export', progress })
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return page.has_more || ended.some((one) => one.status === 'fulfilled' && one.value)
}

async function countUsage({ ports, tenant, id }: ExportJob, page: ExportPage, task: ExportedTask): Promise<void> {
  const rows = usageOfRows(page, task, page.state.usage)
  if (sumRows(rows).length === 0) return
  const { incarnation, mode, key_name } = task
  await ports.store
    .workspace(tenant)
    .tell({ kind: 'count_usage', task: id, incarnation, mode, key: key_name ?? '', rows })
}

/** The cursor behind what was sent; null: it stays as it is. `has_more`: there are more rows, and the receiver takes spans. */
interface Exported {
  cursor: TraceCursor | null
  has_more: boolean
}

/** Sends the spans behind the cursor of a receiver. */
async function exportSpans(
  job: ExportJob,
  first: ExportPage,
  name: ReceiverName,
  open: () => Promise<OpenReceiver | null> | OpenReceiver | null,
): Promise<Exported> {
  const { ports } = job
  const cursor = first.state[name]
  const tell = (fate: SpanFate) => ports.telemetry.spans({ receiver: name, tenant: job.tenant, task: job.id }, fate)
  const passed = { cursor: passedBy(first, cursor), has_more: false }
  if (first.task === null) return passed
  const receiver = await open()
  const trace = receiver === null ? null : await traceOf(first.task)
  // Nobody gets spans, so none is owed.
  if (receiver === null || trace === null || !isSampled(trace, job.exports.sampler)) return passed
  if (cursor.due > ports.clock.now_ms() && !job.is_last) return UNCHANGED
  const limit = receiver.capture_content ? ROWS_WITH_CONTENT_MAX : ROWS_MAX
  const page = await pageBehind(job, first, cursor, limit)
  if (page === null) return UNCHANGED
  const made = spansOfPage(page, cursor)
  const { length: count } = made.spans
  // Told when the cursor passes them, so that a collector that stays away is not told of again and again.
  const drop = () => {
    if (made.dropped > 0) tell({ outcome: 'dropped', spans: made.dropped, reason: 'older than a day' })
  }
  if (count === 0) {
    drop()
    return { cursor: isSame(made.cursor, cursor) ? null : made.cursor, has_more: page.has_more }
  }
  const of = { task: page.task, trace, provider_of: job.exports.provider_of }
  const outcome = await sent(job, receiver, () => sentSpans(ports, of, made.spans, receiver.capture_content))
  if (outcome.kind === 'failed') {
    const is_first = cursor.attempts === 0
    tell({ outcome: 'failed', spans: count, reason: outcome.detail, is_first })
    if (is_first) await receiver.note(outcome.detail)
    return { cursor: retryOf(job, cursor, outcome), has_more: false }
  }
  drop()
  const refused = outcome.kind === 'refused' ? outcome.spans : 0
  // The number comes from outside.
  const rejected = outcome.kind === 'taken' ? Math.min(count, outcome.rejected) : 0
  const taken = Math.max(0, count - refused - rejected)
  if (outcome.kind === 'refused') tell({ outcome: 'refused', spans: refused, reason: outcome.detail })
  if (rejected > 0) tell({ outcome: 'rejected', spans: rejected, reason: 'the collector has rejected them' })
  if (taken > 0) tell({ outcome: 'taken', spans: taken })
  return { cursor: made.cursor, has_more: page.has_more }
}

const UNCHANGED: Exported = { cursor: null, has_more: false }

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

/** The cursor of a try that has failed: where it was, with the time of the next one. */
function retryOf({ ports }: ExportJob, cursor: TraceCursor, { asked_ms }: { asked_ms: number | null }): TraceCursor {
  const attempts = cursor.attempts + 1
  const backoff = Math.min(RETRY_MS_MAX, RETRY_FIRST_MS * 2 ** Math.min(16, attempts - 1))
  const wait = Math.max(backoff * (1 + ports.webhooks.chance() / 4), Math.min(asked_ms ?? 0, RETRY_MS_MAX))
  return { ...cursor, attempts, due: Math.ceil(ports.clock.now_ms() + wait) }
}
