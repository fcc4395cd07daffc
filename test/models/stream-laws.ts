/** What holds of streams on every wire, and endpoints that stream what a test tells them. */
import { describe, expect, it } from 'vitest'
import type { EndpointModel } from '../../src/models/endpoint-model.ts'
import { endpointModel } from '../../src/models/endpoint-model.ts'
import type { WireName } from '../../src/core/terms/effect.ts'
import type { CallContext } from '../../src/shell/tool-ports.ts'
import { chunksOf } from '../support/stand-ins/pieces.ts'
import { CALL, KEY, request } from './chat-support.ts'

type Answer = () => Response
type Ending = 'close' | 'break' | 'hang'

export const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8' }
export const TOOL = { name: 'todo', description: 'Keeps a list.', parameters: { type: 'object', properties: {} } }
/** A request that asks for no form, as each wire streams it. */
export const ASKED = request({ contract: null, tools: [TOOL], form: 'text' })

/** A body that gives these chunks, and then ends, breaks, or says nothing more. */
export function bodyOf(chunks: readonly Uint8Array[], end: Ending = 'close'): ReadableStream<Uint8Array> {
  const left = [...chunks]
  return new ReadableStream({
    pull(controller) {
      const next = left.shift()
      if (next !== undefined) controller.enqueue(next)
      else if (end === 'close') controller.close()
      else if (end === 'break') controller.error(new Error('reset'))
      else return new Promise<void>(() => {})
      return undefined
    },
  })
}

/** The answer that streams a text, in chunks that cut events and characters. */
export const streamed = (text: string): Answer => chunked(chunksOf(text))
const chunked =
  (chunks: readonly Uint8Array[], end: Ending = 'close'): Answer =>
  () =>
    new Response(bodyOf(chunks, end), { headers: EVENTS })
export const whole =
  (body: unknown, status = 200): Answer =>
  () =>
    Response.json(body, { status })
/** Events with nothing but their data. */
export const eventsOf = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

/** A model whose endpoint gives these answers in turn, what it was sent, and the signals that end its requests. */
export function modelWith(wire: WireName, ...answers: Answer[]) {
  const sent: Record<string, unknown>[] = []
  const signals: AbortSignal[] = []
  const next = (body: Record<string, unknown>): Response => {
    sent.push(body)
    const answer = answers.shift()
    if (answer === undefined) throw new Error('nothing more is answered')
    return answer()
  }
  const model: EndpointModel = endpointModel({
    name: 'default',
    wire,
    base_url: 'http://model.test/v1',
    api_key: KEY,
    model: 'm',
    binding: { run: async (_, inputs) => next({ ...inputs }) },
    fetch: async (_, init) => {
      if (init?.signal) signals.push(init.signal)
      return next(JSON.parse(String(init?.body)))
    },
  })
  return { model, sent, signals }
}
export const askOver =
  (wire: WireName) =>
  (answer: Answer, asked = ASKED, call: Partial<CallContext> = {}) =>
    modelWith(wire, answer).model.complete(asked, { ...CALL, ...call })

export interface Spoken {
  /** The answer without a stream. It says a text outside of ASCII, and makes a call. */
  answer: object
  /** The same as a stream. */
  stream: string
  /** An event that says more and more. */
  more: object
  /** How many of the streams that are cut have all of the reply in them. */
  wholes: [least: number, most: number]
}

/** Proves that a stream is the reply, whatever it looks like, and that a part of one is none. */
export function proveStream(wire: WireName, { answer, stream, more, wholes }: Spoken): void {
  const ask = askOver(wire)
  const bytes = new TextEncoder().encode(stream)
  const plainReply = () => ask(whole(answer))

  describe('a stream', () => {
    it('is asked for, and is the reply that would have come without one', async () => {
      const plain = await plainReply()
      expect(plain).toMatchObject({ kind: 'model_replied', tool_calls: [{ name: 'todo' }] })
      const { model, sent } = modelWith(wire, streamed(stream))
      expect(await model.complete(ASKED, CALL)).toEqual(plain)
      expect(sent).toMatchObject([{ stream: true }])
    })
    it.each([
      ['line ends of another kind', stream.replaceAll('\n', '\r\n')],
      ['line ends of a third kind', stream.replaceAll('\n', '\r')],
      ['comments', `: ok\n\n${stream.replaceAll('\n\n', '\n\n: keep-alive\n\n')}`],
      ['ids and other fields', stream.replaceAll('data: ', 'id: 1\nretry: 10\nodd: x\ndata:')],
      ['events of unknown types', stream.replaceAll('\n\n', '\n\nevent: odd\ndata: {"type":"odd","delta":7}\n\n')],
      ['events that are no JSON of an object', stream.replaceAll('\n\n', '\n\ndata: {"type"\n\ndata: [null]\n\n')],
      [
        'keys that mean something elsewhere',
        stream.replaceAll('data: {', 'data: {"__proto__":{"choices":[]},"constructor":1,'),
      ],
    ])('with %s is read alike, one byte at a time', async (_, text) => {
      const single = [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte))
      expect(await ask(chunked(single))).toEqual(await plainReply())
    })
    it('gives the words of the reply as they come, and no others', async () => {
      const words: string[] = []
      const reply = await ask(streamed(stream), ASKED, { onWords: (piece) => words.push(piece) })
      expect(words.length).toBeGreaterThan(1)
      expect(reply).toMatchObject({ text: words.join('') })
    })
    it('that goes on beyond the cap of the reply is not read to its end', async () => {
      const said = new TextEncoder().encode(eventsOf([more]).repeat(1_000))
      const endless = () =>
        new Response(new ReadableStream({ pull: (controller) => controller.enqueue(said) }), { headers: EVENTS })
      expect(await ask(endless, { ...ASKED, max_output_tokens: 64 })).toMatchObject({
        reason: 'reply longer than its cap',
      })
    })
  })

  describe('F25 a stream cut half way: partial text discarded, one failed attempt, no half JSON parsed', () => {
    it.each<Ending>(['break', 'close'])('at every byte, by a connection that ends with: %s', async (end) => {
      const plain = await plainReply()
      const reason = end === 'break' ? 'connection lost' : 'the stream ended before the reply'
      let replied = 0
      for (let length = 0; length <= bytes.length; length += 1) {
        const reply = await ask(chunked([bytes.slice(0, length)], end))
        if (reply.kind === 'model_replied') {
          replied += 1
          // The usage comes last, and may be what is missing.
          expect(reply).toEqual({ ...plain, usage: reply.usage === null ? null : expect.anything() })
        } else expect(reply).toEqual({ kind: 'model_failed', reason, status: null, retry_after_ms: null })
      }
      expect(replied).toBeGreaterThanOrEqual(wholes[0])
      expect(replied).toBeLessThanOrEqual(wholes[1])
    })
  })

  describe('what is learnt of streams', () => {
    it('an endpoint that leaves out how a stream ends is asked without one from then on', async () => {
      const { model, sent } = modelWith(wire, chunked([bytes.slice(0, 20)], 'close'), whole(answer))
      expect(await model.complete(ASKED, CALL)).toMatchObject({ reason: 'the stream ended before the reply' })
      expect(await model.complete(ASKED, CALL)).toMatchObject({ kind: 'model_replied' })
      expect(sent.map((body) => 'stream' in body)).toEqual([true, false])
    })
    it('U7 a model that does not stream is asked without one from then on', async () => {
      const message = 'Your organization must be verified to stream this model.'
      const error = { message, type: 'invalid_request_error', param: 'stream', code: 'unsupported_value' }
      const { model, sent } = modelWith(wire, whole({ error }, 400), whole(answer), whole(answer))
      expect(await model.complete(ASKED, CALL)).toMatchObject({ kind: 'model_replied', refused: ['stream'] })
      expect(await model.complete(ASKED, CALL)).not.toHaveProperty('refused')
      expect(sent.map((body) => body['stream'])).toEqual([true, undefined, undefined])
      expect(model.learned()).toMatchObject([{ refused: ['stream'] }])
    })
    it('an endpoint whose stream tells no usage is asked without one from then on', async () => {
      const silent = streamed(stream.replaceAll('"usage"', '"used"'))
      const { model, sent } = modelWith(wire, silent, whole(answer))
      expect(await model.complete(ASKED, CALL)).toMatchObject({ kind: 'model_replied', usage: null })
      expect(model.learned()).toMatchObject([{ refused: ['stream'] }])
      expect(await model.complete(ASKED, CALL)).toEqual(await plainReply())
      expect(sent.map((body) => body['stream'])).toEqual([true, undefined])
    })
    it('an endpoint that answers without a stream is asked for one again', async () => {
      const { model, sent } = modelWith(wire, whole(answer), streamed(stream))
      expect(await model.complete(ASKED, CALL)).toEqual(await model.complete(ASKED, CALL))
      expect(sent.map((body) => body['stream'])).toEqual([true, true])
    })
  })
}
