/** The process environment as the Worker gets it: the variables of the contract by name, and nothing else of the machine. */
import { NO_KEYS, parseConfig } from '../../src/config.ts'
import { Settings } from '../../src/core/settings.ts'
import { createSearch } from '../../src/search/index.ts'

const VARIABLES = [
  'ENVIRONMENT',
  'API_KEYS',
  'SIGNING_SECRET',
  'WEBHOOK_SECRET',
  'WEBHOOK_URL',
  'MODEL_PROVIDER',
  'MODEL_PRICES',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_MODEL',
  'SEARCH_PROVIDER',
  'SEARCH_BASE_URL',
  'SEARCH_API_KEY',
  'CODE_RUNNER_URL',
  'CODE_RUNNER_SECRET',
  'TIMEZONE',
  'TEST_CLOCK',
  'PUBLIC_URL',
  'SINGLE_PROCESS',
  'RATE_LIMIT_PER_MINUTE',
  'MAX_OPEN_TASKS',
  'MAX_DRIVEN_TASKS',
  'MAX_STORED_BYTES',
  'TENANT_DAILY_TOKENS',
  'TENANT_DAILY_COST_USD',
  ...Object.keys(Settings.shape).map((name) => name.toUpperCase()),
]

/** The Worker's bindings; whoever runs it on his own machine is developing unless he says otherwise. */
export function bindingsOf(env) {
  const given = VARIABLES.filter((name) => env[name] !== undefined && env[name] !== '').map((name) => [name, env[name]])
  return { ENVIRONMENT: 'development', ...Object.fromEntries(given) }
}

/**
 * Where and under what to serve; `errors` has one sentence for each variable that is wrong. Missing keys in production are no
 * reason not to start: it serves (`keyless`), and refuses every request (ruling 21).
 */
export function readEnvironment(env) {
  const bindings = bindingsOf(env)
  const config = parseConfig(bindings)
  const port = Number(env.PORT || 8787)
  const isPort = /^\d{1,5}$/.test(env.PORT || '8787') && port <= 65_535
  const search = createSearch(config.search, fetch)
  const errors = [
    ...config.config_errors.filter((error) => error !== NO_KEYS),
    ...('error' in search ? [search.error] : []),
    ...(isPort ? [] : ['PORT must be a whole number from 0 (any free port) to 65535']),
  ]
  return {
    bindings,
    errors,
    port,
    dataDir: env.DATA_DIR || '.data',
    model: modelOf(config),
    keys: keysOf(config, bindings),
    keyless: isKeyless(config),
  }
}

function modelOf({ model, model_configured }) {
  if (!model_configured) return 'none, openai has no key'
  return model.provider === 'offline' || model.name === null ? model.provider : `${model.provider} ${model.name}`
}
const isKeyless = ({ config_errors }) => config_errors.includes(NO_KEYS)

function keysOf(config, { API_KEYS }) {
  if (isKeyless(config)) return 'no keys: every request is 503 until API_KEYS is set'
  return API_KEYS === undefined ? 'key: dev-key' : 'keys: API_KEYS'
}
