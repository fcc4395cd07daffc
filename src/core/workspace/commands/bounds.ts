/** What one workspace keeps and one answer shows at the most, so that no list outgrows a message or an object's memory. */

/** Todos, and events, a workspace keeps; a further one is a usage_error. */
export const ENTRIES_MAX = 10_000

/** Characters of rows in one answer, their user text and what stands around it. */
const ANSWER_CHARS_MAX = 3_000_000
const ROW_CHARS = 200

/** The first rows that fit into one answer, at least one; `more` is the number of those left out. */
export function fitRows<T>(rows: T[], textOf: (row: T) => string): { shown: T[]; more: number } {
  let chars = 0
  const shown = rows.filter((row, index) => {
    chars += textOf(row).length + ROW_CHARS
    return index === 0 || chars <= ANSWER_CHARS_MAX
  })
  return { shown, more: rows.length - shown.length }
}
