/** The object that adds up the metrics, in workerd: what it stores, and what it answers after a restart. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { metricsText } from '../../src/telemetry/metrics/text-format.ts'
import type { Batch } from '../../src/telemetry/metrics/series.ts'
import type { MetricsObject } from '../../src/store/metrics/metrics-object.ts'
import { readMetrics, valueOf } from '../support/prometheus.ts'

const STEP = '["dynamic"]'
const DURATION = '["/tasks","GET"]'
const gauges = (open_tasks: number) => ({
  open_tasks,
  slots_held: 1,
  slots_max: 10,
  slots_waiting: 0,
  deliveries_waiting: 2,
})

/** An object of its own, as no other test knows it. */
function bench() {
  if (env.METRICS === undefined) throw new Error('METRICS is not bound')
  const stub = env.METRICS.getByName(crypto.randomUUID())
  let number = 0
  const batch = (counts: Batch['counts'], more: Partial<Batch> = {}): Batch => ({
    isolate: 'one',
    number: (number += 1),
    counts,
    gauges: {},
    ...more,
  })
  const within = <T>(body: (object: MetricsObject, sql: SqlStorage) => T) =>
    runInDurableObject(stub, (object: MetricsObject, { storage }) => body(object, storage.sql))
  const add = (...batches: Batch[]) => within((object) => batches.forEach((one) => object.add(one)))
  return { batch, add, within, read: () => within((object) => object.read()), restart: () => evictDurableObject(stub) }
}
const steps = (by: number) => ({ steps: { [STEP]: [by] } })

describe('the totals', () => {
  it('MET-02 are the sums over isolates, never fall, and outlive a restart of the object', async () => {
    const { batch, add, read, restart } = bench()
    let last = 0
    for (let turn = 1; turn <= 5; turn++) {
      await add(batch(steps(turn)), batch(steps(10), { isolate: 'other' }))
      if (turn % 2 === 0) await restart()
      const families = readMetrics(metricsText(await read(), '1', 'text'))
      const now = valueOf(families, 'loop_agent_steps_total', { mode: 'dynamic' })
      expect(now).toBe(last + turn + 10)
      last = now
    }
    expect((await read()).isolates).toBe(2)
  })

  it('MET-02 count a batch once that comes twice, also after a restart, and none that comes late', async () => {
    const { batch, add, read, restart } = bench()
    const [first, second] = [batch(steps(1)), batch(steps(2))]
    await add(first, first, second, first)
    await restart()
    await add(second)
    expect((await read()).counts).toEqual(steps(3))
  })

  it('MET-02 of a histogram are added bucket by bucket', async () => {
    const { batch, add, read } = bench()
    const at = (bucket: number, ms: number) => [
      ...Array.from({ length: 14 }, (_, index) => (index === bucket ? 1 : 0)),
      ms,
    ]
    const one = (bucket: number, ms: number) => batch({ http_request_duration_seconds: { [DURATION]: at(bucket, ms) } })
    await add(one(0, 3), one(0, 4), one(13, 90_000))
    const families = readMetrics(metricsText(await read(), '1', 'text'))
    const bucket = (le: string) => valueOf(families, 'loop_agent_http_request_duration_seconds_bucket', { le })
    expect(['0.005', '60', '+Inf'].map(bucket)).toEqual([2, 2, 3])
    expect(valueOf(families, 'loop_agent_http_request_duration_seconds_sum')).toBe(90.007)
  })

  it('MET-02 of a metric that another release has laid out begin again, and those of others stay', async () => {
    const { batch, add, within, read, restart } = bench()
    await add(batch({ ...steps(4), jobs: { '["drive","done"]': [5] } }))
    await within((_, sql) => void sql.exec(`UPDATE totals SET layout = '{}' WHERE metric = 'jobs'`))
    await restart()
    expect((await read()).counts).toEqual(steps(4))
  })

  it('MET-04 keep to METRICS_TENANTS, which is 0 here', async () => {
    const { batch, add, read } = bench()
    await add(batch({ ...steps(1), tenant_steps: { '["acme"]': [1] } }))
    expect((await read()).counts).toEqual(steps(1))
  })

  it('MET-03 write one row for each metric that has changed, and one for the isolate', async () => {
    const { batch, within } = bench()
    const written = await within((object, sql) => {
      object.add(batch(steps(1)))
      let rows = 0
      const exec = sql.exec.bind(sql)
      sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
        const cursor = exec(query, ...values)
        rows += cursor.rowsWritten
        return cursor
      }) as SqlStorage['exec'] // it is called as the other is
      const all = Object.fromEntries(Array.from({ length: 200 }, (_, route) => [`["/${route}","GET","2xx"]`, [1]]))
      object.add(batch({ ...steps(1), http_requests: all }))
      return rows
    })
    expect(written).toBe(3)
  })
})

describe('the gauges', () => {
  it('MET-05 are the sums of what each workspace has told last, and outlive a restart', async () => {
    const { batch, add, read, restart } = bench()
    await add(batch({}, { gauges: { '["a"]': gauges(3), '["b"]': gauges(4) } }))
    expect((await read()).gauges).toEqual({ ...gauges(7), slots_held: 2, slots_max: 20, deliveries_waiting: 4 })
    await add(batch({}, { gauges: { '["a"]': gauges(1) } }))
    const expected = { ...gauges(5), slots_held: 2, slots_max: 20, deliveries_waiting: 4 }
    expect(await read()).toMatchObject({ gauges: expected, workspaces: 2 })
    await restart()
    expect(await read()).toMatchObject({ gauges: expected, workspaces: 2 })
  })

  it('MET-05 of an idle workspace are forgotten after a week, and those of one with open tasks are not', async () => {
    const { batch, add, within, read, restart } = bench()
    const idle = { ...gauges(0), slots_held: 0, deliveries_waiting: 0 }
    await add(batch({}, { gauges: { '["idle"]': idle, '["open"]': gauges(1) } }))
    await within((_, sql) => void sql.exec('UPDATE workspaces SET at = at - 8 * 86400000'))
    await restart()
    await add(batch({}))
    expect(await read()).toMatchObject({ gauges: gauges(1), workspaces: 1 })
  })

  it('MET-05 of another release that lack a number count as 0', async () => {
    const { batch, add, read } = bench()
    const odd = { open_tasks: 2, slots_held: -1, slots_max: 1.5 } as unknown as ReturnType<typeof gauges>
    await add(batch({}, { gauges: { '["a"]': odd } }))
    expect((await read()).gauges).toEqual({
      open_tasks: 2,
      slots_held: 0,
      slots_max: 0,
      slots_waiting: 0,
      deliveries_waiting: 0,
    })
  })
})
