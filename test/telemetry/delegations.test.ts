/** The spans of commands to workers, of forks, and which traces are sent. */
import { describe, expect, it } from 'vitest'
import type { ExportRow, ExportedTask } from '../../src/core/replay/export/export-page.ts'
import { delegationSpan } from '../../src/core/replay/export/span-kinds.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import type { Script } from '../support/scripted.ts'
import { CALLER, createTask, NONE } from '../support/scripted.ts'
import { forkOf } from '../support/forks.ts'
import { telemetryBench, type TelemetryBench } from '../support/otlp/telemetry.ts'
import { answered, judge, overdue, report, send, steps, waitedFor, work } from '../core/orchestrator/support.ts'

const ms = (ns: bigint) => Number(ns / 1_000_000n)
const spansOf = ({ collector }: TelemetryBench) => [...collector.spans.values()]
const workersOf = (bench: TelemetryBench, id: string) =>
  spansOf(bench).filter(
    ({ name, attributes }) => name === 'invoke_agent worker' && attributes['loop_agent.task.id'] === id,
  )
const spanOf = (bench: TelemetryBench, id: string, row: number) =>
  spansOf(bench).find(
    ({ name, attributes }) =>
      name !== 'plan' && attributes['loop_agent.task.id'] === id && attributes['loop_agent.row'] === row,
  )

/** An orchestrated task that waits for its first report. */
async function dispatched(script: Script = {}, settings: Partial<Settings> = {}) {
  const bench = telemetryBench({ plan: [steps('A')], evaluate: [judge('next')], summary: ['All is done.'], ...script })
  const { id } = await createTask(bench, settings, NONE, { mode: 'orchestrator' })
  await work(bench, id)
  const command = await waitedFor(bench, id)
  return { bench, id, command }
}

const MINUTES = 7 * 60_000

describe('OTEL-08 a command to a worker', () => {
  it.each([
    ['SUCCESS', null],
    ['FAILED', 'worker_failed'],
  ] as const)('is one span from its dispatch until its report, below its call: %s', async (status, error) => {
    const { bench, id, command } = await dispatched(status === 'FAILED' ? { evaluate: [judge('abort')] } : {})
    await bench.export(id)
    expect(workersOf(bench, id)).toEqual([])
    bench.clock.now += MINUTES
    const reported_at = bench.clock.now
    await answered(bench, id, report(status))
    await bench.export(id)
    expect(bench.collector.problems).toEqual([])
    const [span, ...others] = workersOf(bench, id)
    expect(others).toEqual([])
    expect(span).toMatchObject({
      kind: 3,
      parent_id: spanOf(bench, id, command.seq)?.span_id,
      status: { code: error === null ? 0 : 2 },
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': id,
        'gen_ai.provider.name': 'loop_agent',
        'loop_agent.tenant': CALLER.tenant,
        'loop_agent.mode': 'orchestrator',
        'loop_agent.delegation.row': command.seq,
        'loop_agent.report.status': status,
      },
    })
    expect(span?.attributes['error.type']).toBe(error ?? undefined)
    expect([ms(span?.start_ns ?? 0n), ms(span?.end_ns ?? 0n)]).toEqual([command.created, reported_at])
    expect(spanOf(bench, id, command.seq)).toMatchObject({ name: 'execute_tool delegate', status: { code: 0 } })
  })

  it('whose time is over ends at its deadline, with an error', async () => {
    const { bench, id, command } = await dispatched({ evaluate: [judge('abort')] }, { report_timeout_s: 600 })
    await overdue(bench, id)
    await work(bench, id)
    await bench.export(id)
    expect(bench.collector.problems).toEqual([])
    const [span, ...others] = workersOf(bench, id)
    expect(others).toEqual([])
    expect(span).toMatchObject({ parent_id: spanOf(bench, id, command.seq)?.span_id, status: { code: 2 } })
    expect(span?.attributes).toMatchObject({ 'error.type': 'report_expired' })
    expect(span?.attributes).not.toHaveProperty('loop_agent.report.status')
    expect([ms(span?.start_ns ?? 0n), ms(span?.end_ns ?? 0n)]).toEqual([command.created, command.created + 600_000])
  })

  it('that is withdrawn, because its task is canceled, ends there', async () => {
    const { bench, id, command } = await dispatched()
    bench.clock.now += MINUTES
    await bench.service.tellTask(CALLER, id, { kind: 'pause' })
    await bench.service.tellTask(CALLER, id, { kind: 'resume' })
    await bench.export(id)
    expect(workersOf(bench, id)).toEqual([])
    const canceled_at = bench.clock.now
    await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
    await bench.export(id)
    expect(bench.collector.problems).toEqual([])
    const [span, ...others] = workersOf(bench, id)
    expect(others).toEqual([])
    expect(span?.attributes).toMatchObject({ 'error.type': 'canceled', 'loop_agent.delegation.row': command.seq })
    expect([ms(span?.start_ns ?? 0n), ms(span?.end_ns ?? 0n)]).toEqual([command.created, canceled_at])
  })

  it('that a fork hands out anew lies in the first run of the fork, and begins with the fork', async () => {
    const { bench, id, command } = await dispatched({ evaluate: [judge('next'), judge('next')], summary: ['a', 'b'] })
    bench.clock.now += MINUTES
    const forked_at = bench.clock.now
    const fork = await forkOf(bench, id, { at: command.seq })
    bench.clock.now += MINUTES
    await send(bench, fork.id, command.seq, { report: report() })
    await work(bench, fork.id)
    await bench.export(fork.id)
    await bench.export(id)
    expect(bench.collector.problems).toEqual([])
    const [span, ...others] = workersOf(bench, fork.id)
    expect(others).toEqual([])
    expect(workersOf(bench, id)).toEqual([])
    const root = spansOf(bench).find(({ span_id }) => span_id === span?.parent_id)
    expect(root).toMatchObject({ name: 'invoke_agent', parent_id: null, trace_id: span?.trace_id })
    expect([ms(span?.start_ns ?? 0n), ms(span?.end_ns ?? 0n)]).toEqual([forked_at, forked_at + MINUTES])
  })
})

it('OPS-09 a row of a page that does not say what was withdrawn has no span of a command', () => {
  const row = { seq: 3, at: 900, closed_at: 1_000, event: { kind: 'model_replied' }, effect: null }
  // What an object of the release before answers.
  expect(delegationSpan(row as unknown as ExportRow, {} as ExportedTask)).toEqual([])
})
