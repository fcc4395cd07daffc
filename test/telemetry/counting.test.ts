/** How an isolate counts and hands on: bounded series, one call per ten seconds, and each batch counted once. */
import { describe, expect, it } from 'vitest'
import { METRIC_NAMES, metricOf } from '../../src/telemetry/metrics/catalogue.ts'
import { createFlusher, FLUSH_MS } from '../../src/telemetry/metrics/flusher.ts'
import { newRecorder } from '../../src/telemetry/metrics/recorder.ts'
import { addCounts, plainCounts, type Batch, type SeriesByMetric } from '../../src/telemetry/metrics/series.ts'

const recorderOf = (tenants = 0, onRecord = () => {}) => newRecorder(() => 'isolate', tenants, onRecord)

describe('the series', () => {
  it('MET-04 of one metric are bounded: what is beyond counts as other', () => {
    const recorder = recorderOf()
    for (let made = 0; made < 5_000; made++)
      recorder.count('http_requests', { route: `/invented/${made}`, method: 'GET', status: '4xx' })
    const series = recorder.take()?.counts['http_requests'] ?? {}
    expect(Object.keys(series)).toHaveLength(2_000)
    expect(series['["other","other","other"]']).toEqual([3_001])
  })

  it.each([
    [0, {}],
    [1, { '["other"]': [6] }],
    [3, { '["a"]': [1], '["b"]': [2], '["other"]': [3] }],
  ])('MET-04 with METRICS_TENANTS=%i tenants have so many series', (tenants, expected) => {
    const recorder = recorderOf(tenants)
    for (const tenant of ['a', 'b', 'b', 'c', 'd', 'e']) recorder.count('tenant_requests', { tenant })
    const totals: SeriesByMetric = new Map()
    addCounts(totals, recorder.take()?.counts ?? {}, tenants)
    expect(plainCounts(totals)['tenant_requests'] ?? {}).toEqual(expected)
  })

  it('MET-04 have labels of closed lists: no task, no goal, no path', () => {
    const labels = new Set(METRIC_NAMES.flatMap((name) => metricOf(name).labels))
    expect([...labels].toSorted()).toEqual(
      ['by', 'event', 'kind', 'method', 'mode', 'outcome', 'receiver', 'route', 'status', 'tenant'].toSorted(),
    )
    expect(METRIC_NAMES.filter((name) => metricOf(name).labels.includes('tenant'))).toEqual(
      METRIC_NAMES.filter((name) => name.startsWith('tenant_')),
    )
  })

  it.each([
    ['a metric of another release', { unknown: { '["a"]': [1] } }],
    ['a metric named like a method', { constructor: { '["a"]': [1] } }],
    ['numbers of another layout', { steps: { '["a"]': [1, 2] } }],
    ['a number that falls', { steps: { '["a"]': [-1] } }],
    ['no number', { steps: { '["a"]': [NaN] } }],
    ['labels of another layout', { steps: { '["a","b"]': [1] } }],
    ['a key that is no list', { steps: { a: [1] } }],
  ])('MET-02 %s is left out', (_, counts) => {
    const totals: SeriesByMetric = new Map()
    expect([...addCounts(totals, counts, 0)]).toEqual([])
    expect(plainCounts(totals)).toEqual({})
  })
})

function flushBench() {
  const clock = { now: 1_000_000 }
  const sent: Batch[] = []
  const failures: unknown[] = []
  const waits: { ms: number; end: () => void }[] = []
  let fails = 0
  const recorder = recorderOf(0, () => flusher.touch())
  const flusher = createFlusher(recorder, {
    now_ms: () => clock.now,
    wait: (ms) => new Promise((end) => waits.push({ ms, end })),
    outlive: (work) => void work,
    async send(batch) {
      sent.push(structuredClone(batch))
      if (fails-- > 0) throw new Error('away')
    },
    onFailure: (error) => failures.push(error),
  })
  const pass = async () => {
    const [wait] = waits.splice(0, 1)
    clock.now += wait?.ms ?? 0
    wait?.end()
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return { clock, sent, failures, waits, recorder, flusher, pass, fail: (times: number) => (fails = times) }
}

const step = { mode: 'dynamic' }

describe('the hand-over', () => {
  it('MET-03 is one call for all that is counted within ten seconds, whatever happens meanwhile', async () => {
    const { sent, waits, recorder, pass, clock } = flushBench()
    for (let made = 0; made < 1_000; made++) recorder.count('steps', step)
    expect(waits.map(({ ms }) => ms)).toEqual([1_000])
    await pass()
    expect(sent.map(({ counts }) => counts)).toEqual([{ steps: { '["dynamic"]': [1_000] } }])
    for (let made = 0; made < 100; made++) {
      clock.now += 50
      recorder.count('steps', step)
    }
    expect(waits).toHaveLength(1)
    expect(waits[0]?.ms).toBe(FLUSH_MS - 50)
    await pass()
    expect(sent).toHaveLength(2)
    await pass()
    expect(sent).toHaveLength(2)
  })

  it('MET-02 a call that failed is sent again as it was, under its number, and what came later follows', async () => {
    const { sent, failures, recorder, flusher, fail } = flushBench()
    recorder.count('steps', step, 2)
    fail(1)
    await flusher.flush()
    recorder.count('steps', step, 3)
    await flusher.flush()
    expect(sent.map(({ number, counts }) => [number, counts['steps']])).toEqual([
      [1, { '["dynamic"]': [2] }],
      [1, { '["dynamic"]': [2] }],
      [2, { '["dynamic"]': [3] }],
    ])
    expect(failures).toHaveLength(1)
  })

  it('MET-03 a plan that was lost with its request is made again half a minute later', async () => {
    const { waits, recorder, clock } = flushBench()
    recorder.count('steps', step)
    clock.now += 30_000
    recorder.count('steps', step)
    expect(waits).toHaveLength(1)
    clock.now += 2_000
    recorder.count('steps', step)
    expect(waits).toHaveLength(2)
  })

  it('MET-03 a call that does not come back holds up no other', async () => {
    const sent: number[] = []
    const clock = { now: 0 }
    const recorder = recorderOf()
    const flusher = createFlusher(recorder, {
      now_ms: () => clock.now,
      wait: () => new Promise(() => {}),
      outlive: () => {},
      send: ({ number }) => (sent.push(number), sent.length === 1 ? new Promise(() => {}) : Promise.resolve()),
      onFailure: () => {},
    })
    recorder.count('steps', step)
    void flusher.flush()
    await flusher.flush()
    expect(sent).toEqual([1])
    clock.now += 30_000
    await flusher.flush()
    expect(sent).toEqual([1, 1])
  })

  it('MET-02 of one isolate has one name and growing numbers', () => {
    let made = 0
    const recorder = newRecorder(
      () => `isolate ${++made}`,
      0,
      () => {},
    )
    const taken = Array.from({ length: 3 }, () => {
      recorder.count('steps', step)
      const batch = recorder.take()
      return [batch?.isolate, batch?.number]
    })
    expect(taken).toEqual([
      ['isolate 1', 1],
      ['isolate 1', 2],
      ['isolate 1', 3],
    ])
  })

  it('MET-05 the newest gauges of a workspace replace those before', () => {
    const recorder = recorderOf()
    const gauges = { open_tasks: 1, slots_held: 0, slots_max: 10, slots_waiting: 0, deliveries_waiting: 0 }
    recorder.gauge('["a"]', gauges)
    recorder.gauge('["a"]', { ...gauges, open_tasks: 2 })
    expect(recorder.take()?.gauges).toEqual({ '["a"]': { ...gauges, open_tasks: 2 } })
    expect(recorder.take()).toBeNull()
  })
})
