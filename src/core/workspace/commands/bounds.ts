/** Bounds of what a workspace keeps and an answer shows, so that no list outgrows a message or the memory of an object. */

/** A workspace keeps at most so many todos, and as many events. One more is a usage_error. */
export const ENTRIES_MAX = 10_000

/** The characters of all rows in one answer. ROW_CHARS is the part of a row that is not text of the user. */
const ANSWER_CHARS_MAX = 3_000_000
const ROW_CHARS = 200

/** The first rows that fit into one answer, at least one. `more` is the number of rows that are left out. */
export function fitRows<T>(rows: T[], textOf: (row: T) => string): { shown: T[]; more: number } {
  let chars = 0
  const shown = rows.filter((row, index) => {
    chars += textOf(row).length + ROW_CHARS
    return index === 0 || chars <= ANSWER_CHARS_MAX
  })
  return { shown, more: rows.length - shown.length }
}
