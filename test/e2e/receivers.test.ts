/** Receivers of spans of tenants, by the built service: one of their own beside that of the service, and collectors that misbehave. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Service } from '../../scripts/lib/service.mjs'
import { TaskView } from '../../src/core/terms/view.ts'
import { httpCollector, type HttpCollector } from '../support/otlp/http-collector.ts'
import { newPlace, type Place } from './support.ts'

const LONG = { timeout: 240_000 }
const PATIENCE_MS = 90_000
const CANARY = 'canary-of-a-header-of-a-receiver'

let place: Place
let ours: HttpCollector
let theirs: HttpCollector
beforeEach(async () => {
  place = newPlace()
  ours = await httpCollector()
  theirs = await httpCollector()
})
afterEach(async () => {
  await place.leave()
  await ours.close()
  await theirs.close()
})

const keyOf = (tenant: string) => `${tenant}-key-of-twenty-chars`
const keysOf = (tenants: readonly string[]) => tenants.map((tenant) => `${tenant}:${keyOf(tenant)}`).join(',')

async function send(service: Service, tenant: string, method: string, path: string, body?: object) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${keyOf(tenant)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) }
}
async function sendTask(service: Service, tenant: string): Promise<TaskView> {
  const { body } = await send(service, tenant, 'POST', '/tasks', { goal: 'buy milk and call mum', rounds: 20 })
  return TaskView.parse(body)
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
async function until(what: string, is_so: () => boolean | Promise<boolean>, ms = PATIENCE_MS): Promise<void> {
  for (const end = Date.now() + ms; !(await is_so()); await wait(100))
    if (Date.now() > end) throw new Error(`still not so: ${what}`)
}

const spansIn = ({ spans }: HttpCollector, tenant: string) =>
  [...spans.values()].filter(({ attributes }) => attributes['loop_agent.tenant'] === tenant)
const idsIn = (collector: HttpCollector, tenant: string) =>
  spansIn(collector, tenant)
    .map(({ span_id }) => span_id)
    .toSorted()
/** Whether a whole run of work of so many tasks has come. */
const hasRuns = (collector: HttpCollector, tenant: string, count = 1) =>
  spansIn(collector, tenant).filter(({ parent_id }) => parent_id === null).length === count

describe('OTEL-11 a tenant with a receiver of its own', LONG, () => {
  it('has its spans sent there and to the receiver of the service, each once, and nobody else has', async () => {
    const env = { API_KEYS: keysOf(['acme', 'other']), OTEL_EXPORTER_OTLP_ENDPOINT: ours.url }
    const service = await place.start(env)
    const secret = { value: CANARY, hosts: ['127.0.0.1'] }
    expect(await send(service, 'acme', 'PUT', '/secrets/otlp', secret)).toMatchObject({ status: 201 })
    const receiver = { endpoint: `${theirs.url}/v1/traces`, headers: { authorization: 'Bearer secret:otlp' } }
    expect(await send(service, 'acme', 'PUT', '/telemetry', receiver)).toMatchObject({ status: 200 })
    for (const endpoint of PRIVATE)
      expect([endpoint, await send(service, 'acme', 'PUT', '/telemetry', { endpoint })]).toMatchObject([
        endpoint,
        { status: 422, body: { errors: [{ pointer: '/endpoint' }] } },
      ])
    for (const tenant of ['acme', 'other']) expect((await sendTask(service, tenant)).status).toBe('completed')
    await until(
      'all spans',
      () => ['acme', 'other'].every((tenant) => hasRuns(ours, tenant)) && hasRuns(theirs, 'acme'),
    )
    expect([...ours.problems, ...theirs.problems]).toEqual([])
    expect(idsIn(theirs, 'acme')).toEqual(idsIn(ours, 'acme'))
    expect(idsIn(theirs, 'acme').length).toBeGreaterThan(5)
    expect(spansIn(theirs, 'other')).toEqual([])
    expect([ours.arrivals, theirs.arrivals]).toEqual([ours.spans.size, theirs.spans.size])
    expect(new Set(theirs.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${CANARY}`]))
    expect(ours.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])
    const shown = await send(service, 'acme', 'GET', '/telemetry')
    expect(shown.body).toMatchObject({ ...receiver, last_failure: null })
    expect(await send(service, 'other', 'GET', '/telemetry')).toMatchObject({ status: 404 })

    // After its deletion only the receiver of the service has more.
    expect(await send(service, 'acme', 'DELETE', '/telemetry')).toMatchObject({ status: 204 })
    const { arrivals } = theirs
    await sendTask(service, 'acme')
    await until('spans of the second task', () => hasRuns(ours, 'acme', 2))
    await wait(1_000)
    expect(theirs.arrivals).toBe(arrivals)
    await service.stop()
    for (const kept of [filesIn(place.dataDir), service.output(), shown.text])
      for (const spelling of [CANARY, btoa(CANARY).slice(0, -4)]) expect(kept).not.toContain(spelling)
  })

  it('whose stored address is not allowed any more gets nothing, and is told why; the service gets all', async () => {
    const env = { API_KEYS: keysOf(['acme']), OTEL_EXPORTER_OTLP_ENDPOINT: ours.url }
    const first = await place.start(env)
    expect(await send(first, 'acme', 'PUT', '/telemetry', { endpoint: `${theirs.url}/` })).toMatchObject({
      status: 200,
    })
    await first.stop()
    const service = await place.start({ ...env, ...PRODUCTION })
    await sendTask(service, 'acme')
    await until('spans', () => hasRuns(ours, 'acme'))
    const failure = async () => (await send(service, 'acme', 'GET', '/telemetry')).body?.['last_failure']
    await until('a failure', async () => (await failure()) !== null)
    expect(await failure()).toMatchObject({ detail: expect.stringContaining('not sent: the address') })
    expect(theirs.requests).toEqual([])
  })
})

const PRODUCTION = {
  ENVIRONMENT: 'production',
  SIGNING_SECRET: 'a-signing-secret-of-tests-that-is-long',
  PUBLIC_URL: 'https://agent.example.com',
}
const PRIVATE = [
  'http://10.0.0.1/v1/traces',
  'https://10.0.0.1/v1/traces',
  'https://169.254.169.254/latest/meta-data',
  'https://192.168.1.1/',
  'https://[fd00::1]/',
  'https://[::ffff:10.0.0.1]/',
  'http://otlp.example.com/',
  'https://user:password@otlp.example.com/',
  'ftp://otlp.example.com/',
]

/** What stands in all files below the data directory, byte for byte. */
function filesIn(directory: string): string {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name))
  return files.flatMap((file) => (statSync(file).isFile() ? readFileSync(file, 'latin1') : [])).join('\n')
}

const HUNDRED_MB = 100 * 1_048_576
/** An answer that promises a length and has none of it. */
const cut = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{', () => response.destroy())
}
/** How many bytes of an answer of 100 MB have left this process by tenant. */
const flooded = new Map<string, number>()
/** Tenants whose flood has ended. */
const drained = new Set<string>()
function flood(response: ServerResponse, tenant: string, status: number): void {
  const part = Buffer.alloc(65_536, ' ')
  response.writeHead(status, { 'content-type': 'application/json' })
  response.on('close', () => void drained.add(tenant))
  const write = () => {
    const written = response.socket?.bytesWritten ?? flooded.get(tenant) ?? 0
    flooded.set(tenant, written)
    if (response.destroyed || written > HUNDRED_MB) return void response.end()
    if (response.write(part)) setImmediate(write)
    else response.once('drain', write)
  }
  write()
}
/** `ExportTraceServiceResponse` that has thrown two spans away. */
const PARTIAL = Buffer.from('0a020802', 'hex')

const BAD: Record<string, (response: ServerResponse, tenant: string) => unknown> = {
  hangs: () => {},
  floods: (response, tenant) => flood(response, tenant, 200),
  fails_and_floods: (response, tenant) => flood(response, tenant, 503),
  forbids: (response) => response.writeHead(403).end('no'),
  refuses: (response) => response.writeHead(400).end('no'),
  is_busy: (response) => response.writeHead(503, { 'retry-after': '25' }).end(),
  takes_part: (response) => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(PARTIAL),
  cuts: cut,
  resets: (response) => response.socket?.destroy(),
}
/** Those whose request is tried again. */
const AGAIN = ['hangs', 'fails_and_floods', 'forbids', 'is_busy', 'cuts', 'resets']

describe('OTEL-04 collectors of tenants that misbehave', LONG, () => {
  it('keep no task and no other tenant waiting, are not read to their end, and have every span once when they are well', async () => {
    const tenants = [...Object.keys(BAD), 'calm']
    theirs.answering.with = ({ path }, response) => {
      const tenant = path.split('/')[1] ?? ''
      const answer = BAD[tenant]
      return answer === undefined ? response.end() : answer(response, tenant)
    }
    const env = {
      API_KEYS: keysOf(tenants),
      OTEL_EXPORTER_OTLP_ENDPOINT: ours.url,
      METRICS_TOKEN: 'a-token-of-the-metrics',
    }
    const service = await place.start(env)
    for (const tenant of tenants) {
      const endpoint = `${theirs.url}/${tenant}/v1/traces`
      expect(await send(service, tenant, 'PUT', '/telemetry', { endpoint })).toMatchObject({ status: 200 })
    }
    for (const tenant of tenants) expect((await sendTask(service, tenant)).status).toBe('completed')
    // While one hangs and others flood, the receiver of the service and that of another tenant have all.
    await until(
      'the spans of others',
      () => hasRuns(theirs, 'calm') && tenants.every((one) => hasRuns(ours, one)),
      30_000,
    )
    await until('each has been asked', () => tenants.every((one) => asked(one).length > 0))
    const second = performance.now()
    expect((await sendTask(service, 'hangs')).status).toBe('completed')
    expect(performance.now() - second).toBeLessThan(8_000)
    await until('the floods are over', () => drained.has('floods') && drained.has('fails_and_floods'))
    // A megabyte is read; the rest is what lies in buffers of the two ends.
    for (const tenant of ['floods', 'fails_and_floods']) expect(flooded.get(tenant)).toBeLessThan(HUNDRED_MB / 4)

    console.log('bytes of answers of 100 MB that left the collector:', Object.fromEntries(flooded))
    theirs.answering.with = (_, response) => response.end()
    for (const tenant of AGAIN)
      await until(`all spans of the tenant whose collector ${tenant}`, async () => {
        await send(service, tenant, 'GET', '/tasks')
        const known = idsIn(ours, tenant)
        return known.length > 5 && taken(tenant).size === known.length
      })
    expect([...ours.problems, ...theirs.problems]).toEqual([])
    for (const tenant of AGAIN) expect([tenant, idsIn(theirs, tenant)]).toEqual([tenant, idsIn(ours, tenant)])
    expect(ours.arrivals).toBe(ours.spans.size)
    const [busy = 0, later = 0] = asked('is_busy').map(({ at_ms }) => at_ms)
    expect(later - busy).toBeGreaterThanOrEqual(25_000)
    for (const tenant of ['floods', 'refuses', 'takes_part', 'calm'])
      expect([tenant, asked(tenant).length]).toEqual([tenant, 1])

    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes('"spans_'))
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>)
    const said = (tenant: string) =>
      lines
        .filter((line) => line['tenant'] === tenant)
        .map(({ event, reason }) => `${String(event)}: ${String(reason)}`)
    expect(said('hangs')[0]).toBe('spans_delayed: timed out')
    expect(said('resets')[0]).toMatch(/^spans_delayed: connection (?:lost|failed)/)
    expect(said('forbids')).toEqual(['spans_delayed: HTTP 403'])
    expect(said('refuses')).toEqual(['spans_refused: HTTP 400'])
    expect(said('is_busy')).toEqual(['spans_delayed: HTTP 503'])
    expect(said('takes_part')).toEqual(['spans_rejected: the collector has rejected them'])
    expect(said('cuts')).toEqual(['spans_delayed: connection lost'])
    expect([said('calm'), said('floods')]).toEqual([[], []])
    const metrics = await (
      await fetch(`${service.url}/metrics`, { headers: { authorization: 'Bearer a-token-of-the-metrics' } })
    ).text()
    for (const outcome of ['taken', 'failed', 'refused', 'rejected'])
      expect(metrics).toMatch(new RegExp(`loop_agent_spans_total\\{receiver="tenant",outcome="${outcome}"\\} [1-9]`))
    expect(metrics).not.toContain('loop_agent_spans_total{receiver="service",outcome="failed"}')
  })
})

const asked = (tenant: string) => theirs.requests.filter(({ path }) => path === `/${tenant}/v1/traces`)
/** What a collector has that was asked again. */
const taken = (tenant: string) => new Set(asked(tenant).length < 2 ? [] : idsIn(theirs, tenant))
