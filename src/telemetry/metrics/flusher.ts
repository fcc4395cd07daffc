/**
 * Hands the counts of an isolate on, in at most one call per ten seconds, behind the answers of requests. An isolate that ends without notice
 * loses what it counted since: at most ten seconds. A call that failed is sent again as it was, and counted once.
 */
import type { Recorder } from './recorder.ts'
import type { Batch } from './series.ts'

/** How old counts may become in an isolate. */
export const FLUSH_MS = 10_000
/** What belongs to one request is counted within this time. */
const GATHER_MS = 1_000
/** A call that has not come back by then was lost with the request that made it. */
const LOST_MS = 30_000

interface FlushPorts {
  now_ms: () => number
  /** Resolves after so many ms, or when the process begins to drain. */
  wait: (ms: number) => Promise<void>
  /** Lets the work outlive the request in which it began. */
  outlive: (work: Promise<void>) => void
  send: (batch: Batch) => Promise<void>
  /** A batch was not taken. It is sent again with the next flush. */
  onFailure: (error: unknown) => void
}
interface Flusher {
  /** Something was counted. */
  touch(): void
  /** Sends now what there is. Never rejects. */
  flush(): Promise<void>
}

export function createFlusher(recorder: Pick<Recorder, 'take'>, ports: FlushPorts): Flusher {
  const { now_ms, wait, outlive, send, onFailure } = ports
  let planned: number | null = null
  let last = -Infinity
  let sending: number | null = null
  let unsent: Batch | null = null
  const flush = async () => {
    if (sending !== null && now_ms() - sending < LOST_MS) return
    const begun = (sending = last = now_ms())
    try {
      const is_repeated = unsent !== null
      if (await sendNext()) if (is_repeated) await sendNext()
    } catch (error) {
      onFailure(error)
    } finally {
      if (sending === begun) sending = null
    }
  }
  const sendNext = async () => {
    unsent ??= recorder.take()
    const batch = unsent
    if (batch === null) return false
    await send(batch)
    // A call that was given up for lost may come back after a later batch was taken.
    if (unsent === batch) unsent = null
    return true
  }
  return {
    touch() {
      const now = now_ms()
      // A plan that was not kept was lost with its request.
      if (planned !== null && now < planned + LOST_MS) return
      const ms = Math.max(GATHER_MS, last + FLUSH_MS - now)
      planned = now + ms
      outlive(
        wait(ms).then(() => {
          planned = null
          return flush()
        }),
      )
    },
    flush,
  }
}
