/** The environment: defaults, what falls back, what is an error, and that no value is repeated in one. */
import { describe, expect, it } from 'vitest'
import { isTimeZone, parseConfig } from '../src/config.ts'
import { NO_SIGNING_SECRET } from '../src/config-hosting.ts'
import { NO_KEYS } from '../src/config-keys.ts'
import { effectiveSettings } from '../src/http/shapes/task-requests.ts'
import { DEFAULT_SETTINGS } from '../src/core/terms/settings.ts'

const SIGNING_SECRET = 'a secret of the tests'
const KEYS = { API_KEYS: 'alice:k1', SIGNING_SECRET }

describe('defaults', () => {
  it('an environment with nothing but keys and a secret is production, offline, wikipedia, UTC', () => {
    expect(parseConfig(KEYS)).toEqual({
      environment: 'production',
      environment_reason: 'API_KEYS',
      admin_keys: [],
      api_keys: [{ tenant: 'alice', secret: { kind: 'plain', key: 'k1' }, worker: false }],
      login: null,
      models: { provider: 'offline', endpoints: [], is_named: false },
      model_rules: { names: null, default_names: ['default'], tenants: {}, fallbacks: {} },
      model_configured: true,
      search: { provider: 'wikipedia', base_url: null, api_key: null },
      code_runner: null,
      compute_wall_ms: 20_000,
      timezone: 'UTC',
      test_clock_ms: null,
      rate_limit_per_minute: 6_000,
      single_process: false,
      max_open_tasks: 1_000,
      max_schedules: 100,
      max_driven_tasks: 10,
      max_stored_bytes: 10_737_418_240,
      log_level: 'info',
      metrics_token: null,
      metrics_tenants: 0,
      public_url: null,
      webhook_secrets: new Map(),
      webhook_urls: new Map(),
      prices: {
        version: expect.any(String),
        default_model: '',
        models: {},
        every: { input: 0, output: 0 },
        endpoints: {},
      },
      daily: { tokens: null, cost: null },
      signing_secrets: [SIGNING_SECRET],
      allowed_hosts: new Set(),
      denied_hosts: new Set(),
      cors_origins: [],
      usage: true,
      exports_rows: true,
      traces: {
        enabled: true,
        receiver: null,
        sampler: { by_parent: true, ratio: 1 },
        capture_content: false,
        resource: { 'service.name': 'loop-agent' },
      },
      settings: DEFAULT_SETTINGS,
      given_settings: {},
      has_shards: false,
      sharded_tenants: 0,
      shardsOf: expect.any(Function),
      config_errors: [],
    })
  })

  it('blank values count as unset, bindings and unknown names are not looked at', () => {
    const blank = { OPENAI_API_KEY: ' ', TIMEZONE: '', MAX_STEPS: '\n', RATE_LIMIT_PER_MINUTE: ' ', TEST_CLOCK: '' }
    const bindings = { TASKS: { get: () => 1 }, ASSETS: {}, PORT: '8787', HOME: '/root' }
    const shardsOf: unknown = expect.any(Function)
    expect(parseConfig({ ...KEYS, ...blank, ...bindings })).toEqual({ ...parseConfig(KEYS), shardsOf })
  })
})

describe('prices and totals', () => {
  it('U21 MODEL_PRICES is USD per million tokens, kept in micro-dollars, its version a fingerprint of the text', () => {
    const models = { 'm-1': { input: '0.15', output: '0.60' } }
    const openai = { ...KEYS, OPENAI_API_KEY: 'sk', OPENAI_MODEL: 'm-1', MODEL_PRICES: JSON.stringify(models) }
    const { prices, config_errors } = parseConfig(openai)
    expect(prices).toMatchObject({
      default_model: 'm-1',
      models: { 'm-1': { input: 150_000, output: 600_000 } },
      every: null,
    })
    expect(config_errors).toEqual([])
    expect(parseConfig({ ...openai, MODEL_PRICES: '{}' }).prices.version).not.toBe(prices.version)
  })

  it('U21 a price may have tiers, which are kept in their order', () => {
    const tiers = [
      { above: 200_000, input: '4', output: '8', cache_read: '0.4' },
      { above: 100_000, input: '2', output: '6' },
    ]
    const MODEL_PRICES = JSON.stringify({ m: { input: '1', output: '5', tiers } })
    const { prices, config_errors } = parseConfig({ ...KEYS, OPENAI_API_KEY: 'sk', OPENAI_MODEL: 'm', MODEL_PRICES })
    expect(config_errors).toEqual([])
    expect(prices.models['m']?.tiers).toEqual([
      { above: 100_000, input: 2_000_000, output: 6_000_000 },
      { above: 200_000, input: 4_000_000, output: 8_000_000, cache_read: 400_000 },
    ])
  })

  it.each([
    '{',
    '[]',
    '{"m":1}',
    '{"m":{"input":"1","output":"1","tiers":[{"input":"1","output":"1"}]}}',
    '{"m":{"input":"1","output":"1","tiers":[{"above":"9","input":"1","output":"1"}]}}',
    '{"m":{"input":0.15,"output":1}}',
    '{"m":{"input":"-1","output":"1"}}',
  ])('MODEL_PRICES %s is an error that shows its form', (MODEL_PRICES) => {
    expect(parseConfig({ ...KEYS, MODEL_PRICES }).config_errors).toEqual([
      expect.stringContaining('MODEL_PRICES must be JSON'),
    ])
  })

  it("U16 a tenant's totals of a day", () => {
    const totals = {
      ...KEYS,
      TENANT_DAILY_TOKENS: '5000',
      TENANT_DAILY_COST_USD: '2.5',
    }
    expect(parseConfig(totals)).toMatchObject({
      daily: { tokens: 5_000, cost: 2_500_000 },
    })
    expect(parseConfig({ ...KEYS, TENANT_DAILY_COST_USD: 'much' }).config_errors).toHaveLength(1)
  })
})

describe('keys', () => {
  const hex = 'ab'.repeat(32)
  it('U21 tenant:key, tenant:sha256:<hex>, and :worker behind either', () => {
    const { api_keys, config_errors } = parseConfig({
      SIGNING_SECRET,
      API_KEYS: ` a:k1 ,b.B-_:sha256:${hex.toUpperCase()},a:k2:worker,c:sha256:${hex.replace('a', 'c')}:worker`,
    })
    expect(config_errors).toEqual([])
    expect(api_keys).toEqual([
      { tenant: 'a', secret: { kind: 'plain', key: 'k1' }, worker: false },
      { tenant: 'b.B-_', secret: { kind: 'sha256', hex }, worker: false },
      { tenant: 'a', secret: { kind: 'plain', key: 'k2' }, worker: true },
      { tenant: 'c', secret: { kind: 'sha256', hex: hex.replace('a', 'c') }, worker: true },
    ])
  })

  it.each([
    'secret',
    ':secret',
    'a:',
    'a:sec ret',
    'a b:secret',
    `a:sha256:${hex}0`,
    'a:sha256:xyz',
    'a:secret:x',
    'ok:k,,',
    'ok:k,a:séc',
  ])('%s is an error that does not repeat the secret', (API_KEYS) => {
    const { config_errors } = parseConfig({ API_KEYS, SIGNING_SECRET })
    expect(config_errors.join()).toMatch(/^API_KEYS entry \d/)
    expect(config_errors.join()).not.toContain('secret')
  })

  it('one key cannot be of two tenants', () => {
    expect(parseConfig({ API_KEYS: 'a:same,b:same', SIGNING_SECRET }).config_errors).toEqual([
      'API_KEYS has the same key twice',
    ])
  })

  it('U21 unset: dev-key of tenant dev in development, an error in production', () => {
    const { api_keys, config_errors } = parseConfig({ ENVIRONMENT: 'development' })
    expect([api_keys, config_errors]).toEqual([
      [{ tenant: 'dev', secret: { kind: 'plain', key: 'dev-key' }, worker: false }],
      [],
    ])
    expect(parseConfig({})).toMatchObject({ api_keys: [], config_errors: [NO_KEYS, NO_SIGNING_SECRET] })
    expect(NO_KEYS).toMatch(/^API_KEYS must be set/)
  })
})

describe('webhooks', () => {
  const secretOf = (byte: number, bytes = 32) => `whsec_${Buffer.alloc(bytes, byte).toString('base64')}`
  const [one, two, three] = [secretOf(1), secretOf(2, 24), secretOf(3, 64)]

  it('U21 WEBHOOK_SECRET is tenant:whsec_…, twice during rotation, in the order that is given', () => {
    const { webhook_secrets, config_errors } = parseConfig({
      ...KEYS,
      WEBHOOK_SECRET: `a:${two}, b.B-_:${three} ,a:${one}`,
    })
    expect(config_errors).toEqual([])
    expect(webhook_secrets).toEqual(
      new Map([
        ['a', [two, one]],
        ['b.B-_', [three]],
      ]),
    )
  })

  const bare = one.slice('whsec_'.length)
  it.each([
    ['no secret', 'a:', 'entry 1 is not tenant:whsec_'],
    ['no tenant', one, 'entry 1 is not'],
    ['a tenant with a space', `a b:${one}`, 'entry 1 is not'],
    ['no prefix', `a:${bare}`, 'entry 1 is not'],
    ['too few bytes', `a:${secretOf(1, 23)}`, 'entry 1 is not'],
    ['too many bytes', `a:${secretOf(1, 65)}`, 'entry 1 is not'],
    ['no base64', `a:whsec_${'_'.repeat(44)}`, 'entry 1 is not'],
    ['base64 without its end', `a:${one.slice(0, -1)}`, 'entry 1 is not'],
    ['something behind it', `a:${one}:worker`, 'entry 1 is not'],
    ['an empty entry', `a:${one},,a:${two}`, 'entry 2 is not'],
    ['three of one tenant', `a:${one},a:${two},a:${three}`, 'more than 2 secrets of one tenant'],
    ['one twice', `a:${one},b:${one}`, 'the same secret twice'],
  ])('U21 WEBHOOK_SECRET with %s is an error that does not repeat it', (_what, WEBHOOK_SECRET, reason) => {
    const { config_errors } = parseConfig({ ...KEYS, WEBHOOK_SECRET })
    expect(config_errors).toEqual([expect.stringContaining(reason)])
    expect(config_errors.join()).toMatch(/^WEBHOOK_SECRET /)
    expect(config_errors.join()).not.toContain(bare.slice(0, 20))
  })

  it('U22 WEBHOOK_URL is tenant:https://…, one per tenant, this machine in development only', () => {
    const WEBHOOK_URL = 'a:https://example.com/hook?x=1,b:https://example.org:8443/'
    const WEBHOOK_SECRET = `a:${one},b:${two}`
    expect(parseConfig({ ...KEYS, WEBHOOK_URL, WEBHOOK_SECRET })).toMatchObject({ config_errors: [] })
    expect(parseConfig({ ...KEYS, WEBHOOK_URL }).config_errors).toEqual([
      'WEBHOOK_URL names a, which has no WEBHOOK_SECRET to sign with',
      'WEBHOOK_URL names b, which has no WEBHOOK_SECRET to sign with',
    ])
    expect(parseConfig({ ...KEYS, WEBHOOK_URL }).webhook_urls).toEqual(
      new Map([
        ['a', 'https://example.com/hook?x=1'],
        ['b', 'https://example.org:8443/'],
      ]),
    )
    const local = { WEBHOOK_URL: 'dev:http://127.0.0.1:9000/hook' }
    expect(parseConfig({ ...local, ENVIRONMENT: 'development' }).webhook_urls.get('dev')).toBe(
      local.WEBHOOK_URL.slice(4),
    )
    expect(parseConfig({ ...KEYS, ...local }).config_errors).toEqual(['WEBHOOK_URL entry 1 must begin with https://'])
  })

  it.each([
    ['https://example.com/hook', 'is not tenant:https://…'],
    ['a', 'is not tenant:https://…'],
    ['a:ftp://example.com', 'must begin with https://'],
    ['a:https://canary.internal/', 'must not name a host of a private or local network'],
    ['a:https://example.com/canary,a:https://example.org/canary', 'is the second of its tenant'],
  ])('U22 WEBHOOK_URL=%s is an error that does not repeat it', (WEBHOOK_URL, reason) => {
    const { config_errors } = parseConfig({ ...KEYS, WEBHOOK_URL, WEBHOOK_SECRET: `a:${one}` })
    expect(config_errors).toEqual([expect.stringContaining(reason)])
    expect(config_errors.join()).not.toContain('canary')
  })
})

describe('the model', () => {
  it.each([
    [{}, 'offline', true, 0],
    [{ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }, 'endpoints', true, 0],
    [{ OPENAI_API_KEY: 'k', MODEL_PROVIDER: 'offline' }, 'offline', true, 0],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', MODEL_PROVIDER: 'openai', OPENAI_MODEL: 'm' }, 'endpoints', true, 0],
    [{ MODEL_PROVIDER: 'openai', OPENAI_MODEL: 'm' }, 'endpoints', false, 0],
    [{ MODEL_PROVIDER: 'openai' }, 'endpoints', false, 0],
    [{ OPENAI_API_KEY: 'k' }, 'endpoints', true, 1],
    [{ MODEL_PROVIDER: 'openai', OPENAI_BASE_URL: 'https://x/v1' }, 'endpoints', true, 1],
  ])('%o: provider %s, configured %s', (env, provider, configured, errors) => {
    const config = parseConfig({ ...KEYS, ...env })
    expect([config.models.provider, config.model_configured, config.config_errors.length]).toEqual([
      provider,
      configured,
      errors,
    ])
  })

  it('U21 openai without OPENAI_MODEL is an error that names it', () => {
    expect(parseConfig({ ...KEYS, OPENAI_API_KEY: 'k' }).config_errors).toEqual([
      'OPENAI_MODEL must name a model when MODEL_PROVIDER is openai',
    ])
  })

  it('a base URL loses its last slash', () => {
    const { models } = parseConfig({
      ...KEYS,
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'm',
      OPENAI_BASE_URL: 'https://x/v1/',
    })
    expect(models.endpoints).toMatchObject([{ name: 'default', wire: 'chat', base_url: 'https://x/v1' }])
  })
})

describe('what is wrong is named', () => {
  it.each([
    ['ENVIRONMENT', 'staging', 'ENVIRONMENT must be one of production, development'],
    ['MODEL_PROVIDER', 'gpt', 'MODEL_PROVIDER must be one of offline, openai'],
    ['SEARCH_PROVIDER', 'google', 'SEARCH_PROVIDER must be one of wikipedia, searxng, brave, tavily, cloudflare'],
    [
      'SEARCH_PROVIDER',
      'bing',
      'SEARCH_PROVIDER is bing, whose API Microsoft retired in August 2025: use one of wikipedia, searxng, brave, tavily, cloudflare',
    ],
    ['OPENAI_BASE_URL', 'file:///x', 'OPENAI_BASE_URL must be an http or https URL'],
    ['SEARCH_BASE_URL', 'nope', 'SEARCH_BASE_URL must be an http or https URL'],
    ['TIMEZONE', 'Mars', 'TIMEZONE must be an IANA time zone such as Europe/Berlin'],
    ['TEST_CLOCK', 'today', 'TEST_CLOCK must be a time as in RFC 3339'],
    ['RATE_LIMIT_PER_MINUTE', '0', 'RATE_LIMIT_PER_MINUTE must be a whole number from 1 to 999999999'],
    ['MAX_STORED_BYTES', '1 GB', 'MAX_STORED_BYTES must be a whole number of bytes from 1'],
    ['MAX_STORED_BYTES', '0', 'MAX_STORED_BYTES must be a whole number of bytes from 1'],
    ['MAX_OPEN_TASKS', 'many', 'MAX_OPEN_TASKS must be a whole number from 1 to 999999999'],
  ])('%s=%s', (name, value, message) => {
    expect(parseConfig({ ...KEYS, [name]: value }).config_errors).toEqual([message])
  })

  it('several at once are all named, and the rest is read', () => {
    const config = parseConfig({ ...KEYS, TIMEZONE: 'x', MAX_OPEN_TASKS: '-', RATE_LIMIT_PER_MINUTE: 5 })
    expect([config.config_errors.length, config.rate_limit_per_minute]).toEqual([2, 5])
  })
})

describe('the clock of tests', () => {
  const TEST_CLOCK = '2026-03-02T09:00:00+08:00'
  it('is only heard in development', () => {
    expect(parseConfig({ ENVIRONMENT: 'development', TEST_CLOCK }).test_clock_ms).toBe(Date.UTC(2026, 2, 2, 1))
    expect(parseConfig({ ...KEYS, TEST_CLOCK }).test_clock_ms).toBeNull()
  })
})

describe('defaults of the settings', () => {
  it('S1-63 AGENT_MODE switches between the loops, autonomous where it says nothing or something else', () => {
    const loopOf = (AGENT_MODE?: string) => parseConfig({ ...KEYS, AGENT_MODE }).settings.agent_mode
    expect([loopOf('staged'), loopOf(), loopOf('autonomous'), loopOf('both')]).toEqual([
      'staged',
      'autonomous',
      'autonomous',
      'autonomous',
    ])
  })

  it.each([
    ['MAX_STEPS', '7', 'max_steps', 7],
    ['MAX_STEPS', 7, 'max_steps', 7],
    ['FAILURE_LIMIT', '100', 'failure_limit', 100],
    ['TEMPERATURE', '0.7', 'temperature', 0.7],
    ['CONTINUE_GRANTS', 'false', 'continue_grants', false],
    ['CANCEL_PHRASE', ' stop ', 'cancel_phrase', 'stop'],
    ['CANCEL_PHRASE', '123', 'cancel_phrase', '123'],
    ['MODEL', 'm', 'model', 'm'],
    ['MODELS', '{"plan":"big"}', 'models', { plan: 'big' }],
  ])('%s=%s sets %s', (name, value, setting, expected) => {
    expect(parseConfig({ ...KEYS, [name]: value }).settings).toEqual({ ...DEFAULT_SETTINGS, [setting]: expected })
  })

  it.each([
    ['MAX_STEPS', '0'],
    ['MAX_STEPS', '10001'],
    ['MAX_STEPS', '1.5'],
    ['MAX_STEPS', 'many'],
    ['PLAN_RETRIES', '-1'],
    ['FAILURE_LIMIT', '0'],
    ['OBSERVATION_CHAR_LIMIT', '49'],
    ['CANCEL_PHRASE', '   '],
    ['CONTINUE_GRANTS', 'yes'],
    ['PHASE_MODELS', '{"__proto__":{"plan":"x"}}'],
    ['PHASE_MODELS', '{broken'],
    ['SEARCH_TOP_K', '11'],
  ])('O0-01 %s=%s falls back to the default and is no error', (name, value) => {
    const { settings, config_errors } = parseConfig({ ...KEYS, [name]: value })
    expect([settings, config_errors]).toEqual([DEFAULT_SETTINGS, []])
  })

  it.each([
    ['MAX_TOKENS', '10k'],
    ['MAX_COST_USD', '$0.50'],
    ['MAX_COST_USD', '0'],
    ['MAX_SECONDS', '10m'],
  ])('D5 %s=%s is an error: a maximum that is mistyped must not leave a task unbounded', (name, value) => {
    const { config_errors } = parseConfig({ ...KEYS, [name]: value })
    expect(config_errors).toEqual([expect.stringMatching(new RegExp(`^${name} is not a maximum: `))])
  })
})

describe('time zones', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Shanghai', 'America/Argentina/Buenos_Aires', 'Etc/GMT+8'])(
    '%s is one',
    (name) => {
      expect(isTimeZone(name)).toBe(true)
    },
  )
  it.each(['', 'Mars', '+01:00', '-0500', 'Europe/Berlin ', '../etc', 'x'.repeat(100)])('%s is none', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })
})

describe('the runner of Python', () => {
  const CODE_RUNNER_SECRET = 'r'.repeat(16)
  it('U21 CODE_RUNNER_URL is an http or https URL, its secret goes along or is not there', () => {
    const read = (env: object) => parseConfig({ ...KEYS, ...env })
    const CODE_RUNNER_URL = 'http://127.0.0.1:8790/'
    expect(read({ CODE_RUNNER_URL })).toMatchObject({
      code_runner: { url: 'http://127.0.0.1:8790', secret: null },
      config_errors: [],
    })
    expect(read({ CODE_RUNNER_URL: 'https://run.example/a/', CODE_RUNNER_SECRET }).code_runner).toEqual({
      url: 'https://run.example/a',
      secret: CODE_RUNNER_SECRET,
    })
  })

  it.each([
    [{ CODE_RUNNER_URL: 'canary' }, 'CODE_RUNNER_URL must be an http or https URL'],
    [{ CODE_RUNNER_URL: 'ftp://canary/' }, 'CODE_RUNNER_URL must be an http or https URL'],
    [{ CODE_RUNNER_URL: 'http://canary:x@localhost' }, 'without user, query and fragment'],
    [{ CODE_RUNNER_URL: 'http://localhost/?canary' }, 'without user, query and fragment'],
    [{ CODE_RUNNER_URL: 'http://localhost/#' }, 'without user, query and fragment'],
    [{ CODE_RUNNER_URL: 'http://localhost', CODE_RUNNER_SECRET: 'canary' }, '16 to 512 visible ASCII characters'],
    [{ CODE_RUNNER_URL: 'http://localhost', CODE_RUNNER_SECRET: 'canary\n'.repeat(9) + '键' }, 'visible ASCII'],
    [{ CODE_RUNNER_SECRET }, 'CODE_RUNNER_SECRET is set, but no CODE_RUNNER_URL'],
  ])('%j is an error that does not repeat it, and no runner', (env, said) => {
    const { code_runner, config_errors } = parseConfig({ ...KEYS, ...env })
    expect(config_errors).toEqual([expect.stringContaining(said)])
    expect([code_runner, JSON.stringify(config_errors).includes('canary')]).toEqual([null, false])
  })
})

describe('the compute Worker', () => {
  const WRONG = ['COMPUTE_SECONDS must be a whole number from 1 to 25']
  it.each<[string, number, string[]]>([
    ['1', 1_000, []],
    ['25', 25_000, []],
    ['', 20_000, []],
    ...['0', '26', '1.5', '1e1', '-3'].map((given): [string, number, string[]] => [given, 20_000, WRONG]),
  ])('U44 COMPUTE_SECONDS "%s" is %i ms', (COMPUTE_SECONDS, compute_wall_ms, config_errors) => {
    expect(parseConfig({ ...KEYS, COMPUTE_SECONDS })).toMatchObject({ compute_wall_ms, config_errors })
  })
})

describe('the bound in tokens of a task that names none', () => {
  const OPENAI_WITH_KEYS = { ...KEYS, OPENAI_API_KEY: 'sk', OPENAI_MODEL: 'm' }
  const OPENAI = { ...OPENAI_WITH_KEYS, ENVIRONMENT: 'production' }
  it.each<[string, Record<string, string>, number | null]>([
    ['a million in production with a model that may cost money', OPENAI, 1_000_000],
    ['the same where keys alone mean production', OPENAI_WITH_KEYS, 1_000_000],
    ['what MAX_TOKENS says', { ...OPENAI, MAX_TOKENS: '5000' }, 5_000],
    ['none in development', { ...OPENAI, ENVIRONMENT: 'development' }, null],
    ['none with the built-in model', KEYS, null],
  ])('is %s', (_name, env, max) => {
    expect(parseConfig(env).settings.max_tokens).toBe(max)
    expect(
      effectiveSettings('plan_execute', parseConfig(env).given_settings, { max_tokens: null }).max_tokens,
    ).toBeNull()
  })
})

describe('the models that tasks may name', () => {
  const OPENAI = { ...KEYS, OPENAI_API_KEY: 'sk', OPENAI_MODEL: 'own' }
  it.each<[string, Record<string, string>, string[] | null, string[]]>([
    ['all without a list', { MODEL: 'zzz' }, null, []],
    ['the configured one and those of the list', { ALLOWED_MODELS: 'n' }, ['own', 'n'], []],
    ['each once', { ALLOWED_MODELS: 'n,own' }, ['n', 'own'], []],
    ['a default among them', { ALLOWED_MODELS: 'n', MODEL: 'n', MODELS: '{"plan":"own"}' }, ['own', 'n'], []],
    ['no default of another name', { ALLOWED_MODELS: 'n', MODEL: 'zzz' }, ['own', 'n'], ['MODEL']],
    ['none for a phase either', { ALLOWED_MODELS: 'n', MODELS: '{"plan":"a","think":"b"}' }, ['own', 'n'], ['MODELS']],
  ])('are %s', (_name, env, allowed, wrong) => {
    const { model_rules, config_errors } = parseConfig({ ...OPENAI, ...env })
    expect(model_rules.names).toEqual(allowed)
    expect(config_errors).toEqual(wrong.map((name) => `${name} names a model that ALLOWED_MODELS does not name`))
  })
})
