/**
 * A collector that is stricter than any real one: it decodes what it gets with the types that OpenTelemetry generates from the definitions of
 * OTLP, holds every span to the pinned conventions, and keeps each span once by its id. It shares no code with the encoder of the service.
 */
import { createRequire } from 'node:module'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { jsonProblems } from './otlp-json.ts'

/** What protobufjs generates for a message. */
interface MessageType {
  decode(bytes: Uint8Array): object
  encode(message: object): { finish(): Uint8Array }
  toObject(message: object, options: object): unknown
}
const { opentelemetry } = createRequire(import.meta.url)('otlp-generated/build/src/generated/root.js') as {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: MessageType } } } } }
}
const Request = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest

type Value = string | number | boolean | Value[]
export interface CollectedSpan {
  trace_id: string
  span_id: string
  parent_id: string | null
  name: string
  kind: number
  start_ns: bigint
  end_ns: bigint
  attributes: Record<string, Value>
  status: { code: number; message: string }
  links: { trace_id: string; span_id: string; attributes: Record<string, Value> }[]
  resource: Record<string, Value>
  schema_url: string
}

export interface Collector {
  /** By trace and span. */
  spans: Map<string, CollectedSpan>
  /** How often spans arrived, repetitions included. */
  arrivals: number
  /** What is wrong with what arrived, in words. */
  problems: string[]
  take(body: Uint8Array, content_type: string | null): void
}

export function strictCollector(): Collector {
  const collector: Collector = { spans: new Map(), arrivals: 0, problems: [], take }
  const { spans, problems } = collector
  function take(body: Uint8Array, content_type: string | null): void {
    for (const span of decode(body, content_type, problems)) {
      collector.arrivals += 1
      problems.push(...spanProblems(span).map((problem) => `${span.name}: ${problem}`))
      const id = `${span.trace_id}/${span.span_id}`
      const known = spans.get(id)
      if (known !== undefined && text(known) !== text(span))
        problems.push(`${span.name}: two spans have the id ${id}: ${text(known)} and ${text(span)}`)
      spans.set(id, span)
    }
  }
  return collector
}

const text = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))

function decode(body: Uint8Array, content_type: string | null, problems: string[]): CollectedSpan[] {
  if (content_type === 'application/json') {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body))
    problems.push(...jsonProblems(value))
    return spansIn(value)
  }
  if (content_type !== 'application/x-protobuf') {
    problems.push(`the content type is ${content_type}`)
    return []
  }
  const decoded = Request.decode(body)
  // An unknown field is skipped by a decoder, and a message that is written again lacks it.
  if (Request.encode(decoded).finish().length !== body.length) problems.push('the message has unknown fields')
  const plain: unknown = Request.toObject(decoded, { longs: String, bytes: Array, defaults: true })
  return spansIn(plain)
}

/** Both forms have the same members. */
interface Plain {
  resourceSpans: {
    resource: { attributes: PlainAttribute[] }
    scopeSpans: { scope: { name: string; version: string }; schemaUrl: string; spans: PlainSpan[] }[]
  }[]
}
interface PlainAttribute {
  key: string
  value: Record<string, unknown>
}
interface PlainSpan {
  traceId: string | number[]
  spanId: string | number[]
  parentSpanId?: string | number[]
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: PlainAttribute[]
  status: { code?: number; message?: string }
  links?: { traceId: string | number[]; spanId: string | number[]; attributes: PlainAttribute[] }[]
}

function spansIn(value: unknown): CollectedSpan[] {
  return (value as Plain).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans, schemaUrl }) =>
      spans.map((span) => ({
        trace_id: hex(span.traceId),
        span_id: hex(span.spanId),
        parent_id: hex(span.parentSpanId ?? []) || null,
        name: span.name,
        kind: span.kind,
        start_ns: BigInt(span.startTimeUnixNano),
        end_ns: BigInt(span.endTimeUnixNano),
        attributes: attributesOf(span.attributes),
        status: { code: span.status.code ?? 0, message: span.status.message ?? '' },
        links: (span.links ?? []).map((link) => ({
          trace_id: hex(link.traceId),
          span_id: hex(link.spanId),
          attributes: attributesOf(link.attributes),
        })),
        resource: attributesOf(resource.attributes),
        schema_url: schemaUrl,
      })),
    ),
  )
}

const hex = (id: string | number[]) => (typeof id === 'string' ? id : Buffer.from(id).toString('hex'))

function attributesOf(attributes: readonly PlainAttribute[]): Record<string, Value> {
  const found: Record<string, Value> = {}
  for (const { key, value } of attributes) {
    if (Object.hasOwn(found, key)) throw new Error(`the attribute ${key} stands twice`)
    found[key] = valueOf(value)
  }
  return found
}

function valueOf(value: Record<string, unknown>): Value {
  if (typeof value['stringValue'] === 'string') return value['stringValue']
  if (typeof value['boolValue'] === 'boolean') return value['boolValue']
  if (value['intValue'] !== undefined) return Number(value['intValue'])
  if (typeof value['doubleValue'] === 'number') return value['doubleValue']
  const list = value['arrayValue'] as { values: Record<string, unknown>[] } | undefined
  if (list !== undefined) return list.values.map(valueOf)
  throw new Error(`an attribute has no value: ${JSON.stringify(value)}`)
}

/** The names of the pinned version. Names that it calls deprecated are not used. */
const NAMES: ReadonlySet<string> = new Set(
  Object.entries(conventions).flatMap(([constant, name]) =>
    constant.startsWith('ATTR_') && typeof name === 'string' ? [name] : [],
  ),
)
const DEPRECATED = new Set(['gen_ai.system', 'gen_ai.prompt', 'gen_ai.completion', 'gen_ai.usage.prompt_tokens'])
const [INTERNAL, CLIENT] = [1, 3]

/** What the conventions ask of a span of each operation: its kind, its name, and the attributes that it has to have. */
const OPERATIONS: Record<string, { kinds: number[]; named: (span: CollectedSpan) => string; needs: string[] }> = {
  chat: {
    kinds: [CLIENT],
    named: ({ attributes }) => withName('chat', attributes['gen_ai.request.model']),
    needs: ['gen_ai.provider.name'],
  },
  execute_tool: {
    kinds: [INTERNAL],
    named: ({ attributes }) => withName('execute_tool', attributes['gen_ai.tool.name']),
    needs: ['gen_ai.tool.name'],
  },
  invoke_agent: {
    kinds: [INTERNAL, CLIENT],
    named: ({ attributes }) => withName('invoke_agent', attributes['gen_ai.agent.name']),
    needs: ['gen_ai.provider.name', 'gen_ai.conversation.id'],
  },
  // Operations beside those of the pinned version, which it allows.
  plan: { kinds: [INTERNAL], named: () => 'plan', needs: [] },
  list_tools: { kinds: [INTERNAL], named: () => 'list_tools', needs: [] },
}
const withName = (operation: string, name: Value | undefined) =>
  name === undefined ? operation : `${operation} ${String(name)}`

/** Nanoseconds of 2020 and 2100. */
const [OLDEST, NEWEST] = [1_577_836_800_000_000_000n, 4_102_444_800_000_000_000n]

export function spanProblems(span: CollectedSpan): string[] {
  const problems: string[] = []
  const check = (holds: boolean, problem: string) => void (holds || problems.push(problem))
  const { attributes, status } = span
  check(/^[0-9a-f]{32}$/.test(span.trace_id) && !/^0+$/.test(span.trace_id), `the trace id is ${span.trace_id}`)
  check(/^[0-9a-f]{16}$/.test(span.span_id) && !/^0+$/.test(span.span_id), `the span id is ${span.span_id}`)
  check(span.parent_id === null || /^(?!0{16})[0-9a-f]{16}$/.test(span.parent_id), `the parent is ${span.parent_id}`)
  check(span.parent_id !== span.span_id, 'it is its own parent')
  check(span.start_ns >= OLDEST && span.end_ns <= NEWEST, 'its time is no time')
  check(span.start_ns <= span.end_ns, 'it ends before it begins')
  check(span.schema_url === 'https://opentelemetry.io/schemas/1.41.1', `its schema is ${span.schema_url}`)
  check(typeof span.resource['service.name'] === 'string', 'the resource has no service.name')
  for (const [name, value] of Object.entries(attributes)) {
    const own = name.startsWith('loop_agent.')
    check(own || (NAMES.has(name) && !DEPRECATED.has(name)), `the conventions have no ${name}`)
    check(typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0')), `${name} is not well-formed`)
    check(typeof value !== 'number' || Number.isSafeInteger(value), `${name} is ${String(value)}`)
  }
  const operation = String(attributes['gen_ai.operation.name'])
  const rule = OPERATIONS[operation]
  check(rule !== undefined, `there is no operation ${operation}`)
  check(rule === undefined || rule.kinds.includes(span.kind), `its kind is ${span.kind}`)
  check(rule === undefined || rule.named(span) === span.name, `its name should be ${rule?.named(span)}`)
  for (const name of rule?.needs ?? []) check(attributes[name] !== undefined, `it has no ${name}`)
  check((status.code === 2) === (attributes['error.type'] !== undefined), 'status and error.type disagree')
  check(status.code === 0 || status.code === 2, `its status is ${status.code}`)
  for (const name of ['input_tokens', 'output_tokens']) {
    const tokens = attributes[`gen_ai.usage.${name}`]
    check(tokens === undefined || (typeof tokens === 'number' && tokens >= 0), `${name} are ${String(tokens)}`)
  }
  return problems
}
