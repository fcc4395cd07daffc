/** What the form of a trial is filled in with: an example of each kind of entry, and arguments that a schema asks for. */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { parseJson } from '../../parse.ts'

export const ENTRY_KINDS = ['mcp', 'openapi', 'http', 'signed'] as const
type EntryKind = (typeof ENTRY_KINDS)[number]

const ENTRY_EXAMPLES: Record<EntryKind, object> = {
  mcp: { mcp: 'https://tools.example.com/mcp', headers: { authorization: 'Bearer secret:tools' } },
  openapi: { openapi: 'https://api.example.com/openapi.json', operations: ['createTicket'] },
  http: {
    http: {
      name: 'get_order',
      url: 'https://api.example.com/orders/{id}',
      headers: { authorization: 'Bearer secret:orders' },
    },
  },
  signed: {
    name: 'book_room',
    description: 'Books a room.',
    parameters: { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] },
    url: 'https://example.com/tools/book-room',
  },
}

/** The entries with an example behind them. What is no list is replaced. */
export function withExample(entries: string, kind: EntryKind): string {
  const read = parseJson(entries)
  const before: unknown[] = read.ok && Array.isArray(read.value) ? read.value : []
  return JSON.stringify([...before, ENTRY_EXAMPLES[kind]], null, 2)
}

const DEPTH_MAX = 4

/** The arguments that a schema requires, as JSON to be filled in; where it requires none, all that it names. */
export const argumentsFor = (schema: unknown): string => JSON.stringify(objectFor(schema, 0), null, 2)

function objectFor(schema: unknown, depth: number): Record<string, unknown> {
  if (!isRecord(schema) || !isRecord(schema['properties']) || depth > DEPTH_MAX) return {}
  const { properties, required } = schema
  const names = Array.isArray(required) && required.length > 0 ? required.map(String) : Object.keys(properties)
  return Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(properties, name))
      .map((name) => [name, valueFor(properties[name], depth + 1)]),
  )
}

function valueFor(schema: unknown, depth: number): unknown {
  if (!isRecord(schema)) return ''
  const { default: preset, const: only, enum: choices, examples, type, minimum } = schema
  for (const given of [preset, only, firstOf(choices), firstOf(examples)]) if (given !== undefined) return given
  const kind: unknown = Array.isArray(type) ? type[0] : type
  if (kind === 'integer' || kind === 'number') return typeof minimum === 'number' ? minimum : 0
  if (kind === 'boolean') return false
  if (kind === 'array') return []
  return kind === 'object' || isRecord(schema['properties']) ? objectFor(schema, depth) : ''
}

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)
