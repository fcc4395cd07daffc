/** What a task remembers of the request that made it. */
import { expect, it } from 'vitest'
import { briefOf } from '../../src/core/mode/mode.ts'
import { acted, storedRows } from '../support/forks.ts'
import { benchOf, CALLER, createTask, planned, taken } from '../support/scripted.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

it('OTEL-01 a task remembers the trace of the request that made it, and a fork that of its own request', async () => {
  const bench = benchOf({ plan: [planned('A')] })
  const { id } = await createTask(bench, {}, undefined, { caller: { ...CALLER, traceparent } })
  expect(briefOf(storedRows(bench, id).recall).maker).toEqual({ traceparent })
  const request = { at: 1, settings: {}, outcome: null }
  const fork = taken(await bench.service.forkTask(CALLER, id, request))
  expect(briefOf(storedRows(bench, fork.id).recall)).not.toHaveProperty('maker')
})

it('OTEL-01 a request without a trace leaves nothing', async () => {
  const { bench, id } = await acted()
  expect(briefOf(storedRows(bench, id).recall)).not.toHaveProperty('maker')
})
