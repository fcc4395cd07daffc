/** A service that is a script of answers, and a clock that moves only when somebody sleeps. */
import type { Clock } from '../../clients/typescript/src/clock.ts'
import { SILENCE_MS_MAX } from '../../clients/typescript/src/events.ts'
import { LoopAgent, LoopAgentError, type LoopAgentOptions } from '../../clients/typescript/src/index.ts'

export interface Sent {
  method: string
  url: string
  headers: Headers
  body: unknown
  redirect: string | undefined
}
/** An answer, or an error that the fetch is rejected with. */
export type Answer = Response | Error | ((sent: Sent) => Response | Promise<Response>)

export const BASE = 'https://agent.example/api'
export const NOW = Date.parse('2026-11-28T12:00:00Z')
const TIMEOUT_MS = 300_000

/** Sleeps take no time, and are written down. Limits that no test reaches are held for ever. */
export function testClock(held: readonly number[] = [SILENCE_MS_MAX, TIMEOUT_MS]) {
  const slept: number[] = []
  let now = NOW
  const clock: Clock = {
    now: () => now,
    random: () => 0.5,
    sleep: (ms, signal) => {
      if (held.includes(ms)) return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()))
      slept.push(ms)
      now += ms
      return Promise.resolve()
    },
  }
  return { clock, slept }
}

/** A client whose requests are answered by the script, in order. */
export function scriptedClient(answers: readonly Answer[], options: Partial<LoopAgentOptions> = {}) {
  const sent: Sent[] = []
  const { clock, slept } = testClock()
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = {
      method: init.method ?? '',
      url: url.slice(BASE.length),
      headers: new Headers(init.headers),
      body: init.body,
      redirect: init.redirect,
    }
    const answer = answers[sent.length]
    sent.push(request)
    if (answer === undefined) throw new Error(`the script is dry: ${init.method} ${url}`)
    if (answer instanceof Error) throw answer
    return Promise.race([typeof answer === 'function' ? answer(request) : answer, abortOf(init.signal)])
  }
  const client = new LoopAgent({ url: `${BASE}/`, key: 'secret-key', fetch, clock, ...options })
  return { client, sent, slept }
}

/** A fetch is rejected when its signal is aborted. */
const abortOf = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } })

export const problem = (status: number, code: string, headers: Record<string, string> = {}) => {
  const document = { type: `urn:loop-agent:problem:${code}`, title: code, status, detail: `because of ${code}`, code }
  return json({ ...document, instance: '/tasks' }, status, { 'content-type': 'application/problem+json', ...headers })
}

/** A task as far as the client looks at it. */
export const task = (version: number, status: string, more: object = {}) => ({
  id: 'task_1',
  version,
  status,
  drive: 'background',
  pending: null,
  retry_after_ms: null,
  ...more,
})

/** A stream of these chunks. `isCut`: it breaks behind the last one in place of ending. */
export function streamOf(chunks: readonly (string | Uint8Array)[], isCut = false): Response {
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk))
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = bytes.shift()
      if (next !== undefined) controller.enqueue(next)
      else if (isCut) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

export const eventText = (seq: number, type = 'task_resumed') =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ seq, type, at: '2026-11-28T12:00:00Z', task_id: 'task_1', payload: {} })}\n\n`
export const END_TEXT = 'event: end\ndata: {}\n\n'

/** The error that the work ends with. */
export async function failureOf(work: Promise<unknown>): Promise<LoopAgentError> {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  if (error instanceof LoopAgentError) return error
  throw error
}

export async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const entry of entries) found.push(entry)
  return found
}
