/**
 * A slice that its caller reads as it happens (`Accept: text/event-stream`): the events and the words of its model as Server-Sent Events, and then the
 * task, as the answer would have been without a stream. A request that is refused before anything has happened is answered as ever.
 */
import type { Envelope } from '../../../core/terms/view.ts'
import type { Caller, TaskAnswer } from '../../../shell/caller.ts'
import type { FollowUpdate } from '../../../shell/follow.ts'
import { refusalReply, type AdmittedCall, type Ports, type Reply } from '../../endpoint.ts'
import { jsonText, problemResponse } from '../../gate/problem-response.ts'
import type { HttpResult } from '../../shapes/http-refusal.ts'
import { logStreamError, sseFrame, streamOf, streamResponse } from '../events/stream.ts'
import { taskReply, type TaskCall } from './task-reply.ts'

/** The runtime notices that a reader has left when it writes to it. So it writes a comment so often while a model says nothing. */
const BEAT_MS = 1_000

type Advance = (caller: Caller) => Promise<HttpResult<TaskAnswer>>

export async function sliceStream(ports: Ports, call: AdmittedCall & TaskCall, advance: Advance): Promise<Reply> {
  const left = new AbortController()
  const frames = newFrames()
  const advanced = advance(callerWho(call.caller, left.signal, (update) => frames.put(sseFrame(update))))
  // The slice is finished also where its reader has left: then it ends soon, and what it cost is written.
  ports.outlive(advanced.catch(() => undefined))
  const onHangUp = () => left.abort()
  const signal: AbortSignal | undefined = call.request.signal
  signal?.addEventListener('abort', onHangUp)
  const first = await Promise.race([advanced, frames.isUsed, ports.sleep(BEAT_MS)])
  if (first?.ok === false) return refusalReply(first.refusal)
  void closing(advanced, call).then(frames.end, (error) => {
    logStreamError(error)
    frames.end('')
  })
  const source = {
    frames: framesWithBeats(frames, () => ports.sleep(BEAT_MS)),
    stop: () => {
      left.abort()
      frames.end('')
    },
    sleep: ports.sleep,
    onError: logStreamError,
  }
  const headers = first?.ok === true ? await headersOf(first, call) : {}
  return { kind: 'document', response: streamResponse('text/event-stream', streamOf(source), headers) }
}

function callerWho(caller: Caller, left: AbortSignal, show: (update: FollowUpdate) => void): Caller {
  return {
    ...caller,
    gone: () => left.aborted || caller.gone(),
    reader: {
      left,
      onEvents: (events: readonly Envelope[]) => events.length > 0 && show({ kind: 'events', events: [...events] }),
      onWords: (said) => show({ kind: 'said', said }),
    },
  }
}

/** The last frame: the task under `answer`, or the problem document of a slice that was refused late under `problem`. */
async function closing(advanced: ReturnType<Advance>, call: AdmittedCall & TaskCall): Promise<string> {
  const result = await advanced
  const { pathname } = new URL(call.request.url)
  if (!result.ok) return frameOf('problem', await (await problemResponse(result.refusal, pathname)).text())
  const reply = await taskReply(result, call)
  return reply.kind === 'answer' ? frameOf('answer', jsonText(reply.json)) : ''
}
const frameOf = (event: string, json: string): string => `event: ${event}\ndata: ${json.trimEnd()}\n\n`

/** An answer that came at once has its headers. Later they cannot be sent any more. */
async function headersOf(first: HttpResult<TaskAnswer>, call: TaskCall): Promise<Record<string, string>> {
  const reply = await taskReply(first, call)
  return reply.kind === 'answer' ? (reply.headers ?? {}) : {}
}

interface Frames {
  put(frame: string): void
  /** Puts the last frame. */
  end(frame: string): void
  /** Waits for the next frames. null: all were taken. */
  next(): Promise<string | null>
  /** Resolves when the first frame was put. */
  isUsed: Promise<null>
}

/** A slice has few events, and says no more than its replies may be long. So what its reader has not yet taken is bounded. */
function newFrames(): Frames {
  const box = { kept: [] as string[], ended: false, wake: () => {} }
  let use: (value: null) => void = () => {}
  const isUsed = new Promise<null>((resolve) => (use = resolve))
  const put = (frame: string) => {
    if (box.ended) return
    box.kept.push(frame)
    use(null)
    box.wake()
  }
  return {
    put,
    end(frame) {
      put(frame)
      box.ended = true
      box.wake()
    },
    async next() {
      while (box.kept.length === 0 && !box.ended) await new Promise<void>((resolve) => (box.wake = resolve))
      const taken = box.kept.join('')
      box.kept = []
      return taken === '' ? null : taken
    },
    isUsed,
  }
}

async function* framesWithBeats(frames: Frames, beat: () => Promise<void>): AsyncGenerator<string, void> {
  let coming = frames.next()
  let beating = beat()
  for (;;) {
    const frame = await Promise.race([coming, beating.then(() => undefined)])
    if (frame === null) return
    if (frame === undefined) beating = beat()
    else coming = frames.next()
    yield frame ?? sseFrame({ kind: 'quiet' })
  }
}
