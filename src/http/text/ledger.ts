/** The journal as a ledger: as CSV for spreadsheets. */
import type { JournalEntry } from '../../core/terms/view.ts'

type CsvCell = string | number | boolean | null
const COLUMNS: Record<string, (row: JournalEntry) => CsvCell> = {
  seq: (row) => row.seq,
  kind: (row) => row.kind,
  phase: (row) => row.phase,
  counted: (row) => row.counted,
  outcome: (row) => row.outcome,
  input_tokens: (row) => row.tokens?.input ?? null,
  output_tokens: (row) => row.tokens?.output ?? null,
  charged_tokens: (row) => row.charged_tokens,
  cost_usd: (row) => row.cost_usd,
  price_version: (row) => row.price_version,
  over_reserve: (row) => row.over_reserve,
  model: (row) => row.model,
  attempt: (row) => row.attempt,
  started_at: (row) => row.started_at,
  finished_at: (row) => row.finished_at,
  duration_ms: (row) => row.duration_ms,
  request_exact: (row) => row.request_exact,
  request: (row) => jsonCell(row.request),
  reply: (row) => jsonCell(row.reply),
  cache_read_tokens: (row) => row.tokens?.kinds.cache_read ?? null,
  cache_write_tokens: (row) => row.tokens?.kinds.cache_write ?? null,
  image_tokens: (row) => row.tokens?.kinds.image ?? null,
  reasoning_tokens: (row) => row.tokens?.kinds.reasoning ?? null,
  endpoint: (row) => row.endpoint,
}

const jsonCell = (value: unknown): CsvCell => (value === null || value === undefined ? null : JSON.stringify(value))

export function ledgerCsv(rows: readonly JournalEntry[]): string {
  const cells = Object.values(COLUMNS)
  return writeCsv(
    Object.keys(COLUMNS),
    rows.map((row) => cells.map((cell) => cell(row))),
  )
}

/**
 * A header line and one line for each row (RFC 4180); null is an empty cell. papaparse would quote each escaped cell, and each with a blank
 * at its edge, which changes the bytes of the answer.
 */
export function writeCsv(names: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [names, ...rows].map((cells) => `${cells.map(fieldOf).join(',')}\r\n`).join('')
}

/** A spreadsheet would run a text like this as a formula, so it gets an apostrophe (OWASP, CSV injection). Numbers are safe. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function fieldOf(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
