/**
 * Formats a summary as the JSON of an observation. What does not fit is left out whole and counted: rows of the preview, then columns, then
 * notes.
 */
import type { Locale } from '../core/terms/locale.ts'
import type { FileEntry } from '../core/terms/files/files.ts'
import { cut } from '../core/terms/text.ts'
import type { ColumnSummary, DatasetSummary } from './summary.ts'
import { noteText } from './texts.ts'

const CELL_CHARS_MAX = 100
const SAMPLE_CHARS_MAX = 60
const SHEETS_MAX = 20
const MB = 1_000_000

/** How many items of each list are shown. */
interface ReportCounts {
  preview: number
  columns: number
  notes: number
}

/** Takes at most `room` characters, unless the counts alone take more. */
export function datasetReport(
  entry: Pick<FileEntry, 'name' | 'bytes'>,
  summary: DatasetSummary,
  locale: Locale,
  room: number,
): string {
  const parts = partsOf(entry, summary, locale)
  const text = (shown: ReportCounts) => JSON.stringify(parts(shown))
  const [rows, columns, notes] = [summary.preview.length, summary.columns.length, summary.notes.length]
  const fits = (shown: ReportCounts) => text(shown).length <= room
  const preview = most(rows, (count) => fits({ preview: count, columns, notes }))
  if (preview !== null) return text({ preview, columns, notes })
  const some = most(columns, (count) => fits({ preview: 0, columns: count, notes }))
  if (some !== null) return text({ preview: 0, columns: some, notes })
  return text({
    preview: 0,
    columns: 0,
    notes: most(notes, (count) => fits({ preview: 0, columns: 0, notes: count })) ?? 0,
  })
}

/** The largest count up to `limit` that fits; null: not even 0 fits. */
function most(limit: number, fits: (count: number) => boolean): number | null {
  if (fits(limit)) return limit
  let [low, high] = [-1, limit]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle
  }
  return low === -1 ? null : low
}

function partsOf(entry: Pick<FileEntry, 'name' | 'bytes'>, summary: DatasetSummary, locale: Locale) {
  const { sheet, sheets, rows, columns, missing_cells, preview, notes } = summary
  const cells = rows * columns.length
  const schema = columns.map(columnOf)
  const lines = preview.map((row) => Object.fromEntries(columns.map(({ name }, place) => [name, cellOf(row[place])])))
  const texts = notes.map((note) => noteText(note, locale))
  return (shown: ReportCounts) => ({
    tool: 'read_dataset',
    status: 'success',
    name: entry.name,
    sheet,
    sheets: sheets.slice(0, SHEETS_MAX),
    ...leftOut('sheets_omitted', sheets.length - Math.min(sheets.length, SHEETS_MAX)),
    rows,
    columns: columns.length,
    size_mb: roundFigure(entry.bytes / MB),
    missing_cells,
    missing_percent: cells === 0 ? 0 : roundFigure((missing_cells / cells) * 100),
    schema: schema.slice(0, shown.columns),
    ...leftOut('columns_omitted', columns.length - shown.columns),
    preview: lines.slice(0, shown.preview),
    ...leftOut('preview_omitted', preview.length - shown.preview),
    notes: texts.slice(0, shown.notes),
    ...leftOut('notes_omitted', notes.length - shown.notes),
  })
}

const leftOut = (name: string, count: number) => (count === 0 ? {} : { [name]: count })

function columnOf({ name, dtype, non_null, null: missing, unique, unique_at_least, ...column }: ColumnSummary) {
  const counted = unique === null ? { unique_at_least } : { unique }
  const range = column.min === null ? {} : { min: cellOf(column.min), max: cellOf(column.max) }
  const mean = column.mean === null ? {} : { mean: roundFigure(column.mean) }
  const samples =
    column.min !== null || column.samples.length === 0
      ? {}
      : { samples: column.samples.map((text) => cut(text, SAMPLE_CHARS_MAX)) }
  return { name, dtype, non_null, null: missing, ...counted, ...range, ...mean, ...samples }
}

function cellOf(value: string | number | boolean | null | undefined): string | number | boolean | null {
  if (typeof value === 'string') return cut(value, CELL_CHARS_MAX)
  return typeof value === 'number' ? roundFigure(value) : (value ?? null)
}

/** Rounds to six decimals, and numbers below one to six digits. */
function roundFigure(value: number): number {
  if (Number.isInteger(value)) return value
  return Math.abs(value) < 1 ? Number(value.toPrecision(6)) : Number(value.toFixed(6))
}
