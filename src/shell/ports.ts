/** Everything the shell needs from outside. The composition root fills these in; tests swap them whole. */
import type { EventOf, Locale, Message, ReplyForm } from '../core/effect.ts'
import type { Settings } from '../core/settings.ts'

/** A JSON Schema (draft 7) as data. */
export type JsonSchema = Record<string, unknown>

export interface ModelRequest {
  /** null: the provider's configured model. */
  model: string | null
  temperature: number
  messages: Message[]
  /** The contract of the reply; `name` is `[a-z_]+`. */
  contract: { name: string; schema: JsonSchema }
  /** The best form known to be accepted by the endpoint; a provider goes down from here, never up. */
  form: ReplyForm
  max_output_tokens: number
  /** Sent as `cf-aig-metadata`. */
  metadata: { task: string; mode: string; phase: string; seq: number }
}

export interface CallContext {
  /** Longest time the call may take, in ms. */
  timeout_ms: number
  /** The W3C trace context of the request that caused this call, passed on. */
  traceparent: string | null
}

/** Never rejects: a failed call is an outcome. */
export interface Model {
  complete(request: ModelRequest, call: CallContext): Promise<EventOf<'model_replied'> | EventOf<'model_failed'>>
}

export interface ToolCall extends CallContext {
  tenant: string
  /** `task:seq`: a tool that has acted under this key answers again as before and changes nothing. */
  key: string
  /** Wall clock that commands see, ms since the epoch. */
  now_ms: number
  /** IANA zone of the task; the workspace has its own. */
  timezone: string
  locale: Locale
  settings: Settings
}

export interface Tool {
  name: string
  /** Shown to the model, in its language. */
  description: Record<Locale, string>
  /** Whether a repeated call under the same key changes nothing (D4). */
  idempotent: boolean
  /** Bad input and failures of the world are results with `ok: false`; a rejection becomes one too. */
  run(input: string, call: ToolCall): Promise<Omit<EventOf<'tool_returned'>, 'kind'>>
}

export interface SearchHit {
  title: string
  /** Plain text, may be empty. */
  summary: string
  link: string
}

/** One web search; throws an Error with a short reason for any failure, time-outs included. */
export interface Search {
  name: string
  search(query: string, options: { top_k: number; locale: Locale; timeout_ms: number }): Promise<SearchHit[]>
}
