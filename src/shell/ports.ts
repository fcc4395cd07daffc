/** Everything that the shell needs from outside. The composition root fills the ports in, and tests replace them. */
import type { EventOf, Message, ReplyForm } from '../core/terms/effect.ts'
import type { Locale } from '../core/terms/locale.ts'
import type { ModeName } from '../core/terms/mode-names.ts'
import type { FileEntry, FileWriteOutcome } from '../core/terms/files/files.ts'
import type { Draining } from '../lifecycle/draining.ts'
import type { Links } from './links/signed-links.ts'
import type { Sealing } from './seal.ts'
import type { Reach } from './network/address.ts'
import type { ModelRules } from '../core/engine/model-rules.ts'
import type { KeyLimits, TenantLimits } from '../core/registry/limits.ts'
import type { CountRequest } from '../core/workspace/rate.ts'
import type { Contract } from '../core/engine/contracts.ts'
import type { ToolSpec } from '../core/mode/mode.ts'
import type { SchemaValidator } from '../core/terms/schema/answer-form.ts'
import type { IndexPorts } from '../core/protocol/index/feed.ts'
import type { News } from '../core/protocol/view/news.ts'
import type { PriceTable } from '../core/terms/money.ts'
import type { Result } from '../core/terms/refusal.ts'
import type { ReasoningEffort, Settings } from '../core/terms/settings.ts'
import type { RemoteTask, TaskMethods } from '../core/replay/stored-task.ts'
import type { RemoteWorkspace } from '../core/protocol/workspace-requests.ts'
import type { DailyLimits } from '../core/workspace/daily-totals.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { PrepareTask } from './scheduled-tasks.ts'
import type { ExportPorts } from './network/export-ports.ts'
import type { CallContext, ClientTools, Secrets, Tool } from './tool-ports.ts'

export interface ModelRequest {
  /** The name of an endpoint, or of a model at the default endpoint. null: the default endpoint and its model. */
  model: string | null
  temperature: number
  /** null: as the endpoint has it. */
  reasoning_effort: ReasoningEffort | null
  messages: Message[]
  /** The images that the messages name, in base64, by their digests. One that is missing here is not there any more. */
  images?: ReadonlyMap<string, string>
  /** The contract of the reply; null for free text. */
  contract: Contract | null
  /** The tools that the model may call in its reply. */
  tools: readonly ToolSpec[]
  /** Only the first call of a reply is made, so that others would be for nothing. */
  one_call?: boolean
  /** The best form that the endpoint is known to accept. A provider goes down from here, never up. */
  form: ReplyForm
  max_output_tokens: number
  /** Sent as `cf-aig-metadata`. */
  metadata: { task: string; mode: ModeName; phase: string; seq: number }
}

/** Never rejects: a failed call is an event. */
export interface Model {
  complete(request: ModelRequest, call: CallContext): Promise<EventOf<'model_replied'> | EventOf<'model_failed'>>
}

export interface SearchHit {
  title: string
  /** Plain text, maybe empty. */
  summary: string
  link: string
}

/** One web search. Throws an Error with a short reason for any failure, time-outs included. */
export interface Search {
  name: string
  search(query: string, options: { top_k: number; locale: Locale; timeout_ms: number }): Promise<SearchHit[]>
}

/** The stored tasks. A task is found by tenant and id together, so an id never reaches another tenant's task. */
export interface TaskStore {
  of(tenant: string, id: string): RemoteTask
  /** With `shard` one shard of it alone, by its number (core/workspace/shards). */
  workspace(tenant: string, shard?: number): RemoteWorkspace
  /** The object of a named pool, which has its delegations and nothing else (POOL-02). The default pool is in the workspace. */
  pool(tenant: string, pool: string): RemoteWorkspace
}

export interface TaskRef {
  tenant: string
  task: string
}
/** A file with its bytes. `body` is read once. */
export interface OpenFile {
  entry: FileEntry
  body: ReadableStream<Uint8Array>
}
/** The files of a task: small texts are stored with the task itself, everything else as blobs. */
export interface Files {
  /** By name. */
  list(of: TaskRef): Promise<Result<FileEntry[]>>
  /** null where no file has the name. */
  open(of: TaskRef, name: string): Promise<Result<OpenFile | null>>
  /** Writes a file once for the effect `seq`. Answers `lease_lost` where a later effect has written the file. */
  write(
    of: TaskRef,
    file: { name: string; seq: number; content: string | Uint8Array<ArrayBuffer> },
  ): Promise<Result<FileWriteOutcome>>
}

export interface BlobRef extends TaskRef {
  blob: string
}
/** The bytes of a task that are in no row. A blob becomes visible when it is complete, and never changes. */
export interface Blobs {
  /**
   * Keeps all of a body, or nothing where `allow` refuses. `allow` is asked before more is kept, with the bytes so far, from the first chunk
   * on. Answers the length of the body; null where it was refused. Rejects when the body breaks off (shell/network/chunked-body.ts).
   */
  write(
    ref: BlobRef,
    body: ReadableStream<Uint8Array>,
    allow: (bytes: number) => Promise<boolean>,
  ): Promise<number | null>
  /** null where there is no such blob. */
  open(ref: BlobRef): Promise<ReadableStream<Uint8Array> | null>
  /** False where there is no blob to copy. */
  copy(from: BlobRef, to: BlobRef): Promise<boolean>
  remove(ref: BlobRef): Promise<void>
  /** Removes several blobs of a task. Some may not exist. */
  sweep(of: TaskRef, blobs: readonly string[]): Promise<void>
}

/** A long computation, in this isolate or in a Worker of its own. */
interface ComputeJob {
  tenant: string
  timeout_ms: number
  locale: Locale
  /** Lets other requests be served where the computation is in this isolate. */
  pause: () => Promise<void>
}
/** One run of model-written code over the files that it works with. */
export interface CodeJob extends ComputeJob {
  code: string
  /** null: none. */
  dataset: OpenFile | null
  /** The sheet by name, or by its position from 0 on. */
  sheet: string | number | null
  /** The text of result.json that earlier runs left; null where there is none. */
  results: string | null
  /** `task:seq`. */
  key: string
}
export interface CodeRun {
  /** The run ended without an error, with exit code 0, within all limits. */
  ok: boolean
  stdout: string
  /** The error in words for the model: at most a trace of the model's code, never of the service's. */
  stderr: string
  /** What the run wrote: `result.json`, and its charts in order. The caller numbers the charts. */
  results: string | null
  charts: { extension: 'svg' | 'png'; content: string | Uint8Array<ArrayBuffer> }[]
}
/** Never rejects for what the code does. A rejection is a failure of the service or of the runner. */
export interface CodeRunner {
  run(job: CodeJob): Promise<CodeRun>
}

/** One report on a dataset: its columns, its figures and its first rows. */
export interface DatasetJob extends ComputeJob {
  dataset: OpenFile
  sheet: CodeJob['sheet']
  preview_rows: number
  /** The longest allowed report. */
  chars_max: number
}
/** `text` is the report as JSON, or the reason why there is none, in words for the model. */
export type DatasetReport = { ok: true; text: string } | { ok: false; code: DatasetFailure; text: string }
type DatasetFailure = 'unknown_sheet' | 'unreadable' | 'compute_failed'
/** Reads or cancels the body. Rejects when the body breaks off, or for a failure of the service. */
export interface DatasetReader {
  report(job: DatasetJob): Promise<DatasetReport>
}
/** One look at what an address has answered. Its text is cut into pages, and one of them is shown. */
export interface PageJob extends ComputeJob {
  /** The bytes of the answer; only they are of this file. */
  source: OpenFile
  /** The `Content-Type` as it was sent. */
  content_type: string
  /** Where the answer came from. */
  address: string
  /** Whether the bytes are only the beginning of the answer. */
  is_cut: boolean
  /** From 1 on. */
  page: number
  /** The longest allowed report, as JSON writes it. */
  chars_max: number
}
/** `text` is for the model. `page_empty`: there is nothing to read without a browser, and `text` says what there is. */
export type PageReport =
  | { ok: true; code: 'page_read' | 'page_empty'; text: string }
  | { ok: false; code: 'no_such_page' | 'unreadable' | 'compute_failed'; text: string }
/** Reads or cancels the body. Rejects when the body breaks off, or for a failure of the service. */
export interface PageReader {
  report(job: PageJob): Promise<PageReport>
}
/** Where datasets and pages are read and JavaScript is run. */
export interface Compute {
  datasets: DatasetReader
  pages: PageReader
  code: CodeRunner
}

/** The news of one task, from the newest on. */
export interface Watch {
  /** The newest value that was not taken yet. Waits for one; null when none will come. */
  next(): Promise<News | null>
  /** Ends the watch. A waiting reader gets null. */
  close(): void
}
export interface Clock {
  /** Real time, for deadlines and bounds. */
  now_ms(): number
  /** The wall clock of prompts and commands; TEST_CLOCK freezes it in development. */
  wall_ms(): number
}

/** How callbacks are sent and tools of clients are called. */
export interface WebhookPorts extends Reach {
  fetch: typeof globalThis.fetch
  /** `whsec_…` by tenant. All secrets sign, the newer first. */
  secrets: ReadonlyMap<string, readonly string[]>
  /** Drawn from [0, 1). */
  chance: () => number
}

/** A tenant of the registry. */
export interface RegisteredTenant {
  name: string
  /** It is not served: its keys and links open nothing, and the service drives none of its tasks. */
  is_disabled: boolean
  limits: TenantLimits
}
/** What operators have registered. Answers are remembered for half a minute, so it may be asked at every request. Without a registry all are null. */
export interface Registry {
  /** null: the tenant is not registered. Where nobody answers, `tenantOf` says what was known last, and `findTenant` rejects after a minute. */
  tenantOf(tenant: string): Promise<RegisteredTenant | null>
  findTenant: Registry['tenantOf']
  /** The limits of the key of this `key_name`. null: it is no key of the registry. The same holds for failures. */
  keyLimitsOf(key_name: string): Promise<KeyLimits | null>
}

export interface Ports extends IndexPorts {
  store: TaskStore
  registry: Registry
  /** null where no bucket is bound. */
  blobs: Blobs | null
  /** The most bytes of a tenant. */
  max_stored_bytes: number
  /** The files of tasks as tools see them. */
  files: Files
  /** Refuses a task that does not exist. A task that has ended has one piece of news. */
  watch: (tenant: string, id: string, link?: number) => Promise<Result<Watch>>
  webhooks: WebhookPorts
  /** null where no model is configured. */
  model: Model | null
  tools: ReadonlyMap<string, Tool>
  /** The tools that clients bring. */
  client_tools: ClientTools
  /** The same outside of any task: what they write is kept nowhere. */
  trial_tools: ClientTools
  clock: Clock
  boot: () => string
  /** Resolves after so many ms. */
  wait: (ms: number) => Promise<void>
  /** Whether this process is draining: then no further work begins. */
  draining: Pick<Draining, 'hasBegun' | 'onBegin'>
  /** Unguessable, URL-safe. */
  random_id: () => string
  /** The id of the task that a create with this key makes. It is the same for the same key. */
  task_id_of: (tenant: string, key: string) => Promise<string>
  /** Signs links that open without a key. */
  links: Links
  /** Seals the values of secrets before they are stored. */
  sealing: Sealing
  secrets: Secrets
  exports: ExportPorts | null
  /** The address where a tenant is told its reminders and notices. */
  webhook_urls: ReadonlyMap<string, string>
  /** IANA zone of every workspace. */
  timezone: string
  max_open_tasks: number
  max_schedules: number
  /** Says what is wrong with a value by a JSON Schema. */
  fits: SchemaValidator
  /** Checks the task of a schedule as a create does. */
  prepare_task: PrepareTask
  /** Which models the tasks of a tenant may name. */
  model_rules: ModelRules
  /** Counts requests and driven slices of a tenant against its limit per minute. */
  count_request: CountRequest
  rate_limit_per_minute: number
  prices: PriceTable
  /** The methods of a task whose rows live as long as a request, for a dry run. */
  temporary_task: (prices: PriceTable) => TaskMethods
  /** The most that a tenant may spend on a UTC day. */
  daily: DailyLimits
  default_settings: Settings
  /** The log and the metrics. */
  telemetry: Telemetry
}
