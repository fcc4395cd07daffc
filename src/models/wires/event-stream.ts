/**
 * Reads an answer that comes as a stream of Server-Sent Events, and gives it back whole: as the JSON that the endpoint would have sent without a
 * stream. So a reply is read by the same code in both cases. What a stream said before it broke off is let go (F25).
 */
import { createParser } from 'eventsource-parser'
import { REPLY_BYTES_MAX } from '../../core/mode/prompt-bytes.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { ANSWER_BYTES_MAX, noAnswer, type HttpAnswer } from '../../shell/network/bounded-fetch.ts'
import type { Collector, StreamReading } from './wire.ts'

/** How the answer of a model is read. An endpoint that does not stream although it was asked to answers with its JSON. */
export const answerReading = (stream: StreamReading | undefined) => ({
  bytes_max: ANSWER_BYTES_MAX,
  reader: (response: Response) =>
    stream !== undefined && isEventStream(response) ? readEventStream(response, stream) : null,
})

const EVENT_STREAM = /^\s*text\/event-stream\s*(;|$)/i
const isEventStream = ({ ok, headers }: Response): boolean => ok && EVENT_STREAM.test(headers.get('content-type') ?? '')

/** A token is at most so long in a stream: the events around it repeat names, ids and logarithms of chances. */
const STREAM_BYTES_PER_TOKEN = 1_024

/** A token of a reply has fewer characters on average, whatever it is about. A reply that is longer was not held to its cap. */
const CHARS_PER_TOKEN = 16
const CHARS_LEAST = 4_096

/** How long a stream may be, and how much it may say. Both follow from the cap of the reply in tokens. A longer reply could not be kept. */
export const streamBounds = (max_output_tokens: number): Pick<StreamReading, 'bytes_max' | 'chars_max'> => ({
  bytes_max: ANSWER_BYTES_MAX + STREAM_BYTES_PER_TOKEN * max_output_tokens,
  chars_max: Math.min(REPLY_BYTES_MAX, Math.max(CHARS_LEAST, CHARS_PER_TOKEN * max_output_tokens)),
})

/** Reads the stream until the answer is whole, until a bound is met, or until the stream breaks off. Rejects as the body does. */
async function readEventStream(response: Response, reading: StreamReading): Promise<HttpAnswer> {
  const collector = reading.collect()
  const reader = response.body?.getReader()
  if (reader === undefined) return noAnswer('connection lost')
  const chunks = chunksOf(reader, reading.silence_ms)
  try {
    const failure = await feed(chunks, collector, reading)
    return failure ?? wholeAnswer(response, collector)
  } finally {
    chunks.stop()
    // Not awaited: a peer that goes on sending must not delay the call.
    reader.cancel().catch(() => undefined)
  }
}

/** null: the stream has ended, or nothing more of it is needed. */
async function feed(
  chunks: ReturnType<typeof chunksOf>,
  collector: Collector,
  reading: StreamReading,
): Promise<HttpAnswer | null> {
  const events = eventReader()
  let [bytes, chars] = [0, 0]
  for (;;) {
    const chunk = await chunks.next(collector.progress().hasBegun)
    // A reply that is all there but for its closing event is taken.
    if (chunk === 'silent' && collector.end(true).kind === 'open')
      return noAnswer(`silent for ${reading.silence_ms / 1000} s in the middle of a reply`)
    const isLast = chunk === null || chunk === 'silent'
    bytes += isLast ? 0 : chunk.byteLength
    if (bytes > reading.bytes_max) return noAnswer('reply too large')
    const found = isLast ? events.rest() : events.read(chunk)
    if (found === null) return noAnswer('reply too large')
    for (const data of found) {
      const said = collector.add(data)
      chars += said.length
      if (chars > reading.chars_max) return noAnswer('reply longer than its cap')
      if (collector.progress().kept > ANSWER_BYTES_MAX) return noAnswer('reply too large')
      if (said !== '') reading.onWords(said)
      if (collector.end().kind !== 'open') return null
    }
    if (isLast) return null
  }
}

/**
 * The chunks of a stream, one after the other; null where it ends, `silent` where nothing came for so long. Before a model has begun to reply only
 * the time-out of the whole call counts: it may think for long. One timer serves the whole stream, because one for each chunk would cost more than
 * the chunk.
 */
function chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>, silence_ms: number) {
  let [heard_at, tellSilence] = [0, () => {}]
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    const left = heard_at + silence_ms - Date.now()
    if (left > 0) timer = setTimeout(look, left)
    else tellSilence()
  }
  return {
    async next(hasBegun: boolean): Promise<Uint8Array | null | 'silent'> {
      const read = reader.read().then(({ done, value }) => (done ? null : value))
      if (!hasBegun) return read
      heard_at = Date.now()
      timer ??= setTimeout(look, silence_ms)
      return new Promise((resolve, reject) => {
        tellSilence = () => resolve('silent')
        read.then(resolve, reject)
      })
    },
    stop: () => clearTimeout(timer),
  }
}

/**
 * Takes the bytes of a stream, and gives the data of the events in them. null: an event is too long. The parser looks for both kinds of line ends in
 * the rest of its text, which takes the square of the time where few of one kind stand among many of the other; so it gets one kind only.
 */
function eventReader(): { read(chunk: Uint8Array): string[] | null; rest(): string[] | null } {
  const decoder = new TextDecoder()
  let [found, wasReturn, isTooLong] = [[] as string[], false, false]
  const parser = createParser({
    onEvent: ({ data }) => found.push(data),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded'
    },
    maxBufferSize: ANSWER_BYTES_MAX,
  })
  const take = () => {
    const events = found
    found = []
    return isTooLong ? null : events
  }
  return {
    read(chunk) {
      const text = decoder.decode(chunk, { stream: true })
      // A return has ended its line already, also at the end of the stream. A line feed that comes behind it ends nothing.
      const rest = wasReturn && text.startsWith('\n') ? text.slice(1) : text
      if (text !== '') wasReturn = text.endsWith('\r')
      parser.feed(rest.replaceAll(/\r\n?/g, '\n'))
      return take()
    },
    // Some endpoints leave out the blank line behind their last event.
    rest() {
      if (!isTooLong) parser.feed('\n\n')
      return take()
    },
  }
}

const WHOLE_TYPE = new Headers({ 'content-type': 'application/json' })

/** The answer of the endpoint. An error that comes in place of a reply is answered as if it had come without a stream. */
function wholeAnswer({ status }: Response, collector: Collector): HttpAnswer {
  const end = collector.end(true)
  switch (end.kind) {
    case 'whole':
      return jsonAnswer(status, end.answer)
    case 'refused':
      return jsonAnswer(end.status, end.error)
    case 'broken':
      return noAnswer(end.word === null ? BROKEN_OFF : `${BROKEN_OFF} (${end.word})`)
    case 'open':
      return noAnswer(UNFINISHED)
  }
}
/** Some endpoints leave out the event that ends a reply, so that it cannot be told from one that was cut. */
export const UNFINISHED = 'the stream ended before the reply'
const BROKEN_OFF = 'the endpoint broke its reply off'

/** What nests so deep that it cannot be written is no answer. */
function jsonAnswer(status: number, value: unknown): HttpAnswer {
  try {
    const body = new Uint8Array(new TextEncoder().encode(JSON.stringify(value)))
    return { kind: 'answered', status, headers: WHOLE_TYPE, body, streamed: true }
  } catch {
    return noAnswer('reply is not a completion')
  }
}

const WORD = /^[a-z0-9_.-]{1,64}$/
/** What a stream ends with where its endpoint tells an error: a refusal, or the end of a reply that has begun. */
export function endOfError(
  body: unknown,
  hasBegun: boolean,
): Extract<ReturnType<Collector['end']>, { kind: 'refused' | 'broken' }> {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {}
  const { code, status, type } = error
  const known = [status, code, STATUS_OF_TYPE.get(String(type))].map(numberIn).find(isErrorStatus)
  if (!hasBegun && known !== undefined) return { kind: 'refused', status: known, error: body }
  const word = [code, type].find((one): one is string => typeof one === 'string' && WORD.test(one))
  return { kind: 'broken', word: word ?? null }
}
/** Some gateways write a status as a text. */
const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
const isErrorStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599

/** The statuses that the errors of Anthropic and OpenAI have outside of a stream. */
const STATUS_OF_TYPE = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['server_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])
