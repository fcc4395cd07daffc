/** What the service reports of its work: data that becomes lines of the log, counts and data points. Durations are in ms. */
import type { ErrorFacts } from './log.ts'

export interface RequestReport {
  request_id: string
  method: string
  /** The template of the route; null: none took the request. */
  route: string | null
  status: number
  duration_ms: number
  tenant?: string | undefined
  key_name?: string | undefined
  task?: string | undefined
  code?: string | undefined
}
/** What the transactions of a slice have charged to its task. `cost` is in micro-dollars. */
interface Charged {
  steps: number
  tokens: number
  cost: number
  /** Calls whose worker was lost. */
  orphaned: number
}
export interface SliceReport {
  request_id?: string | undefined
  tenant: string
  task: string
  mode: string
  /** A request that may run rounds, one that may not, or the service by itself. */
  by: 'request' | 'command' | 'drive'
  outcome: 'advanced' | 'idle' | 'refused' | 'failed'
  /** The model that replied last; null: none did. */
  model: string | null
  status: string | null
  duration_ms: number
  rounds: number
  charged: Charged
  code?: string | undefined
  /** The whole task, where it has ended in this slice. */
  ended: { outcome: string; steps: number; tokens: number; cost_usd: number; seconds: number } | null
}
export interface EffectReport {
  kind: 'model' | 'tool'
  outcome: 'ok' | 'failed'
  duration_ms: number
}
export interface JobReport {
  kind: string
  tenant: string
  task?: string | undefined
  duration_ms: number
  /** How late it began; null: not known. */
  delay_ms: number | null
  failure: ErrorFacts | null
}
/** The spans of which task, and to whose receiver they go. */
export interface SpanSubject {
  receiver: 'service' | 'tenant'
  tenant: string
  task: string
}
/**
 * What became of spans. `failed`: they are sent again later, and `is_first` is the first of these tries. What a collector says of itself comes
 * from outside, so no reason has it.
 */
export type SpanFate = { spans: number } & (
  | { outcome: 'taken' }
  | { outcome: 'failed'; reason: string; is_first: boolean }
  | { outcome: 'refused' | 'rejected' | 'dropped'; reason: string }
)
