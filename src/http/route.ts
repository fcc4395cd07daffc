/** What a route is: the data that the router, openapi.yaml and the tests read. */
import type * as z from 'zod'
import type { Scope } from '../core/registry/scopes.ts'
import type { PathLinkName } from '../shell/links/path-links.ts'
import type { LinkName } from '../shell/links/read-links.ts'
import type { AnswerName } from './shapes/answers.ts'
import type { ProblemCode } from './shapes/http-refusal.ts'

/** What a body may be sent as. Markdown is read as plain text. */
export type BodyKind = 'json' | 'form' | 'text' | 'markdown'

export interface BodyRule {
  schema: z.ZodObject
  /** The field that takes a whole text body, and the form fields `input`, `Body` and `text`; null: only JSON is taken. */
  text_field: string | null
  /** The kinds that are taken. The default is JSON, and with a text field forms and plain text too. */
  kinds?: readonly BodyKind[]
  /** A form of several parts is taken too: with the fields, or with all of them as JSON in its part `task`, and with files behind them. */
  files?: true
  /** Whether the schema refuses an empty body. */
  required: boolean
  /** The names that senders of webhooks give to their text, if they differ from the usual ones. They count in forms and in JSON. */
  senders?: readonly string[]
}
/** The content types of an answer. Each JSON answer has plain text too; some have more. */
export type AnswerMediaType =
  | 'application/json'
  | 'text/plain'
  | 'text/csv'
  | 'text/event-stream'
  | 'text/html'
  | 'text/markdown'
/** A successful answer: JSON by the schema of that name, a document of that type, or no content. */
export interface Success {
  status: 101 | 200 | 201 | 204 | 304
  description: string
  content:
    | { kind: 'json'; schema: AnswerName; more: readonly AnswerMediaType[] }
    | { kind: 'document'; type: string }
    | null
  headers: Record<string, string>
  /** It answers an old way to ask for something else. Types for clients leave it out. */
  deprecated?: true
}
/** The request headers that a route may read. REQUEST_HEADERS describes each of them. */
export type RequestHeaderName = 'Idempotency-Key' | 'If-Match' | 'If-None-Match' | 'Last-Event-ID' | 'Prefer'

export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** The path as OpenAPI writes it: `/tasks/{id}`. */
  path: string
  tag: string
  summary: string
  description: string
  /** Whether the route answers without a key. */
  open: boolean
  /** The route also answers to `?token=`, which a link of this kind carries. */
  linked?: LinkName
  /** The `token` in the path is the right to the route. It is a link of this kind, and requests are counted by it. */
  by_token?: PathLinkName
  /** The route also answers to a key for workers, which opens nothing else (U21). */
  worker?: true
  /** The scope that a key needs, if it is another one than that of routes of this kind (gate/auth/key-holder.ts). */
  scope?: Scope
  /** The route also answers to the holder of ADMIN_KEY, who has no tenant. */
  for_operators?: true
  /** The route is the operator's. It is open to the gate, and its handler asks for the token. */
  operator?: true
  /** The handler itself obeys `Prefer: wait`, because it does not wait for a busy task. */
  long_poll?: true
  params: z.ZodObject
  /** null: the query is not read, as for static documents. */
  query: z.ZodObject | null
  body: BodyRule | null
  /** The content types of an uploaded file. The handler reads the body itself while it arrives. */
  upload?: readonly string[]
  /** The headers that the route reads. It ignores all others. */
  headers: readonly RequestHeaderName[]
  success: Success
  /** Answers with another status that are not refusals. */
  also: readonly Success[]
  /** The refusals of this route, besides those of every route of its kind. */
  problems: readonly ProblemCode[]
}
