/** The environment that the Worker gets: the variables of the contract by name, and nothing else of the machine. */
import { isIP } from 'node:net'
import { parseConfig } from '../../src/config.ts'
import { NO_SIGNING_SECRET } from '../../src/config-hosting.ts'
import { NO_KEYS } from '../../src/config-keys.ts'
import { EXPORT_VARIABLES } from '../../src/config-exports.ts'
import { LOGIN_VARIABLES } from '../../src/config-login.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { createSearch } from '../../src/search/index.ts'

const VARIABLES = [
  'ENVIRONMENT',
  'API_KEYS',
  'ADMIN_KEY',
  'SIGNING_SECRET',
  'ALLOWED_HOSTS',
  'DENIED_HOSTS',
  'CORS_ORIGINS',
  'WEBHOOK_SECRET',
  'WEBHOOK_URL',
  'MODEL_PROVIDER',
  'MODELS',
  'PHASE_MODELS',
  'TENANT_MODELS',
  'MODEL_PRICES',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_MODEL',
  'SEARCH_PROVIDER',
  'SEARCH_BASE_URL',
  'SEARCH_API_KEY',
  'CODE_RUNNER_URL',
  'CODE_RUNNER_SECRET',
  'COMPUTE_SECONDS',
  'LOG_LEVEL',
  'METRICS_TOKEN',
  'METRICS_TENANTS',
  'TIMEZONE',
  'TEST_CLOCK',
  'PUBLIC_URL',
  'SINGLE_PROCESS',
  'RATE_LIMIT_PER_MINUTE',
  'MAX_OPEN_TASKS',
  'MAX_SCHEDULES',
  'MAX_DRIVEN_TASKS',
  'TENANT_SHARDS',
  'MAX_STORED_BYTES',
  'ALLOWED_MODELS',
  'TENANT_DAILY_TOKENS',
  'TENANT_DAILY_COST_USD',
  ...Object.keys(LOGIN_VARIABLES),
  ...Object.keys(EXPORT_VARIABLES),
  ...Object.keys(Settings.shape).map((name) => name.toUpperCase()),
]

/** The Worker's bindings. Without ENVIRONMENT, API_KEYS and AUTH_ISSUER nobody is served but the one who started it, who develops. */
export function bindingsOf(env) {
  const given = VARIABLES.filter((name) => env[name] !== undefined && env[name] !== '').map((name) => [name, env[name]])
  return { DEFAULT_ENVIRONMENT: 'development', SINGLE_PROCESS: 'true', ...Object.fromEntries(given) }
}

/**
 * Where and under what to serve; `errors` has one sentence for each variable that is wrong. Missing keys in production are no
 * reason not to start: it serves (`keyless`), and refuses every request (U21). With keys production also needs PUBLIC_URL here: in front of
 * this process nothing vouches for the Host header, which would choose the origin of links.
 */
export function readEnvironment(env) {
  const { DEFAULT_ENVIRONMENT, ...bindings } = bindingsOf(env)
  const config = parseConfig({ ...bindings, DEFAULT_ENVIRONMENT })
  const port = Number(env.PORT || 8787)
  const isPort = /^\d{1,5}$/.test(env.PORT || '8787') && port <= 65_535
  const host = env.HOST || LOOPBACK
  const search = createSearch(config.search, fetch)
  const keyless = isKeyless(config)
  const excused = keyless ? [NO_KEYS, NO_SIGNING_SECRET] : []
  const errors = [
    ...config.config_errors.filter((error) => !excused.includes(error)),
    ...(config.environment === 'production' && !keyless && bindings.PUBLIC_URL === undefined ? [NO_PUBLIC_URL] : []),
    ...('error' in search ? [search.error] : []),
    ...hostErrors(host, config.environment, bindings.API_KEYS),
    ...(['', 'true', 'false'].includes(env.INDEX_DATABASE ?? '')
      ? []
      : ['INDEX_DATABASE must be true (lists and searches by an index database in DATA_DIR) or false']),
    ...(isPort ? [] : ['PORT must be a whole number from 0 (any free port) to 65535']),
  ]
  return {
    bindings: { ...bindings, ENVIRONMENT: config.environment },
    environment: config.environment,
    reason: REASONS[config.environment_reason],
    errors,
    host,
    port,
    dataDir: env.DATA_DIR || '.data',
    model: modelOf(config),
    keys: keysOf(config, bindings),
    keyless,
    hasIndexDatabase: env.INDEX_DATABASE === 'true',
  }
}

const NO_PUBLIC_URL = 'PUBLIC_URL must be set in production: what links begin with, such as https://agent.example.com'
const LOOPBACK = '127.0.0.1'
const LOOPBACKS = [LOOPBACK, '::1', 'localhost']

/**
 * Beyond the loopback, strangers reach the port. The development key is known to everybody, so there HOST needs keys. Some shells set HOST to
 * the name of the machine, so only addresses are taken.
 */
function hostErrors(host, environment, keys) {
  if (host !== 'localhost' && isIP(host) === 0)
    return [
      `HOST must be an IP address to listen on: ${LOOPBACK} (the default) for this machine alone, 0.0.0.0 for every network; ` +
        'unset it if your shell has set it to the name of the machine',
    ]
  if (LOOPBACKS.includes(host) || environment === 'production' || keys !== undefined) return []
  return [
    `HOST ${host} would serve everybody who reaches this port under the key dev-key, which is no secret: ` +
      'set API_KEYS, or leave HOST unset',
  ]
}

const REASONS = {
  ENVIRONMENT: 'as ENVIRONMENT says',
  API_KEYS: 'because API_KEYS is set and ENVIRONMENT is not',
  AUTH_ISSUER: 'because AUTH_ISSUER is set and ENVIRONMENT is not',
  ADMIN_KEY: 'because ADMIN_KEY is set and ENVIRONMENT is not',
  default: 'because neither ENVIRONMENT nor API_KEYS is set',
}

function modelOf({ models, model_configured }) {
  if (!model_configured) return 'none, openai has no key'
  const [first, ...others] = models.endpoints
  if (first === undefined) return models.provider
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${first.name} ${first.wire} ${first.model}${more}`
}
const isKeyless = ({ config_errors }) => config_errors.includes(NO_KEYS)

function keysOf(config, { API_KEYS, ADMIN_KEY }) {
  if (isKeyless(config)) return 'no keys: every request is 503 until API_KEYS or ADMIN_KEY is set'
  const keys = API_KEYS !== undefined ? 'keys: API_KEYS' : config.api_keys.length > 0 ? 'key: dev-key' : 'no keys'
  const operator = ADMIN_KEY === undefined ? '' : ', ADMIN_KEY'
  return `${keys}${operator}${config.login === null ? '' : `, logins of ${config.login.issuer}`}`
}
