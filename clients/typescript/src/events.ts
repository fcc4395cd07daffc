/** The events of a task as they happen. A connection that is cut is opened again behind the last event. */
import { requestOf, type Address } from './api.ts'
import { sseReader, type SseMessage } from './sse.ts'
import { backoffMs } from './retry.ts'
import { errorOf, send, type WireRequest } from './transport.ts'
import type { Event } from './types.ts'

export interface EventsOptions {
  /** Only events with a greater `seq`. */
  after?: number | undefined
  signal?: AbortSignal | undefined
}

/** The service sends at least a comment every 15 seconds. A connection that is silent for longer is dead. */
export const SILENCE_MS_MAX = 45_000

/**
 * Gives each event once and in order, and ends when the task has ended. Rejects when the stream cannot be opened, or is cut again and again
 * before its first byte.
 */
export async function* taskEvents(
  address: Address,
  id: string,
  { after = 0, signal }: EventsOptions = {},
): AsyncGenerator<Event, void, undefined> {
  let last = after
  for (let failures = 0; ;) {
    const request = eventsRequest(address, id, last, signal)
    const stream = await send(address, { ...request, read: (response) => openStream(request, response) })
    let isAlive = false
    for await (const message of messagesOf(address, request, stream)) {
      isAlive = true
      if (message === null) continue
      if (message.event === 'end') return
      // Without an id it is no event of the task, but a word of the model on its way.
      const seq = message.id !== null && /^\d{1,15}$/.test(message.id) ? Number(message.id) : null
      if (seq === null || seq <= last) continue
      last = seq
      yield eventIn(request, message)
    }
    signal?.throwIfAborted()
    failures = isAlive ? 0 : failures + 1
    if (failures > address.retries) {
      const detail = `the stream was cut ${failures} times before it began`
      throw errorOf(request, { status: 200, code: 'network_error', detail })
    }
    await address.clock.sleep(backoffMs(failures + 1, address.clock), signal)
    signal?.throwIfAborted()
  }
}

type EventsRequest = Omit<WireRequest<never>, 'read'>

function eventsRequest(address: Address, id: string, after: number, signal: AbortSignal | undefined): EventsRequest {
  const options = { accept: 'text/event-stream', signal }
  return requestOf(address, 'get', '/tasks/{id}/events', { params: { id }, query: { after }, options })
}

async function openStream(request: EventsRequest, response: Response): Promise<ReadableStream<Uint8Array>> {
  const { status, headers, body } = response
  const type = headers.get('content-type') ?? ''
  if (body !== null && /^text\/event-stream\b/i.test(type)) return body
  await body?.cancel()
  throw errorOf(
    request,
    { status, code: 'bad_stream', detail: `the answer is no stream of events, but ${type}` },
    headers,
  )
}

/** The messages of one connection; null: some bytes came and completed none. A cut ends it in the same way as an end. */
async function* messagesOf(
  { clock }: Address,
  request: EventsRequest,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<SseMessage | null, void, undefined> {
  const reader = stream.getReader()
  const read = sseReader()
  // What the abort of the caller does to a body depends on the runtime. So the reader is stopped here too.
  const stop = () => void reader.cancel().catch(() => undefined)
  request.signal?.addEventListener('abort', stop)
  try {
    for (;;) {
      const bytes = await nextBytes(clock, reader)
      if (bytes === null || request.signal?.aborted === true) return
      const messages = read(bytes)
      yield* messages.length === 0 ? [null] : messages
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw errorOf(request, { status: 200, code: 'bad_stream', detail: cause.message, cause })
  } finally {
    request.signal?.removeEventListener('abort', stop)
    stop()
  }
}

/** null: the stream is over, was cut, or is silent for too long. */
async function nextBytes(
  clock: Address['clock'],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<Uint8Array | null> {
  const heard = new AbortController()
  try {
    const silence = clock.sleep(SILENCE_MS_MAX, heard.signal).then(() => null)
    const chunk = await Promise.race([reader.read().catch(() => null), silence])
    return chunk?.value ?? null
  } finally {
    heard.abort()
  }
}

/** The document promises that the data of a message with an id is the event, so the type is taken from there. */
function eventIn(request: EventsRequest, { data }: SseMessage): Event {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw errorOf(request, {
      status: 200,
      code: 'not_json',
      detail: `an event is no JSON: ${data.slice(0, 200)}`,
      cause,
    })
  }
}
