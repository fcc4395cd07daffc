/**
 * Reads the rows of a CSV or TSV file with Papa Parse, one stretch at a time. What follows the last whole row of a stretch is put before the next
 * stretch. This uses the parser for texts, because the streaming ones expect streams of browsers or of Node.
 */
import type Papa from 'papaparse'
import { decode } from './decode.ts'
import { newRowLists, type RowLists } from './row-lists.ts'
import {
  fail,
  type DatasetError,
  type DatasetNote,
  type DatasetResult,
  type DatasetTable,
  type RowSink,
} from '../table.ts'

/** The number of characters that are parsed at once. A longer row is tried again when there is twice as much of it. */
const STRETCH_CHARS = 262_144
/** The longest row. Without this bound an unclosed quote would take in the rest of the file. */
export const ROW_CHARS_MAX = 4_194_304
const DELIMITERS = [',', ';', '\t', '|']

interface ParseResult {
  data: string[][]
  errors: { code?: string }[]
  /** `cursor`: how many characters of the text the rows take. */
  meta: { cursor: number }
}

export async function readCsvRows(
  body: ReadableStream<Uint8Array>,
  tabs: boolean,
  take: RowSink,
): Promise<DatasetResult<DatasetTable>> {
  const { default: papa } = await import('papaparse')
  const rows = newRowLists(take)
  const parsing = newParsing(papa, tabs, rows)
  const text = newLines(parsing.push)
  const decoded = await decode(body, text.push)
  if (!decoded.ok) return decoded
  text.end()
  const error = parsing.error()
  if (error !== null) return fail(error)
  const header = rows.header()
  if (header === null) return fail({ kind: 'empty' })
  const delimiter = parsing.delimiter()
  const notes = [
    ...decoded.value,
    ...(delimiter === (tabs ? '\t' : ',') ? [] : [delimiterNote(delimiter)]),
    ...rows.notes(),
  ]
  return { ok: true, value: { sheet: null, sheets: [], header, decimal_comma: delimiter === ';', notes } }
}

const delimiterNote = (delimiter: string): DatasetNote => ({ kind: 'delimiter', delimiter })

/** Turns every line end into `\n`, and joins pieces to stretches. */
function newLines(push: (text: string, last: boolean) => boolean) {
  let pieces = ''
  let half = ''
  return {
    push(piece: string): boolean {
      const text = half + piece
      half = text.endsWith('\r') ? '\r' : ''
      const whole = half === '' ? text : text.slice(0, -1)
      pieces += whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole
      if (pieces.length < STRETCH_CHARS) return true
      const stretch = pieces
      pieces = ''
      return push(stretch, false)
    },
    end: () => push(half === '' ? pieces : `${pieces}\n`, true),
  }
}

function newParsing(papa: typeof Papa, tabs: boolean, rows: RowLists) {
  let parser: Papa.Parser | null = null
  let delimiter = tabs ? '\t' : ','
  let rest = ''
  let wanted = 0
  /** Whether a row may end in the text that came since the last try. */
  let ends = false
  let error: DatasetError | null = null
  const push = (text: string, last: boolean): boolean => {
    rest += text
    ends ||= text.includes('\n') || rest.length > ROW_CHARS_MAX
    if (error !== null || (!last && (!ends || rest.length < wanted))) return error === null
    ends = false
    if (parser === null) {
      if (!tabs) delimiter = delimiterOf(papa, rest)
      parser = new papa.Parser({ delimiter, newline: '\n' })
    }
    // The types of Papa Parse say `any`; this is what the pinned version returns.
    const { data, errors, meta } = parser.parse(rest, 0, !last) as ParseResult
    const row = rows.count() + data.length - (rows.header() === null ? 1 : 0)
    if (errors.some(({ code }) => code === 'MissingQuotes')) error = { kind: 'unclosed_quote', row }
    else if (!last && rest.length - meta.cursor > ROW_CHARS_MAX)
      error = { kind: 'row_too_long', row: row + 1, chars_max: ROW_CHARS_MAX }
    if (error !== null) return false
    rest = rest.slice(meta.cursor)
    // An empty row behind the last line end is no row.
    if (last && data.at(-1)?.join('') === '' && data.at(-1)?.length === 1) data.pop()
    wanted = Math.min(rest.length * 2, ROW_CHARS_MAX + STRETCH_CHARS)
    const result = rows.take(data, errors.length)
    if (typeof result === 'object') error = result
    return result === true
  }
  return { push, error: () => error, delimiter: () => delimiter }
}

function delimiterOf(papa: typeof Papa, text: string): string {
  const { meta } = papa.parse(text, { preview: 10, newline: '\n', skipEmptyLines: true, delimitersToGuess: DELIMITERS })
  return meta.delimiter
}
