/**
 * Rows of a CSV or TSV file, read by Papa Parse a stretch at a time: what is left of a stretch behind its last whole row goes before the next
 * one. Its own streamers take what browsers and Node call a stream; the parser below them takes text, and is what they use.
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

/** Parsed at once; a row that is longer is tried again when there is twice as much of it. */
const STRETCH_CHARS = 262_144
/** A quote that is never closed would take in the rest of the file. */
export const ROW_CHARS_MAX = 4_194_304
const DELIMITERS = [',', ';', '\t', '|']

interface Parsed {
  data: string[][]
  errors: { code?: string }[]
  /** How much of the text the rows take. */
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
    ...(delimiter === (tabs ? '\t' : ',') ? [] : [delimited(delimiter)]),
    ...rows.notes(),
  ]
  return { ok: true, value: { sheet: null, sheets: [], header, decimal_comma: delimiter === ';', notes } }
}

const delimited = (delimiter: string): DatasetNote => ({ kind: 'delimiter', delimiter })

/** Makes every end of a line `\n`, and stretches of the pieces. */
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
  /** Whether a row may end in what came since the last try. */
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
    // Its types say `any`; this is what the version that is pinned returns.
    const { data, errors, meta } = parser.parse(rest, 0, !last) as Parsed
    const row = rows.count() + data.length - (rows.header() === null ? 1 : 0)
    if (errors.some(({ code }) => code === 'MissingQuotes')) error = { kind: 'unclosed_quote', row }
    else if (!last && rest.length - meta.cursor > ROW_CHARS_MAX)
      error = { kind: 'row_too_long', row: row + 1, chars_max: ROW_CHARS_MAX }
    if (error !== null) return false
    rest = rest.slice(meta.cursor)
    // What stands behind the end of the last line is no row.
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
