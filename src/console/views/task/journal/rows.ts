/** Decides which rows of a journal are read and drawn. A closed row is never written again, so only later rows are read again. */
import type { JournalEntry } from '../../../api/wire.ts'

export const ROWS_PER_PAGE = 100
/** The number of rows that are drawn at once. */
export const ROWS_SHOWN_MAX = 200

/** The number of rows that are read while the journal is not shown. The sparkline needs no more. */
const ROWS_NEWEST = 1_000

/** Returns the seq after which rows are read. The `version` of a task is the seq of its last row. */
export const readFrom = (version: number, isWhole: boolean): number =>
  isWhole ? 0 : Math.max(0, version - ROWS_NEWEST)

export const isClosed = ({ finished_at }: JournalEntry) => finished_at !== null

/** Returns the seq after which rows are read again. It lies before the first open row. */
export function readAfter(rows: readonly JournalEntry[]): number {
  const open = rows.find((row) => !isClosed(row))
  return open === undefined ? (rows.at(-1)?.seq ?? 0) : open.seq - 1
}

/** Replaces all rows after `after` by those of the page. */
export const mergeRows = (
  rows: readonly JournalEntry[],
  after: number,
  page: readonly JournalEntry[],
): JournalEntry[] => [...rows.filter(({ seq }) => seq <= after), ...page.filter(({ seq }) => seq > after)]

/** Returns the range of rows that are drawn: those before `end`, or the newest if it is null. */
export function visibleRange(count: number, end: number | null): { from: number; to: number } {
  const to = Math.min(count, Math.max(end ?? count, Math.min(count, ROWS_SHOWN_MAX)))
  return { from: Math.max(0, to - ROWS_SHOWN_MAX), to }
}

/** Returns the end of a range that contains the row at `index`; null if the newest rows contain it. */
export const endFor = (count: number, index: number): number | null =>
  index >= count - ROWS_SHOWN_MAX ? null : Math.min(count, index + ROWS_SHOWN_MAX / 2)

/** Whether a fork can change the outcome of a row. It can change what a model, a tool or a person said. */
export const isEditable = ({ kind }: JournalEntry) =>
  kind === 'call_model' || kind === 'run_tool' || kind === 'user_answered' || kind === 'user_remarked'
