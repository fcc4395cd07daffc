/** Which traces are sent: a task as a whole or not at all, whoever exports it and whenever. */
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { isSampled } from '../../src/shell/exports/trace-ids.ts'
import { newBreaker } from '../../src/shell/exports/known-receivers.ts'
import { telemetryBench, type TelemetryBench } from '../support/otlp/telemetry.ts'
import { CALLER, createTask, done, journalOf, NONE, planned, replanned, step } from '../support/scripted.ts'

const many = <T>(count: number, line: T): T[] => Array.from({ length: count }, () => line)
const samplerOf = (name?: string, arg?: string) => {
  const { traces, config_errors } = parseConfig({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: arg })
  expect(config_errors.filter((error) => error.includes('OTEL_'))).toEqual([])
  return traces.sampler
}
/** The rows of a task that a collector has. */
const rowsIn = ({ collector }: TelemetryBench, id: string) =>
  [...collector.spans.values()].filter(
    ({ attributes, name }) =>
      name !== 'plan' && attributes['loop_agent.task.id'] === id && attributes['loop_agent.row'] !== undefined,
  ).length
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const traceparent = (flags: '00' | '01', trace = TRACE) => `00-${trace}-b7ad6b7169203331-${flags}`

describe('OTEL-10 a sampler', () => {
  it('that takes half of the traces sends tasks as a whole, also if the service is started anew meanwhile; usage counts all', async () => {
    const TASKS = 40
    const bench = telemetryBench(
      { plan: many(TASKS, planned('A', 'B')), thought: many(TASKS, done()), replan: many(TASKS, replanned('B')) },
      { sampler: samplerOf('traceidratio', '0.5') },
    )
    const ids: string[] = []
    for (let made = 0; made < TASKS; made++) {
      const { id } = await createTask(bench, {}, NONE)
      ids.push(id)
      await bench.export(id)
    }
    const early = ids.filter((id) => rowsIn(bench, id) > 0)
    const sampler = samplerOf('traceidratio', '0.5')
    bench.ports.exports = { ...bench.telemetry, sampler, breaker: newBreaker(() => bench.clock.now) }
    for (const id of ids) {
      await step(bench, id)
      await bench.export(id)
    }
    expect(bench.collector.problems).toEqual([])
    expect(early.length).toBeGreaterThan(TASKS / 5)
    expect(early.length).toBeLessThan((TASKS * 4) / 5)
    let effects = 0
    for (const id of ids) {
      const calls = (await journalOf(bench, id)).filter(({ kind }) => kind === 'call_model').length
      effects += calls
      expect(rowsIn(bench, id), id).toBe(early.includes(id) ? calls : 0)
    }
    const usage = await bench.service.getUsage(CALLER, {
      tenant: CALLER.tenant,
      from: '2026-11-01',
      to: '2026-12-31',
      group_by: ['day'],
    })
    expect(usage).toMatchObject({ value: { total: { tasks: TASKS, model_calls: effects } } })
  })

  it.each([
    [undefined, '01', true],
    [undefined, '00', false],
    [undefined, null, true],
    ['parentbased_always_off', '01', true],
    ['parentbased_always_off', '00', false],
    ['parentbased_always_off', null, false],
    ['parentbased_traceidratio', '01', true],
    ['parentbased_traceidratio', '00', false],
    ['always_on', '00', true],
    ['always_off', '01', false],
  ] as const)('%s with the flag %s of the caller sends: %s', async (name, flags, sends) => {
    const bench = telemetryBench(
      { plan: [planned('A')], thought: [done()], replan: [replanned('B')] },
      { sampler: samplerOf(name, name?.endsWith('ratio') ? '0.5' : undefined) },
    )
    const caller = flags === null ? CALLER : { ...CALLER, traceparent: traceparent(flags) }
    const { id } = await createTask(bench, {}, NONE, { caller })
    await bench.export(id)
    await step(bench, id)
    await bench.export(id)
    expect(rowsIn(bench, id)).toBe(sends ? 2 : 0)
    if (sends && flags !== null) {
      const spans = [...bench.collector.spans.values()]
      expect(new Set(spans.map(({ trace_id }) => trace_id))).toEqual(new Set([TRACE]))
      const roots = spans.filter(({ parent_id }) => parent_id === 'b7ad6b7169203331')
      expect(roots.map((span) => span.name)).toEqual(['invoke_agent'])
    }
  })

  it('judges a trace by its id alone, takes the part that it is told, and with more of them the same ones too', () => {
    const ids = Array.from({ length: 4_000 }, () => crypto.randomUUID().replaceAll('-', ''))
    const taken = (ratio: number) =>
      new Set(
        ids.filter((trace_id) =>
          isSampled({ trace_id, caller_span: null, is_wanted: null }, { by_parent: false, ratio }),
        ),
      )
    const [none, tenth, half, all] = [taken(0), taken(0.1), taken(0.5), taken(1)]
    expect([none.size, all.size]).toEqual([0, ids.length])
    expect(Math.abs(tenth.size - 400)).toBeLessThan(150)
    expect(Math.abs(half.size - 2_000)).toBeLessThan(250)
    expect([...tenth].every((id) => half.has(id))).toBe(true)
    // The flag of the caller counts only for a sampler that is based on it.
    const [id = ''] = [...tenth]
    const unwanted = { trace_id: id, caller_span: 'b7ad6b7169203331', is_wanted: false }
    expect(isSampled(unwanted, { by_parent: false, ratio: 0.1 })).toBe(true)
  })
})

describe('OTEL-12 traces that are turned off', () => {
  const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  const OFF = { ...COLLECTOR, OTEL_SDK_DISABLED: 'true' }

  it('leave a task the path that it has without a collector: whether rows leave it depends on usage alone', () => {
    const leaves = (env: Record<string, string>) => parseConfig(env).exports_rows
    expect([leaves({}), leaves(OFF), leaves(COLLECTOR)]).toEqual([true, true, true])
    expect([leaves({ USAGE: 'off' }), leaves({ ...OFF, USAGE: 'off' })]).toEqual([false, false])
    expect(leaves({ ...COLLECTOR, USAGE: 'off' })).toBe(true)
  })

  it.each([
    ['without a collector', { receiver: null }],
    ['with a collector', { traces: false }],
  ] as const)('send nothing, and store the same, %s', async (_, overrides) => {
    const bench = telemetryBench({ plan: [planned('A')], thought: [done()], replan: [replanned('B')] }, overrides)
    const { id } = await createTask(bench, {}, NONE)
    await step(bench, id)
    await bench.export(id)
    expect(bench.sent).toEqual([])
    const passed = { seq: 3, run: 0, attempts: 0, due: 0 }
    const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
    expect(rows?.exported()).toEqual({ usage: 3, service: passed, tenant: passed })
  })
})
