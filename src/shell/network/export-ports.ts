/** How rows leave tasks: into the usage of their tenant, and as spans to receivers. */
import type { Attributes } from '../../core/replay/export/span-draft.ts'
import type { StoredReceiver } from '../../core/workspace/telemetry.ts'

/** A collector of spans (OTLP over HTTP). */
export interface Receiver {
  /** The whole address, with `/v1/traces` where the collector has it. */
  url: string
  headers: Readonly<Record<string, string>>
  protocol: OtlpProtocol
  timeout_ms: number
}
export type OtlpProtocol = 'http/protobuf' | 'http/json'

/** Which traces are sent. `ratio` is the part of those that no caller has decided about. */
export interface Sampler {
  /** Whether the flag in the traceparent of the caller decides. */
  by_parent: boolean
  ratio: number
}

/** The receivers that tenants have named, as an isolate knows them. */
export interface TenantReceivers {
  of(tenant: string): Promise<StoredReceiver | null>
  /** The tenant has changed it. */
  forget(tenant: string): void
}

/** Which receivers are away, as an isolate knows them. A name is of one receiver and of the tenant, or the service, that has named it. */
export interface Breaker {
  /**
   * In how many ms to ask again. 0: the receiver is tried now, by whoever has asked, for `try_ms` at most.
   * If it was away, nobody else is let in until that try has ended.
   */
  enter(name: string, try_ms: number): number
  failed(name: string, ms: number): void
  answered(name: string): void
}

/** null in the ports: no row leaves its task. */
export interface ExportPorts {
  usage: boolean
  /** Whether spans are sent at all. */
  traces: boolean
  /** The receiver of the service. null: there is none. */
  receiver: Receiver | null
  /** Those that tenants have named. */
  tenants: TenantReceivers
  breaker: Breaker
  sampler: Sampler
  /** Prompts and results are sent too. */
  capture_content: boolean
  resource: Attributes
  /** Of the service. */
  version: string
  /** Reaches the receiver of the service. */
  fetch: typeof globalThis.fetch
  /** Who is behind the endpoint of this name, as the GenAI conventions call it. null as a name: the default endpoint. */
  provider_of: (name: string | null) => string
}
