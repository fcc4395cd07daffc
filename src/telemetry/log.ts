/**
 * The log: one JSON line per event, with the fields that its event has and no others. A line names things by id or by a word of a closed
 * list. It never contains a goal, a prompt, a secret, a query string, a link token, a header, or the free text of an error (LOG-03).
 */

/** From the quietest on: a level shows its own lines and those before it. */
export const LOG_LEVELS = ['off', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
type LineLevel = Exclude<LogLevel, 'off'>

/** What a line says of an error: its class, and a reason that quotes nothing (`errorFacts`). */
export interface ErrorFacts {
  error: string
  reason: string
}
type SpanEvent = 'spans_delayed' | 'spans_dropped' | 'spans_refused' | 'spans_rejected'
interface Subject {
  tenant?: string
  task?: string
}

/** Every line that there is, by its event. Durations are in ms. */
export type LogLine =
  | ({
      event: 'request'
      request_id: string
      method: string
      /** The template of the path, never the path: it may contain a token. */
      route: string
      status: number
      duration_ms: number
      key_name?: string
      /** The code of the problem document. */
      code?: string
    } & Subject)
  | ({
      event: 'slice'
      /** Absent where the service drives the task. */
      request_id?: string
      mode: string
      by: string
      outcome: string
      /** The status of the task afterwards. */
      status?: string
      duration_ms: number
      rounds: number
      steps: number
      tokens: number
      /** A decimal, as in the budget of a task. */
      cost_usd: string
      code?: string
    } & Required<Subject>)
  | ({ event: 'request_failed'; request_id: string; method: string; route: string; at: string } & ErrorFacts)
  | ({ event: 'job'; kind: string; duration_ms: number; delay_ms?: number } & Subject)
  | ({ event: 'job_failed'; kind: string } & Subject & ErrorFacts)
  | ({ event: 'alarm_failed' } & ErrorFacts)
  | ({ event: 'stream_failed' } & ErrorFacts)
  | ({ event: 'blob_left' } & Subject & ErrorFacts)
  | ({ event: 'compute_failed' } & ErrorFacts)
  /** The issuer of logins gave no keys or no document that can be used. */
  | { event: 'issuer_unreachable'; host: string; reason: string }
  /** Spans of a task are sent later, were lost, or were not taken. `spans` is how many of them. `reason` is in the service's own words. */
  | ({ event: SpanEvent; receiver: 'service' | 'tenant'; spans: number; reason: string } & Required<Subject>)
  /** Counts could not be handed on now; they are sent again. */
  | ({ event: 'metrics_delayed' } & ErrorFacts)

export interface Log {
  write(line: LogLine): void
}

const LEVELS: Record<LogLine['event'], (line: LogLine) => LineLevel> = {
  request: (line) => (line.event === 'request' && line.status >= 500 ? 'warn' : 'info'),
  slice: (line) => (line.event === 'slice' && line.outcome === 'failed' ? 'warn' : 'info'),
  job: () => 'debug',
  metrics_delayed: () => 'warn',
  spans_delayed: () => 'warn',
  spans_dropped: () => 'warn',
  spans_refused: () => 'warn',
  spans_rejected: () => 'warn',
  request_failed: () => 'error',
  job_failed: () => 'error',
  alarm_failed: () => 'error',
  stream_failed: () => 'error',
  blob_left: () => 'error',
  compute_failed: () => 'error',
  issuer_unreachable: () => 'error',
}

/** A longer value is cut. No id of this service is as long. */
const CHARS_MAX = 256

interface LogPorts {
  /** Asked at each line. */
  level: () => LogLevel
  /** Ms since the epoch. */
  now_ms: () => number
  /** Gets whole lines. */
  print: (level: LineLevel, text: string) => void
  /** Hears of each line at level error, also of one that is not shown. */
  onError: (event: LogLine['event']) => void
}

export function jsonLog({ level, now_ms, print, onError }: LogPorts): Log {
  return {
    write(line) {
      const own = LEVELS[line.event](line)
      if (own === 'error') onError(line.event)
      if (LOG_LEVELS.indexOf(own) > LOG_LEVELS.indexOf(level())) return
      const { event, ...fields } = line
      const short = Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.slice(0, CHARS_MAX) : value,
      ])
      const head = { time: new Date(now_ms()).toISOString(), level: own, event }
      print(own, JSON.stringify({ ...head, ...Object.fromEntries(short) }))
    },
  }
}

/** For tests and for calls of which nothing is to be told. */
export const NO_LOG: Log = { write: () => {} }
