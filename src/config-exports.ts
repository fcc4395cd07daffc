/**
 * Where spans are sent, by the variables that OpenTelemetry names, and whether the usage of tenants is counted. No error repeats a
 * value, because headers hold keys.
 */
import * as z from 'zod'
import { nameHint } from './core/terms/values/known-names.ts'

export interface ExportConfig {
  /** Whether GET /usage counts. */
  usage: boolean
  traces: TracesConfig
  /** Whether closed rows leave their tasks at all. */
  exports_rows: boolean
}
interface TracesConfig {
  /** False: nobody gets spans, tenants neither. */
  enabled: boolean
  /** null: the service has no receiver of its own. */
  receiver: {
    url: string
    headers: Readonly<Record<string, string>>
    protocol: 'http/protobuf' | 'http/json'
    timeout_ms: number
  } | null
  sampler: { by_parent: boolean; ratio: number }
  capture_content: boolean
  /** The attributes that name this service. */
  resource: Readonly<Record<string, string>>
}

const OnOff = z.enum(['on', 'off'])
const Flag = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['true', 'false', '1', '0']))
  .transform((text) => text === 'true' || text === '1')
const Protocol = z.string().optional()
const Endpoint = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
const Milliseconds = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'must be a whole number of milliseconds from 1 to 999999')
  .transform(Number)
const Ratio = z
  .string()
  .regex(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/, 'must be a number from 0 to 1')
  .transform(Number)

/** The variables by name; `src/config.ts` reads them with all others. */
export const EXPORT_VARIABLES = {
  USAGE: OnOff.default('on'),
  OTEL_SDK_DISABLED: Flag.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: Endpoint.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Endpoint.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: z.string().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: Protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: Protocol,
  OTEL_EXPORTER_OTLP_TIMEOUT: Milliseconds.default(10_000),
  OTEL_SERVICE_NAME: z.string().max(255).optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: Ratio.optional(),
  OTEL_CAPTURE_CONTENT: Flag.default(false),
}
const ExportVariables = z.object(EXPORT_VARIABLES)
type Variables = z.infer<typeof ExportVariables>

export function readExports(values: Variables): ExportConfig & { errors: string[] } {
  const errors: string[] = []
  const enabled = values.OTEL_SDK_DISABLED !== true
  const url =
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    (values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? undefined : `${values.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`)
  const headers = {
    ...pairsOf('OTEL_EXPORTER_OTLP_HEADERS', values, errors),
    ...pairsOf('OTEL_EXPORTER_OTLP_TRACES_HEADERS', values, errors),
  }
  const protocol = protocolOf(values, errors)
  const sampler = samplerOf(values, errors)
  const wrong = Object.entries(headers).filter(([name, value]) => !isHeader(name, value))
  if (wrong.length > 0) errors.push('OTEL_EXPORTER_OTLP_HEADERS has a name or a value that no HTTP header can have')
  const given = pairsOf('OTEL_RESOURCE_ATTRIBUTES', values, errors)
  const usage = values.USAGE === 'on'
  return {
    usage,
    exports_rows: usage || (enabled && url !== undefined),
    traces: {
      enabled,
      receiver:
        url === undefined || errors.length > 0
          ? null
          : { url, headers, protocol, timeout_ms: values.OTEL_EXPORTER_OTLP_TIMEOUT },
      sampler,
      capture_content: values.OTEL_CAPTURE_CONTENT,
      resource: { 'service.name': 'loop-agent', ...given, ...serviceName(values) },
    },
    errors,
  }
}

/** The variable of the name wins over the attributes. */
const serviceName = ({ OTEL_SERVICE_NAME: name }: Variables): Record<string, string> =>
  name === undefined ? {} : { 'service.name': name }

const PROTOCOLS = ['http/protobuf', 'http/json'] as const
function protocolOf(values: Variables, errors: string[]): (typeof PROTOCOLS)[number] {
  const name =
    values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL === undefined
      ? 'OTEL_EXPORTER_OTLP_PROTOCOL'
      : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
  const given = values[name] ?? 'http/protobuf'
  const found = PROTOCOLS.find((one) => one === given)
  if (found === undefined)
    errors.push(
      given === 'grpc'
        ? `${name} is grpc, which this service does not speak: use http/protobuf, on port 4318 of most collectors`
        : `${name} must be one of ${PROTOCOLS.join(', ')}${nameHint(given, PROTOCOLS)}`,
    )
  return found ?? 'http/protobuf'
}

/** `arg`: OTEL_TRACES_SAMPLER_ARG says the ratio. */
const SAMPLERS: Readonly<Record<string, { by_parent: boolean; ratio: number | 'arg' }>> = {
  always_on: { by_parent: false, ratio: 1 },
  always_off: { by_parent: false, ratio: 0 },
  traceidratio: { by_parent: false, ratio: 'arg' },
  parentbased_always_on: { by_parent: true, ratio: 1 },
  parentbased_always_off: { by_parent: true, ratio: 0 },
  parentbased_traceidratio: { by_parent: true, ratio: 'arg' },
}
function samplerOf(values: Variables, errors: string[]): TracesConfig['sampler'] {
  const given = values.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on'
  const found = Object.hasOwn(SAMPLERS, given) ? SAMPLERS[given] : undefined
  if (found === undefined) {
    const names = Object.keys(SAMPLERS)
    errors.push(`OTEL_TRACES_SAMPLER must be one of ${names.join(', ')}${nameHint(given, names)}`)
  }
  const { by_parent, ratio } = found ?? { by_parent: true, ratio: 1 }
  return { by_parent, ratio: ratio === 'arg' ? (values.OTEL_TRACES_SAMPLER_ARG ?? 1) : ratio }
}

type ListName = 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_EXPORTER_OTLP_TRACES_HEADERS' | 'OTEL_RESOURCE_ATTRIBUTES'
const PAIRS_MAX = 64

/** `name=value,name=value`, where a value may be percent-encoded. */
function pairsOf(name: ListName, values: Variables, errors: string[]): Record<string, string> {
  const entries = (values[name] ?? '').split(',').filter((entry) => entry.trim() !== '')
  const pairs: [string, string][] = []
  for (const [index, entry] of entries.slice(0, PAIRS_MAX).entries()) {
    const [key = '', ...rest] = entry.split('=')
    const value = decoded(rest.join('=').trim())
    if (key.trim() === '' || rest.length === 0 || value === null)
      errors.push(`${name} entry ${index + 1} is not name=value`)
    else pairs.push([key.trim(), value])
  }
  if (entries.length > PAIRS_MAX) errors.push(`${name} has more than ${PAIRS_MAX} entries`)
  return Object.fromEntries(pairs)
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const isHeader = (name: string, value: string): boolean =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(name) && /^[\t\x20-\x7e\x80-\xff]{0,4096}$/.test(value)
