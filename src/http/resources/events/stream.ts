/** Live events as a response body: frames of Server-Sent Events, or progress lines for a terminal. */
import type { TaskView } from '../../../core/terms/view.ts'
import type { FollowUpdate } from '../../../shell/follow.ts'
import { isLostObject } from '../../../shell/lost-object.ts'
import { errorFacts } from '../../../telemetry/error-facts.ts'
import { isolateLog } from '../../../telemetry/isolate.ts'

/** Proxies and load balancers close connections that are silent for longer. */
export const HEARTBEAT_MS = 15_000
/** A browser reconnects so long after a break. */
const RETRY_MS = 2_000
/** After the end there is nothing more to read, so a client that does not close itself should reconnect rarely. */
const RETRY_ENDED_MS = 600_000

/** `id:` is the seq of the event, `event:` its type, `data:` the whole envelope. The last one is `event: end`. */
export async function* sseFrames(updates: AsyncIterable<FollowUpdate>): AsyncGenerator<string, void> {
  yield `retry: ${RETRY_MS}\n\n`
  for await (const update of updates) yield sseFrame(update)
}

export function sseFrame(update: FollowUpdate): string {
  switch (update.kind) {
    case 'events':
      return update.events
        .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join('')
    // Without an id, because it is not stored: a reader who comes again begins after the last event.
    case 'said':
      return `event: thought_delta\ndata: ${JSON.stringify({ type: 'thought_delta', ...update.said })}\n\n`
    case 'quiet':
      return ': still here\n\n'
    case 'ended':
      return `retry: ${RETRY_ENDED_MS}\nevent: end\ndata: ${JSON.stringify({ status: update.status })}\n\n`
  }
}

/** Progress lines (`curl -N -H 'Accept: text/plain'`), and at the end the state of the task. `readTask` gives null for a deleted task. */
export async function* textFrames(
  updates: AsyncIterable<FollowUpdate>,
  task: TaskView,
  readTask: () => Promise<TaskView | null>,
): AsyncGenerator<string, void> {
  const { progressFollower } = await import('../../../core/shown/progress.ts')
  const progress = progressFollower(task)
  const frame = (lines: string[]) => lines.map((line) => `${line}\n`).join('')
  yield frame([progress.heading])
  for await (const update of updates) {
    // A terminal shows nothing for it, but writing it detects a closed connection.
    if (update.kind === 'quiet') yield '\r'
    else if (update.kind === 'events') yield frame(update.events.flatMap(progress.lines))
    else if (update.kind === 'ended') {
      const ended = await readTask()
      if (ended !== null) yield frame(progress.standing(ended))
    }
  }
}

/** A reader who takes nothing for so long is cut off. Its place is then free, and it can continue where it was. */
const STALLED_MS = 60_000

interface FrameSource {
  frames: AsyncGenerator<string, void>
  /** Ends the source, also while it waits. */
  stop(): void
  sleep: (ms: number) => Promise<void>
  /** Gets the error that broke the source. The body then just ends. */
  onError: (error: unknown) => void
}
interface StreamState {
  /** How many frames the reader was given. */
  given: number
  /** Whether the reader has not yet taken the last of them. */
  pending: boolean
  over: boolean
}

/** A body that is written as fast as it is read: the next frame is made when the reader has taken the one before. */
export function streamOf(source: FrameSource): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const state: StreamState = { given: 0, pending: false, over: false }
  const finish = () => {
    state.over = true
    source.stop()
    void source.frames.return().catch(source.onError)
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const cutOff = (hasStalled: boolean) => {
          if (!hasStalled) return
          finish()
          controller.error(new Error('the reader took nothing'))
        }
        void readerHasStalled(state, source.sleep).then(cutOff).catch(source.onError)
      },
      async pull(controller) {
        state.pending = false
        const frame = await nextFrame(source)
        if (state.over) return
        if (frame === null) {
          finish()
          return controller.close()
        }
        state.given += 1
        state.pending = true
        controller.enqueue(encoder.encode(frame))
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  )
}

/** null: the source has ended or has failed. */
async function nextFrame({ frames, onError }: FrameSource): Promise<string | null> {
  try {
    const frame = await frames.next()
    return frame.done === true ? null : frame.value
  } catch (error) {
    onError(error)
    return null
  }
}

/** Resolves to true when one frame was not taken for the whole time, and to false when the stream is over. */
async function readerHasStalled(state: StreamState, sleep: FrameSource['sleep']): Promise<boolean> {
  while (!state.over) {
    const before = state.given
    await sleep(STALLED_MS)
    if (!state.over && state.pending && state.given === before) return true
  }
  return false
}

export function streamResponse(
  form: string,
  body: ReadableStream<Uint8Array> | null,
  more: Record<string, string> = {},
): Response {
  const type = form === 'text/plain' ? `${form}; charset=utf-8` : form
  // Without this header some proxies hold a response back until it is complete.
  return new Response(body, { headers: { 'content-type': type, 'x-accel-buffering': 'no', ...more } })
}

/** The answer has begun, so its failure can only be logged. The restart of an object is not a failure. */
export function logStreamError(error: unknown): void {
  if (isLostObject(error)) return
  isolateLog.write({ event: 'stream_failed', ...errorFacts(error) })
}
