/** What the index of a tenant hears of a task that ends: its last command first, so that no death in between loses it. */
import { describe, expect, it } from 'vitest'
import { mendAll } from '../support/mended.ts'
import { CALLER, taken, type Bench } from '../support/scripted.ts'
import { answered, judge, orchestrated, report, steps, work } from '../core/orchestrator/support.ts'

/** A task whose worker has a session, and waits with its next command. */
async function waiting() {
  const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('retry')] })
  await work(bench, task.id)
  await answered(bench, task.id, report('FAILED'))
  return { bench, id: task.id }
}
/** The next call of this method of a workspace fails, before it does anything. */
function failOnce({ store }: Bench, name: 'setStatus' | 'enterDelegation', error: Error): void {
  const { workspace } = store
  let left = 1
  store.workspace = (tenant) => {
    const real = workspace(tenant)
    const call = (...args: unknown[]) => {
      if (left-- > 0) return Promise.reject(error)
      return Reflect.apply(real[name], real, args)
    }
    return { ...real, [name]: call }
  }
}
const indexed = async ({ store }: Bench) =>
  (await store.workspace(CALLER.tenant).listDelegations('pending', 0, 10)).entries.map(({ id }) => id)

describe('the end of a session', () => {
  it.each(['setStatus', 'enterDelegation'] as const)(
    'R17 a request that dies at %s leaves a difference: the look at it enters the end',
    async (name) => {
      const { bench, id } = await waiting()
      const [out] = await indexed(bench)
      failOnce(bench, name, new Error('the worker died'))
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
    failOnce(bench, 'enterDelegation', Object.assign(new Error('reset'), { durableObjectReset: true }))
    expect(taken(await bench.service.tellTask(CALLER, id, { kind: 'cancel' })).status).toBe('canceled')
    expect(await indexed(bench)).toHaveLength(1)
  })
})
