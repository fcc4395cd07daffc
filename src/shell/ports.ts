/** Everything the shell needs from outside. The composition root fills these in; tests swap them whole. */
import type { CheckBudget } from '../core/terms/schema/checks.ts'
import type { ClientTool } from '../core/terms/client-tools.ts'
import type { EventOf, Message, ReplyForm } from '../core/terms/effect.ts'
import type { Locale } from '../core/terms/locale.ts'
import type { FileEntry, FileWriteOutcome } from '../core/terms/files/files.ts'
import type { Draining } from '../lifecycle/draining.ts'
import type { Links } from './links/signed-links.ts'
import type { AllowedModels } from '../core/engine/allowed-models.ts'
import type { CountRequest } from '../core/workspace/rate.ts'
import type { JsonSchema } from '../core/terms/schema/json-schema.ts'
import type { ToolSpec } from '../core/mode/mode.ts'
import type { News } from '../core/protocol/news.ts'
import type { PriceTable } from '../core/terms/money.ts'
import type { Result } from '../core/terms/refusal.ts'
import type { Settings } from '../core/terms/settings.ts'
import type { StoredTask } from '../core/replay/stored-task.ts'
import type { TaskMethods } from '../core/replay/stored-task.ts'
import type { WorkspaceMethods } from '../core/protocol/workspace-methods.ts'
import type { Daily } from '../core/workspace/daily-totals.ts'

export interface ModelRequest {
  /** null: the provider's configured model. */
  model: string | null
  temperature: number
  messages: Message[]
  /** The contract of the reply; `name` is `[a-z_]+`. null: it is free text. */
  contract: { name: string; schema: JsonSchema } | null
  /** What it may call in its reply. */
  tools: readonly ToolSpec[]
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

export interface ToolContext extends CallContext {
  tenant: string
  task: string
  /** `task:seq`: a tool that has acted under this key answers again as before and changes nothing. */
  key: string
  /** Wall clock that commands see, ms since the epoch. */
  now_ms: number
  /** Of a call that is a round itself: when it was first begun, by the real clock. */
  begun_ms?: number | undefined
  /** IANA zone of the task; the workspace has its own. */
  timezone: string
  locale: Locale
  settings: Settings
  /** What is left for the arguments of all calls of the reply; without it this call has all to itself. */
  checks?: CheckBudget | undefined
}

/** What the model is told of a tool, and whether it may be repeated, is in core/mode/tools.ts. */
export interface Tool {
  name: string
  /** Bad input and failures of the world are results with `ok: false`; a rejection becomes one too. */
  run(input: string, call: ToolContext): Promise<Omit<EventOf<'tool_returned'>, 'kind'>>
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

/** The methods of a stored object as a caller elsewhere sees them. */
export type Remote<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never
}

/** The stored tasks; a task is found by tenant and id together, so no id reaches another tenant's. */
export interface TaskStore {
  of(tenant: string, id: string): Remote<StoredTask>
  workspace(tenant: string): Remote<WorkspaceMethods>
}

/** A task, by whose it is. */
export interface TaskRef {
  tenant: string
  task: string
}
/** A file with its bytes; `body` is read once. */
export interface OpenFile {
  entry: FileEntry
  body: ReadableStream<Uint8Array>
}
/** The files of a task, wherever they are kept: small texts with the task itself, everything else as blobs. */
export interface Files {
  /** By name. */
  list(of: TaskRef): Promise<Result<FileEntry[]>>
  /** null: there is no file of that name. */
  open(of: TaskRef, name: string): Promise<Result<OpenFile | null>>
  /** By the effect `seq`, once for it; `lease_lost` when a later one has written the file. */
  write(
    of: TaskRef,
    file: { name: string; seq: number; content: string | Uint8Array<ArrayBuffer> },
  ): Promise<Result<FileWriteOutcome>>
}

/** Names one blob of a task. */
export interface BlobRef extends TaskRef {
  blob: string
}
/** What of a task stands in no row. A blob is seen when all of it is there, and is never written again. */
export interface Blobs {
  /**
   * Keeps all of a body, or nothing when `allow` says so: told before any more of it is kept how many bytes it then has, from the
   * first part on, even of none. Answers how many it had. Rejects when the body breaks off (shell/network/chunked-body.ts).
   */
  write(
    ref: BlobRef,
    body: ReadableStream<Uint8Array>,
    allow: (bytes: number) => Promise<boolean>,
  ): Promise<number | null>
  /** null: there is none. */
  open(ref: BlobRef): Promise<ReadableStream<Uint8Array> | null>
  /** False: there is nothing to copy. */
  copy(from: BlobRef, to: BlobRef): Promise<boolean>
  remove(ref: BlobRef): Promise<void>
  /** Removes several of a task; some may not be there. */
  sweep(of: TaskRef, blobs: readonly string[]): Promise<void>
}

/** What computes for long, wherever it does: in this isolate, or in a Worker of its own. */
interface ComputeJob {
  tenant: string
  timeout_ms: number
  locale: Locale
  /** Lets other requests be served, where it computes in this isolate. */
  pause: () => Promise<void>
}
/** One run of code that a model has written, over the files it works with. */
export interface CodeJob extends ComputeJob {
  code: string
  /** null: none. */
  dataset: OpenFile | null
  /** By name, or by place from 0 on. */
  sheet: string | number | null
  /** What runs before it have left of results: the text of result.json; null: nothing. */
  results: string | null
  /** `task:seq`. */
  key: string
}
export interface CodeRun {
  /** It ran to its end: no error, no exit code but 0, no limit met. */
  ok: boolean
  stdout: string
  /** What went wrong in words for the model; a trace of its own code, never of ours. */
  stderr: string
  /** What it wrote: `result.json`, and charts in order. Names are file names; charts are numbered by whoever keeps them. */
  results: string | null
  charts: { extension: 'svg' | 'png'; content: string | Uint8Array<ArrayBuffer> }[]
}
/** Never rejects for what the code does; a rejection is a failure of ours or of the runner's. */
export interface CodeRunner {
  run(job: CodeJob): Promise<CodeRun>
}

/** One look at a dataset: its columns, its figures, its first rows. */
export interface DatasetJob extends ComputeJob {
  dataset: OpenFile
  sheet: CodeJob['sheet']
  preview_rows: number
  /** The longest report. */
  chars_max: number
}
/** `text`: the report as JSON, or why there is none in words for the model. */
export type DatasetReport =
  { ok: true; text: string } | { ok: false; code: 'unknown_sheet' | 'unreadable' | 'compute_failed'; text: string }
/** Takes or cancels the body. Rejects when that breaks off, or for a failure of ours. */
export interface DatasetReader {
  report(job: DatasetJob): Promise<DatasetReport>
}
/** Where datasets are read and JavaScript is run. */
export interface Compute {
  datasets: DatasetReader
  code: CodeRunner
}

/** News of one task as they come, from its newest on. */
export interface Watch {
  /** The newest that was not taken yet, waiting for one if need be; null: none will come. */
  next(): Promise<News | null>
  /** Wants no more; whoever waits is told that none will come. */
  close(): void
}
export interface Clock {
  /** Real time, for deadlines and bounds. */
  now_ms(): number
  /** The wall clock that prompts and commands see; frozen by TEST_CLOCK in development. */
  wall_ms(): number
}

/** How callbacks are told, and tools of clients called. */
export interface WebhookPorts {
  fetch: typeof globalThis.fetch
  /** `whsec_…` by tenant; all of them sign, the newer first. */
  secrets: ReadonlyMap<string, readonly string[]>
  /** Whether this machine may be told, by http too: in development. */
  loopback: boolean
  /** Private hosts that may be told all the same. */
  allowed_hosts?: ReadonlySet<string>
  /** Drawn from [0, 1). */
  chance: () => number
}

export interface Ports {
  store: TaskStore
  /** null: there is nowhere to keep them. */
  blobs: Blobs | null
  /** Of all blobs of a tenant together. */
  max_stored_bytes: number
  /** As tools see them. */
  files: Files
  /** Refused for a task that is not there; of one that has ended there is one piece of news. */
  watch: (tenant: string, id: string, link?: number) => Promise<Result<Watch>>
  webhooks: WebhookPorts
  /** null: no model is configured. */
  model: Model | null
  tools: ReadonlyMap<string, Tool>
  /** Runs one of a client's own. */
  remote_tool: (tool: ClientTool) => Tool
  clock: Clock
  boot: () => string
  /** Resolves after so many ms. */
  wait: (ms: number) => Promise<void>
  /** Whether this process is to end: nothing further begins. */
  draining: Pick<Draining, 'hasBegun' | 'onBegin'>
  /** Unguessable, URL-safe. */
  random_id: () => string
  /** The id of the task that a create with this key makes; the same whenever it is asked. */
  task_id_of: (tenant: string, key: string) => Promise<string>
  /** Signs what may be opened without a key. */
  links: Links
  /** Where a tenant is told what has no task. */
  webhook_urls: ReadonlyMap<string, string>
  /** IANA zone of every workspace. */
  timezone: string
  max_open_tasks: number
  /** Models that tasks may name; null: all. */
  allowed_models: AllowedModels
  /** Counts requests and driven slices of a tenant against its limit per minute. */
  count_request: CountRequest
  rate_limit_per_minute: number
  prices: PriceTable
  /** Rows of one task that live only as long as a request: for a dry run. */
  temporary_task: (prices: PriceTable) => TaskMethods
  /** A tenant's totals of a UTC day. */
  daily: Daily
  default_settings: Settings
}
