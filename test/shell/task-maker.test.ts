/** What a task remembers of the request that made it. */
import { expect, it } from 'vitest'
import { serviceCaller } from '../../src/shell/caller.ts'
import { briefOf } from '../../src/core/mode/mode.ts'
import { storedRows } from '../support/forks.ts'
import { benchOf, CALLER, createTask, planned, taken } from '../support/scripted.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

it('OTEL-01 a task remembers the key and the trace of the request that made it, and a fork those of its own request', async () => {
  const bench = benchOf({ plan: [planned('A')] })
  const { id } = await createTask(bench, {}, undefined, { caller: { ...CALLER, traceparent, key_name: 'a key' } })
  expect(briefOf(storedRows(bench, id).recall).maker).toEqual({ traceparent, key_name: 'a key' })
  const request = { at: 1, settings: {}, outcome: null }
  const fork = taken(await bench.service.forkTask(CALLER, id, request))
  expect(briefOf(storedRows(bench, fork.id).recall).maker).toEqual({ key_name: CALLER.key_name })
})

it('OTEL-01 a task that the service makes by itself has no maker', async () => {
  const bench = benchOf({ plan: [planned('A')] })
  const { id } = await createTask(bench, {}, undefined, { caller: serviceCaller('acme') })
  expect(briefOf(storedRows(bench, id).recall)).not.toHaveProperty('maker')
})
