/** What the form of a trial is filled in with: an example of each kind of entry. */
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
