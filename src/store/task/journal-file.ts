/**
 * A journal as a file: all pages of `GET /tasks/:id/export`, as one list, one page after the other, or one row a line. Serves `npm run
 * replay` and the tests; the Worker has no files.
 */
import * as z from 'zod'
import { ok, type Result } from '../../core/terms/refusal.ts'
import type { Replay } from '../../core/shown/replay-view.ts'
import { replayPage } from './fork-queries.ts'
import { memoryRows } from './rows/memory-rows.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import type { JournalRecord } from './rows/schema.ts'

const text = z.string().nullable().default(null)
/** Earlier releases had no keys and reserved nothing. */
const Row = z.object({
  seq: z.int().min(1),
  kind: z.string(),
  at: z.number(),
  slice: text,
  lease: text,
  key: text,
  effect: text,
  reserved: text,
  event: text,
  head: text,
})
const Rows = z.array(Row)
const Page = z.object({ data: Rows, has_more: z.boolean().default(false) })

/** The rows in order. Throws where rows of the journal are missing. */
export function readJournal(content: string): JournalRecord[] {
  const values = valuesIn(content)
  const last = Page.safeParse(values.at(-1))
  if (last.success && last.data.has_more) throw new Error('there are more rows: all pages of the export are needed')
  const rows = values.flatMap(rowsIn)
  if (rows.length === 0) throw new Error('there are no rows in it')
  rows.forEach(({ seq }, index) => {
    if (seq !== index + 1) throw new Error(`row ${index + 1} is missing: all pages of the export are needed, in order`)
  })
  return rows
}

/** Reads one JSON value, or one value a line. */
function valuesIn(content: string): unknown[] {
  try {
    return [JSON.parse(content)]
  } catch {
    const lines = content.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line): unknown => JSON.parse(line))
  }
}

function rowsIn(value: unknown): JournalRecord[] {
  if (Array.isArray(value)) return Rows.parse(value)
  const page = Page.safeParse(value)
  return page.success ? page.data.data : [Row.parse(value)]
}

/** Replays these rows as the service replays the rows of a task. */
export function replayRecords(records: JournalRecord[]): Result<Replay> {
  const rows = memoryRows()
  for (const record of records) rows.records.set(record.seq, record)
  return refuseUnreadable(() => {
    const page = replayPage(rows, 0, records.length)
    if (!page.ok) return page
    const { rows: events, first_difference } = page.value
    return ok({ equal: first_difference === null, events, first_difference })
  })
}
