/** Bodies that are generated during the read, so that they are never completely in memory. */

/** Gives `bytes` bytes in pieces; each byte depends on its position, and `made` is called for each piece. */
export function generated(bytes: number, piece = 65_536, made: (bytes: number) => void = () => undefined) {
  let sent = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent >= bytes) return controller.close()
        const chunk = pieceAt(sent, Math.min(piece, bytes - sent))
        sent += chunk.byteLength
        made(sent)
        controller.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Its length divides no chunk size, so that pieces in another order, or sent twice, give a different file. */
const PATTERN = Uint8Array.from({ length: 65_521 }, (_, n) => (n * 31) ^ (n >> 5))

function pieceAt(from: number, bytes: number): Uint8Array<ArrayBuffer> {
  const piece = new Uint8Array(bytes)
  for (let done = 0; done < bytes;) {
    const part = PATTERN.subarray((from + done) % PATTERN.length).subarray(0, bytes - done)
    piece.set(part, done)
    done += part.byteLength
  }
  return piece
}

/** The number of bytes, the size of the largest piece, and the place of the first byte that differs from the generated one, or null. */
export async function looked(body: ReadableStream<Uint8Array> | null) {
  const seen = { bytes: 0, largest: 0, wrong: null as number | null }
  if (body === null) return seen
  for await (const chunk of body) {
    const at = firstDifference(chunk, pieceAt(seen.bytes, chunk.byteLength))
    if (at !== null) seen.wrong ??= seen.bytes + at
    seen.bytes += chunk.byteLength
    seen.largest = Math.max(seen.largest, chunk.byteLength)
  }
  return seen
}

function firstDifference(one: Uint8Array, other: Uint8Array): number | null {
  for (let n = 0; n < one.byteLength; n++) if (one[n] !== other[n]) return n
  return null
}
