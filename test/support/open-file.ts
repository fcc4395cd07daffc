/** A file of a task as the store gives it: a stream that can be read once and counts the bytes that were read. */
import { fileEntry } from '../../src/core/terms/files/files.ts'
import type { OpenFile } from '../../src/shell/ports.ts'

export interface Watched extends OpenFile {
  /** The bytes that the reader has pulled. */
  taken(): number
  cancelled(): boolean
}

/** `times` the same chunk; from the chunk `broken` on (0-based) it fails. */
export function openFile(chunk: string | Uint8Array, times = 1, broken = Infinity): Watched {
  const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
  let [given, cancelled] = [0, false]
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (given === broken) return controller.error(new Error('the store failed'))
        if (given === times) return controller.close()
        given += 1
        controller.enqueue(bytes.slice())
      },
      cancel() {
        cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const size = bytes.length * times
  const entry = fileEntry({ name: 'sales.csv', seq: 0, at: 0, bytes: size, source: 'client', blob: null })
  return { entry, body, taken: () => given * bytes.length, cancelled: () => cancelled }
}
