/** The JSON form of OTLP as its specification maps it: lowerCamelCase, ids in hex, 64-bit times as decimal strings, enums as numbers. */
import * as z from 'zod'

const Nanoseconds = z.string().regex(/^\d{1,20}$/)
const Scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  // An integer may be a number or a decimal string.
  z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
])
const Value = z.union([Scalar, z.strictObject({ arrayValue: z.strictObject({ values: z.array(Scalar) }) })])
const Attributes = z.array(z.strictObject({ key: z.string().min(1), value: Value }))
const count = z.int().min(0).optional()
const TraceId = z.string().regex(/^[0-9a-f]{32}$/)
const SpanId = z.string().regex(/^[0-9a-f]{16}$/)

const Span = z.strictObject({
  traceId: TraceId,
  spanId: SpanId,
  parentSpanId: SpanId.optional(),
  traceState: z.string().optional(),
  flags: z.int().min(0).max(0xffffffff).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: Attributes,
  droppedAttributesCount: count,
  events: z.array(z.strictObject({ timeUnixNano: Nanoseconds, name: z.string(), attributes: Attributes })),
  droppedEventsCount: count,
  links: z.array(
    z.strictObject({
      traceId: TraceId,
      spanId: SpanId,
      attributes: Attributes,
      droppedAttributesCount: count,
      flags: z.int().optional(),
    }),
  ),
  droppedLinksCount: count,
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
})
const Request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes, droppedAttributesCount: count }),
      schemaUrl: z.string().optional(),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string().min(1), version: z.string() }),
          schemaUrl: z.url(),
          spans: z.array(Span).min(1),
        }),
      ),
    }),
  ),
})

/** What is wrong with a request, by the path of the member. */
export const jsonProblems = (value: unknown): string[] =>
  (Request.safeParse(value).error?.issues ?? []).map(({ path, message }) => `/${path.join('/')}: ${message}`)
