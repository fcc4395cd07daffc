/** What a route is, what a handler gets and what it gives back: data, so that handlers know nothing of Hono. */
import type * as z from 'zod'
import type { Config } from '../config.ts'
import type { CountRequest } from '../core/workspace/rate.ts'
import type { PathLinkName, PathLinks } from '../shell/links/path-links.ts'
import type { LinkName, ReadLinks } from '../shell/links/read-links.ts'
import type { Caller, Service } from '../shell/service.ts'
import type { AnswerName } from './answers.ts'
import type { BodyKind } from './body.ts'
import type { Code, HttpRefusal } from './errors.ts'

/** Everything the HTTP layer needs from outside. */
export interface Ports {
  config: Config
  service: Service
  /** The static files: the contract and its readable page. */
  assets: { fetch(request: Request): Promise<Response> }
  version: string
  /** Links to read a part of it without a key. */
  links: Record<LinkName, ReadLinks>
  /** Whose a link is that is its own right. */
  path_links: PathLinks
  /** Counts a request against a limit per minute, over all isolates. */
  count_request: CountRequest
  /** Ms since the epoch. */
  now: () => number
  /** Resolves after so many ms. */
  sleep: (ms: number) => Promise<void>
  /** Whether this process is to end: new requests are refused. */
  draining: () => boolean
  /** A fresh `[A-Za-z0-9._-]{1,128}`. */
  random_id: () => string
}

export interface BodyRule {
  schema: z.ZodObject
  /** The field that a whole text, or the form field input, Body or text, stands for; null: JSON only. */
  text_field: string | null
  /** What it may be sent as; without it JSON, and where a text stands for a field a form and plain text too. */
  kinds?: readonly BodyKind[]
  /** Whether the schema cannot be satisfied by an empty body. */
  required: boolean
  /** Fields that senders of webhooks name their text by, of forms and here of JSON too, where those of other routes are not all. */
  senders?: readonly string[]
}
/** What an answer of JSON can look like; each has the lines, some have more. */
export type Form = 'application/json' | 'text/plain' | 'text/csv' | 'text/event-stream' | 'text/html' | 'text/markdown'
/** A successful answer: JSON by the schema of that name (perhaps in more forms), a named document, or nothing. */
export interface Success {
  status: 101 | 200 | 201 | 204 | 304
  description: string
  content: { kind: 'json'; schema: AnswerName; more: readonly Form[] } | { kind: 'document'; type: string } | null
  headers: Record<string, string>
}
/** Headers by which a request can ask for more than its body says; REQUEST_HEADERS says what each means. */
export type RequestHeader = 'Idempotency-Key' | 'If-Match' | 'If-None-Match' | 'Last-Event-ID' | 'Prefer'
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** As in OpenAPI: `/tasks/{id}`. */
  path: string
  tag: string
  summary: string
  description: string
  /** Answered without a key. */
  open: boolean
  /** Answered for `?token=` too, which a link of that kind carries. */
  linked?: LinkName
  /** The `token` of its path is its right, of a link of this kind: requests are counted by it. */
  by_token?: PathLinkName
  /** Answered to a key for workers too, which opens nothing else (U21). */
  worker?: true
  /** What `Prefer: wait` waits for is the handler's own affair, and no busy task. */
  long_poll?: true
  params: z.ZodObject
  /** null: not looked at (static documents). */
  query: z.ZodObject | null
  body: BodyRule | null
  /** Its body is a file, which the handler reads as it comes: the types it may have. */
  upload?: readonly string[]
  /** Those it heeds; every other one is ignored. */
  headers: readonly RequestHeader[]
  success: Success
  /** Answers of another status that refuse nothing. */
  also: readonly Success[]
  /** What it may refuse beside what every route of its kind may. */
  problems: readonly Code[]
}

/** On an answer that an earlier request with the same Idempotency-Key got first. */
export const REPLAYED = { 'idempotency-replayed': 'true' } as const

/** A request that was let in: who, and what, checked against the route's schemas. */
export interface Call<R extends Route> {
  caller: Caller
  params: z.output<R['params']>
  query: R['query'] extends z.ZodObject ? z.output<R['query']> : null
  body: R['body'] extends BodyRule ? z.output<R['body']['schema']> : null
  request: Request
  /** The form in which the caller wants the answer. */
  form: Form
}
export type Reply =
  | {
      kind: 'answer'
      status: 200 | 201
      json: unknown
      lines: () => string[]
      /** Where there is a form of rows and columns; `headers` are its own, beside those of every form. */
      csv?: { text: () => string; headers: Record<string, string> }
      headers?: Record<string, string>
    }
  | { kind: 'empty'; status: 204 | 304; headers?: Record<string, string> }
  | { kind: 'document'; response: Response }
  | { kind: 'refused'; refusal: HttpRefusal }
export type Handler<R extends Route> = (ports: Ports, call: Call<R>) => Promise<Reply>

export const refused = (refusal: HttpRefusal): Reply => ({ kind: 'refused', refusal })
