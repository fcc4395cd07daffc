/** MODELS, TENANT_MODELS and what chooses the default endpoint: what is read, what is refused, and that no error repeats a value. */
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../src/config.ts'

const KEYS = { API_KEYS: 'acme:k1,beta:k2', SIGNING_SECRET: 'a secret of the tests' }
const OPENAI = { OPENAI_API_KEY: 'sk-openai', OPENAI_MODEL: 'gpt-5' }
const FAST = { wire: 'chat', model: 'gpt-5-mini', key: 'sk-fast' }
const STRONG = { wire: 'messages', model: 'claude', key: 'sk-strong' }
const LOCAL = { wire: 'responses', model: 'qwen', base_url: 'http://127.0.0.1:8000/v1/' }

const configOf = (models: unknown, env: Record<string, unknown> = {}) =>
  parseConfig({ ...KEYS, MODELS: typeof models === 'string' ? models : JSON.stringify(models), ...env })
const errorsOf = (models: unknown, env: Record<string, unknown> = {}) => configOf(models, env).config_errors

describe('U21 MODELS', () => {
  it('names endpoints, each with the address of its wire unless it says another', () => {
    const { models, config_errors } = configOf({ fast: FAST, strong: STRONG, local: LOCAL })
    expect(config_errors).toEqual([])
    expect(models).toEqual({
      provider: 'endpoints',
      is_named: true,
      endpoints: [
        {
          name: 'fast',
          wire: 'chat',
          base_url: 'https://api.openai.com/v1',
          api_key: 'sk-fast',
          model: 'gpt-5-mini',
          prices: null,
          fallback: [],
        },
        {
          name: 'strong',
          wire: 'messages',
          base_url: 'https://api.anthropic.com/v1',
          api_key: 'sk-strong',
          model: 'claude',
          prices: null,
          fallback: [],
        },
        {
          name: 'local',
          wire: 'responses',
          base_url: 'http://127.0.0.1:8000/v1',
          api_key: '',
          model: 'qwen',
          prices: null,
          fallback: [],
        },
      ],
    })
  })

  it.each<[string, unknown, string[]]>([
    ['no JSON', 'canary', ['MODELS must be JSON']],
    ['cut', '{"canary":', ['MODELS must be JSON']],
    ['a list', ['canary'], ['MODELS must be JSON']],
    ['null', null, ['MODELS must be JSON']],
    ['empty', {}, ['it names no endpoint']],
    ['deep', `{"fast":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, ['MODELS endpoint fast: must be an object']],
    ['a text in place of an endpoint', { fast: 'canary' }, ['MODELS endpoint fast: must be an object']],
    ['a list in place of an endpoint', { fast: [FAST] }, ['MODELS endpoint fast: must be an object']],
    ['an upper-case name', { CANARY: FAST }, ['MODELS endpoint 1: its name must be']],
    ['a name with a blank', { fast: FAST, 'canary x': FAST }, ['MODELS endpoint 2: its name must be']],
    ['the name of no member', JSON.stringify({ x: FAST }).replace('x', '__proto__'), ['endpoint 1: its name must be']],
    ['an empty name', { '': FAST }, ['MODELS endpoint 1: its name must be']],
    ['a long name', { ['c'.repeat(65)]: FAST }, ['MODELS endpoint 1: its name must be']],
    ['a name of digits', { 7: FAST }, ['MODELS endpoint 7: its name must have something else than digits']],
    [
      'an unknown wire',
      { fast: { ...FAST, wire: 'message' } },
      ['fast: wire must be one of chat, responses, messages, workers_ai; did you mean "messages"?'],
    ],
    ['a wire far from all', { fast: { ...FAST, wire: 'canary' } }, ['chat, responses, messages, workers_ai']],
    ['no wire', { fast: { model: 'm', key: 'canary' } }, ['MODELS endpoint fast: wire must be one of']],
    ['no model', { fast: { wire: 'chat', key: 'canary' } }, ['MODELS endpoint fast: model must be the name']],
    ['a blank model', { fast: { ...FAST, model: ' canary' } }, ['MODELS endpoint fast: model must be the name']],
    ['a model of two lines', { fast: { ...FAST, model: 'canary\nx' } }, ['MODELS endpoint fast: model must be']],
    ['a number as model', { fast: { ...FAST, model: 5 } }, ['MODELS endpoint fast: model must be the name']],
    ['another scheme', { fast: { ...FAST, base_url: 'ftp://canary' } }, ['fast: base_url must be an http or https']],
    ['a user in the URL', { fast: { ...FAST, base_url: 'https://canary:x@a/v1' } }, ['fast: base_url must be']],
    ['a query in the URL', { fast: { ...FAST, base_url: 'https://a/v1?key=canary' } }, ['fast: base_url must be']],
    ['no URL', { fast: { ...FAST, base_url: 'canary' } }, ['fast: base_url must be']],
    ['a key of two lines', { fast: { ...FAST, key: 'canary\r\nx: y' } }, ['fast: key must be 1 to 1000 visible']],
    ['an empty key', { fast: { ...FAST, key: '' } }, ['fast: key must be 1 to 1000 visible']],
    ['no key and no URL', { fast: { wire: 'messages', model: 'canary' } }, ['fast: key must be set, or base_url']],
    [
      'a misspelt member',
      { fast: { ...FAST, modell: 'canary' } },
      ['fast: modell is not known; there are wire, model, base_url, key, prices, fallback; did you mean "model"?'],
    ],
    ['a key as member', { fast: { ...FAST, 'sk-canary': 1 } }, ['fast: a member is not known']],
    ['prices as numbers', { fast: { ...FAST, prices: { input: 1, output: 2 } } }, ['fast: prices must be {"input"']],
    ['prices of one kind', { fast: { ...FAST, prices: { input: '1' } } }, ['fast: prices must be {"input"']],
    ['a text as fallback', { fast: { ...FAST, fallback: 'canary' } }, ['fast: fallback must be a list of names']],
    ['a number in a fallback', { fast: { ...FAST, fallback: [1] } }, ['fast: fallback must be a list of names']],
    [
      'an unknown fallback',
      { fast: { ...FAST, fallback: ['strng'] }, strong: STRONG, local: LOCAL },
      ['fast: fallback names an endpoint that is not there; there are strong, local; did you mean "strong"?'],
    ],
    [
      'a fallback twice',
      { fast: { ...FAST, fallback: ['strong', 'strong'] }, strong: STRONG },
      ['fast: fallback names an endpoint twice'],
    ],
    ['a fallback of its own', { fast: { ...FAST, fallback: ['fast'] } }, ['fast: fallback leads back']],
    [
      'a circle',
      {
        a: { ...FAST, fallback: ['b'] },
        b: { ...FAST, fallback: ['c'] },
        c: { ...FAST, fallback: ['b'] },
        d: { ...FAST, fallback: ['a'] },
      },
      ['endpoint b: fallback leads back', 'endpoint c: fallback leads back'],
    ],
    [
      'the binding where there is none',
      { cf: { wire: 'workers_ai', model: '@cf/canary' } },
      ['cf: wire workers_ai needs the binding AI'],
    ],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`e${n}`, FAST])),
      ['MODELS must name at most 32'],
    ],
  ])('that is %s is an error that names the variable, the endpoint and the field', (_name, models, expected) => {
    const errors = errorsOf(models)
    expect(errors).toEqual(expected.map((part) => expect.stringContaining(part)))
    expect(errors.every((error) => error.startsWith('MODELS'))).toBe(true)
    expect(errors.join('\n')).not.toMatch(/canary|sk-/)
  })

  it('what is wrong with several endpoints is told of each, and the others are read', () => {
    const { config_errors, models } = configOf({ a: { ...FAST, wire: 'x' }, b: FAST, c: { ...FAST, key: ' ' } })
    expect(config_errors).toHaveLength(2)
    expect(models.endpoints.map(({ name }) => name)).toEqual(['b'])
  })

  it('an endpoint may have the name of a member that every object has', () => {
    const { models, config_errors, prices } = configOf({ constructor: FAST, tostring: STRONG })
    expect([config_errors, models.endpoints.map(({ name }) => name)]).toEqual([[], ['constructor', 'tostring']])
    expect(Object.keys(prices.endpoints ?? {})).toEqual(['default', 'constructor', 'tostring'])
  })

  it('a fallback may name an endpoint whose own mistake is told', () => {
    expect(errorsOf({ fast: { ...FAST, fallback: ['strong'] }, strong: { ...STRONG, model: '' } })).toEqual([
      expect.stringContaining('MODELS endpoint strong: model'),
    ])
  })

  it('the fallbacks of a name are those of its list in order, and then those of their lists, each once', () => {
    const chain = (...fallback: string[]) => ({ ...FAST, fallback })
    const { model_rules } = configOf({ a: chain('b', 'c'), b: chain('d'), c: chain('d', 'e'), d: FAST, e: FAST })
    expect(model_rules.fallbacks).toEqual({
      default: ['b', 'c', 'd', 'e'],
      a: ['b', 'c', 'd', 'e'],
      'gpt-5-mini': ['b', 'c', 'd', 'e'],
      b: ['d'],
      c: ['d', 'e'],
    })
  })
})

describe('the default endpoint', () => {
  const AI = { run: () => Promise.resolve({}) }
  const TWO = JSON.stringify({ fast: FAST, strong: STRONG })
  it.each<[string, Record<string, unknown>, string | null, string[]]>([
    ['OPENAI_* alone', OPENAI, 'default chat gpt-5', ['default']],
    ['the first of MODELS', { MODELS: TWO }, 'fast chat gpt-5-mini', ['fast', 'strong']],
    [
      'the one that is called default',
      { MODELS: JSON.stringify({ fast: FAST, default: STRONG }) },
      'default messages claude',
      ['default', 'fast'],
    ],
    ['OPENAI_* before MODELS', { ...OPENAI, MODELS: TWO }, 'default chat gpt-5', ['default', 'fast', 'strong']],
    ['the built-in model', {}, null, []],
    ['the built-in model, if it is forced', { ...OPENAI, MODELS: TWO, AI, MODEL_PROVIDER: 'offline' }, null, []],
    [
      'Workers AI, if there is nothing but the binding',
      { AI },
      expect.stringMatching(/^default workers_ai @cf\//),
      ['default'],
    ],
    ['OPENAI_* before the binding', { AI, ...OPENAI }, 'default chat gpt-5', ['default']],
    ['MODELS before the binding', { AI, MODELS: TWO }, 'fast chat gpt-5-mini', ['fast', 'strong']],
    ['no binding that is a text', { AI: 'yes' }, null, []],
    [
      'an endpoint of the binding',
      { AI, MODELS: JSON.stringify({ cf: { wire: 'workers_ai', model: '@cf/x' } }) },
      'cf workers_ai @cf/x',
      ['cf'],
    ],
  ])('is %s', (_name, env, first, names) => {
    const { models, config_errors, model_configured, prices } = parseConfig({ ...KEYS, ...env })
    const [one] = models.endpoints
    expect(config_errors).toEqual([])
    expect(one === undefined ? null : `${one.name} ${one.wire} ${one.model}`).toEqual(first)
    expect(models.endpoints.map(({ name }) => name)).toEqual(names)
    expect([models.provider, prices.every, model_configured]).toEqual(
      first === null ? ['offline', { input: 0, output: 0 }, true] : ['endpoints', null, true],
    )
  })

  it('cannot be named by OPENAI_* and by MODELS', () => {
    expect(errorsOf({ default: FAST }, OPENAI)).toEqual([
      'MODELS endpoint default: OPENAI_API_KEY or OPENAI_BASE_URL is that endpoint; leave one of them out',
    ])
    expect(errorsOf({ fast: { ...FAST, fallback: ['default'] } }, OPENAI)).toEqual([])
    expect(errorsOf({ fast: { ...FAST, fallback: ['default'] } })).toHaveLength(1)
  })

  it('of the binding has neither a key nor an address', () => {
    const cf = { wire: 'workers_ai', model: '@cf/x', key: 'canary', base_url: 'https://canary' }
    const errors = errorsOf({ cf }, { AI })
    expect(errors).toEqual([
      expect.stringContaining('cf: base_url must be left out'),
      expect.stringContaining('cf: key must be left out'),
    ])
    expect(errors.join()).not.toContain('canary')
  })

  it('D5 bounds a task in tokens in production, whichever it is, and the built-in model does not', () => {
    const bound = (env: Record<string, unknown>) => parseConfig({ ...KEYS, ...env }).settings.max_tokens
    expect([bound({ MODELS: TWO }), bound({ AI }), bound({ MODELS: TWO, MODEL_PROVIDER: 'offline' })]).toEqual([
      1_000_000,
      1_000_000,
      null,
    ])
  })
})

describe('the names that tasks may give', () => {
  const MODELS = { fast: FAST, strong: STRONG }
  it.each<[string, Record<string, unknown>, string[] | null, string[]]>([
    ['any with OPENAI_* alone', OPENAI, null, ['default', 'gpt-5']],
    [
      'the endpoints of MODELS',
      { MODELS: JSON.stringify(MODELS) },
      ['fast', 'strong'],
      ['default', 'fast', 'gpt-5-mini'],
    ],
    [
      'those, and models of the default endpoint that are allowed',
      { MODELS: JSON.stringify(MODELS), ALLOWED_MODELS: 'gpt-5, fast' },
      ['strong', 'gpt-5', 'fast'],
      ['default', 'fast', 'gpt-5-mini'],
    ],
    ['all with the built-in model', { MODELS: JSON.stringify(MODELS), MODEL_PROVIDER: 'offline' }, null, ['default']],
  ])('are %s', (_name, env, names, default_names) => {
    expect(parseConfig({ ...KEYS, ...env }).model_rules).toMatchObject({ names, default_names })
  })

  it('a default of a setting that names none of them is an error', () => {
    expect(errorsOf(MODELS, { MODEL: 'fast', PHASE_MODELS: '{"plan":"strong"}' })).toEqual([])
    expect(errorsOf(MODELS, { MODEL: 'canary', PHASE_MODELS: '{"plan":"canary"}' })).toEqual([
      'MODEL names a model that neither MODELS nor ALLOWED_MODELS names',
      'PHASE_MODELS names a model that neither MODELS nor ALLOWED_MODELS names',
    ])
  })

  it('MODELS with the name of a model for each phase is the default of settings.models, as before there were endpoints', () => {
    const phases = '{"plan":"a","thought":"b"}'
    const { settings, models, config_errors } = configOf(phases, OPENAI)
    expect([settings.models, models.is_named, config_errors]).toEqual([{ plan: 'a', thought: 'b' }, false, []])
    expect(configOf(phases, { ...OPENAI, PHASE_MODELS: '{"plan":"c"}' }).settings.models).toEqual({ plan: 'c' })
    expect(errorsOf('{"plan":"a","thought":{}}', OPENAI)).toContainEqual(
      expect.stringContaining('MODELS endpoint plan: must be an object'),
    )
  })
})

describe('U21 TENANT_MODELS', () => {
  const MODELS = { fast: FAST, strong: STRONG }
  const rulesOf = (tenants: unknown) =>
    configOf(MODELS, { TENANT_MODELS: typeof tenants === 'string' ? tenants : JSON.stringify(tenants) })

  it('gives tenants lists of their own', () => {
    const { model_rules, config_errors } = rulesOf({ acme: ['fast'], beta: ['strong', 'gpt-5-mini'] })
    expect(config_errors).toEqual([])
    expect(model_rules.tenants).toEqual({ acme: ['fast'], beta: ['strong', 'gpt-5-mini'] })
  })

  it.each<[string, unknown, string]>([
    ['no JSON', 'canary', 'TENANT_MODELS must be JSON'],
    ['a list', ['canary'], 'TENANT_MODELS must be JSON'],
    ['of no tenant', { 'canary x': ['fast'] }, 'TENANT_MODELS entry 1: its name is not that of a tenant'],
    ['of a tenant without a key', { gamma: ['fast'] }, 'of gamma: API_KEYS has no key of this tenant'],
    ['of a member that every object has', '{"__proto__":["fast"]}', 'of __proto__: API_KEYS has no key'],
    ['a text', { acme: 'canary' }, 'of acme: must be a list of names'],
    ['an empty list', { acme: [] }, 'of acme: must be a list of names'],
    ['a list of something else', { acme: [{ canary: 1 }] }, 'of acme: must be a list of names'],
    [
      'an unknown name',
      { acme: ['fst'] },
      'of acme: names a model that is not there; there are fast, strong; did you mean "fast"?',
    ],
  ])('that is %s is an error that does not repeat it', (_name, tenants, expected) => {
    const { config_errors, model_rules } = rulesOf(tenants)
    expect(config_errors).toEqual([expect.stringContaining(expected)])
    expect(config_errors.join()).not.toContain('canary')
    expect(model_rules.tenants).toEqual({})
  })

  it('may name any model where any is allowed', () => {
    const env = { ...KEYS, ...OPENAI, TENANT_MODELS: '{"acme":["gpt-5-mini"]}' }
    expect(parseConfig(env).config_errors).toEqual([])
  })
})

describe('prices of endpoints', () => {
  const priced = { ...FAST, prices: { input: '0.25', output: '2', cache_read: '0.025' } }
  it('are their own, and their version changes with them and with MODEL_PRICES, never with a key', () => {
    const version = (models: object, env = {}) => configOf(models, env).prices.version
    const { prices } = configOf({ fast: priced, strong: STRONG })
    expect(prices.endpoints).toMatchObject({
      default: { model: 'gpt-5-mini', rates: { input: 250_000, output: 2_000_000, cache_read: 25_000 } },
      fast: { model: 'gpt-5-mini', rates: { input: 250_000, output: 2_000_000, cache_read: 25_000 } },
      strong: { model: 'claude', rates: null },
    })
    const first = version({ fast: priced })
    expect(version({ fast: { ...priced, prices: { input: '0.26', output: '2' } } })).not.toBe(first)
    expect(version({ fast: priced }, { MODEL_PRICES: '{"m":{"input":"1","output":"1"}}' })).not.toBe(first)
    expect(version({ fast: { ...priced, key: 'another', base_url: 'https://b/v1' } })).toBe(first)
    expect(version({ fast: FAST })).toBe(parseConfig({ ...KEYS, ...OPENAI }).prices.version)
  })
})
