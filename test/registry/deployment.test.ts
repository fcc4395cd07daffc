/** GET /admin/deployment: what is bound, whether it answers, and what that switches on. */
import { describe, expect, it } from 'vitest'
import { BINDING_NAMES, DeploymentView, FEATURE_NAMES } from '../../src/core/shown/deployment-view.ts'
import { probeBindings, type ProbedBindings } from '../../src/store/probe-bindings.ts'
import { fixture, KEY, problemOf, SIGNING_SECRET, ADMIN_KEY } from '../support/http-fixture.ts'
import { bearer, registryBench } from '../support/registry-bench.ts'

const never = () => new Promise<never>(() => {})
/** Ends by itself only where a test waits for it. */
const later = () => new Promise<void>((resolve) => void setTimeout(resolve, 0))
const objects = <T>(one: T) => ({ getByName: () => one })
const REQUIRED = {
  TASKS: objects({ ask: async () => ({ ok: false }) }),
  WORKSPACES: objects({ ping: async () => true }),
}
const stateOf = (
  { bindings }: { bindings: { name: string; state: string; problem: string | null }[] },
  name: string,
) => {
  const { state, problem } = bindings.find((one) => one.name === name) ?? {}
  return [state, problem]
}
const probe = (more: Partial<ProbedBindings> = {}, wait: () => Promise<void> = never) =>
  probeBindings({ ...REQUIRED, ...more }, wait)

describe('OPS-15 each binding of a deployment is bound, absent or failing', () => {
  it('OPS-15 all that there are have their line, and one that is not bound is absent', async () => {
    const told = await probe({ AI: {}, BROWSER: {} })
    expect(told.bindings.map(({ name }) => name)).toEqual([...BINDING_NAMES])
    expect([stateOf(told, 'TASKS'), stateOf(told, 'AI'), stateOf(told, 'FILES')]).toEqual([
      ['bound', null],
      ['bound', null],
      ['absent', null],
    ])
    expect([told.queue, told.index_fed]).toEqual([null, null])
  })

  it('OPS-15 one that gives no answer is failing after a second, and holds up no other', async () => {
    const told = await probe({ FILES: { head: never }, COMPUTE: { fetch: never } }, later)
    expect(stateOf(told, 'FILES')).toEqual(['failing', 'no answer within 1 s'])
    expect(stateOf(told, 'COMPUTE')).toEqual(['failing', 'no answer within 1 s'])
    expect(stateOf(told, 'WORKSPACES')).toEqual(['bound', null])
  })

  it('OPS-15 the text of an error is not told, because it may quote anything', async () => {
    const fails = () => Promise.reject(new TypeError('of the secret s3cr3t'))
    const told = await probe({
      FILES: { head: fails },
      REGISTRY: objects({ ask: () => Promise.reject(new Error('Exceeded: SQLITE_FULL')) }),
    })
    expect(stateOf(told, 'FILES')).toEqual(['failing', 'TypeError'])
    expect(stateOf(told, 'REGISTRY')).toEqual(['failing', 'Error: storage_full'])
    expect(JSON.stringify(told)).not.toContain('s3cr3t')
  })

  it('OPS-15 a Worker that answers otherwise than as it should is failing', async () => {
    const answering = (status: number) => ({ fetch: async () => new Response(null, { status }) })
    const told = await probe({ COMPUTE: answering(502), ASSETS: answering(404) })
    expect(stateOf(told, 'COMPUTE')).toEqual(['failing', 'it answers 502, not 400'])
    expect(stateOf(told, 'ASSETS')).toEqual(['failing', 'it answers 404, not 200'])
    expect(stateOf(await probe({ COMPUTE: answering(400) }), 'COMPUTE')).toEqual(['bound', null])
  })

  it.each([
    [new Date(0), null],
    [new Date(5), '1970-01-01T00:00:00.005Z'],
    [undefined, null],
  ])('OPS-15 a queue says what waits in it, the oldest since %s', async (oldestMessageTimestamp, oldest_at) => {
    const metrics = async () => ({ backlogCount: 3, ...(oldestMessageTimestamp && { oldestMessageTimestamp }) })
    expect((await probe({ JOBS: { metrics } })).queue).toEqual({ waiting: 3, oldest_at })
    expect(stateOf(await probe({ JOBS: {} }), 'JOBS')).toEqual(['bound', null])
  })

  it('OPS-15 an index database says whether it was fed, also before its tables are made', async () => {
    const fed = async (...answers: (object | null)[]) => {
      const INDEX = {
        prepare: () => ({ first: async () => (answers.shift() ?? null) as Record<string, unknown> | null }),
      }
      return (await probe({ INDEX })).index_fed
    }
    expect([await fed(null), await fed({ 1: 1 }, null), await fed({ 1: 1 }, { 1: 1 })]).toEqual([false, false, true])
  })
})

describe('OPS-15 GET /admin/deployment', () => {
  const ENV = {
    API_KEYS: 'alice:a-short-key,bob:bob-key-of-twenty-four-chars',
    ADMIN_KEY,
    SIGNING_SECRET,
    ENVIRONMENT: 'production',
    WEBHOOK_SECRET: 'alice:whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.com',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=otel-s3cr3t',
    TENANT_SHARDS: 'alice:4,bob:1',
  }
  const probe_bindings = () => probe({ FILES: { head: async () => null } })

  it('OPS-15 says what is switched on and by what, and no value of a secret', async () => {
    const response = await fixture({ env: ENV, probe_bindings }).send('GET', '/admin/deployment')
    const text = await response.text()
    const { features, ...told } = DeploymentView.parse(JSON.parse(text))
    const on = new Map(features.map((feature) => [feature.name, feature.on]))
    expect(told).toMatchObject({ environment: 'production', sharded_tenants: 1, short_keys: 1 })
    expect([on.get('files'), on.get('job_queue'), on.get('spans'), on.get('logins')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(features.map(({ name }) => name)).toEqual([...FEATURE_NAMES])
    for (const secret of ['a-short-key', ADMIN_KEY, SIGNING_SECRET, 'MfKQ9r8', 'otel-s3cr3t'])
      expect(text).not.toContain(secret)
  })

  it('OPS-15 spans to receivers of tenants are told apart from those of the service', async () => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: _, OTEL_EXPORTER_OTLP_HEADERS: __, ...rest } = ENV
    const spansWith = async (more: Record<string, string>) => {
      const response = await fixture({ env: { ...rest, ...more }, probe_bindings }).send('GET', '/admin/deployment')
      const { features } = DeploymentView.parse(await response.json())
      return features.filter(({ name }) => name.endsWith('spans')).map(({ name, on }) => [name, on])
    }
    expect(await spansWith({ USAGE: 'on' })).toEqual([
      ['spans', false],
      ['tenant_spans', true],
    ])
    expect(await spansWith({ USAGE: 'on', OTEL_SDK_DISABLED: 'true' })).toEqual([
      ['spans', false],
      ['tenant_spans', false],
    ])
  })

  it('OPS-15 is for operators alone, and asks nothing for others', async () => {
    let asked = 0
    const counted = async () => (asked++, probe())
    const bench = registryBench({ probe_bindings: counted })
    await bench.makeTenant('acme')
    const admin = await bench.makeKey('acme', { scopes: ['admin'] })
    const theirs = await bench.send('GET', '/admin/deployment', null, bearer(admin.key))
    expect([theirs.status, await problemOf(theirs)]).toMatchObject([403, { code: 'operator_only' }])
    const plain = await bench.send('GET', '/admin/deployment', null, bearer(KEY))
    expect([plain.status, await problemOf(plain)]).toMatchObject([403, { code: 'insufficient_scope' }])
    expect(asked).toBe(0)
    expect((await bench.send('GET', '/admin/deployment')).status).toBe(200)
  })

  it('OPS-15 has a line for each binding as text', async () => {
    const response = await fixture({ env: ENV, probe_bindings }).send('GET', '/admin/deployment', null, {
      accept: 'text/plain',
    })
    expect((await response.text()).split('\n')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^FILES {2}bound {2}\d+ ms$/),
        'JOBS  absent',
        'files  on  files  FILES',
      ]),
    )
  })
})
