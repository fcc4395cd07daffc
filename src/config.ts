/**
 * The environment, parsed once (docs/configuration.md, U21). If the default of a setting is outside its range, the built-in default is
 * used (O0-01). Maxima without a built-in default are the exception: a bad value of such a maximum is an error, as for any other variable.
 * Each error is in `config_errors`, and no request is served until it is corrected.
 */
import * as z from 'zod'
import { chooseEnvironment, type EnvironmentName, type EnvironmentReason } from './config-environment.ts'
import { readAllowedHosts, readSigningSecrets } from './config-hosting.ts'
import { readKeys, type ApiKey } from './config-keys.ts'
import { readPrices } from './config-prices.ts'
import { QUOTA_VARIABLES, quotasOf, type QuotaConfig } from './config-quotas.ts'
import { ComputeSeconds, readRunner, type RunnerConfig } from './config-runner.ts'
import { readWebhooks, type WebhookConfig } from './config-webhooks.ts'
import type { PriceTable } from './core/terms/money.ts'
import { modelErrors, type AllowedModels } from './core/engine/allowed-models.ts'
import { Settings } from './core/terms/settings.ts'
import { parseJson } from './core/terms/values/parse-json.ts'

export interface Config extends WebhookConfig, QuotaConfig {
  environment: EnvironmentName
  environment_reason: EnvironmentReason
  /** Empty only in production without API_KEYS, where every request is refused. */
  api_keys: ApiKey[]
  model: { provider: 'offline' | 'openai'; api_key: string | null; base_url: string | null; name: string | null }
  /** Whether a goal can be worked on at all; false for `openai` with neither a key nor an endpoint of one's own. */
  model_configured: boolean
  search: { provider: SearchProvider; base_url: string | null; api_key: string | null }
  /** Where Python runs; null: nowhere. */
  code_runner: RunnerConfig | null
  /** The longest that one job of the compute Worker may take. */
  compute_wall_ms: number
  /** IANA zone of the workspace and the default of a task. */
  timezone: string
  /** The frozen wall clock of slash commands and prompts, ms since the epoch; null: the real one. */
  test_clock_ms: number | null
  /** What links to the service begin with; null: the origin of the request that made the task. */
  public_url: string | null
  /** What the models cost. */
  prices: PriceTable
  /** Where a tenant is told what has no task: its reminders (U22). */
  webhook_urls: ReadonlyMap<string, string>
  /** For ids and links that are derived, not stored: the first signs, all verify. Empty only where every request is refused. */
  signing_secrets: readonly string[]
  /** `host` or `host:port`, which may be reached although their addresses are private. */
  allowed_hosts: ReadonlySet<string>
  /** Defaults of the settings of a task. */
  settings: Settings
  /** Those of them that variables name. */
  given_settings: Partial<Settings>
  /** One sentence for each variable that is wrong, without its value. */
  config_errors: string[]
}

const SearchProvider = z.enum(['wikipedia', 'searxng', 'brave', 'tavily', 'bing'])
type SearchProvider = z.infer<typeof SearchProvider>

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
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
const Environment = z.object({
  ENVIRONMENT: z.enum(['production', 'development']).optional(),
  DEFAULT_ENVIRONMENT: z.enum(['production', 'development']).optional(),
  API_KEYS: z.string().optional(),
  MODEL_PROVIDER: z.enum(['offline', 'openai']).optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: Url.optional(),
  OPENAI_MODEL: z.string().optional(),
  MODEL_PRICES: z.string().optional(),
  SIGNING_SECRET: z.string().optional(),
  ALLOWED_HOSTS: z.string().optional(),
  WEBHOOK_SECRET: z.string().optional(),
  WEBHOOK_URL: z.string().optional(),
  SEARCH_PROVIDER: SearchProvider.default('wikipedia'),
  SEARCH_BASE_URL: Url.optional(),
  SEARCH_API_KEY: z.string().optional(),
  CODE_RUNNER_URL: z.string().optional(),
  CODE_RUNNER_SECRET: z.string().optional(),
  COMPUTE_SECONDS: ComputeSeconds,
  TIMEZONE: z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin').default('UTC'),
  TEST_CLOCK: z.iso.datetime({ offset: true, error: 'must be a time as in RFC 3339' }).optional(),
  PUBLIC_URL: Url.optional(),
  ...QUOTA_VARIABLES,
})
type Environment = z.infer<typeof Environment>

/** Reads only the names it knows: bindings and later variables in `env` are none of its business. */
export function parseConfig(env: Record<string, unknown>): Config {
  const { values, errors } = readEnvironment(env)
  const chosen = chooseEnvironment(values.ENVIRONMENT, values.API_KEYS, values.DEFAULT_ENVIRONMENT)
  const { environment } = chosen
  const keys = readKeys(values.API_KEYS, environment)
  const { signing_secrets, errors: secret_errors } = readSigningSecrets(values.SIGNING_SECRET, environment, keys.keys)
  const { allowed_hosts, errors: host_errors } = readAllowedHosts(values.ALLOWED_HOSTS)
  const reach = { loopback: environment === 'development', allowed_hosts }
  const { errors: wrong, ...webhooks } = readWebhooks(values.WEBHOOK_SECRET, values.WEBHOOK_URL, reach)
  const runner = readRunner(values.CODE_RUNNER_URL, values.CODE_RUNNER_SECRET)
  const provider = values.MODEL_PROVIDER ?? (values.OPENAI_API_KEY === undefined ? 'offline' : 'openai')
  const prices = readPrices(values.MODEL_PRICES, {
    name: 'default',
    is_free: provider === 'offline',
    wire: 'chat',
    base_url: values.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
    model: values.OPENAI_MODEL ?? '',
  })
  const is_billed = provider === 'openai' && environment === 'production'
  const given_settings = boundedTokens(env, readSettings(env), is_billed)
  const settings = Settings.parse(given_settings)
  const quotas = quotasOf(values, values.OPENAI_MODEL)
  const reachable = values.OPENAI_API_KEY !== undefined || values.OPENAI_BASE_URL !== undefined
  const model_configured = provider === 'offline' || reachable
  if (provider === 'openai' && reachable && values.OPENAI_MODEL === undefined) {
    errors.push('OPENAI_MODEL must name a model when MODEL_PROVIDER is openai')
  }
  return {
    ...chosen,
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
    compute_wall_ms: values.COMPUTE_SECONDS * 1000,
    timezone: values.TIMEZONE,
    test_clock_ms: environment === 'development' ? clockOf(values) : null,
    ...quotas,
    public_url: values.PUBLIC_URL ?? null,
    prices: prices.table,
    signing_secrets,
    allowed_hosts,
    ...webhooks,
    settings,
    given_settings,
    config_errors: [
      ...errors,
      ...keys.errors,
      ...secret_errors,
      ...host_errors,
      ...prices.errors,
      ...wrong,
      ...runner.errors,
      ...boundErrors(env, settings),
      ...modelVariableErrors(settings, quotas.allowed_models),
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
  return values.TEST_CLOCK === undefined ? null : Date.parse(values.TEST_CLOCK)
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

/** A default that no task may have would refuse every create. */
function modelVariableErrors(settings: Settings, allowed: AllowedModels): string[] {
  const variables = modelErrors(settings, allowed).map(({ pointer }) => pointer.split('/')[2]?.toUpperCase() ?? pointer)
  return [...new Set(variables)].map((name) => `${name} names a model that ALLOWED_MODELS does not name`)
}

/** In production a model may cost money, so a task is bounded unless its client or the operator says otherwise. */
const PRODUCTION_TOKENS = 1_000_000

/** What stands in the variable, a wrong value too, is never replaced. */
function boundedTokens(env: Record<string, unknown>, given: Partial<Settings>, is_billed: boolean): Partial<Settings> {
  return is_billed && textOf(env['MAX_TOKENS']) === undefined ? { ...given, max_tokens: PRODUCTION_TOKENS } : given
}

/** Each setting's default from the variable of its upper-case name; what does not fit is ignored (O0-01). */
function readSettings(env: Record<string, unknown>): Partial<Settings> {
  const given = Object.entries(Settings.shape).flatMap(([name, schema]) => {
    const text = textOf(env[name.toUpperCase()])
    if (text === undefined) return []
    const fitting = [parseJson(text), text].find((value) => value !== undefined && schema.safeParse(value).success)
    return fitting === undefined ? [] : [[name, fitting]]
  })
  // Each was just checked by the schema of its name.
  return Object.fromEntries(given) as Partial<Settings>
}
