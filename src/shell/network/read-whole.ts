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
  const { body, is_cut } = await readBeginning(message, bytes_max)
  return is_cut ? null : body
}

/** The first `bytes_max` bytes, and whether there are more. The rest is not read, so a body without an end is as short as any other. */
export async function readBeginning(
  message: Request | Response,
  bytes_max: number,
): Promise<{ body: Uint8Array<ArrayBuffer>; is_cut: boolean }> {
  const body = isMeasured(message.headers, bytes_max)
    ? new Uint8Array(await message.arrayBuffer())
    : await readCounted(message.body, bytes_max)
  return body.byteLength > bytes_max ? { body: body.slice(0, bytes_max), is_cut: true } : { body, is_cut: false }
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

/** Ends with the chunk that goes beyond the cap, so it holds at most the cap and one chunk. */
async function readCounted(
  body: ReadableStream<Uint8Array> | null,
  bytes_max: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return joinBytes(chunks)
    size += value.byteLength
    chunks.push(value)
    if (size > bytes_max) {
      // Not awaited: a peer that goes on sending must not delay the call.
      reader.cancel().catch(() => undefined)
      return joinBytes(chunks)
    }
  }
}
