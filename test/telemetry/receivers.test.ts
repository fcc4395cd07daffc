/** Collectors that are away, hostile or choosy, and texts that no database takes. */
import { expect, it } from 'vitest'
import { telemetryBench } from '../support/otlp/telemetry.ts'
import { act, ALL, CALLER, closed, createTask, done, planned } from '../support/scripted.ts'

const SCRIPT = { plan: [planned('A')], thought: [act(), done()], replan: [closed()] }

it.each([
  ['answers 500', () => new Response('no', { status: 500 })],
  [
    'redirects to a private address',
    () => new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } }),
  ],
  ['refuses the key', () => new Response(null, { status: 401 })],
  ['is not there', () => Promise.reject(new Error('refused'))],
] as const)(
  'OTEL-04 a collector that %s slows and fails no task, and gets every span later, once',
  async (_, answer) => {
    const bench = telemetryBench(SCRIPT)
    bench.answering.with = answer
    const task = await createTask(bench, {}, ALL)
    expect(task.status).toBe('completed')
    await bench.export(task.id)
    expect(bench.collector.spans.size).toBe(0)
    // One request, not twenty: it waits for its next try.
    expect(bench.sent).toHaveLength(1)
    bench.answering.with = () => undefined
    bench.clock.now += 3_600_000
    await bench.export(task.id)
    expect(bench.collector.problems).toEqual([])
    expect(bench.collector.spans.size).toBeGreaterThan(5)
    expect(bench.collector.arrivals).toBe(bench.collector.spans.size)
  },
)

it('OTEL-04 after a day the spans of a collector that is away are given up', async () => {
  const bench = telemetryBench(SCRIPT)
  bench.answering.with = () => new Response(null, { status: 503 })
  const { id } = await createTask(bench, {}, ALL)
  await bench.export(id)
  bench.clock.now += 25 * 3_600_000
  bench.answering.with = () => undefined
  await bench.export(id)
  expect(bench.collector.spans.size).toBe(0)
})

it('OTEL-05 a span that is sent twice, because a job died before its cursor was stored, is the same span', async () => {
  const bench = telemetryBench(SCRIPT)
  const { id } = await createTask(bench, {}, ALL)
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  const before = rows?.exported()
  await bench.export(id)
  const spans = bench.collector.spans.size
  if (before !== undefined) rows?.saveExported(before)
  await bench.export(id)
  expect(bench.collector.arrivals).toBe(2 * spans)
  expect(bench.collector.spans.size).toBe(spans)
  expect(bench.collector.problems).toEqual([])
})

it('OTEL-07 prompts and results are sent only where they are asked for, and lone surrogates and NUL reach no collector', async () => {
  const goal = 'buy \uD800 milk \0 now'
  const plain = telemetryBench(SCRIPT)
  const { id } = await createTask(plain, {}, ALL, { goal })
  await plain.export(id)
  expect(JSON.stringify([...plain.collector.spans.values()].map(({ attributes }) => attributes))).not.toContain('milk')
  const full = telemetryBench(SCRIPT, { capture_content: true })
  const told = await createTask(full, {}, ALL, { goal })
  await full.export(told.id)
  expect(full.collector.problems).toEqual([])
  const prompts = [...full.collector.spans.values()].flatMap(
    ({ attributes }) => attributes['gen_ai.input.messages'] ?? [],
  )
  expect(prompts.join(' ')).toContain('milk')
})
