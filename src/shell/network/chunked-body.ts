/** A body in chunks of one size, read on demand, so that a reader holds one chunk at a time. */

const BROKEN = 'BodyBroken'
export function brokenBody(cause?: unknown): Error {
  const error = new Error('the body ended before it was complete', { cause })
  error.name = BROKEN
  return error
}
/** The body ended too early: its sender is gone, or announced another length. */
export const isBrokenBody = (error: unknown): boolean => error instanceof Error && error.name === BROKEN

export interface ChunkedBody {
  /** The next `size` bytes. Fewer bytes, or none, are the last. */
  next(): Promise<Uint8Array<ArrayBuffer>>
  /** Stops reading. Not awaited: a sender that goes on must not delay the caller. */
  stop(): void
}

export function chunkBody(body: ReadableStream<Uint8Array>, size: number): ChunkedBody {
  const reader = body.getReader()
  let rest: Uint8Array | null = null
  return {
    async next() {
      const chunks: Uint8Array[] = []
      let bytes = 0
      while (bytes < size) {
        const chunk: Uint8Array | null = rest ?? (await read(reader))
        rest = null
        if (chunk === null) break
        const taken = chunk.subarray(0, size - bytes)
        if (taken.byteLength < chunk.byteLength) rest = chunk.subarray(taken.byteLength)
        chunks.push(taken)
        bytes += taken.byteLength
      }
      return joinBytes(chunks)
    },
    stop: () => void reader.cancel().catch(() => undefined),
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | null> {
  try {
    const { done, value } = await reader.read()
    return done ? null : value
  } catch (cause) {
    throw brokenBody(cause)
  }
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((bytes, { byteLength }) => bytes + byteLength, 0))
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.byteLength
  }
  return whole
}

/** A stream of known length from bytes, or from a text as UTF-8. */
export function bodyStream(content: string | Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  const { body } = new Response(content)
  if (body === null) throw new Error('a response with content has a body')
  return body
}
