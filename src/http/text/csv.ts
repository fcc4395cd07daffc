/**
 * Rows as CSV (RFC 4180: CRLF, quotes doubled), safe to open in a spreadsheet: a text that a spreadsheet would take for a
 * formula gets an apostrophe in front. Thirty lines of our own, since the libraries for it bring parsing and streams along.
 */

export type CsvCell = string | number | boolean | null

/** A header line and one line for each row; null is an empty cell. */
export function writeCsv(names: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [names, ...rows].map((cells) => `${cells.map(fieldOf).join(',')}\r\n`).join('')
}

/** What OWASP names for CSV injection; numbers, which may begin with a minus, are no texts. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function fieldOf(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
