/**
 * The environment, parsed once (docs/configuration.md, U21). If the default of a setting is outside its range, the built-in default is
 * used (O0-01). Maxima without a built-in default are the exception: a bad value of such a maximum is an error, as for any other variable.
 * Each error is in `config_errors`, and no request is served until it is corrected.
 */
import * as z from 'zod'
import { chooseEnvironment, type EnvironmentName, type EnvironmentReason } from './config-environment.ts'
import { readHosts, readOrigins, readSigningSecrets, type CorsOrigins } from './config-hosting.ts'
import { readAdminKeys, readKeys, type ApiKey, type KeySecret } from './config-keys.ts'
import { LOGIN_VARIABLES, readLogin, type LoginConfig } from './config-login.ts'
import { AllowedModels, readModelRules } from './config-model-rules.ts'
import { readModels, type ModelsConfig } from './config-models.ts'
import { readPrices } from './config-prices.ts'
import { QUOTA_VARIABLES, quotasOf, type QuotaConfig } from './config-quotas.ts'
import { ComputeSeconds, readRunner, type RunnerConfig } from './config-runner.ts'
import { TELEMETRY_VARIABLES, telemetryOf, type TelemetryConfig } from './config-telemetry.ts'
import { readExports, EXPORT_VARIABLES, type ExportConfig } from './config-exports.ts'
import { readWebhooks, type WebhookConfig } from './config-webhooks.ts'
import type { PriceTable } from './core/terms/money.ts'
import { modelErrors, type ModelRules } from './core/engine/model-rules.ts'
import { Settings } from './core/terms/settings.ts'
import { isRecord } from './core/terms/plain/is-record.ts'
import { parseJson } from './core/terms/values/parse-json.ts'

export interface Config extends WebhookConfig, QuotaConfig, TelemetryConfig, ExportConfig {
  environment: EnvironmentName
  environment_reason: EnvironmentReason
  /** Empty only in production without API_KEYS, where every request is refused unless there is an ADMIN_KEY or a login. */
  api_keys: ApiKey[]
  /** The keys of operators. Empty: there is no registry of tenants and keys. */
  admin_keys: KeySecret[]
  /** Whose tokens are accepted beside keys; null: none. */
  login: LoginConfig | null
  /** Where models are asked. */
  models: ModelsConfig
  /** Which models tasks may name, and what is asked in place of what. */
  model_rules: ModelRules
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
  /** `host`, `host:port` or `*.domain`, which may be reached although their addresses are private. */
  allowed_hosts: ReadonlySet<string>
  /** The same, which may not be reached although their addresses are public. */
  denied_hosts: ReadonlySet<string>
  /** Whose pages may call the API from a browser. */
  cors_origins: CorsOrigins
  /** Defaults of the settings of a task. */
  settings: Settings
  /** Those of them that variables name. */
  given_settings: Partial<Settings>
  /** One sentence for each variable that is wrong, without its value. */
  config_errors: string[]
}

const SEARCH_PROVIDERS = ['wikipedia', 'searxng', 'brave', 'tavily', 'cloudflare'] as const
const SearchProvider = z.enum(SEARCH_PROVIDERS)
type SearchProvider = z.infer<typeof SearchProvider>

/** A provider that there was. Whoever still names it is told why there is no answer any more. */
const isNotBing = (name: string) => name !== 'bing'
const RETIRED = {
  error: `is bing, whose API Microsoft retired in August 2025: use one of ${SEARCH_PROVIDERS.join(', ')}`,
  abort: true,
}

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
  ADMIN_KEY: z.string().optional(),
  MODEL_PROVIDER: z.enum(['offline', 'openai']).optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: Url.optional(),
  OPENAI_MODEL: z.string().optional(),
  MODELS: z.string().optional(),
  PHASE_MODELS: z.string().optional(),
  ALLOWED_MODELS: AllowedModels,
  TENANT_MODELS: z.string().optional(),
  MODEL_PRICES: z.string().optional(),
  SIGNING_SECRET: z.string().optional(),
  ALLOWED_HOSTS: z.string().optional(),
  DENIED_HOSTS: z.string().optional(),
  CORS_ORIGINS: z.string().optional(),
  WEBHOOK_SECRET: z.string().optional(),
  WEBHOOK_URL: z.string().optional(),
  SEARCH_PROVIDER: z.string().refine(isNotBing, RETIRED).pipe(SearchProvider).default('wikipedia'),
  SEARCH_BASE_URL: Url.optional(),
  SEARCH_API_KEY: z.string().optional(),
  CODE_RUNNER_URL: z.string().optional(),
  CODE_RUNNER_SECRET: z.string().optional(),
  COMPUTE_SECONDS: ComputeSeconds,
  TIMEZONE: z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin').default('UTC'),
  TEST_CLOCK: z.iso.datetime({ offset: true, error: 'must be a time as in RFC 3339' }).optional(),
  PUBLIC_URL: Url.optional(),
  ...LOGIN_VARIABLES,
  ...QUOTA_VARIABLES,
  ...TELEMETRY_VARIABLES,
  ...EXPORT_VARIABLES,
})
type Environment = z.infer<typeof Environment>

/** Reads only the names it knows: bindings and later variables in `env` are none of its business. */
export function parseConfig(env: Record<string, unknown>): Config {
  const { values, errors } = readEnvironment(env)
  const chosen = chooseEnvironment(values.ENVIRONMENT, values, values.DEFAULT_ENVIRONMENT)
  const { environment } = chosen
  const has_others = values.AUTH_ISSUER !== undefined || values.ADMIN_KEY !== undefined
  const keys = readKeys(values.API_KEYS, environment, has_others)
  const { admin_keys, errors: admin_errors } = readAdminKeys(values.ADMIN_KEY, keys.keys)
  const { signing_secrets, errors: secret_errors } = readSigningSecrets(values.SIGNING_SECRET, environment, keys.keys)
  const { errors: host_errors, ...hosts } = readHosts(values)
  const cors = readOrigins(values.CORS_ORIGINS)
  const phases = phaseModelsIn(values)
  const has_binding = typeof env['AI'] === 'object' && env['AI'] !== null
  const { models, errors: model_errors } = readModels({ ...values, MODELS: phases.endpoints }, has_binding)
  const model = models.endpoints[0]?.model ?? values.OPENAI_MODEL
  // A registry may have any tenant.
  const tenants = admin_keys.length > 0 ? null : keys.keys.map(({ tenant }) => tenant)
  const { rules: model_rules, errors: rule_errors } = readModelRules(models, { ...values, model }, tenants)
  const prices = readPrices(values, models)
  const reach = { loopback: environment === 'development', ...hosts }
  const { errors: wrong, ...webhooks } = readWebhooks(values.WEBHOOK_SECRET, values.WEBHOOK_URL, reach)
  const { login, errors: login_errors } = readLogin(values, reach)
  const { errors: export_errors, ...exports } = readExports(values)
  const runner = readRunner(values.CODE_RUNNER_URL, values.CODE_RUNNER_SECRET)
  const is_billed = models.provider !== 'offline' && environment === 'production'
  const given_settings = boundedTokens(env, readSettings({ ...env, MODELS: phases.models }), is_billed)
  const settings = Settings.parse(given_settings)
  return {
    ...chosen,
    api_keys: keys.keys,
    login,
    admin_keys,
    models,
    model_rules,
    model_configured: models.provider === 'offline' || models.endpoints.length > 0,
    search: searchOf(values),
    code_runner: runner.code_runner,
    compute_wall_ms: values.COMPUTE_SECONDS * 1000,
    timezone: values.TIMEZONE,
    test_clock_ms: environment === 'development' ? clockOf(values) : null,
    ...quotasOf(values),
    ...telemetryOf(values, environment),
    public_url: values.PUBLIC_URL ?? null,
    prices: prices.table,
    signing_secrets,
    ...hosts,
    cors_origins: cors.cors_origins,
    ...webhooks,
    ...exports,
    settings,
    given_settings,
    config_errors: [
      ...errors,
      ...model_errors,
      ...rule_errors,
      ...keys.errors,
      ...login_errors,
      ...admin_errors,
      ...secret_errors,
      ...host_errors,
      ...cors.errors,
      ...prices.errors,
      ...wrong,
      ...runner.errors,
      ...export_errors,
      ...boundErrors(env, settings),
      ...modelVariableErrors(settings, model_rules, phases.variable, models.is_named),
    ],
  }
}

const searchOf = (values: Environment): Config['search'] => ({
  provider: values.SEARCH_PROVIDER,
  base_url: values.SEARCH_BASE_URL ?? null,
  api_key: values.SEARCH_API_KEY ?? null,
})

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

/** A default that no task may have would refuse every create. `phases` is the variable of the models by phase. */
function modelVariableErrors(settings: Settings, rules: ModelRules, phases: string, is_named: boolean): string[] {
  const wrong = modelErrors(settings, { ...rules, tenants: {} }, '')
  const variables = wrong.map(({ pointer }) => (pointer === '/settings/model' ? 'MODEL' : phases))
  const unknown = is_named ? 'that neither MODELS nor ALLOWED_MODELS names' : 'that ALLOWED_MODELS does not name'
  return [...new Set(variables)].map((name) => `${name} names a model ${unknown}`)
}

/**
 * The default of `settings.models` is PHASE_MODELS. Before there were named endpoints it was MODELS, so a text that gives each phase the
 * name of a model is still that default, and names no endpoints.
 */
function phaseModelsIn({ MODELS, PHASE_MODELS }: Environment) {
  const value = MODELS === undefined ? undefined : parseJson(MODELS)
  const isDefault = isRecord(value) && Object.keys(value).length > 0 && Settings.shape.models.safeParse(value).success
  if (isDefault && PHASE_MODELS === undefined) return { models: MODELS, variable: 'MODELS', endpoints: undefined }
  return { models: PHASE_MODELS, variable: 'PHASE_MODELS', endpoints: isDefault ? undefined : MODELS }
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
