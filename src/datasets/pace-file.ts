/** Pauses before each stretch of a file. Reading a table waits for nothing, so without pauses no other request would be served meanwhile. */
import type { OpenFile } from '../shell/ports.ts'

/** Reading this many bytes takes some hundredths of a second. */
const STRETCH_BYTES = 262_144

export function paceFile({ entry, body }: OpenFile, pause: () => Promise<void>): OpenFile {
  const reader = body.getReader()
  let rest: Uint8Array = new Uint8Array()
  let since = 0
  const taken = async (): Promise<Uint8Array | null> => {
    while (rest.length === 0) {
      const { done, value } = await reader.read()
      if (done) return null
      rest = value
    }
    const some = rest.subarray(0, STRETCH_BYTES)
    rest = rest.subarray(some.length)
    return some
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (since >= STRETCH_BYTES) {
          since = 0
          await pause()
        }
        const some = await taken()
        if (some === null) return controller.close()
        since += some.length
        controller.enqueue(some)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return { entry, body: stream }
}
