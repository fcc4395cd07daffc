/**
 * Puts the events of a streamed response together to the response. Its last event has the whole of it, so what comes before is only listened to for
 * the words. Some gateways leave the items out of that event; the items have then come one by one.
 */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { endOfError } from '../event-stream.ts'
import type { Collector } from '../wire.ts'

type Json = Record<string, unknown>
type End = ReturnType<Collector['end']>

interface DoneItem {
  index: unknown
  item: Json
}

/** The last events of a response, with the status that it has then. All three have the response as it ended. */
const LAST = new Map<unknown, string>([
  ['response.completed', 'completed'],
  ['response.incomplete', 'incomplete'],
  ['response.failed', 'failed'],
])

/** The events before the model has said anything. */
const BEFORE: ReadonlySet<unknown> = new Set(['response.created', 'response.queued', 'response.in_progress'])

export function collectResponse(): Collector {
  const items: DoneItem[] = []
  let stop: End | null = null
  let hasBegun = false
  let hasSpoken = false
  let kept = 0
  return {
    progress: () => ({ hasBegun: hasSpoken, kept }),
    add(data) {
      const event = jsonOrNull(data)
      if (!isRecord(event)) return ''
      const { type, response, item, delta } = event
      stop = endOf(event, hasBegun)
      const status = LAST.get(type)
      if (status !== undefined && isRecord(response)) stop = endOfResponse({ status, ...response }, { items, hasBegun })
      if (stop !== null) return ''
      hasBegun ||= typeof type === 'string' && type.startsWith('response.') && !BEFORE.has(type)
      // A model may think for long after it has told that it does.
      hasSpoken ||= typeof type === 'string' && type.endsWith('.delta')
      if (type === 'response.output_item.done' && isRecord(item)) {
        items.push({ index: event.output_index, item })
        kept += data.length
      }
      return type === 'response.output_text.delta' && typeof delta === 'string' ? delta : ''
    },
    // Only the last event says that nothing follows an item, so a stream without it has broken off.
    end: () => stop ?? { kind: 'open' },
  }
}

/** The end that an error event brings. The API writes its members flat, and some endpoints write them where errors have them. null: it is none. */
function endOf(event: Json, hasBegun: boolean): End | null {
  if (isRecord(event.error)) return endOfError(withStatus(event.error), hasBegun)
  if (typeof event.error === 'string') return endOfError(event, hasBegun)
  return event.type === 'error' ? endOfError(withStatus({ ...event, type: undefined }), hasBegun) : null
}

/** The codes of the API that are no types of errors, with their statuses outside of a stream. */
const STATUS_OF_CODE = new Map<unknown, number>([
  ['invalid_prompt', 400],
  ['context_length_exceeded', 400],
  ['unsupported_value', 400],
  ['unsupported_parameter', 400],
  ['insufficient_quota', 429],
  ['rate_limit_exceeded', 429],
  ['server_error', 500],
])
const withStatus = (error: Json) => ({ error: { ...error, status: error.status ?? STATUS_OF_CODE.get(error.code) } })

/** A response that has failed before it began is refused as it would be without a stream, unless it cost something. */
function endOfResponse(response: Json, { items, hasBegun }: { items: readonly DoneItem[]; hasBegun: boolean }): End {
  if (response.status === 'failed' && isRecord(response.error) && !isRecord(response.usage) && !hasBegun) {
    const end = endOfError(withStatus(response.error), false)
    if (end.kind === 'refused') return end
  }
  const isEmpty = !Array.isArray(response.output) || response.output.length === 0
  return { kind: 'whole', answer: isEmpty && items.length > 0 ? { ...response, output: inOrder(items) } : response }
}

/** Items may end in another order than they stand in. */
function inOrder(items: readonly DoneItem[]): Json[] {
  const placeOf = ({ index }: DoneItem) => (typeof index === 'number' ? index : Number.MAX_SAFE_INTEGER)
  return items.toSorted((one, other) => placeOf(one) - placeOf(other)).map(({ item }) => item)
}
