/** `npm run doctor`: what it finds of a deployment, and what it says to do. */
import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import { drivenOf, listedOf } from '../../scripts/lib/doctor/background.mjs'
import { deploymentOf } from '../../scripts/lib/doctor/deployment.mjs'
import { NODE } from '../../scripts/lib/node.mjs'
import { ENV, newPlace, call, type Place } from './support.ts'

let place: Place | null = null
let receiver: Server | null = null
afterEach(async () => {
  receiver?.close()
  receiver = null
  await place?.leave()
  place = null
})

const Found = z.object({
  healthy: z.boolean(),
  findings: z.array(z.object({ check: z.string(), state: z.string(), found: z.string(), todo: z.string().nullable() })),
})
type Env = Record<string, string | undefined>

function run(env: Env, ...args: string[]): Promise<{ code: number; printed: string }> {
  return new Promise((resolve) => {
    const given = { ...process.env, ...ENV, DOCTOR_KEY: undefined, DOCTOR_ADMIN_KEY: undefined, ...env }
    const child = execFile(NODE, ['scripts/doctor.mjs', ...args], { env: given }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, printed: stdout + stderr }),
    )
  })
}
async function examine(env: Env, ...args: string[]) {
  const { code, printed } = await run(env, ...args, '--json')
  const { healthy, findings } = Found.parse(JSON.parse(printed))
  expect(code).toBe(healthy ? 0 : 1)
  return { states: Object.fromEntries(findings.map(({ check, state }) => [check, state])), findings, printed }
}

it('OPS-11 it finds what a deployment has, leaves nothing there, and prints no secret', async () => {
  place = newPlace()
  const service = await place.start()
  receiver = createServer((request, response) => (request.resume(), response.writeHead(204).end()))
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  const port = typeof address === 'object' ? address?.port : 0
  const callback = `http://127.0.0.1:${port}/hook`
  const { states, findings, printed } = await examine({ DOCTOR_KEY: 'dev-key' }, service.url, '--callback', callback)
  expect(states).toMatchObject({
    service: 'ok',
    release: 'ok',
    'model configured': 'warning',
    'static files': 'ok',
    'development key': 'warning',
    clock: 'ok',
    bindings: 'skipped',
    login: 'ok',
    storage: 'ok',
    background: 'ok',
    lists: 'ok',
    bucket: 'ok',
    links: 'ok',
    model: 'ok',
    callbacks: 'ok',
  })
  expect(findings.filter(({ state, todo }) => state !== 'ok' && todo === null)).toEqual([])
  expect(await call(service, 'GET', '/tasks')).toMatchObject({ data: [] })
  expect(printed).not.toContain('whsec_')
})

it('OPS-12 it says what is wrong and what to do, and its exit code tells', async () => {
  place = newPlace()
  const keys = {
    API_KEYS: `a:${'k'.repeat(32)}`,
    SIGNING_SECRET: 's'.repeat(32),
    PUBLIC_URL: 'https://elsewhere.example',
  }
  const service = await place.start({ ...keys, ENVIRONMENT: 'production' })
  const wrong = await examine({ DOCTOR_KEY: 'mistyped' }, service.url)
  expect(wrong.states).toMatchObject({ 'development key': 'ok', key: 'error' })
  const { findings } = await examine({ DOCTOR_KEY: 'k'.repeat(32) }, service.url, '--no-model')
  const of = (check: string) => findings.find((one) => one.check === check)
  expect(of('links')).toMatchObject({ state: 'error', todo: `set PUBLIC_URL to ${service.url}` })
  expect(of('callbacks')).toMatchObject({ state: 'warning', todo: expect.stringContaining('WEBHOOK_SECRET=') })
  expect(of('model')).toMatchObject({ state: 'skipped' })
  expect((await examine({}, service.url)).states).toMatchObject({ key: 'skipped' })
})

it('OPS-16 with the key of operators it looks at the bindings and what they switch on, and says what is missing', async () => {
  place = newPlace()
  const keys = {
    API_KEYS: `a:${'k'.repeat(32)}`,
    ADMIN_KEY: 'operator-'.repeat(5),
    SIGNING_SECRET: 's'.repeat(32),
    PUBLIC_URL: 'https://agent.example',
    INDEX_DATABASE: 'true',
    TENANT_SHARDS: 'a:2',
  }
  const service = await place.start({ ...keys, ENVIRONMENT: 'production' })
  const good = await examine(
    { DOCTOR_KEY: 'k'.repeat(32), DOCTOR_ADMIN_KEY: keys.ADMIN_KEY },
    service.url,
    '--no-model',
  )
  expect(good.states).toMatchObject({
    DOCTOR_ADMIN_KEY: 'ok',
    'binding TASKS': 'ok',
    'binding WORKSPACES': 'ok',
    'binding REGISTRY': 'ok',
    'binding FILES': 'ok',
    'binding INDEX': 'ok',
    'binding COMPUTE': 'ok',
    'binding JOBS': 'warning',
    'index database': expect.stringMatching(/ok|warning/),
    shards: 'ok',
    background: 'ok',
    lists: 'ok',
  })
  expect(good.findings.find(({ check }) => check === 'switched on')?.found).toContain('lists by a database (INDEX)')
  expect(good.findings.filter(({ state, todo }) => state === 'error' && todo === null)).toEqual([])
  for (const secret of [keys.ADMIN_KEY, 'k'.repeat(32), 's'.repeat(32)]) expect(good.printed).not.toContain(secret)

  const wrong = await examine(
    { DOCTOR_KEY: 'k'.repeat(32), DOCTOR_ADMIN_KEY: 'k'.repeat(32) },
    service.url,
    '--no-model',
  )
  expect(wrong.findings.find(({ check }) => check === 'DOCTOR_ADMIN_KEY')).toMatchObject({
    state: 'error',
    found: expect.stringContaining('403 insufficient_scope'),
  })
}, 60_000)

it('OPS-16 the key of operators goes over TLS or on this machine only, and no other spelling of it goes anywhere', async () => {
  const sent: string[] = []
  receiver = createServer((request, response) => {
    sent.push(request.headers.authorization ?? '')
    response.writeHead(request.url === '/health' ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ status: 'ok', version: '0', model: { wire: 'built_in' } }))
  })
  receiver.listen(0, '0.0.0.0')
  await once(receiver, 'listening')
  const address = receiver.address()
  const port = typeof address === 'object' ? address?.port : 0
  const admin = async (env: Env, host: string) => {
    const { findings } = await examine(env, `http://${host}:${port}`)
    return findings.find(({ check }) => check === 'DOCTOR_ADMIN_KEY' || check === 'bindings')
  }
  const refused = (reason: string) => ({ state: 'error', found: expect.stringContaining(reason) })
  expect(await admin({ ADMIN_KEY: 'operator-key' }, '127.0.0.1')).toMatchObject({ state: 'skipped' })
  expect(await admin({ DOCTOR_ADMIN_KEY: 'operator-key' }, '0.0.0.0')).toMatchObject(refused('plain HTTP'))
  expect(await admin({ DOCTOR_ADMIN_KEY: 'operator-key,next' }, '127.0.0.1')).toMatchObject(refused('a list'))
  expect(await admin({ DOCTOR_ADMIN_KEY: 'sha256:operator-key' }, '127.0.0.1')).toMatchObject(refused('SHA-256'))
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.filter((one) => one.includes('operator-key'))).toEqual([])
  await admin({ DOCTOR_ADMIN_KEY: 'operator-key' }, '127.0.0.1')
  expect(sent).toContain('Bearer operator-key')
})

/** A tenant of whose tasks these run; the new one stays queued, and lists do not show it. */
const tenantWith = (updated_at: string | null, as_of: string) => (_method: string, path: string) => {
  const running = updated_at === null ? [] : [{ drive: 'background', updated_at }]
  const data = path.includes('status=running') ? running : []
  return Promise.resolve({ status: 200, json: path.startsWith('/tasks?') ? { data, as_of } : { status: 'queued' } })
}

it('OPS-12 a tenant whose run slots are taken, and a list that lags, are no faults, and the reason is told', async () => {
  const now = '2026-03-02T09:10:00.000Z'
  const driven = (updated_at: string | null) => drivenOf(tenantWith(updated_at, now), 'task_1', 1)
  expect(await driven('2026-03-02T09:09:00.000Z')).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('behind what is driven of this tenant (1)'),
    todo: expect.stringContaining('MAX_DRIVEN_TASKS'),
  })
  for (const none of [null, '2026-03-02T09:00:00.000Z']) expect(await driven(none)).toMatchObject({ state: 'error' })
  const refused = () => Promise.resolve({ status: 429, json: { status: 429 } })
  expect(await drivenOf(refused, 'task_1', 1)).toMatchObject({ state: 'warning' })

  const listed = (created_at: string) => listedOf(tenantWith(null, now), { label: 'a', created_at }, 1)
  expect(await listed('2026-03-02T09:10:01.000Z')).toMatchObject({ state: 'warning' })
  expect(await listed('2026-03-02T09:09:59.000Z')).toMatchObject({ state: 'error' })
})

it('OPS-16 a compute Worker that gives no answer may compute, and one that answers wrongly is wrong', async () => {
  const problemOf = async (problem: string) => {
    const bindings = [{ name: 'COMPUTE', state: 'failing', answered_ms: null, problem }]
    const json = { bindings, queue: null, index_fed: null, features: [], sharded_tenants: 0, short_keys: 0 }
    const ask = () => Promise.resolve({ status: 200, json })
    const found = await deploymentOf(ask, new URL('https://agent.example'), { admin_key: 'a', key: 'b', pause_ms: 0 })
    return found.find(({ check }) => check === 'binding COMPUTE')
  }
  expect(await problemOf('no answer within 1 s')).toMatchObject({ state: 'warning', todo: 'look again in a minute' })
  expect(await problemOf('it answers 502, not 400')).toMatchObject({ state: 'error' })
})

it('OPS-12 a service without keys and one that is not there are told by their reasons', async () => {
  place = newPlace()
  const service = await place.start({ ENVIRONMENT: 'production', API_KEYS: undefined })
  const { findings } = await examine({}, service.url)
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: 'service',
      state: 'error',
      found: expect.stringContaining('API_KEYS must be set'),
    }),
  )
  await service.stop()
  expect((await examine({}, service.url)).states).toMatchObject({ service: 'error' })
  expect(await run({}, 'nonsense')).toMatchObject({
    code: 2,
    printed: expect.stringContaining('usage: npm run doctor'),
  })
})

it('OPS-13 without an address it looks at the variables and the machine here, and tells lengths only', async () => {
  place = newPlace()
  const good = await examine({
    ENVIRONMENT: 'production',
    API_KEYS: `a:${'k'.repeat(32)}`,
    SIGNING_SECRET: 's'.repeat(32),
    PUBLIC_URL: 'https://agent.example',
    DATA_DIR: place.dataDir,
  })
  expect(good.states).toMatchObject({
    environment: 'ok',
    variables: 'ok',
    SIGNING_SECRET: 'ok',
    API_KEYS: 'ok',
    data: 'ok',
  })
  const bad = await examine({
    ENVIRONMENT: 'production',
    API_KEYS: 'a:short-key',
    TIMEZONE: 'Mars/Base',
    DATA_DIR: place.dataDir,
  })
  expect(bad.states).toMatchObject({ variables: 'error', API_KEYS: 'warning' })
  expect(bad.printed).not.toContain('short-key')
  const admin = await examine({
    ENVIRONMENT: 'production',
    API_KEYS: `a:${'k'.repeat(32)}`,
    ADMIN_KEY: createHash('sha256').update('k'.repeat(32)).digest('hex').replace(/^/, 'sha256:'),
    DATA_DIR: place.dataDir,
  })
  expect(admin.findings).toContainEqual(
    expect.objectContaining({ state: 'error', found: expect.stringContaining('must not be a key of API_KEYS') }),
  )
})
