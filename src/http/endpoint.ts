/** A route with its handler. A handler gets data and returns data, so that it does not depend on Hono. */
import type * as z from 'zod'
import type { Config } from '../config.ts'
import type { BoundView } from '../core/shown/deployment-view.ts'
import type { LearnedModel } from '../core/shown/model-view.ts'
import type { LimitsInForce } from '../core/workspace/limits.ts'
import type { CountRequest } from '../core/workspace/rate.ts'
import type { Caller } from '../shell/caller.ts'
import type { SentFiles } from '../shell/sent-files.ts'
import type { PathLinks } from '../shell/links/path-links.ts'
import type { AdminService } from '../shell/registry/admin-service.ts'
import type { Directory } from '../shell/registry/directory.ts'
import type { LinkName, ReadLinks } from '../shell/links/read-links.ts'
import type { Service } from '../shell/service.ts'
import type { Snapshot } from '../telemetry/metrics/series.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { AnswerMediaType, BodyRule, Route } from './route.ts'
import type { HttpRefusal, HttpResult } from './shapes/http-refusal.ts'
import type { ExchangeCode, LoginToken, SignInMethods } from './shapes/sign-in.ts'

/** How people sign in at the console with an issuer of logins. */
export interface SignIn {
  methods(): Promise<SignInMethods>
  /** The tokens for a code. `address` is that of the client; null: nobody says it. */
  exchange(of: ExchangeCode, address: string | null): Promise<HttpResult<LoginToken>>
  refresh(refresh_token: string, address: string | null): Promise<HttpResult<LoginToken>>
}

/** Everything the HTTP layer needs from outside. */
export interface Ports {
  config: Config
  service: Service
  /** Tenants and keys. Without ADMIN_KEY there are none in it. */
  registry: Directory
  admin: AdminService
  /** The static files: the contract, its readable page and the console. */
  assets: { fetch(request: Request): Promise<Response> } | null
  version: string
  /** null: only keys are accepted. */
  sign_in: SignIn | null
  /** What the endpoints of this isolate have refused so far. */
  learned: () => LearnedModel[]
  /** Links that let their holder read one thing without a key. */
  links: Record<LinkName, ReadLinks>
  /** Links whose token is in the path. */
  path_links: PathLinks
  /** The limits in force for a tenant and one of its keys. */
  limits_of: (tenant: string, key_name: string | null) => Promise<LimitsInForce>
  /** Counts a request against a limit per minute, over all isolates. */
  count_request: CountRequest
  /** Milliseconds since the epoch. */
  now: () => number
  /** Resolves after so many milliseconds. */
  sleep: (ms: number) => Promise<void>
  /** Lets the work go on after the answer, also where its caller has hung up. */
  outlive: (work: Promise<unknown>) => void
  /** Whether this process is ending. New requests are then refused. */
  draining: () => boolean
  /** The log and the metrics. */
  telemetry: Telemetry
  /** What all isolates have counted; null: nothing adds it up here. */
  read_metrics: (() => Promise<Snapshot>) | null
  /** Asks what is bound here whether it answers, within a second. */
  probe_bindings: () => Promise<BoundView>
  /** Whether datasets are read and code is run in this isolate where no compute Worker is bound. */
  has_local_compute: boolean
  /** A new id that matches `[A-Za-z0-9._-]{1,128}`. */
  random_id: () => string
}

/** An admitted request: who sent it, and its parts as the schemas of its route have parsed them. */
export interface AdmittedCall {
  caller: Caller
  params: unknown
  query: unknown
  body: unknown
  /** The files of a form of several parts. */
  files?: SentFiles
  request: Request
  /** Whether the credential would still be admitted. What lasts long asks from time to time. */
  isStillAdmitted: () => Promise<boolean>
}
interface AnyCall extends AdmittedCall {
  /** The form in which the caller wants the answer. */
  form: AnswerMediaType
}
/** An admitted request, typed by the schemas of its route. */
export interface Call<R extends Route> extends AnyCall {
  params: z.output<R['params']>
  query: R['query'] extends z.ZodObject ? z.output<R['query']> : null
  body: R['body'] extends BodyRule ? z.output<R['body']['schema']> : null
}

/** The answer as lines for a terminal, made only if they are asked for. */
type Lines = () => string[] | Promise<string[]>

export type Reply =
  | {
      kind: 'answer'
      status: 200 | 201
      json: unknown
      lines: Lines
      /** The answer as rows and columns, where there is one. `headers` are sent with this form only. */
      csv?: { text: () => Promise<string>; headers: Record<string, string> }
      headers?: Record<string, string>
    }
  | { kind: 'empty'; status: 204 | 304; headers?: Record<string, string> }
  | { kind: 'document'; response: Response }
  | { kind: 'refused'; refusal: HttpRefusal }

type Handler<R extends Route> = (ports: Ports, call: Call<R>) => Promise<Reply>
type AnyHandler = (ports: Ports, call: AnyCall) => Promise<Reply>
export type Endpoint<R extends Route = Route> = R & { handle: AnyHandler }

/** Puts a handler to its route. The schemas of the route type the handler's call. */
export function endpoint<const R extends Route>(route: R, handle: Handler<NoInfer<R>>): Endpoint<R> {
  // The gate has parsed params, query and body by the schemas of this same route, so the call has the type that the handler takes.
  return { ...route, handle: handle as AnyHandler }
}

export const refusalReply = (refusal: HttpRefusal): Reply => ({ kind: 'refused', refusal })

/** The refusal of a result, or the reply that is made of its value. */
export async function replyTo<T>(result: HttpResult<T>, reply: (value: T) => Reply | Promise<Reply>): Promise<Reply> {
  return result.ok ? reply(result.value) : refusalReply(result.refusal)
}

type AnswerReply = Extract<Reply, { kind: 'answer' }>
export const answerReply = (json: unknown, lines: Lines, headers: Record<string, string> = {}): AnswerReply => ({
  kind: 'answer',
  status: 200,
  json,
  lines,
  headers,
})

/** 204, or the refusal. */
export const emptyReply = (result: HttpResult<unknown>): Reply =>
  result.ok ? { kind: 'empty', status: 204 } : refusalReply(result.refusal)

/** Marks an answer that repeats the answer to an earlier request with the same Idempotency-Key. */
export const replayHeaders = (replayed: boolean | undefined): Record<string, string> =>
  replayed === true ? { 'idempotency-replayed': 'true' } : {}
