/** The journal as a ledger: as CSV for spreadsheets, and without what was said for those who may see the costs only. */
import type { JournalEntry } from '../../core/terms/view.ts'
import { writeCsv, type CsvCell } from './csv.ts'

/** `?redact=true`: neither requests nor replies; that a request was rebuilt exactly may still be said. */
export const redactEntry = (row: JournalEntry): JournalEntry => ({ ...row, request: null, reply: null })

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
}

const jsonCell = (value: unknown): CsvCell => (value === null || value === undefined ? null : JSON.stringify(value))

/** One line for each row, under a header line. */
export function ledgerCsv(rows: readonly JournalEntry[]): string {
  const cells = Object.values(COLUMNS)
  return writeCsv(
    Object.keys(COLUMNS),
    rows.map((row) => cells.map((cell) => cell(row))),
  )
}
