/**
 * Reads the rows of one sheet of an Excel workbook with SheetJS. SheetJS holds the whole sheet, so its bytes and its unpacked size are bounded
 * before it starts.
 */
import type * as Xlsx from '@e965/xlsx'
import { readWhole } from '../../../shell/network/read-whole.ts'
import { countValues, keepValues } from './biff.ts'
import { newRowLists } from '../row-lists.ts'
import {
  fail,
  type DatasetError,
  type DatasetNote,
  type DatasetResult,
  type DatasetTable,
  type RowSink,
} from '../../table.ts'
import { WORKBOOKS, type WorkbookBounds } from './bounds.ts'
import { tameTags, type WorkbookSize } from './tags.ts'
import { entryCount, unzip, zipOf } from './zip.ts'

/** SheetJS takes about five times the unpacked size of an .xlsx, and thirty times the size of an .xls. Neither may fill an isolate. */
const WORKBOOK_BYTES_MAX = 10 * 1_048_576
export const XLS_BYTES_MAX = 3 * 1_048_576
/** A sheet takes two or three entries of the zip. */
const ZIP_ENTRIES_MAX = 2_000
/** A long list of sheets costs time even when the sheets do not exist. */
const SHEETS_MAX = 1_000
const BATCH_ROWS = 1_000

export async function readSheetRows(
  body: ReadableStream<Uint8Array>,
  wanted: string | number | null,
  take: RowSink,
  bounds: WorkbookBounds = WORKBOOKS,
): Promise<DatasetResult<DatasetTable>> {
  const bytes = await readWhole(new Response(body), WORKBOOK_BYTES_MAX)
  if (bytes === null) return fail({ kind: 'workbook_too_large', bytes_max: WORKBOOK_BYTES_MAX })
  if (bytes.length === 0) return fail({ kind: 'empty' })
  const form = formOf(bytes)
  if (form === null) return fail(NO_WORKBOOK)
  const opened = form === 'zip' ? await partsOf(bytes, bounds) : await valuesOf(bytes)
  if ('kind' in opened) return fail(opened)
  const [{ cells_max }, with_compute_worker] = [bounds, WORKBOOKS.cells_max]
  if (opened.sheets > SHEETS_MAX) return fail({ kind: 'too_many_sheets', max: SHEETS_MAX })
  if (opened.cells > cells_max) return fail({ kind: 'too_many_cells', max: cells_max, with_compute_worker })
  return sheetOf(await import('@e965/xlsx'), await opened.bytes(), wanted, take)
}
const NO_WORKBOOK: DatasetError = { kind: 'no_workbook' }

/** A workbook from which everything that could do harm is removed. */
interface SafeWorkbook extends WorkbookSize {
  bytes: () => Uint8Array | Promise<Uint8Array>
}

async function partsOf(
  bytes: Uint8Array,
  { unfolded_bytes_max: bytes_max }: WorkbookBounds,
): Promise<SafeWorkbook | DatasetError> {
  if ((entryCount(bytes) ?? 0) > ZIP_ENTRIES_MAX) return { kind: 'too_many_entries', max: ZIP_ENTRIES_MAX }
  const unfolded = await unzip(bytes, bytes_max)
  if (unfolded === null) return NO_WORKBOOK
  const with_compute_worker = WORKBOOKS.unfolded_bytes_max
  if (unfolded.kind !== 'parts') return { kind: 'unfolds_too_far', bytes_max, with_compute_worker }
  const tally: WorkbookSize = { cells: 0, sheets: 0 }
  for (const part of unfolded.parts.values()) tameTags(part, tally)
  return { ...tally, bytes: () => zipOf(unfolded.parts) }
}

/** Takes the stream of a binary workbook out of the file system around it. */
async function valuesOf(bytes: Uint8Array): Promise<SafeWorkbook | DatasetError> {
  if (bytes.length > XLS_BYTES_MAX) return { kind: 'xls_too_large', bytes_max: XLS_BYTES_MAX }
  const { CFB } = await import('@e965/xlsx')
  const opened = attempt(() => {
    const box: unknown = CFB.read(bytes, { type: 'array' })
    const entry: { content?: ArrayLike<number> } | null = CFB.find(box, '/Workbook') ?? CFB.find(box, '/Book')
    if (entry?.content === undefined) return null
    const stream = Uint8Array.from(entry.content)
    // A stream that begins with another record belongs to a file of another kind.
    if (stream[0] !== 0x09 || stream[1] !== 0x08 || !keepValues(stream)) return null
    return { ...countValues(stream), bytes: () => stream }
  })
  return opened ?? NO_WORKBOOK
}

/** By its first bytes: SheetJS would make a table of anything. */
function formOf(bytes: Uint8Array): 'zip' | 'binary' | null {
  const begins = (...start: number[]) => start.every((byte, at) => bytes[at] === byte)
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'zip'
  return begins(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1) ? 'binary' : null
}

function sheetOf(
  xlsx: typeof Xlsx,
  bytes: Uint8Array,
  wanted: string | number | null,
  take: RowSink,
): DatasetResult<DatasetTable> {
  const names = attempt(() => xlsx.read(bytes, { type: 'array', bookSheets: true }).SheetNames)
  if (names === null || names.length === 0) return fail(NO_WORKBOOK)
  const sheets = names.map(String)
  const sheet = typeof wanted === 'string' ? sheets.find((name) => name === wanted.trim()) : sheets[wanted ?? 0]
  if (sheet === undefined) return fail({ kind: 'unknown_sheet', sheet: String(wanted), sheets })
  const options = {
    type: 'array',
    dense: true,
    sheets: sheet,
    cellFormula: false,
    cellHTML: false,
    cellText: false,
    cellNF: true,
  } as const
  const book = attempt(() => xlsx.read(bytes, options))
  if (book === null) return fail(NO_WORKBOOK)
  return tableOf(xlsx, book, sheet, sheets, take)
}

function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

type Cells = (Xlsx.CellObject | undefined)[]

function tableOf(
  xlsx: typeof Xlsx,
  book: Xlsx.WorkBook,
  sheet: string,
  sheets: string[],
  take: RowSink,
): DatasetResult<DatasetTable> {
  const data: (Cells | undefined)[] = book.Sheets[sheet]?.['!data'] ?? []
  const places = filledPlaces(data)
  const rows = newRowLists(take)
  let errors = 0
  const date1904 = book.Workbook?.WBProps?.date1904 ?? false
  const textOf = (cell: Xlsx.CellObject | undefined): string => {
    if (cell?.t === 'e') errors += 1
    return cell === undefined ? '' : cellText(xlsx, cell, date1904)
  }
  let batch: string[][] = []
  const flush = () => {
    const result = rows.take(batch, 0)
    batch = []
    return result
  }
  for (const cells of existing(data)) {
    if (!existing(cells).some(isFilled)) continue
    batch.push(places.map((place) => textOf(cells[place])))
    if (batch.length < BATCH_ROWS) continue
    const result = flush()
    if (result === false) break
    if (typeof result === 'object') return fail(result)
  }
  const last = flush()
  if (typeof last === 'object') return fail(last)
  const header = rows.header()
  if (header === null) return fail({ kind: 'empty_sheet', sheet, sheets })
  const errorNotes: DatasetNote[] = errors === 0 ? [] : [{ kind: 'error_cells', count: errors }]
  return { ok: true, value: { sheet, sheets, header, decimal_comma: false, notes: [...rows.notes(), ...errorNotes] } }
}

/** Lists only the places that exist. A workbook may put a cell into row four billion, and counting up to it would take a minute. */
const placesIn = (list: readonly unknown[]) => Object.keys(list).map(Number)
const existing = <T>(list: readonly (T | undefined)[]): T[] =>
  Object.values(list).filter((one): one is T => one !== undefined)
const isFilled = (cell: Xlsx.CellObject | undefined) => cell !== undefined && cell.v !== undefined && cell.v !== ''

/** The places of the columns that hold anything. The rectangle that a file declares may be a million rows or more. */
function filledPlaces(data: readonly (Cells | undefined)[]): number[] {
  const places = new Set<number>()
  for (const cells of existing(data)) for (const place of placesIn(cells)) if (isFilled(cells[place])) places.add(place)
  return [...places].toSorted((one, other) => one - other)
}

function cellText(xlsx: typeof Xlsx, { t, v, z }: Xlsx.CellObject, date1904: boolean): string {
  if (v === undefined || t === 'e' || t === 'z') return ''
  if (typeof v === 'number')
    return typeof z === 'string' && xlsx.SSF.is_date(z) ? dateText(xlsx, v, date1904) : String(v)
  return v instanceof Date ? v.toISOString() : String(v).toWellFormed()
}

const two = (number: number) => String(number).padStart(2, '0')

/** Converts the days since the epoch of the workbook into a text without a zone, because a workbook has none. */
function dateText(xlsx: typeof Xlsx, days: number, date1904: boolean): string {
  const date: { y: number; m: number; d: number; H: number; M: number; S: number } | null = xlsx.SSF.parse_date_code(
    days,
    { date1904 },
  )
  if (date === null) return String(days)
  const time = `${two(date.H)}:${two(date.M)}:${two(Math.round(date.S))}`
  if (days < 1) return time
  const day = `${date.y}-${two(date.m)}-${two(date.d)}`
  return time === '00:00:00' ? day : `${day}T${time}`
}
