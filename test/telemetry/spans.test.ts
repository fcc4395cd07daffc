/** The spans of a task, as a collector has them. */
import { describe, expect, it } from 'vitest'
import type { CollectedSpan } from '../support/otlp/strict-collector.ts'
import { telemetryBench, type TelemetryBench } from '../support/otlp/telemetry.ts'
import { act, ALL, closed, createTask, done, journalOf, planned } from '../support/scripted.ts'

const SCRIPT = { plan: [planned('A')], thought: [act(), 'broken', done()], replan: [closed()] }

const spansOf = ({ collector }: TelemetryBench) => [...collector.spans.values()]
const byRow = (bench: TelemetryBench, row: number) =>
  spansOf(bench).filter(({ attributes, name }) => attributes['loop_agent.row'] === row && name !== 'plan')
const parentOf = (bench: TelemetryBench, { parent_id }: CollectedSpan) =>
  spansOf(bench).find(({ span_id }) => span_id === parent_id)

describe.each(['http/protobuf', 'http/json'] as const)('over %s', (protocol) => {
  it('OTEL-02 each effect of the journal is one span, valid by OTLP and the conventions, within the span of its run of work', async () => {
    const receiver = { url: 'http://collector/v1/traces', headers: {}, protocol, timeout_ms: 1_000 }
    const bench = telemetryBench(SCRIPT, { receiver })
    const { id } = await createTask(bench, {}, ALL)
    await bench.export(id)
    expect(bench.collector.problems).toEqual([])
    const rows = await journalOf(bench, id)
    for (const { seq, kind } of rows) {
      const effects = ['call_model', 'run_tool'].includes(kind) ? 1 : 0
      expect(byRow(bench, seq), `row ${seq}, ${kind}`).toHaveLength(effects)
    }
    const roots = spansOf(bench).filter(({ parent_id }) => parent_id === null)
    expect(roots.map(({ name }) => name)).toEqual(['invoke_agent'])
    expect(roots[0]?.attributes).toMatchObject({ 'loop_agent.task.status': 'completed', 'loop_agent.run.steps': 5 })
    for (const span of spansOf(bench)) {
      if (span === roots[0]) continue
      const parent = parentOf(bench, span)
      expect(parent?.start_ns).toBeLessThanOrEqual(span.start_ns)
      expect(parent?.end_ns).toBeGreaterThanOrEqual(span.end_ns)
    }
    expect(new Set(spansOf(bench).map(({ name }) => name))).toEqual(
      new Set(['invoke_agent', 'plan', 'chat scripted', 'execute_tool todo']),
    )
  })
})
