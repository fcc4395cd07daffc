/**
 * Reads the rows of a JSON file while it is parsed: an array of objects or of arrays, `{"key": […]}` around one, or an object on each line.
 * Nested values stay JSON; a number that cannot be exact stays as it is written.
 */
import type * as Streamparser from '@streamparser/json'
import { ROW_CHARS_MAX } from './csv.ts'
import { decode } from './decode.ts'
import { isRow, newElements, type Elements } from './json-elements.ts'
import {
  fail,
  type DatasetError,
  type DatasetNote,
  type DatasetResult,
  type DatasetTable,
  type RowSink,
} from '../table.ts'

const DEPTH_MAX = 100
const HEAD_CHARS = 262_144
const FED_CHARS = 65_536

type Form = 'array' | 'wrapped' | 'lines'
const PATHS: Record<Form, string> = { array: '$.*', wrapped: '$.*.*', lines: '$' }

export async function readJsonRows(
  body: ReadableStream<Uint8Array>,
  take: RowSink,
): Promise<DatasetResult<DatasetTable>> {
  const library = await import('@streamparser/json')
  const elements = newElements(take)
  const parsing = newParsing(library, elements)
  const decoded = await decode(body, parsing.push)
  if (!decoded.ok) return decoded
  const error = parsing.end()
  const header = elements.header()
  if (error !== null || header === null) return fail(error ?? { kind: 'json_no_rows' })
  const notes = [...decoded.value, ...parsing.notes(), ...elements.notes()]
  return { ok: true, value: { sheet: null, sheets: [], header, decimal_comma: false, notes } }
}

/** Decides whether an object at the start of a file holds the rows, or is one of them. */
function formOf(head: string): Form {
  const text = head.trimStart()
  if (text.startsWith('[')) return 'array'
  const end = text.indexOf('\n')
  const first = objectIn(end === -1 ? text : text.slice(0, end))
  if (first === null) return 'wrapped'
  if (end !== -1 && text.slice(end).trim() !== '') return 'lines'
  return Object.values(first).some((value) => Array.isArray(value) && value.some(isRow)) ? 'wrapped' : 'lines'
}

function objectIn(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line)
    return isRow(value) ? value : null
  } catch {
    return null
  }
}

function newParsing(library: typeof Streamparser, elements: Elements) {
  let head: string | null = ''
  let write: ((text: string) => void) | null = null
  let finish = () => {}
  let error: DatasetError | null = null
  let array: string | null = null
  /** The number of characters since the last row. */
  let fed = 0
  const bad = (): DatasetError => ({ kind: 'bad_json', row: elements.count() + 1 })
  const onRow = (value: unknown, key: string | null) => {
    fed = 0
    if (error !== null || (key !== null && !isRow(value))) return
    if (key !== null && array !== null && key !== array) error = { kind: 'json_two_arrays', keys: [array, key] }
    else error = elements.add(value)
    array = key
  }
  const start = (text: string) => {
    const parser = newParser(library, formOf(text), onRow, () => (error ??= { kind: 'json_too_deep', max: DEPTH_MAX }))
    write = (part) => parser.write(part)
    finish = () => parser.end()
  }
  const feed = (text: string): boolean => {
    for (let at = 0; at < text.length && error === null; at += FED_CHARS) {
      const part = text.slice(at, at + FED_CHARS)
      fed += part.length
      if (!attempt(() => write?.(part))) error ??= bad()
      error ??= elements.flush()
      if (fed > ROW_CHARS_MAX) error ??= { kind: 'row_too_long', row: elements.count() + 1, chars_max: ROW_CHARS_MAX }
    }
    return error === null && !elements.enough()
  }
  return {
    push(text: string): boolean {
      if (head === null) return feed(text)
      head += text
      if (head.length < HEAD_CHARS) return true
      const begun = head
      head = null
      start(begun)
      return feed(begun)
    },
    end(): DatasetError | null {
      if (head !== null && head.trim() === '') return { kind: 'empty' }
      if (head !== null) {
        start(head)
        feed(head)
      }
      if (error === null && !elements.enough() && !attempt(finish)) error = bad()
      return error
    },
    notes: (): DatasetNote[] => (array === null ? [] : [{ kind: 'array', key: array }]),
  }
}

function attempt(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** Calls `onRow` for each value that may be a row. `key`: the member of the outermost object that holds it. */
function newParser(
  { Tokenizer, TokenParser, TokenType }: typeof Streamparser,
  form: Form,
  onRow: (value: unknown, key: string | null) => void,
  onDeep: () => void,
) {
  const options = form === 'lines' ? { separator: '' } : {}
  const tokenizer = new Tokenizer(options)
  // The library documents this way to keep numbers that JavaScript cannot hold.
  Object.assign(tokenizer, { parseNumber: exactOrText })
  const parser = new TokenParser({ ...options, paths: [PATHS[form]], keepStack: false })
  parser.onValue = ({ value, parent, stack }) => {
    if (form === 'lines') onRow(value, null)
    else if (Array.isArray(parent)) onRow(value, form === 'wrapped' ? String(stack[1]?.key) : null)
  }
  let depth = 0
  let deep = false
  tokenizer.onToken = (info) => {
    if (info.token === TokenType.LEFT_BRACE || info.token === TokenType.LEFT_BRACKET) depth += 1
    if (info.token === TokenType.RIGHT_BRACE || info.token === TokenType.RIGHT_BRACKET) depth -= 1
    // The parser would keep the whole nesting, and walk through it at each end.
    deep ||= depth > DEPTH_MAX
    if (deep) onDeep()
    else parser.write(info)
  }
  return {
    write: (text: string) => tokenizer.write(text),
    end: () => {
      tokenizer.end()
      if (depth > 0) throw new Error('it ends in the middle')
    },
  }
}

function exactOrText(text: string): number | string {
  const value = Number(text)
  return Number.isFinite(value) && (!/^-?\d+$/.test(text) || Number.isSafeInteger(value)) ? value : text
}
