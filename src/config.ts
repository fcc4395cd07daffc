/**
 * The environment, parsed once (README.md "Configuration", ruling 21). A setting's default outside its range falls back to
 * the built-in one (O0-01), but for the maxima that have none; any other bad variable is named in `config_errors`, and no request is served until it is mended.
 */
import * as z from 'zod'
import { readRunner, type RunnerConfig } from './config-runner.ts'
import { readWebhooks, type WebhookConfig } from './config-webhooks.ts'
import { fingerprint } from './core/hash.ts'
import { microDollars, USD, type PriceTable } from './core/money.ts'
import { Settings } from './core/settings.ts'

/** The one error with which the service starts all the same, and refuses every request (ruling 21). */
export const NO_KEYS = 'API_KEYS must be set in production: comma-separated tenant:key or tenant:sha256:<hex>'

/** A key of a tenant: plain as configured, or the SHA-256 of one in lower-case hex. Workers' keys open delegations only. */
export interface ApiKey {
  tenant: string
  secret: { kind: 'plain'; key: string } | { kind: 'sha256'; hex: string }
  worker: boolean
}
export interface Config extends WebhookConfig {
  environment: 'production' | 'development'
  /** Empty only in production without API_KEYS, where every request is refused. */
  api_keys: ApiKey[]
  model: { provider: 'offline' | 'openai'; api_key: string | null; base_url: string | null; name: string | null }
  /** Whether a goal can be worked on at all; false for `openai` with neither a key nor an endpoint of one's own. */
  model_configured: boolean
  search: { provider: SearchProvider; base_url: string | null; api_key: string | null }
  /** Where Python runs; null: nowhere. */
  code_runner: RunnerConfig | null
  /** IANA zone of the workspace and the default of a task. */
  timezone: string
  /** The frozen wall clock of slash commands and prompts, ms since the epoch; null: the real one. */
  test_clock_ms: number | null
  rate_limit_per_minute: number
  max_open_tasks: number
  /** Of all blobs of a tenant together. */
  max_stored_bytes: number
  /** What links to the service begin with; null: the origin of the request that made the task. */
  public_url: string | null
  /** Of one tenant's that the service drives at the same time. */
  max_driven_tasks: number
  /** What the models cost; the version is a fingerprint of the configured text. */
  prices: PriceTable
  /** A tenant's totals of a UTC day; money in micro-dollars, null: not bounded (ruling 16). */
  daily: { tokens: number | null; cost: number | null }
  /** Where a tenant is told what has no task: its reminders (ruling 22). */
  webhook_urls: ReadonlyMap<string, string>
  /** For ids and links that are derived, not stored. */
  signing_secret: string
  /** Defaults of the settings of a task. */
  settings: Settings
  /** Those of them that variables name. */
  given_settings: Partial<Settings>
  /** One sentence for each variable that is wrong, without its value. */
  config_errors: string[]
}

const SearchProvider = z.enum(['wikipedia', 'searxng', 'brave', 'tavily', 'bing'])
export type SearchProvider = z.infer<typeof SearchProvider>

/** Whether the runtime knows this IANA zone. Offsets such as `+01:00`, which newer runtimes take too, are no zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const Url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((url) => url.replace(/\/+$/, ''))
const Count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1 to 999999999')
  .transform(Number)
const Environment = z.object({
  ENVIRONMENT: z.enum(['production', 'development']).default('production'),
  API_KEYS: z.string().optional(),
  MODEL_PROVIDER: z.enum(['offline', 'openai']).optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: Url.optional(),
  OPENAI_MODEL: z.string().optional(),
  MODEL_PRICES: z.string().optional(),
  TENANT_DAILY_TOKENS: Count.optional(),
  TENANT_DAILY_COST_USD: z
    .string()
    .regex(USD, 'must be a decimal number of USD such as 5.00')
    .transform(microDollars)
    .optional(),
  SIGNING_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  WEBHOOK_SECRET: z.string().optional(),
  WEBHOOK_URL: z.string().optional(),
  SEARCH_PROVIDER: SearchProvider.default('wikipedia'),
  SEARCH_BASE_URL: Url.optional(),
  SEARCH_API_KEY: z.string().optional(),
  CODE_RUNNER_URL: z.string().optional(),
  CODE_RUNNER_SECRET: z.string().optional(),
  TIMEZONE: z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin').default('UTC'),
  TEST_CLOCK: z.iso.datetime({ offset: true, error: 'must be a time as in RFC 3339' }).optional(),
  RATE_LIMIT_PER_MINUTE: Count.default(6_000),
  PUBLIC_URL: Url.optional(),
  MAX_OPEN_TASKS: Count.default(1_000),
  MAX_DRIVEN_TASKS: Count.default(10),
  MAX_STORED_BYTES: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be a whole number of bytes from 1')
    .transform(Number)
    .default(1_073_741_824),
})
type Environment = z.infer<typeof Environment>

/** Reads only the names it knows: bindings and later variables in `env` are none of its business. */
export function parseConfig(env: Record<string, unknown>): Config {
  const { values, errors } = readEnvironment(env)
  const keys = readKeys(values)
  const prices = readPrices(values)
  const { errors: wrong, ...webhooks } = readWebhooks(
    values.WEBHOOK_SECRET,
    values.WEBHOOK_URL,
    values.ENVIRONMENT === 'development',
  )
  const runner = readRunner(values.CODE_RUNNER_URL, values.CODE_RUNNER_SECRET)
  const given_settings = readSettings(env)
  const settings = Settings.parse(given_settings)
  const provider = values.MODEL_PROVIDER ?? (values.OPENAI_API_KEY === undefined ? 'offline' : 'openai')
  const reachable = values.OPENAI_API_KEY !== undefined || values.OPENAI_BASE_URL !== undefined
  const model_configured = provider === 'offline' || reachable
  if (provider === 'openai' && reachable && values.OPENAI_MODEL === undefined) {
    errors.push('OPENAI_MODEL must name a model when MODEL_PROVIDER is openai')
  }
  return {
    environment: values.ENVIRONMENT,
    api_keys: keys.keys,
    model: {
      provider,
      api_key: values.OPENAI_API_KEY ?? null,
      base_url: values.OPENAI_BASE_URL ?? null,
      name: values.OPENAI_MODEL ?? null,
    },
    model_configured,
    search: {
      provider: values.SEARCH_PROVIDER,
      base_url: values.SEARCH_BASE_URL ?? null,
      api_key: values.SEARCH_API_KEY ?? null,
    },
    code_runner: runner.code_runner,
    timezone: values.TIMEZONE,
    test_clock_ms: clockOf(values),
    rate_limit_per_minute: values.RATE_LIMIT_PER_MINUTE,
    max_open_tasks: values.MAX_OPEN_TASKS,
    max_stored_bytes: values.MAX_STORED_BYTES,
    public_url: values.PUBLIC_URL ?? null,
    max_driven_tasks: values.MAX_DRIVEN_TASKS,
    prices: prices.table,
    daily: { tokens: values.TENANT_DAILY_TOKENS ?? null, cost: values.TENANT_DAILY_COST_USD ?? null },
    signing_secret: values.SIGNING_SECRET ?? values.API_KEYS ?? DEV_SECRET,
    ...webhooks,
    settings,
    given_settings,
    config_errors: [
      ...errors,
      ...keys.errors,
      ...prices.errors,
      ...wrong,
      ...runner.errors,
      ...boundErrors(env, settings),
    ],
  }
}

/** One parse per environment: the objects of a process ask for it at every call. */
const parsed = new WeakMap<object, Config>()
export function configOf(env: object): Config {
  const known = parsed.get(env)
  if (known !== undefined) return known
  const config = parseConfig({ ...env })
  parsed.set(env, config)
  return config
}

/** Without a secret of its own the keys serve as one; where nothing is configured what is derived need not be secret. */
const DEV_SECRET = 'development only'

const PerMillion = z.string().regex(USD)
const Prices = z.record(z.string(), z.strictObject({ input: PerMillion, output: PerMillion }))

/** `{"model": {"input": "0.15", "output": "0.60"}}`, USD per million tokens; the built-in model asks nothing. */
function readPrices(values: Environment): { table: PriceTable; errors: string[] } {
  const text = values.MODEL_PRICES ?? '{}'
  const free = (values.MODEL_PROVIDER ?? (values.OPENAI_API_KEY === undefined ? 'offline' : 'openai')) === 'offline'
  const every = free ? { input: 0, output: 0 } : null
  const read = Prices.safeParse(asJson(text))
  const models = Object.entries(read.success ? read.data : {}).map(([model, { input, output }]) => {
    return [model, { input: microDollars(input), output: microDollars(output) }] as const
  })
  const table = {
    version: fingerprint(text),
    default_model: values.OPENAI_MODEL ?? '',
    models: Object.fromEntries(models),
    every,
  }
  const wrong = 'MODEL_PRICES must be JSON: {"model": {"input": "0.15", "output": "0.60"}}, USD per million tokens'
  return { table, errors: read.success ? [] : [wrong] }
}

/** A variable as text; a blank one counts as unset. Values of `[vars]` may be numbers or booleans. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return value.trim()
}

function readEnvironment(env: Record<string, unknown>): { values: Environment; errors: string[] } {
  const given = Object.fromEntries(Object.keys(Environment.shape).map((name) => [name, textOf(env[name])]))
  const first = Environment.safeParse(given)
  if (first.success) return { values: first.data, errors: [] }
  const errors = first.error.issues.map((issue) => `${String(issue.path[0])} ${sentence(issue)}`)
  const wrong = new Set(first.error.issues.map((issue) => issue.path[0]))
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)))
  return { values: Environment.parse(rest), errors }
}

const sentence = (issue: z.core.$ZodIssue) =>
  issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : issue.message

function clockOf(values: Environment): number | null {
  if (values.ENVIRONMENT !== 'development' || values.TEST_CLOCK === undefined) return null
  return Date.parse(values.TEST_CLOCK)
}

/** The key of a fresh checkout; never valid in production. */
const DEV_KEY: ApiKey = { tenant: 'dev', secret: { kind: 'plain', key: 'dev-key' }, worker: false }

function readKeys(values: Environment): { keys: ApiKey[]; errors: string[] } {
  if (values.API_KEYS === undefined) {
    if (values.ENVIRONMENT === 'development') return { keys: [DEV_KEY], errors: [] }
    return { keys: [], errors: [NO_KEYS] }
  }
  const entries = values.API_KEYS.split(',').map((entry) => entry.trim())
  const parsed = entries.map(parseKey)
  const errors = parsed.flatMap((key, index) =>
    key === null
      ? [`API_KEYS entry ${index + 1} is not tenant:key or tenant:sha256:<64 hex digits>, each with :worker or without`]
      : [],
  )
  const keys = parsed.filter((key) => key !== null)
  const secrets = new Set(keys.map(({ secret }) => JSON.stringify(secret)))
  if (secrets.size < keys.length) errors.push('API_KEYS has the same key twice')
  return { keys, errors }
}

const KEY =
  /^(?<tenant>[A-Za-z0-9._-]{1,64}):(?:sha256:(?<hex>[0-9a-f]{64})|(?<key>[A-Za-z0-9._~+/=-]{1,512}))(?<worker>:worker)?$/i

function parseKey(entry: string): ApiKey | null {
  const { tenant, hex, key, worker } = KEY.exec(entry)?.groups ?? {}
  if (tenant === undefined) return null
  if (hex !== undefined)
    return { tenant, secret: { kind: 'sha256', hex: hex.toLowerCase() }, worker: worker !== undefined }
  return key === undefined ? null : { tenant, secret: { kind: 'plain', key }, worker: worker !== undefined }
}

/** Maxima that are not there without the variable: a mistyped one must not leave a task unbounded. */
const BOUNDS = ['max_tokens', 'max_cost_usd', 'max_seconds'] as const

function boundErrors(env: Record<string, unknown>, settings: Settings): string[] {
  const lost = BOUNDS.filter((name) => textOf(env[name.toUpperCase()]) !== undefined && settings[name] === null)
  return lost.map((name) => `${name.toUpperCase()} is not a maximum: ${FORMS[name]}`)
}
const FORMS = {
  max_tokens: 'a whole number from 1',
  max_cost_usd: 'USD as a decimal such as 0.50, without a sign',
  max_seconds: 'a whole number of seconds from 1',
}

/** Each setting's default from the variable of its upper-case name; what does not fit is ignored (O0-01). */
function readSettings(env: Record<string, unknown>): Partial<Settings> {
  const given = Object.entries(Settings.shape).flatMap(([name, schema]) => {
    const text = textOf(env[name.toUpperCase()])
    if (text === undefined) return []
    const fitting = [asJson(text), text].find((value) => value !== undefined && schema.safeParse(value).success)
    return fitting === undefined ? [] : [[name, fitting]]
  })
  // Each was just checked by the schema of its name.
  return Object.fromEntries(given) as Partial<Settings>
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
