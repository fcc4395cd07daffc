/** The errors of the client. Whatever goes wrong with a request is one class, told apart by `code`. */
import type { Problem, ProblemCode } from './types.ts'

/**
 * Codes that the service does not have. `http_error`: an answer without a problem document. `not_json`: a success whose body is no JSON.
 * `network_error`: no whole answer came. `redirect_refused`: the address wants the key to go elsewhere. `timeout`: the time was over.
 * `bad_stream`: the stream of events is none.
 */
export type ClientCode = 'http_error' | 'not_json' | 'network_error' | 'redirect_refused' | 'timeout' | 'bad_stream'

export interface ErrorFacts {
  method: string
  path: string
  status: number
  code: ProblemCode | ClientCode
  detail: string
  problem?: Problem | null
  requestId?: string | null
  key?: string | null
  retryAfterSeconds?: number | null
  cause?: unknown
}

export class LoopAgentError extends Error {
  override readonly name = 'LoopAgentError'
  /** The HTTP status; 0: there was no answer. */
  readonly status: number
  readonly code: ProblemCode | ClientCode
  readonly detail: string
  /** The problem document as it came; null: there was none. */
  readonly problem: Problem | null
  /** By this id the operator finds the request in the log. */
  readonly requestId: string | null
  /** The Idempotency-Key of the request. Sent again under it, the request is still done once. */
  readonly key: string | null
  /** What `Retry-After` asked for; null: nothing. */
  readonly retryAfterSeconds: number | null

  constructor(facts: ErrorFacts) {
    const { method, path, status, code, detail, cause } = facts
    const kind = status === 0 ? code : `${status} ${code}`
    super(`${method} ${path}: ${kind}: ${detail}`, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.detail = detail
    this.problem = facts.problem ?? null
    this.requestId = facts.requestId ?? null
    this.key = facts.key ?? null
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
  }
}
