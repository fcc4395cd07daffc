/**
 * Reads the body of a request or response whole under a byte cap. One call of the runtime costs half of a loop over chunks, so a body of
 * known length is read by one call. Any other is counted while it arrives.
 */
import { joinBytes } from './chunked-body.ts'

/** null where the body is longer than `bytes_max`; the rest is not read. Rejects when the body breaks off. */
export async function readWhole(
  message: Request | Response,
  bytes_max: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!isMeasured(message.headers, bytes_max)) return readCounted(message.body, bytes_max)
  const bytes = new Uint8Array(await message.arrayBuffer())
  return bytes.byteLength > bytes_max ? null : bytes
}

/**
 * Whether the announced length bounds what the runtime reads: a transfer coding overrides the length, and a content coding is undone after
 * counting.
 */
function isMeasured(headers: Headers, bytes_max: number): boolean {
  const length = headers.get('content-length')
  const plain = length !== null && /^\d+$/.test(length) && Number(length) <= bytes_max
  return plain && headers.get('transfer-encoding') === null && headers.get('content-encoding') === null
}

/** Holds at most the cap and one chunk. */
async function readCounted(
  body: ReadableStream<Uint8Array> | null,
  bytes_max: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return joinBytes(chunks)
    size += value.byteLength
    if (size > bytes_max) {
      // Not awaited: a peer that goes on sending must not delay the call.
      reader.cancel().catch(() => undefined)
      return null
    }
    chunks.push(value)
  }
}
