/** What becomes of a task reaches its pool late, or twice, or never (POOL-05): the task is right, and nothing that came after is settled. */
import { beforeAll, describe, expect, it } from 'vitest'
import { indexStatus } from '../../src/shell/listing/index-status.ts'
import { openPool } from '../../src/shell/pools/pools.ts'
import { loadShards } from '../../src/shell/shards/store-with-shards.ts'
import { judge, steps } from '../core/orchestrator/support.ts'
import { sentReport } from '../support/delegations.ts'
import { awaited, poolBench, type PoolBench } from '../support/pool-bench.ts'
import { ALL, CALLER, createTask, taken, type Line, type Script } from '../support/scripted.ts'

const many = (line: Line): Line[] => Array.from({ length: 20 }, () => line)
const SCRIPT: Script = { plan: many(steps('A')), evaluate: many(judge('next')), summary: many('All is done.') }
/** Both attempts at an evaluation are no JSON, so a task fails, and may be given more attempts. */
const FAILING: Script = { ...SCRIPT, evaluate: many('no').flatMap((no) => [no, no, judge('retry')]) }

const claim = async (bench: PoolBench, id: string) =>
  (await bench.service.claimDelegation(CALLER, id, { worker: 'a', lease_ms: 60_000 })).ok
const session = sentReport('done', { report: { ...sentReport().report, session_id: 'session-1' } })
const step = async (bench: PoolBench, id: string) => taken(await bench.service.stepTask(CALLER, id, ALL))
/** A task that has failed after its first report. */
async function failed(bench: PoolBench, pool: string | null) {
  const task = await bench.dispatch(pool)
  await bench.service.reportDelegation(CALLER, awaited(task), session)
  expect((await step(bench, task.id)).status).toBe('failed')
  return task
}

/** Keeps the first word of this change from its pool until it is released. */
function holdBack({ ports: { store } }: PoolBench, change: string) {
  const pool = store.pool.bind(store)
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let is_first = true
  store.pool = (...named) => {
    const object = pool(...named)
    return {
      ...object,
      async tell(command) {
        if (is_first && 'change' in command && command.change === change) {
          is_first = false
          begun.resolve()
          await released.promise
        }
        return object.tell(command)
      },
    }
  }
  return { begun: begun.promise, release: released.resolve }
}

beforeAll(loadShards)

describe.each([1, 4])('pools of a tenant with %i shards', (shards) => {
  it.each([null, 'gpu'])(
    'POOL-05 late words of an end and of a resume settle nothing newer, in pool %s',
    async (pool) => {
      const bench = poolBench(FAILING, shards)
      // One of them at least is in a shard that is not the first.
      for (let n = 0; n < shards; n++) {
        const task = await failed(bench, pool)
        const seen = await bench.ports.store.of('acme', task.id).ask({ kind: 'view' })
        if (!seen.ok) throw new Error('it is not there')
        const { version: until } = seen.value
        const late = { kind: 'note_task_change', task: task.id, change: 'reopened', until } as const
        taken(await bench.service.tellTask(CALLER, task.id, { kind: 'resume' }))
        const next = awaited(await step(bench, task.id))
        await indexStatus(bench.ports, 'acme', seen.value)
        await openPool(bench.ports.store, { tenant: 'acme', pool }).tell(late)
        expect(await bench.seen(pool, 'pending')).toContain(`${next} pending`)
      }
    },
  )

  it('POOL-05 two resumes: the word of the first comes late and withdraws nothing of the second', async () => {
    const bench = poolBench(FAILING, shards)
    const task = await failed(bench, 'gpu')
    const told = holdBack(bench, 'reopened')
    const resume = () => bench.service.tellTask(CALLER, task.id, { kind: 'resume' })
    const first = resume()
    await told.begun
    taken(await resume())
    const next = awaited(await step(bench, task.id))
    told.release()
    await first
    expect(await bench.seen('gpu', 'pending')).toEqual([`${next} pending`])
    expect(await claim(bench, next)).toBe(true)
  })

  it('POOL-05 a late word of a deletion leaves the commands of the next task of the id', async () => {
    const bench = poolBench(SCRIPT, shards)
    const keyed = { ...CALLER, key: { scope: 'POST /tasks', key: 'k', digest: 'd' } }
    const make = () =>
      createTask(bench, { worker_pool: 'gpu', report_timeout_s: 600 }, ALL, { mode: 'orchestrator', caller: keyed })
    const task = await make()
    const told = holdBack(bench, 'gone')
    const deletion = bench.service.deleteTask(CALLER, task.id)
    await told.begun
    bench.time.now += 1_000
    const again = await make()
    expect(again.id).toBe(task.id)
    told.release()
    await deletion
    expect(await bench.seen('gpu', 'pending')).toEqual([`${awaited(again)} pending`])
  })

  it.each([null, 'gpu'])(
    'POOL-05 what a task waits for is opened again by a list or a claim, in pool %s',
    async (pool) => {
      const bench = poolBench(SCRIPT, shards)
      const [one, other] = [awaited(await bench.dispatch(pool)), awaited(await bench.dispatch(pool))]
      const object = openPool(bench.ports.store, { tenant: 'acme', pool })
      for (const id of [one, other]) await object.tell({ kind: 'settle_delegation', id, status: 'canceled' })
      expect(await bench.seen(pool, 'pending')).toEqual([])
      expect(await claim(bench, one)).toBe(true)
      expect(await bench.seen(pool)).toEqual([`${other} pending`, `${one} claimed`])
      expect(await bench.seen(pool, 'pending')).toEqual([`${other} pending`])
    },
  )
})
