/** What a tenant has used: exact to the journals, and counted once. */
import { expect, it } from 'vitest'
import { retireTask } from '../../src/shell/delete-task.ts'
import { exportTask } from '../../src/shell/exports/export-task.ts'
import { telemetryBench, type TelemetryBench } from '../support/otlp/telemetry.ts'
import { act, ALL, CALLER, closed, createTask, done, journalOf, planned, taken } from '../support/scripted.ts'

const SCRIPT = { plan: [planned('A')], thought: [act(), 'broken', done()], replan: [closed()] }
const RANGE = { tenant: CALLER.tenant, from: '2026-11-01', to: '2026-12-31' }

async function usageOf({ service }: TelemetryBench, ...group_by: ('day' | 'key' | 'model' | 'mode')[]) {
  const usage = await service.getUsage(CALLER, { ...RANGE, group_by })
  if (!usage.ok) throw new Error(usage.refusal.code)
  return usage.value
}

it('USE-01 the sums are those of the journal, by day, key, model and mode', async () => {
  const bench = telemetryBench(SCRIPT)
  const { id } = await createTask(bench, {}, ALL)
  await bench.export(id)
  const rows = await journalOf(bench, id)
  const { total, data } = await usageOf(bench, 'key', 'model', 'mode')
  const task = await bench.service.getTask(CALLER, id)
  if (!task.ok) throw new Error(task.refusal.code)
  expect(total).toMatchObject({
    tasks: 1,
    model_calls: rows.filter(({ kind }) => kind === 'call_model').length,
    tool_calls: rows.filter(({ kind }) => kind === 'run_tool').length,
    steps: task.value.task.step_count,
    tokens: rows.reduce((sum, { charged_tokens }) => sum + (charged_tokens ?? 0), 0),
  })
  expect(data.map(({ key, model, mode }) => [key, model, mode])).toEqual([
    [CALLER.key_name, null, 'plan_execute'],
    [CALLER.key_name, 'scripted', 'plan_execute'],
  ])
  expect((await usageOf(bench, 'day')).data).toHaveLength(1)
})

it('USE-02 a row counts once, however often it is exported, and stays when its task is deleted', async () => {
  const bench = telemetryBench(SCRIPT)
  const { id } = await createTask(bench, {}, ALL)
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  const before = rows?.exported()
  await bench.export(id)
  const { total } = await usageOf(bench)
  // The job died before it had stored its cursor.
  if (before !== undefined) rows?.saveExported(before)
  await exportTask(bench.ports, CALLER.tenant, id)
  expect((await usageOf(bench)).total).toEqual(total)
  await bench.service.deleteTask(CALLER, id)
  expect((await usageOf(bench)).total).toEqual(total)
})

it('USE-03 a task that was never exported is counted before it is deleted', async () => {
  const bench = telemetryBench(SCRIPT)
  const { id } = await createTask(bench, {}, ALL)
  await bench.service.deleteTask(CALLER, id)
  expect((await usageOf(bench)).total).toMatchObject({ tasks: 1, steps: 5 })
})

it('USE-03 a task that is deleted because it is old is counted too', async () => {
  const bench = telemetryBench(SCRIPT)
  const { id } = await createTask(bench, {}, ALL)
  bench.clock.now += 31 * 86_400_000
  await retireTask(bench.ports, CALLER, id)
  expect(await bench.service.getTask(CALLER, id)).toMatchObject({ refusal: { code: 'task_not_found' } })
  const usage = await bench.service.getUsage(CALLER, { ...RANGE, from: '2026-01-01', group_by: ['day'] })
  expect(usage).toMatchObject({ value: { total: { tasks: 1, steps: 5 } } })
})

it('USE-03 rows that are closed between the export and the deletion are counted too', async () => {
  const bench = telemetryBench(SCRIPT)
  const { id } = await createTask(bench, {}, ALL)
  const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))
  const before = rows?.exported()
  const desk = bench.ports.store.workspace(CALLER.tenant)
  // The cursor goes back before the deletion, as if the rows behind it were closed only then.
  bench.ports.store = {
    ...bench.ports.store,
    workspace: () => ({
      ...desk,
      tell: (command) => {
        if (command.kind === 'begin_removal' && before !== undefined) rows?.saveExported(before)
        // What was counted before stands for nothing in this test.
        return command.kind === 'count_usage' && rows?.last() !== null
          ? Promise.resolve(null as never)
          : desk.tell(command)
      },
    }),
  }
  await bench.service.deleteTask(CALLER, id)
  expect((await usageOf(bench)).total).toMatchObject({ tasks: 1, steps: 5 })
})

it('USE-04 a fork counts what it has done itself', async () => {
  const bench = telemetryBench(SCRIPT)
  const { id } = await createTask(bench, {}, ALL)
  await bench.export(id)
  const { total } = await usageOf(bench)
  const fork = taken(await bench.service.forkTask(CALLER, id, { at: 3, settings: {}, outcome: null }))
  await bench.export(fork.id)
  expect((await usageOf(bench)).total).toEqual(total)
})
