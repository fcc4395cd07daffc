/** What the index of a tenant hears of a task that ends: its last command first, so that no death in between loses it. */
import { describe, expect, it } from 'vitest'
import type { RemoteWorkspace } from '../../src/core/protocol/workspace-requests.ts'
import { mendAll } from '../support/mended.ts'
import { CALLER, taken, type Bench } from '../support/scripted.ts'
import { answered, judge, orchestrated, report, steps, work } from '../core/orchestrator/support.ts'
import { workspaceWith } from '../support/workspace-with.ts'

/** A task whose worker has a session, and waits with its next command. */
async function waiting() {
  const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('retry')] })
  await work(bench, task.id)
  await answered(bench, task.id, report('FAILED'))
  return { bench, id: task.id }
}
/** The next command of this kind to a workspace fails, before it does anything. */
function failOnce({ store }: Bench, kind: 'set_status' | 'enter_delegation', error: Error): void {
  const { workspace } = store
  let left = 1
  store.workspace = (tenant) => {
    const real = workspace(tenant)
    const call: RemoteWorkspace['tell'] = (command) => (left-- > 0 ? Promise.reject(error) : real.tell(command))
    return workspaceWith(real, { [kind]: call })
  }
}
const indexed = async ({ store }: Bench) =>
  (
    await store.workspace(CALLER.tenant).ask({ kind: 'delegations', status: 'pending', before: 0, limit: 10 })
  ).entries.map(({ id }) => id)

describe('the end of a session', () => {
  it.each(['set_status', 'enter_delegation'] as const)(
    'R17 a request that dies at %s leaves a difference: the look at it enters the end',
    async (kind) => {
      const { bench, id } = await waiting()
      const [out] = await indexed(bench)
      failOnce(bench, kind, new Error('the worker died'))
      await expect(bench.service.tellTask(CALLER, id, { kind: 'cancel' })).rejects.toThrow('the worker died')
      await mendAll(bench.ports, CALLER.tenant)
      const ends = await indexed(bench)
      expect(ends).toHaveLength(1)
      expect(ends).not.toEqual([out])
      await mendAll(bench.ports, CALLER.tenant)
      expect(await indexed(bench)).toEqual(ends)
    },
  )

  it('F17 is entered although the workspace restarts meanwhile', async () => {
    const { bench, id } = await waiting()
    failOnce(bench, 'enter_delegation', Object.assign(new Error('reset'), { durableObjectReset: true }))
    expect(taken(await bench.service.tellTask(CALLER, id, { kind: 'cancel' })).status).toBe('canceled')
    expect(await indexed(bench)).toHaveLength(1)
  })
})
