/**
 * How Responses streams what it would have answered, event by event
 * (https://developers.openai.com/api/reference/resources/responses/streaming-events).
 */
import { isRecord } from '../../../../src/core/terms/plain/is-record.ts'
import { piecesOf } from '../pieces.ts'

type Json = Record<string, unknown>

/** The events, without their numbers. */
export function responseEvents(response: Json): Json[] {
  const { output, status } = response
  const begun = { ...response, status: 'in_progress', output: [], usage: null, error: null, incomplete_details: null }
  const items = Array.isArray(output) ? output : []
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap(itemEvents),
    { type: LAST.get(status) ?? 'response.completed', response },
  ]
}
const LAST = new Map<unknown, string>([
  ['incomplete', 'response.incomplete'],
  ['failed', 'response.failed'],
])

/** The body of a stream. */
export const writtenEvents = (events: readonly Json[]): string =>
  events
    .map((event, sequence_number) => {
      const { type, ...more } = event
      return `event: ${String(type)}\ndata: ${JSON.stringify({ type, sequence_number, ...more })}\n\n`
    })
    .join('')

export const responseStream = (response: Json): string => writtenEvents(responseEvents(response))

function itemEvents(item: unknown, output_index: number): Json[] {
  const { type, id, content } = isRecord(item) ? item : {}
  const at = { item_id: id ?? null, output_index }
  const [begun, said] =
    type === 'message' && Array.isArray(content)
      ? [
          { ...Object(item), status: 'in_progress', content: [] },
          content.flatMap((part, index) => partEvents(part, { ...at, content_index: index })),
        ]
      : type === 'function_call'
        ? [{ ...Object(item), status: 'in_progress', arguments: '' }, argumentEvents(item, at)]
        : [item, []]
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...said,
    { type: 'response.output_item.done', output_index, item },
  ]
}

function partEvents(part: unknown, at: Json): Json[] {
  const { type, text, refusal } = isRecord(part) ? part : {}
  const said: Json[] =
    type === 'output_text' && typeof text === 'string'
      ? [
          ...piecesOf(text).map((delta) => ({
            type: 'response.output_text.delta',
            ...at,
            delta,
            logprobs: [],
            obfuscation: 'x7',
          })),
          { type: 'response.output_text.done', ...at, text, logprobs: [] },
        ]
      : type === 'refusal' && typeof refusal === 'string'
        ? [
            ...piecesOf(refusal).map((delta) => ({ type: 'response.refusal.delta', ...at, delta })),
            { type: 'response.refusal.done', ...at, refusal },
          ]
        : []
  const begun = said.length === 0 ? part : { ...Object(part), [type === 'refusal' ? 'refusal' : 'text']: '' }
  return [
    { type: 'response.content_part.added', ...at, part: begun },
    ...said,
    { type: 'response.content_part.done', ...at, part },
  ]
}

function argumentEvents(item: unknown, at: Json): Json[] {
  const args = isRecord(item) ? item.arguments : null
  if (typeof args !== 'string') return []
  return [
    ...piecesOf(args).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      ...at,
      delta,
      obfuscation: 'x',
    })),
    { type: 'response.function_call_arguments.done', ...at, arguments: args },
  ]
}
