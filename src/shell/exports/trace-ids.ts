/**
 * The ids of traces and spans. They follow from tenant, task and row, so a span that is sent twice is the same span. A task whose create came
 * with a traceparent belongs to the trace of its caller.
 */
import type { ExportedTask } from '../../core/replay/export/export-page.ts'
import type { SpanName } from '../../core/replay/export/span-draft.ts'
import { sha256, toHex } from '../hex.ts'
import type { Sampler } from '../network/export-ports.ts'

type Identity = Pick<ExportedTask, 'tenant' | 'id' | 'incarnation' | 'traceparent'>

export interface TraceContext {
  trace_id: string
  /** The span of the caller. null: the first run of the task is the root. */
  caller_span: string | null
  /** Whether the caller wants the trace to be recorded. null: no caller has said it. */
  is_wanted: boolean | null
}

/** The gate lets only valid ones in. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

export async function traceOf(task: Identity): Promise<TraceContext> {
  const [, trace_id, span, flags = '00'] = TRACEPARENT.exec(task.traceparent ?? '') ?? []
  if (trace_id !== undefined && span !== undefined)
    return { trace_id, caller_span: span, is_wanted: (Number.parseInt(flags, 16) & 1) === 1 }
  return { trace_id: await idOf(['trace', ...nameOf(task)], 16), caller_span: null, is_wanted: null }
}

export const spanIdOf = (task: Identity, { about, row }: SpanName): Promise<string> =>
  idOf([about, ...nameOf(task), row], 8)

const nameOf = ({ tenant, id, incarnation }: Identity) => [tenant, id, incarnation]

/** No id may be zero, which 64 random bits are as seldom as that. */
const idOf = async (parts: readonly (string | number)[], bytes: number): Promise<string> =>
  toHex((await sha256(JSON.stringify(parts))).slice(0, bytes))

/** Whether the spans of a trace are sent. The same trace is always judged in the same way. */
export function isSampled({ trace_id, is_wanted }: TraceContext, { by_parent, ratio }: Sampler): boolean {
  if (by_parent && is_wanted !== null) return is_wanted
  // The last 56 bits of a trace id are random.
  return Number.parseInt(trace_id.slice(-13), 16) < ratio * 2 ** 52
}
