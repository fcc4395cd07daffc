/** Forks as a collector sees them: a trace of their own with a link, and nothing of what they have copied. */
import { describe, expect, it } from 'vitest'
import { forkOf } from '../support/forks.ts'
import { telemetryBench, type TelemetryBench } from '../support/otlp/telemetry.ts'
import { act, ALL, CALLER, closed, createTask, done, journalOf, planned, step } from '../support/scripted.ts'

const SCRIPT = {
  plan: [planned('A')],
  thought: [act(), done(), done(), done()],
  replan: [closed(), closed(), closed()],
}

const spansOf = ({ collector }: TelemetryBench, id: string) =>
  [...collector.spans.values()].filter(({ attributes }) => attributes['loop_agent.task.id'] === id)
const rowsIn = (bench: TelemetryBench, id: string) =>
  spansOf(bench, id)
    .filter(({ name }) => name !== 'plan')
    .flatMap(({ attributes }) => attributes['loop_agent.row'] ?? [])
    .toSorted((one, other) => Number(one) - Number(other))
const effectsOf = async (bench: TelemetryBench, id: string) =>
  (await journalOf(bench, id)).filter(({ kind }) => kind === 'call_model' || kind === 'run_tool').map(({ seq }) => seq)
const rootOf = (bench: TelemetryBench, id: string) => {
  const [root, ...others] = spansOf(bench, id).filter(({ parent_id }) => parent_id === null)
  expect(others).toEqual([])
  return root
}

/** A task that has ended, and a fork of it that goes on behind its tool call. */
async function forked() {
  const bench = telemetryBench(SCRIPT)
  const { id } = await createTask(bench, {}, ALL)
  const at = (await journalOf(bench, id)).find(({ kind }) => kind === 'run_tool')?.seq ?? 0
  bench.clock.now += 60_000
  const fork = await forkOf(bench, id, { at })
  await step(bench, fork.id, ALL)
  return { bench, id, at, fork: fork.id }
}

describe('OTEL-09 a fork', () => {
  it.each(['before', 'after'])(
    'links to the first run of its parent, whose rows are not sent again, if it is exported %s its parent',
    async (order) => {
      const { bench, id, at, fork } = await forked()
      for (const one of order === 'before' ? [fork, id] : [id, fork]) await bench.export(one)
      expect(bench.collector.problems).toEqual([])
      const [root, parent] = [rootOf(bench, fork), rootOf(bench, id)]
      expect(root?.trace_id).not.toBe(parent?.trace_id)
      expect(root?.links).toEqual([
        {
          trace_id: parent?.trace_id,
          span_id: parent?.span_id,
          attributes: { 'loop_agent.forked_from.task': id, 'loop_agent.forked_from.row': at },
        },
      ])
      for (const span of spansOf(bench, fork)) if (span !== root) expect(span.links).toEqual([])
      const rows = await effectsOf(bench, fork)
      expect(rowsIn(bench, fork)).toEqual(rows.filter((seq) => seq > at))
      expect(rowsIn(bench, fork).length).toBeGreaterThan(1)
      expect(rowsIn(bench, id)).toEqual(await effectsOf(bench, id))
      expect(bench.collector.arrivals).toBe(bench.collector.spans.size)
    },
  )

  it('of a fork links to the first run that the fork has done itself', async () => {
    const { bench, fork } = await forked()
    const last = (await journalOf(bench, fork)).findLast(({ kind }) => kind === 'call_model')?.seq ?? 0
    const second = await forkOf(bench, fork, { at: last - 1 })
    await step(bench, second.id, ALL)
    for (const id of [fork, second.id]) await bench.export(id)
    expect(bench.collector.problems).toEqual([])
    const first = rootOf(bench, fork)
    expect(rootOf(bench, second.id)?.links).toMatchObject([{ trace_id: first?.trace_id, span_id: first?.span_id }])
  })

  it('of a task that is gone has all its spans and no link', async () => {
    const { bench, id, at, fork } = await forked()
    await bench.service.deleteTask(CALLER, id)
    await bench.export(fork)
    expect(bench.collector.problems).toEqual([])
    expect(rootOf(bench, fork)?.links).toEqual([])
    expect(rowsIn(bench, fork)).toEqual((await effectsOf(bench, fork)).filter((seq) => seq > at))
  })
})
