/**
 * Where models are asked: the endpoints of MODELS, the one of OPENAI_*, or the binding of Workers AI (docs/models.md). An error names the
 * variable, the endpoint and the field, and never repeats a value, because MODELS holds keys.
 */
import * as z from 'zod'
import { WireName } from './core/terms/effect.ts'
import { microDollars, USD, type ModelRates } from './core/terms/money.ts'
import { isRecord } from './core/terms/plain/is-record.ts'
import { DEFAULT_ENDPOINT } from './core/terms/values/endpoint-name.ts'
import { nameHint, nameList } from './core/terms/values/known-names.ts'
import { parseJson } from './core/terms/values/parse-json.ts'

interface EndpointConfig {
  name: string
  wire: WireName
  /** Empty for the binding of Workers AI, which has no address. */
  base_url: string
  /** Empty for endpoints without a key. */
  api_key: string
  model: string
  /** What a million tokens cost here. null: what MODEL_PRICES says of the model. */
  prices: ModelRates | null
  /** The endpoints that are asked in place of this one. */
  fallback: readonly string[]
}

export interface ModelsConfig {
  /** `offline`: the built-in model answers, and there is no endpoint. */
  provider: 'offline' | 'endpoints'
  /** The default one comes first. Empty with `endpoints`: no model is configured. */
  endpoints: readonly EndpointConfig[]
  /** Whether MODELS names endpoints. Then tasks may name only what is known. */
  is_named: boolean
}

interface ModelVariables {
  MODEL_PROVIDER?: 'offline' | 'openai' | undefined
  MODELS?: string | undefined
  OPENAI_API_KEY?: string | undefined
  OPENAI_BASE_URL?: string | undefined
  OPENAI_MODEL?: string | undefined
}

const PerMillion = z.string().regex(USD).transform(microDollars)
const RATES = {
  input: PerMillion,
  output: PerMillion,
  cache_read: PerMillion.optional(),
  cache_write: PerMillion.optional(),
  image: PerMillion.optional(),
  reasoning: PerMillion.optional(),
}
const Tier = z.strictObject({ above: z.int().min(0), ...RATES })
export const ModelPrice = z.strictObject({
  ...RATES,
  tiers: z
    .array(Tier)
    .transform((tiers) => tiers.toSorted((one, other) => one.above - other.above))
    .optional(),
})

const OPENAI_URL = 'https://api.openai.com/v1'
const BASE_URLS: Record<WireName, string> = {
  chat: OPENAI_URL,
  responses: OPENAI_URL,
  messages: 'https://api.anthropic.com/v1',
  workers_ai: '',
}
/** It calls tools in many turns, and has room for the longest prompts of a task. */
const WORKERS_AI_MODEL = '@cf/zai-org/glm-4.7-flash'

/** So many endpoints can be given up within one head. */
const ENDPOINTS_MAX = 32
const NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/
const FORM = 'MODELS must be JSON: {"fast": {"wire": "chat", "model": "…", "key": "…"}}'

/** `has_binding`: whether the binding AI is there. */
export function readModels(
  variables: ModelVariables,
  has_binding: boolean,
): { models: ModelsConfig; errors: string[] } {
  const { MODEL_PROVIDER, MODELS, OPENAI_API_KEY } = variables
  const isOpenAi = MODEL_PROVIDER === 'openai' || (MODEL_PROVIDER === undefined && OPENAI_API_KEY !== undefined)
  const own = isOpenAi ? openAiEndpoint(variables) : NOTHING
  const named = MODELS === undefined ? NOTHING : readEndpoints(MODELS, { has_binding, beside: own.endpoints })
  const errors = [...own.errors, ...named.errors]
  const is_named = MODELS !== undefined && MODEL_PROVIDER !== 'offline'
  if (MODEL_PROVIDER === 'offline' || !(isOpenAi || is_named || has_binding))
    return { models: { provider: 'offline', endpoints: [], is_named: false }, errors }
  const endpoints = isOpenAi || is_named ? [...own.endpoints, ...defaultFirst(named.endpoints)] : [workersAi()]
  return { models: { provider: 'endpoints', endpoints, is_named }, errors }
}

type Read = { endpoints: EndpointConfig[]; errors: string[] }
const NOTHING: Read = { endpoints: [], errors: [] }

function openAiEndpoint({ OPENAI_API_KEY: api_key, OPENAI_BASE_URL, OPENAI_MODEL }: ModelVariables): Read {
  if (api_key === undefined && OPENAI_BASE_URL === undefined) return NOTHING
  const errors = OPENAI_MODEL === undefined ? ['OPENAI_MODEL must name a model when MODEL_PROVIDER is openai'] : []
  const base_url = OPENAI_BASE_URL ?? OPENAI_URL
  const endpoint = { ...BLANK, wire: 'chat' as const, base_url, api_key: api_key ?? '', model: OPENAI_MODEL ?? '' }
  return { endpoints: [endpoint], errors }
}

const BLANK = { name: DEFAULT_ENDPOINT, base_url: '', api_key: '', prices: null, fallback: [] }
const workersAi = (): EndpointConfig => ({ ...BLANK, wire: 'workers_ai', model: WORKERS_AI_MODEL })

const defaultFirst = (endpoints: EndpointConfig[]): EndpointConfig[] =>
  endpoints.toSorted((one, other) => Number(other.name === DEFAULT_ENDPOINT) - Number(one.name === DEFAULT_ENDPOINT))

/** A text for people, so that no issue quotes what was given. */
const text = (pattern: RegExp, error: string) => z.string(error).regex(pattern, error)
const MODEL_FORM = 'must be the name of a model, 1 to 200 characters without blanks around them'
const PRICES =
  'must be {"input": "0.15", "output": "0.60"} in USD per million tokens, at most with cache_read, cache_write, image, reasoning and tiers'

/** It is made only if MODELS is there, so that other services do not start with it. */
const makeSchema = () =>
  z.strictObject({
    wire: z.enum(WireName.options, {
      error: ({ input }) => {
        const near = typeof input === 'string' ? nameHint(input, WireName.options) : ''
        return `must be one of ${WireName.options.join(', ')}${near}`
      },
    }),
    model: text(/^[^\p{Cc}]{1,200}$/u, MODEL_FORM).refine((name) => name.trim() === name, MODEL_FORM),
    base_url: z
      .string('must be a URL')
      .refine(isPlainUrl, 'must be an http or https URL without user, query and fragment')
      .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
      .optional(),
    key: text(/^[\x21-\x7e]{1,1000}$/, 'must be 1 to 1000 visible ASCII characters without blanks').optional(),
    prices: z.unknown().optional(),
    fallback: z.array(z.string('must be a list of names'), 'must be a list of names').optional(),
  })
type Endpoint = z.infer<ReturnType<typeof makeSchema>>

/** As `fetch` takes it. What stands behind the path would end up in the middle of an address. */
function isPlainUrl(given: string): boolean {
  const url = URL.parse(given)
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && !/[?#]/.test(given)
  )
}

/** `beside`: endpoints that other variables name. */
interface Surroundings {
  has_binding: boolean
  beside: readonly EndpointConfig[]
}

function readEndpoints(given: string, { has_binding, beside }: Surroundings): Read {
  const value = parseJson(given)
  if (!isRecord(value)) return { endpoints: [], errors: [FORM] }
  const entries = Object.entries(value)
  if (entries.length === 0) return { endpoints: [], errors: [`${FORM}; it names no endpoint`] }
  if (entries.length > ENDPOINTS_MAX)
    return { endpoints: [], errors: [`MODELS must name at most ${ENDPOINTS_MAX} endpoints`] }
  const schema = makeSchema()
  const read = entries.map(([name, entry], index) => readEndpoint(schema, [name, entry], index, has_binding))
  const endpoints = read.flatMap(({ endpoint }) => endpoint ?? [])
  const errors = read.flatMap((one) => one.errors)
  if (beside.some(({ name }) => Object.hasOwn(value, name))) errors.push(TWICE)
  // Wrong endpoints have names too.
  const names = [...beside.map(({ name }) => name), ...entries.flatMap(([name]) => (NAME.test(name) ? [name] : []))]
  return { endpoints, errors: [...errors, ...fallbackErrors(endpoints, names)] }
}

const TWICE = 'MODELS endpoint default: OPENAI_API_KEY or OPENAI_BASE_URL is that endpoint; leave one of them out'

function readEndpoint(
  schema: ReturnType<typeof makeSchema>,
  [name, entry]: [string, unknown],
  index: number,
  has_binding: boolean,
) {
  if (!NAME.test(name)) {
    const form = 'its name must be 1 to 64 of a-z, 0-9, "_", "." and "-", and begin with a letter or a digit'
    return { endpoint: null, errors: [`MODELS endpoint ${index + 1}: ${form}`] }
  }
  const about = (error: string) => `MODELS endpoint ${name}: ${error}`
  // JSON lists such names first wherever they stand, so that another endpoint would be the default one.
  if (/^\d+$/.test(name)) return { endpoint: null, errors: [about('its name must have something else than digits')] }
  if (!isRecord(entry)) return { endpoint: null, errors: [about('must be an object with wire and model')] }
  const parsed = schema.safeParse(entry)
  const prices = entry.prices === undefined ? null : ModelPrice.safeParse(entry.prices)
  const errors = [
    ...(parsed.success ? wireErrors(parsed.data, has_binding) : parsed.error.issues.flatMap(issueTexts)),
    ...(prices?.success === false ? [`prices ${PRICES}`] : []),
  ]
  if (!parsed.success || errors.length > 0) return { endpoint: null, errors: errors.map(about) }
  const { wire, model, key = '', base_url = BASE_URLS[wire], fallback = [] } = parsed.data
  return { endpoint: { name, wire, base_url, api_key: key, model, prices: prices?.data ?? null, fallback }, errors: [] }
}

const FIELDS: readonly (keyof Endpoint)[] = ['wire', 'model', 'base_url', 'key', 'prices', 'fallback']

/** An unknown member is named only if it can be no key that stands in the wrong place. */
function issueTexts(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'unrecognized_keys') return [`${String(issue.path[0])} ${issue.message}`]
  return issue.keys.map((given) => {
    const name = /^[a-z_]{1,24}$/.test(given) ? `${given} ` : 'a member '
    return `${name}is not known; there are ${FIELDS.join(', ')}${nameHint(given, FIELDS)}`
  })
}

function wireErrors({ wire, key, base_url }: Endpoint, has_binding: boolean): string[] {
  if (wire !== 'workers_ai')
    return key === undefined && base_url === undefined
      ? [`key must be set, or base_url for an endpoint without a key: the default is ${BASE_URLS[wire]}`]
      : []
  const odd = Object.entries({ base_url, key }).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  const errors = odd.map((field) => `${field} must be left out: wire workers_ai is asked through the binding AI`)
  return has_binding ? errors : [...errors, 'wire workers_ai needs the binding AI, which is not there']
}

function fallbackErrors(endpoints: readonly EndpointConfig[], names: readonly string[]): string[] {
  return endpoints.flatMap(({ name, fallback }) => {
    const about = (error: string) => `MODELS endpoint ${name}: fallback ${error}`
    const others = names.filter((one) => one !== name)
    const unknown = fallback.filter((one) => !names.includes(one))
    if (unknown.length > 0)
      return unknown.map((one) =>
        about(`names an endpoint that is not there; there are ${nameList(others)}${nameHint(one, others)}`),
      )
    if (new Set(fallback).size < fallback.length) return [about('names an endpoint twice')]
    return fallbacksOf(endpoints, name).includes(name) ? [about('leads back to this endpoint')] : []
  })
}

/** The endpoints that are asked in place of one: those of its list in order, then those of their lists. */
export function fallbacksOf(endpoints: readonly Pick<EndpointConfig, 'name' | 'fallback'>[], first: string): string[] {
  const lists = new Map(endpoints.map(({ name, fallback }) => [name, fallback]))
  const found: string[] = []
  const waiting = [...(lists.get(first) ?? [])]
  for (const name of waiting) {
    if (found.includes(name)) continue
    found.push(name)
    waiting.push(...(lists.get(name) ?? []))
  }
  return found
}
