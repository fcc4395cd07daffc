/** The body of a streamed answer. */
import { chunksOf } from '../pieces.ts'

/** A text in chunks that cut events and characters. */
export const bodyOf = (text: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunksOf(text)) controller.enqueue(chunk)
      controller.close()
    },
  })

export const eventResponse = (text: string): Response =>
  new Response(bodyOf(text), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
