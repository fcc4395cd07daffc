/** The rows of a journal as they are read: page after page, then only those that can be new. A closed row is never written again. */
import type { JournalEntry } from '../../../api/wire.ts'

/** As the list of rows has them: what was asked and what came back is read when it is opened. */
export const ROWS_PER_PAGE = 100
/** Rows that are drawn at once. */
export const ROWS_SHOWN_MAX = 200

/** Rows that are read where the journal itself is not shown: what is drawn from them there is small. */
const ROWS_NEWEST = 1_000

/** The seq after which rows are read at all; `version` of a task is the seq of its last row. */
export const readFrom = (version: number, isWhole: boolean): number =>
  isWhole ? 0 : Math.max(0, version - ROWS_NEWEST)

export const isClosed = ({ finished_at }: JournalEntry) => finished_at !== null

/** The seq after which rows have to be read: before the first one that was not closed. */
export function readAfter(rows: readonly JournalEntry[]): number {
  const open = rows.find((row) => !isClosed(row))
  return open === undefined ? (rows.at(-1)?.seq ?? 0) : open.seq - 1
}

/** What was read after `after` takes the place of whatever stood there. */
export const mergeRows = (
  rows: readonly JournalEntry[],
  after: number,
  page: readonly JournalEntry[],
): JournalEntry[] => [...rows.filter(({ seq }) => seq <= after), ...page.filter(({ seq }) => seq > after)]

/** What is drawn of so many rows: those before `end`, the newest where that is null. */
export function visibleRange(count: number, end: number | null): { from: number; to: number } {
  const to = Math.min(count, Math.max(end ?? count, Math.min(count, ROWS_SHOWN_MAX)))
  return { from: Math.max(0, to - ROWS_SHOWN_MAX), to }
}

/** Where a window has to end for the row at `index` to stand in it; null: the newest rows have it. */
export const endFor = (count: number, index: number): number | null =>
  index >= count - ROWS_SHOWN_MAX ? null : Math.min(count, index + ROWS_SHOWN_MAX / 2)

/** Whether the outcome of a row can be told otherwise in a fork: what a model, a tool or a person said. */
export const isEditable = ({ kind }: JournalEntry) =>
  kind === 'call_model' || kind === 'run_tool' || kind === 'user_answered' || kind === 'user_remarked'
