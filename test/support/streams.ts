/** Bodies that are made while they are read, so that nobody holds them whole. */

/** `bytes` bytes in pieces, each as its place in the whole says; `made` is told of each. */
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

/** Byte n is `n * 31 + (n >> 12)`, so that pieces in another order, or twice, are another file. */
function pieceAt(from: number, bytes: number): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(bytes)
  for (let n = 0; n < bytes; n++) chunk[n] = (from + n) * 31 + ((from + n) >> 12)
  return chunk
}

/** How many bytes come, how large the largest piece is, and where the first one that is not as generated stands (null: nowhere). */
export async function looked(body: ReadableStream<Uint8Array> | null) {
  const seen = { bytes: 0, largest: 0, wrong: null as number | null }
  if (body === null) return seen
  for await (const chunk of body) {
    const expected = pieceAt(seen.bytes, chunk.byteLength)
    const at = chunk.findIndex((byte, n) => byte !== expected[n])
    if (at >= 0) seen.wrong ??= seen.bytes + at
    seen.bytes += chunk.byteLength
    seen.largest = Math.max(seen.largest, chunk.byteLength)
  }
  return seen
}
