/** The models of the service by their names: which server a name reaches, with which key, and what is learnt there. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadModel } from '../../src/models/load-model.ts'
import { parseConfig } from '../../src/config.ts'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { CALL, COMPLETION, json, refusal, request } from './chat-support.ts'

type Binding = Parameters<typeof loadModel>[1]['binding']

let [one, two]: [FaultServer | null, FaultServer | null] = [null, null]
beforeAll(async () => {
  ;[one, two] = [await startFaultServer(), await startFaultServer()]
})
beforeEach(() => {
  one?.reset()
  two?.reset()
})
afterAll(async () => {
  await one?.close()
  await two?.close()
})

function servers(): [FaultServer, FaultServer] {
  if (one === null || two === null) throw new Error('the servers have not started')
  return [one, two]
}

/** `fast` on the first server, and `strong` on the second. */
function load(env: Record<string, unknown> = {}) {
  const [first, second] = servers()
  const endpoint = (origin: string, name: string) => ({
    wire: 'chat',
    base_url: `${origin}/v1`,
    key: `sk-${name}`,
    model: `model-${name}`,
  })
  const MODELS = JSON.stringify({ fast: endpoint(first.origin, 'fast'), strong: endpoint(second.origin, 'strong') })
  const { models, config_errors } = parseConfig({
    API_KEYS: 'a:k',
    SIGNING_SECRET: 'a secret of the tests',
    MODELS,
    ...env,
  })
  expect(config_errors).toEqual([])
  return loadModel(models, { fetch: globalThis.fetch, binding: null })
}
const sent = ({ received }: FaultServer) =>
  received.map(({ headers, body }) => [headers['authorization'], (JSON.parse(body) as { model: string }).model])

describe('a name', () => {
  it.each<[string | null, number, string]>([
    ['fast', 0, 'model-fast'],
    ['strong', 1, 'model-strong'],
    [null, 0, 'model-fast'],
    ['default', 0, 'model-fast'],
    ['another', 0, 'another'],
    ['constructor', 0, 'constructor'],
  ])('%s reaches its server with its own key, and no other', async (model, at, name) => {
    const both = servers()
    for (const server of both) server.script(json(COMPLETION))
    const replied = await load().complete(request({ model }), CALL)
    expect(replied).toMatchObject({ kind: 'model_replied', endpoint: at === 0 ? 'fast' : 'strong' })
    const key = at === 0 ? 'Bearer sk-fast' : 'Bearer sk-strong'
    expect(both.map(sent)).toEqual(at === 0 ? [[[key, name]], []] : [[], [[key, name]]])
  })

  it('F66 that is refused for its key fails with words that say so, and without the key', async () => {
    const [server] = servers()
    server.script(json({ error: { message: 'bad sk-fast', code: 'invalid_api_key' } }, { status: 401 }))
    const failed = await load().complete(request({ model: 'fast' }), CALL)
    expect(failed).toEqual({
      kind: 'model_failed',
      reason: 'HTTP 401 (invalid_api_key): the endpoint refused the key',
      status: 401,
      retry_after_ms: null,
      endpoint: 'fast',
    })
  })

  it('is answered by the built-in model if that is forced', async () => {
    const replied = await load({ MODEL_PROVIDER: 'offline' }).complete(request({ model: 'strong' }), CALL)
    expect(replied).toMatchObject({ kind: 'model_failed', reason: expect.stringMatching(/^offline model: /) })
    expect(servers().map(({ received }) => received.length)).toEqual([0, 0])
  })
})

describe('U7 what was learnt', () => {
  it('is told by endpoint and model, and is not asked again there', async () => {
    const [first, second] = servers()
    const models = load()
    expect(models.learned()).toEqual([])
    const newer = refusal("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.")
    first.script(newer, json(COMPLETION), json(COMPLETION))
    second.script(json(COMPLETION))
    await models.complete(request({ model: 'fast' }), CALL)
    await models.complete(request({ model: 'strong' }), CALL)
    await models.complete(request({ model: 'default' }), CALL)
    expect([first.received.length, second.received.length]).toEqual([3, 1])
    expect(models.learned()).toEqual([
      { endpoint: 'fast', model: 'model-fast', form: 'json_schema', refused: ['max_tokens'] },
      { endpoint: 'strong', model: 'model-strong', form: 'json_schema', refused: [] },
    ])
  })

  it('by one of two first calls at the same time is known to the other', async () => {
    const [first] = servers()
    const models = load()
    first.script(json(COMPLETION), json(COMPLETION))
    await Promise.all([models.complete(request(), CALL), models.complete(request({ model: 'fast' }), CALL)])
    expect(models.learned()).toHaveLength(1)
  })
})

it('the binding reaches endpoints of Workers AI, and no others', async () => {
  const asked: string[] = []
  const binding = { run: (model: string) => Promise.reject(new Error(`${asked.push(model)}`)) }
  const { models } = parseConfig({ API_KEYS: 'a:k', SIGNING_SECRET: 'a secret of the tests', AI: binding })
  expect(models.endpoints).toMatchObject([{ name: 'default', wire: 'workers_ai', base_url: '' }])
  const at = (binding: Binding) => loadModel(models, { fetch: globalThis.fetch, binding }).complete(request(), CALL)
  expect(await at(null)).toMatchObject({ kind: 'model_failed', reason: 'there is no binding of Workers AI' })
  expect(asked).toEqual([])
  expect(await at(binding)).toMatchObject({ kind: 'model_failed', reason: 'connection failed' })
  expect(asked).toEqual([models.endpoints[0]?.model])
})
