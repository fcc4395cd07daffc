/** GET /models and what a tenant may name: the names, what is told of them and what never is, and attempts to use those of another tenant. */
import { describe, expect, it } from 'vitest'
import type { ModelList } from '../../src/core/shown/model-view.ts'
import type { NewTask } from '../../src/shell/caller.ts'
import { fixture, ID, KEY, problemOf, type Fixture, type FixtureOptions } from '../support/http-fixture.ts'

const ENDPOINTS = {
  fast: {
    wire: 'chat',
    model: 'gpt-5-mini',
    key: 'sk-canary-1',
    base_url: 'https://canary.example/v1',
    prices: { input: '0.25', output: '2', cache_read: '0.025' },
    fallback: ['strong', 'local'],
  },
  strong: { wire: 'messages', model: 'claude', key: 'sk-canary-2', fallback: ['local'] },
  local: { wire: 'responses', model: 'qwen', base_url: 'http://canary.internal/v1' },
}
const MODELS = JSON.stringify(ENDPOINTS)
/** alice may use two of them. bob may use all. */
const TENANT_MODELS = '{"alice":["strong","local"]}'
const BOB = { authorization: 'Bearer bob-key' }

const listed = async (options: FixtureOptions, headers = {}): Promise<ModelList> => {
  const response = await fixture(options).send('GET', '/models', null, headers)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).not.toMatch(/canary|sk-/)
  return JSON.parse(text) as ModelList
}

describe('GET /models', () => {
  it('names each endpoint with its wire, model, prices and fallbacks, and says which answers by default', async () => {
    const learned = [
      { endpoint: 'fast', model: 'gpt-5-mini', form: 'json_object' as const, refused: ['temperature'] },
      { endpoint: 'fast', model: 'another', form: 'text' as const, refused: [] },
    ]
    expect(await listed({ env: { MODELS }, learned })).toEqual({
      any_name: false,
      data: [
        {
          name: 'fast',
          endpoint: 'fast',
          wire: 'chat',
          model: 'gpt-5-mini',
          default: true,
          prices: {
            version: expect.stringMatching(/^[0-9a-f]+$/),
            input: '0.250000',
            output: '2.000000',
            cache_read: '0.025000',
          },
          fallback: ['strong', 'local'],
          learned: { form: 'json_object', refused: ['temperature'] },
        },
        {
          name: 'strong',
          endpoint: 'strong',
          wire: 'messages',
          model: 'claude',
          default: false,
          prices: null,
          fallback: ['local'],
          learned: null,
        },
        {
          name: 'local',
          endpoint: 'local',
          wire: 'responses',
          model: 'qwen',
          default: false,
          prices: null,
          fallback: [],
          learned: null,
        },
      ],
    })
  })

  it.each<[string, Record<string, string>, string[], boolean]>([
    ['the built-in model', {}, ['default default built_in offline-rules *'], true],
    ['OPENAI_* alone', { OPENAI_API_KEY: 'sk-canary', OPENAI_MODEL: 'gpt-5' }, ['default default chat gpt-5 *'], true],
    [
      'a list of allowed models',
      { OPENAI_API_KEY: 'sk-canary', OPENAI_MODEL: 'gpt-5', ALLOWED_MODELS: 'gpt-5,gpt-5-mini' },
      ['default default chat gpt-5 *', 'gpt-5-mini default chat gpt-5-mini'],
      false,
    ],
    [
      'endpoints beside OPENAI_*, and a default among them',
      { OPENAI_API_KEY: 'sk-canary', OPENAI_MODEL: 'gpt-5', MODELS, MODEL: 'strong' },
      [
        'default default chat gpt-5',
        'fast fast chat gpt-5-mini',
        'strong strong messages claude *',
        'local local responses qwen',
      ],
      false,
    ],
    ['no model', { MODEL_PROVIDER: 'openai' }, [], true],
  ])('with %s', async (_name, env, expected, any_name) => {
    const list = await listed({ env })
    expect(
      list.data.map((one) => `${one.name} ${one.endpoint} ${one.wire} ${one.model}${one.default ? ' *' : ''}`),
    ).toEqual(expected)
    expect(list.any_name).toBe(any_name)
  })

  it('shows the default price of a model with its tiers and the version of the table', async () => {
    const strong = { wire: 'messages', model: 'claude-sonnet-4-5', key: 'sk-canary-2' }
    const [priced] = (await listed({ env: { MODELS: JSON.stringify({ strong }) } })).data
    expect(priced?.prices).toEqual({
      version: expect.stringContaining('genai-prices@'),
      input: '3.000000',
      output: '15.000000',
      cache_read: '0.300000',
      cache_write: '3.750000',
      tiers: [
        { above: 200_000, input: '6.000000', output: '22.500000', cache_read: '0.600000', cache_write: '7.500000' },
      ],
    })
  })

  it('shows a tenant with a list that list alone, the first of it as its default, and fallbacks out of it alone', async () => {
    const env = { MODELS, TENANT_MODELS }
    const [alice, bob] = [await listed({ env }), await listed({ env }, BOB)]
    const short = ({ data }: ModelList) => data.map((one) => [one.name, one.default, one.fallback])
    expect(short(alice)).toEqual([
      ['strong', true, ['local']],
      ['local', false, []],
    ])
    expect(short(bob)).toEqual([
      ['fast', true, ['strong', 'local']],
      ['strong', false, ['local']],
      ['local', false, []],
    ])
    const narrow = await listed({ env: { MODELS, TENANT_MODELS: '{"alice":["strong"]}' } })
    expect(short(narrow)).toEqual([['strong', true, []]])
  })

  it('is a line for each name as plain text', async () => {
    const response = await fixture({ env: { MODELS } }).send('GET', '/models', null, { accept: 'text/plain' })
    expect(await response.text()).toBe(
      'fast  chat  gpt-5-mini  default\nstrong  messages  claude\nlocal  responses  qwen\n',
    )
  })

  it('is for keys of tenants alone', async () => {
    const { send } = fixture({ env: { MODELS } })
    expect((await send('GET', '/models', null, { authorization: '' })).status).toBe(401)
    expect((await send('GET', '/models', null, { authorization: 'Bearer carol-key' })).status).toBe(403)
    expect((await send('GET', '/models?tenant=bob')).status).toBe(422)
  })
})

describe('GET /health', () => {
  it.each<[Record<string, unknown>, object | null]>([
    [{}, { endpoint: 'default', wire: 'built_in', model: 'offline-rules' }],
    [{ MODELS }, { endpoint: 'fast', wire: 'chat', model: 'gpt-5-mini' }],
    [
      { MODELS, MODEL: 'strong' },
      { endpoint: 'strong', wire: 'messages', model: 'claude' },
    ],
    [{ AI: {} }, { endpoint: 'default', wire: 'workers_ai', model: expect.stringMatching(/^@cf\//) }],
    [{ MODEL_PROVIDER: 'openai' }, null],
  ])('with %o says which model answers', async (env, model) => {
    const response = await fixture({ env }).send('GET', '/health', null, { authorization: '' })
    expect(await response.json()).toEqual({ status: 'ok', version: '0.1.0', model })
  })
})

/** The task that the service was asked to create. */
async function created({ post, asked }: Fixture, settings: object, headers = {}): Promise<NewTask | undefined> {
  const response = await post('/tasks', { goal: 'g', settings }, headers)
  expect(response.status).toBe(201)
  // The second argument of createTask is the task.
  return asked.at(-1)?.args[1] as NewTask | undefined
}

describe('a create', () => {
  it.each<[Record<string, string>, object, string]>([
    [
      { MODELS },
      { model: 'strng' },
      'is not allowed: leave it out, or take fast, strong, local; did you mean "strong"?',
    ],
    [{ MODELS }, { model: 'Fast' }, 'did you mean "fast"?'],
    [{ MODELS, TENANT_MODELS }, { model: 'fast' }, 'leave it out, or take strong, local'],
    [{ MODELS, TENANT_MODELS }, { model: 'gpt-5-mini' }, 'leave it out, or take strong, local'],
    [{ MODELS, TENANT_MODELS }, { model: 'default' }, 'leave it out, or take strong, local'],
    [{ MODELS, TENANT_MODELS }, { model: '__proto__' }, 'leave it out, or take strong, local'],
    [{ MODELS, TENANT_MODELS }, { model: 'constructor' }, 'leave it out, or take strong, local'],
    [{ MODELS, TENANT_MODELS }, { models: { plan: 'fast' } }, 'settings.models.plan "fast" is not allowed'],
  ])(
    'with %o that asks for %o is 422, which names what the tenant may use and nothing else',
    async (env, settings, said) => {
      const { post, asked } = fixture({ env })
      const problem = await problemOf(await post('/tasks', { goal: 'g', settings }))
      expect(problem).toMatchObject({ status: 422, errors: [{ message: expect.stringContaining(said) }] })
      if ('TENANT_MODELS' in env) expect(JSON.stringify(problem).replaceAll('\\"fast\\"', '')).not.toContain('fast')
      expect(asked).toEqual([])
    },
  )

  it('of a tenant that may not use the default gets the first of its list, and a named model stays', async () => {
    const env = { MODELS, TENANT_MODELS, PHASE_MODELS: '{"plan":"fast","thought":"local"}' }
    const plain = await created(fixture({ env }), {})
    expect([plain?.settings.model, plain?.settings.models]).toEqual(['strong', { thought: 'local' }])
    expect((await created(fixture({ env }), { model: null }))?.settings.model).toBe('strong')
    expect((await created(fixture({ env }), { model: 'local' }))?.settings.model).toBe('local')
    const bob = await created(fixture({ env }), {}, BOB)
    expect([bob?.settings.model, bob?.settings.models]).toEqual([null, { plan: 'fast', thought: 'local' }])
  })

  it('freezes the fallback lists of the names that it uses, as far as the tenant may use theirs', async () => {
    const env = { MODELS, TENANT_MODELS: '{"alice":["fast","local"]}' }
    expect((await created(fixture({ env }), { model: 'fast' }))?.fallbacks).toEqual({ fast: ['local'] })
    expect((await created(fixture({ env }), {}))?.fallbacks).toEqual({ default: ['local'] })
    expect((await created(fixture({ env }), {}, BOB))?.fallbacks).toEqual({ default: ['strong', 'local'] })
    expect((await created(fixture({ env }), { model: 'strong' }, BOB))?.fallbacks).toEqual({ strong: ['local'] })
    expect((await created(fixture({ env: {} }), {}))?.fallbacks).toEqual({})
  })

  it('cannot bring fallback lists of its own', async () => {
    const { post } = fixture({ env: { MODELS, TENANT_MODELS } })
    expect((await post('/tasks', { goal: 'g', fallbacks: { strong: ['fast'] } })).status).toBe(422)
    expect((await post('/tasks', { goal: 'g', settings: { fallbacks: { strong: ['fast'] } } })).status).toBe(422)
  })

  it('D5 with a bound of money needs a price of every fallback too, and of its own model by the name of the endpoint', async () => {
    const { post } = fixture({ env: { MODELS } })
    const problem = await problemOf(await post('/tasks', { goal: 'g', settings: { max_cost_usd: '1' } }))
    expect(problem).toMatchObject({ code: 'model_not_budgetable', detail: expect.stringContaining('strong, local') })
    const prices = '{"claude":{"input":"3","output":"15"},"qwen":{"input":"0","output":"0"}}'
    const priced = fixture({ env: { MODELS, MODEL_PRICES: prices } })
    expect((await priced.post('/tasks', { goal: 'g', settings: { max_cost_usd: '1' } })).status).toBe(201)
  })

  it('names no model that is not there although it is the name of another tenant or of a key', async () => {
    const { post } = fixture({ env: { MODELS } })
    for (const model of ['alice', 'sk-canary-1', KEY, ID]) {
      const problem = await problemOf(await post('/tasks', { goal: 'g', settings: { model } }))
      expect(problem).toMatchObject({ status: 422, errors: [{ pointer: '/settings/model' }] })
    }
  })
})
