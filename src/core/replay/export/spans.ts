/**
 * The spans of a page of rows. Each effect is one span, each run of work one more, in which the spans of its effects lie. A run is what a
 * task does without a pause longer than `RUN_GAP_MS`, so that it has an end although its task may go on for months. The first run is the root
 * of the trace and the parent of all later ones.
 */
import type { ExportedTask, ExportPage, ExportRow, LedgerRow, TraceCursor, UsedBudget } from './export-page.ts'
import { RUN_GAP_MS } from './export-page.ts'
import { firstRow, NOTHING_USED } from './row-usage.ts'
import { delegationSpan, effectSpans, runSpan } from './span-kinds.ts'
import type { SpanDraft } from './span-draft.ts'

/** A row that was closed longer ago is not sent any more. */
const SPANS_MS_MAX = 24 * 3_600_000

interface Run {
  first: LedgerRow
  before: UsedBudget
}

/** The spans of the rows behind a cursor, and the cursor behind them. `now_ms` is the clock of the object. */
export function spansOfPage(
  page: ExportPage & { task: ExportedTask },
  cursor: TraceCursor,
): { spans: SpanDraft[]; cursor: TraceCursor; dropped: number } {
  const { task, rows, now_ms } = page
  const oldest = now_ms - SPANS_MS_MAX
  const spans: SpanDraft[] = []
  let dropped = 0
  const add = (made: readonly SpanDraft[]) => {
    const sent = made.filter(({ end_ms }) => end_ms >= oldest)
    dropped += made.length - sent.length
    spans.push(...sent)
  }
  let run = openRun(page, cursor)
  let [seq, previous] = [cursor.seq, null as ExportRow | null]
  for (const row of rows) {
    const before = previous
    previous = row
    // The rows that a fork has copied are spans of its parent.
    if (row.seq <= cursor.seq || row.seq < firstRow(task)) continue
    if (run !== null && before !== null && row.at - before.closed_at > RUN_GAP_MS) {
      add(runSpan(run, before, task))
      run = null
    }
    run ??= { first: row, before: before?.used ?? NOTHING_USED }
    add(effectSpans(row, before?.used ?? NOTHING_USED, run.first.seq, task))
    add(delegationSpan(row, task))
    seq = row.seq
  }
  const is_quiet = !page.has_more && !page.is_under_way
  if (run !== null && previous !== null && is_quiet && now_ms - previous.closed_at > RUN_GAP_MS) {
    add(runSpan(run, previous, task))
    run = null
  }
  const last = Math.max(seq, rows.at(-1)?.seq ?? 0)
  return { spans, cursor: { seq: last, run: run?.first.seq ?? 0, attempts: 0, due: 0 }, dropped }
}

/** The run that was open at the cursor. */
function openRun({ runs }: ExportPage, { run }: TraceCursor): Run | null {
  const found = run === 0 ? undefined : runs.find(({ row }) => row.seq === run)
  return found === undefined ? null : { first: found.row, before: found.before }
}
