/** What a look at open tasks brings about (src/shell/listing/mend.ts). */
import { expect, it } from 'vitest'
import { mendIndex } from '../../src/shell/listing/mend.ts'
import { benchOf, CALLER, createTask, planned } from '../support/scripted.ts'

it('F56 a task that should run is woken by a look at it, one that has ended is not', async () => {
  const bench = benchOf({ plan: [planned('A'), planned('A')] })
  const { store } = bench.ports
  const woken: string[] = []
  bench.ports.store = {
    workspace: store.workspace,
    pool: store.pool,
    of: (tenant, id) => ({ ...store.of(tenant, id), wake: () => Promise.resolve(woken.push(id) > 0) }),
  }
  const [open, ended] = [await createTask(bench), await createTask(bench)]
  await bench.service.tellTask(CALLER, ended.id, { kind: 'cancel' })
  await mendIndex(bench.ports, CALLER.tenant, [open.id, ended.id])
  expect(woken).toEqual([open.id])
})
