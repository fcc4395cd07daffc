/**
 * How the binding of Workers AI streams what it would have answered. Newer models send the chunks of a chat completion, older ones pieces of their
 * own answer, and the usage of both comes last (https://github.com/cloudflare/ai/blob/main/packages/workers-ai-provider/src/streaming.ts).
 */
import { completionStream, USUAL } from '../chat-stream.ts'
import { piecesOf } from '../pieces.ts'

type Json = Record<string, unknown>

/** The events of an older answer. A piece that happens to be a number comes as one. */
export function olderEvents({ response, tool_calls, usage }: Json): Json[] {
  const text =
    typeof response === 'string'
      ? response
      : response === null || response === undefined
        ? ''
        : JSON.stringify(response)
  const pieces = response === null || response === undefined ? [] : text === '' ? [''] : piecesOf(text)
  return [
    ...pieces.map((piece, at) => ({ response: valueOf(piece), p: 'abdefghij'.slice(at % 9) })),
    ...(tool_calls === undefined ? [] : [{ response: '', tool_calls }]),
    { response: pieces.length === 0 ? null : '', usage },
  ]
}
const NUMBER = /^(0|[1-9]\d{0,8})$/
const valueOf = (piece: string): unknown => (NUMBER.test(piece) ? Number(piece) : piece)

/** The body of a stream. */
export const writtenEvents = (events: readonly unknown[]): string =>
  [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')

export const olderStream = (answer: Json): string => writtenEvents(olderEvents(answer))

export function newerStream(completion: Parameters<typeof completionStream>[0]): string {
  const usage = `data: ${JSON.stringify({ response: '', usage: completion.usage })}\n\ndata: [DONE]\n\n`
  return completionStream(completion, USUAL, false).replace('data: [DONE]\n\n', () => usage)
}
