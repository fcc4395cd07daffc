/**
 * Sends jobs to the compute Worker, each within a time of its own. When the Worker takes too long, dies or is restarted, the job gets a result in
 * words for the model; the API waits for nothing but the network.
 */
import * as z from 'zod'
import type { Attempt } from '../core/terms/attempt.ts'
import type { Locale } from '../core/terms/locale.ts'
import { paceFile } from '../datasets/pace-file.ts'
import { withDeadline } from '../shell/network/bounded-fetch.ts'
import type { CodeRun, Compute, OpenFile } from '../shell/ports.ts'
import { readWhole } from '../shell/network/read-whole.ts'
import {
  ANSWER_BYTES_MAX,
  CodeAnswer,
  DatasetAnswer,
  PageAnswer,
  requestLine,
  STATUS,
  WALL_HEADER,
  type JobRequest,
} from './wire.ts'
import { COMPUTE_WORDS } from './words.ts'

interface ComputeEndpoint {
  fetch: (request: Request) => Promise<Response>
  /** The longest time that one job may take. */
  wall_ms: number
}

/** A supervisor that first starts a process does not count that time, and stops the job itself. This much later nothing more is awaited. */
const GRACE_MS = 5_000
/** Parts of the caller's time that are reserved, so that the answer arrives in time: when the job is stopped, and when the wait ends. */
const STOP_MS = 1_000
const ANSWER_MS = 250

type ComputeFailure = 'stopped' | 'restarted' | 'failed' | 'busy'
type ComputeResult<T> = Attempt<T, { kind: ComputeFailure; wall_ms: number }>

export function remoteCompute(at: ComputeEndpoint): Compute {
  return {
    datasets: {
      async report(given) {
        const { pause, dataset, ...job } = given
        const asked = { ...job, dataset: dataset.entry }
        const answer = await send(at, '/dataset', asked, paceFile(dataset, pause), DatasetAnswer)
        return answer.ok ? answer.value : { ok: false, code: 'compute_failed', text: textOf(answer.error, job.locale) }
      },
    },
    pages: {
      async report(given) {
        const { pause, source, ...job } = given
        const asked = { ...job, source: source.entry }
        const answer = await send(at, '/page', asked, paceFile(source, pause), PageAnswer)
        return answer.ok ? answer.value : { ok: false, code: 'compute_failed', text: textOf(answer.error, job.locale) }
      },
    },
    code: {
      async run(given) {
        const { pause, dataset, ...job } = given
        const asked = { ...job, dataset: dataset?.entry ?? null }
        const answer = await send(at, '/code', asked, dataset === null ? null : paceFile(dataset, pause), CodeAnswer)
        return answer.ok ? answer.value : failedRun(textOf(answer.error, job.locale))
      },
    },
  }
}

const failedRun = (stderr: string): CodeRun => ({ ok: false, stdout: '', stderr, results: null, charts: [] })

function textOf({ kind, wall_ms }: { kind: ComputeFailure; wall_ms: number }, locale: Locale): string {
  const words = COMPUTE_WORDS[locale]
  return kind === 'stopped' ? words.stopped(Math.ceil(wall_ms / 1000)) : words[kind]
}

/** Reads or cancels the body of the file. Never rejects. */
async function send<T>(
  { fetch, wall_ms: longest_ms }: ComputeEndpoint,
  path: string,
  asked: JobRequest,
  file: OpenFile | null,
  schema: z.ZodType<T>,
): Promise<ComputeResult<T>> {
  const wall_ms = Math.max(1, Math.min(longest_ms, asked.timeout_ms - STOP_MS))
  const fail = (kind: ComputeFailure): ComputeResult<T> => ({ ok: false, error: { kind, wall_ms } })
  const deadline_ms = Math.min(wall_ms + GRACE_MS, asked.timeout_ms - ANSWER_MS)
  return await withDeadline(deadline_ms, fail('stopped'), async (signal) => {
    const { body, stop } = bodyOf(asked, file)
    signal.addEventListener('abort', stop, { once: true })
    const headers = { [WALL_HEADER]: String(wall_ms) }
    try {
      const response = await fetch(
        new Request(`http://compute${path}`, { method: 'POST', headers, body, signal, redirect: 'manual' }),
      )
      if (response.status !== 200) return fail(failureOf(response))
      const answer = await readWhole(response, ANSWER_BYTES_MAX)
      return answer === null
        ? fail('failed')
        : { ok: true, value: schema.parse(JSON.parse(new TextDecoder().decode(answer))) }
    } catch (error) {
      return fail(error instanceof z.ZodError || error instanceof SyntaxError ? 'failed' : 'restarted')
    } finally {
      stop()
    }
  })
}

function failureOf(response: Response): ComputeFailure {
  void response.body?.cancel().catch(() => undefined)
  switch (response.status) {
    case STATUS.stopped:
      return 'stopped'
    case STATUS.restarted:
      return 'restarted'
    case STATUS.busy:
      return 'busy'
    default:
      return 'failed'
  }
}

interface Sending {
  body: BodyInit
  /** Stops sending, because the rest is not wanted any more. */
  stop: () => void
}

/** Sends the line and then the file. A large body that the runtime moves by itself holds up requests for half a second, so it is paced. */
function bodyOf(asked: JobRequest, file: OpenFile | null): Sending {
  const line = requestLine(asked)
  if (file === null) return { body: line, stop: () => {} }
  const ended = new AbortController()
  const { readable, writable } = new IdentityTransformStream()
  pump(line, file.body, writable, ended.signal).catch(() => undefined)
  const stop = () => {
    ended.abort()
    if (!file.body.locked) file.body.cancel().catch(() => undefined)
  }
  return { body: readable, stop }
}

async function pump(
  line: Uint8Array,
  body: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const writer = writable.getWriter()
  await writer.write(line)
  writer.releaseLock()
  await body.pipeTo(writable, { signal })
}
