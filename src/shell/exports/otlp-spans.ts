/** Writes spans as an OTLP request, and reads the answer. Loaded with the first export, because most isolates send none. */
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { SCHEMA_URL } from '../../core/replay/export/span-kinds.ts'
import type { Attributes, SpanDraft } from '../../core/replay/export/span-draft.ts'
import type { OtlpProtocol } from '../network/export-ports.ts'

/** A span with its ids in hex. */
export interface SentSpan extends Omit<SpanDraft, 'span' | 'parent' | 'content_of' | 'forked_from'> {
  trace_id: string
  span_id: string
  parent: { span_id: string; is_remote: boolean } | null
  links: { trace_id: string; span_id: string; attributes: Attributes }[]
}

const SERIALIZERS = { 'http/protobuf': ProtobufTraceSerializer, 'http/json': JsonTraceSerializer }
export const CONTENT_TYPES: Record<OtlpProtocol, string> = {
  'http/protobuf': 'application/x-protobuf',
  'http/json': 'application/json',
}

type Readable = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number]

const KINDS = { internal: 0, client: 2 } as const
const ERROR = 2
const UNSET = 0
const SAMPLED = 1
const SCOPE = 'loop-agent'

/** null: one of the spans cannot be written. */
export function encodeSpans(
  spans: readonly SentSpan[],
  { resource, version, protocol }: { resource: Attributes; version: string; protocol: OtlpProtocol },
): Uint8Array<ArrayBuffer> | null {
  // The serializer groups spans by this very object.
  const of = {
    resource: { attributes: cleaned(resource) },
    instrumentationScope: { name: SCOPE, version, schemaUrl: SCHEMA_URL },
  }
  try {
    // The serializers read no other members of a span and of a resource than those that are here.
    const readable = spans.map((span) => ({ ...readableSpan(span), ...of }) as unknown as Readable)
    const bytes = SERIALIZERS[protocol].serializeRequest(readable)
    return bytes === undefined ? null : Uint8Array.from(bytes)
  } catch {
    return null
  }
}

function readableSpan({ trace_id, span_id, parent, name, kind, start_ms, end_ms, attributes, error, links }: SentSpan) {
  const context = (of: { trace_id: string; span_id: string }, isRemote: boolean) => ({
    traceId: of.trace_id,
    spanId: of.span_id,
    traceFlags: SAMPLED,
    isRemote,
  })
  return {
    name: clean(name),
    kind: KINDS[kind],
    spanContext: () => context({ trace_id, span_id }, false),
    ...(parent === null ? {} : { parentSpanContext: context({ trace_id, span_id: parent.span_id }, parent.is_remote) }),
    startTime: timeOf(start_ms),
    endTime: timeOf(end_ms),
    attributes: cleaned(error === null ? attributes : { ...attributes, 'error.type': error }),
    status: error === null ? { code: UNSET } : { code: ERROR, message: clean(error) },
    events: [],
    links: links.map((link) => ({ context: context(link, true), attributes: cleaned(link.attributes) })),
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** Seconds and nanoseconds. */
const timeOf = (ms: number): [number, number] => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1_000_000)]

/** Longer texts are cut. Prompts and results are bounded before, with room for what JSON makes of them. */
const TEXT_CHARS_MAX = 100_000
/** Lone surrogates have no form in UTF-8, and databases of collectors refuse NUL. */
const clean = (text: string): string => text.slice(0, TEXT_CHARS_MAX).toWellFormed().replaceAll('\0', '\u{FFFD}')
const cleaned = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      clean(name),
      typeof value === 'string' ? clean(value) : Array.isArray(value) ? value.map(clean) : value,
    ]),
  )

/** How many spans the collector has not taken, and why. An answer that cannot be read has taken all of them. */
export function rejectedSpans(body: Uint8Array, protocol: OtlpProtocol): { spans: number; message: string } {
  try {
    const { partialSuccess } = SERIALIZERS[protocol].deserializeResponse(body)
    const spans = Number(partialSuccess?.rejectedSpans ?? 0)
    const message = typeof partialSuccess?.errorMessage === 'string' ? partialSuccess.errorMessage : ''
    return { spans: Number.isSafeInteger(spans) && spans > 0 ? spans : 0, message: clean(message).slice(0, 200) }
  } catch {
    return { spans: 0, message: '' }
  }
}
