/** Pools: the commands of a named pool are in an object of its own, which knows no task but from those who tell it (POOL-02, POOL-03). */
import { beforeAll, describe, expect, it } from 'vitest'
import { runJob } from '../../src/shell/jobs/jobs.ts'
import { restoreTask } from '../../src/shell/listing/restore.ts'
import { enterDelegation } from '../../src/shell/pools/pools.ts'
import { loadShards } from '../../src/shell/shards/store-with-shards.ts'
import { judge, steps } from '../core/orchestrator/support.ts'
import { mendAll } from '../support/mended.ts'
import { sentReport } from '../support/delegations.ts'
import { awaited, DIED, poolBench, type PoolBench } from '../support/pool-bench.ts'
import { ALL, CALLER, createTask, taken, type Line, type Script } from '../support/scripted.ts'

const LEASE = { worker: 'a', lease_ms: 60_000 }
const MINUTES = 60_000
const many = (line: Line): Line[] => Array.from({ length: 20 }, () => line)
const SCRIPT: Script = { plan: many(steps('A')), evaluate: many(judge('next')), summary: many('All is done.') }
/** The step is tried again after each report, so that a task goes on dispatching. */
const AGAIN: Script = { ...SCRIPT, evaluate: many(judge('retry')) }
/** Both attempts at an evaluation are no JSON, so the task fails, and may be given more attempts. */
const FAILING: Script = { ...SCRIPT, evaluate: ['no', 'no', ...many(judge('retry'))] }

const codeOf = (answer: { ok: boolean; refusal?: { code: string } }) => answer.refusal?.code ?? 'ok'
const claim = (bench: PoolBench, id: string, lease = LEASE) => bench.service.claimDelegation(CALLER, id, lease)
const session = sentReport('done', { report: { ...sentReport().report, session_id: 'session-1' } })
const report = (bench: PoolBench, id: string) => bench.service.reportDelegation(CALLER, id, session)
const step = async (bench: PoolBench, id: string) => taken(await bench.service.stepTask(CALLER, id, ALL))
const cancel = (bench: PoolBench, id: string) => bench.service.tellTask(CALLER, id, { kind: 'cancel' })
/** The statuses that the object of the pool `gpu` has stored, of the newest command first. */
const stored = (bench: PoolBench) =>
  (bench.objects.get('gpu')?.sql.exec('SELECT status FROM delegations ORDER BY position DESC').toArray() ?? []).map(
    ({ status }) => status,
  )
const pools = async (bench: PoolBench, paging = { after: '', limit: 100 }) => {
  const page = await bench.service.listPools(CALLER, paging)
  if (!page.ok) throw new Error('no pools')
  return page.value
}

/** An answer as it was before pools. */
const withoutPools = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (name, value: unknown) => (name === 'pool' || name === 'worker_pool' ? undefined : value)),
  )

beforeAll(loadShards)

describe.each([1, 4])('pools of a tenant with %i shards', (shards) => {
  it('POOL-02 the workers of one pool never see the commands of another one, nor of the default pool', async () => {
    const bench = poolBench(SCRIPT, shards)
    const [gpu, cpu, none] = [await bench.dispatch('gpu'), await bench.dispatch('cpu'), await bench.dispatch(null)]
    expect(await bench.seen('gpu')).toEqual([`${awaited(gpu)} pending`])
    expect(await bench.seen('cpu')).toEqual([`${awaited(cpu)} pending`])
    expect(await bench.seen(null)).toEqual([`${awaited(none)} pending`])
    expect(await bench.seen('tpu')).toEqual([])
    expect(bench.told.filter((call) => call.endsWith('enter_delegation'))).toEqual([
      'gpu.enter_delegation',
      'cpu.enter_delegation',
      '0.enter_delegation',
    ])
  })

  it('POOL-02 a worker waits in its pool, and nowhere else', async () => {
    const bench = poolBench(SCRIPT, shards)
    await bench.dispatch('cpu')
    bench.told.length = 0
    const page = { after: 0, limit: 9 }
    await bench.service.listDelegations(CALLER, { status: 'pending', pool: 'gpu' }, page, 1_000)
    expect(new Set(bench.told)).toEqual(new Set(['gpu.delegations', 'gpu.await']))
  })

  it('POOL-04 a delegation says its pool, and is read, claimed and reported by its id in whatever pool it is', async () => {
    const bench = poolBench(SCRIPT, shards)
    const id = awaited(await bench.dispatch('gpu'))
    expect(await claim(bench, id)).toMatchObject({
      ok: true,
      value: { delegation: { pool: 'gpu', status: 'claimed' } },
    })
    expect(codeOf(await claim(bench, id, { ...LEASE, worker: 'b' }))).toBe('delegation_claimed')
    expect(await bench.service.getDelegation(CALLER, id)).toMatchObject({
      value: { delegation: { pool: 'gpu', claim: { worker: 'a' } } },
    })
    expect(await bench.seen('gpu', 'pending')).toEqual([])
    expect(codeOf(await report(bench, id))).toBe('ok')
    expect(stored(bench)).toEqual(['reported'])
    expect(await bench.seen('gpu')).toEqual([`${id} reported`])
    const again = await bench.service.reportDelegation(CALLER, id, sentReport('other'))
    expect([codeOf(again), codeOf(await claim(bench, id))]).toEqual(['already_reported', 'already_reported'])
    expect(
      bench.objects.get('0')?.sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', 'delegations').toArray(),
    ).toEqual([])
  })

  it('OPS-09 delegations of objects of an earlier release, which tell of no pool, are in the default pool', async () => {
    const bench = poolBench(SCRIPT, shards)
    const { store } = bench.ports
    const of = store.of.bind(store)
    store.of = (tenant, id) =>
      new Proxy(of(tenant, id), {
        get: (task, name) => {
          const method: unknown = Reflect.get(task, name)
          if (typeof method !== 'function') return method
          return async (...asked: unknown[]): Promise<unknown> => {
            const answer: unknown = await Reflect.apply(method, task, asked)
            return answer === undefined ? answer : withoutPools(answer)
          }
        },
      })
    const task = await bench.dispatch(null)
    const id = awaited(task)
    const request = { at: task.version, settings: {}, outcome: null } as never
    const fork = awaited(taken(await bench.service.forkTask(CALLER, task.id, request)))
    expect(await bench.seen(null)).toEqual([`${fork} pending`, `${id} pending`])
    expect(await claim(bench, id)).toMatchObject({ value: { delegation: { pool: null, status: 'claimed' } } })
    expect(codeOf(await report(bench, id))).toBe('ok')
    expect(await bench.seen(null)).toEqual([`${fork} pending`, `${id} reported`])
  })

  it('OPS-09 a task of the default pool stores no setting that the release before does not know, and shows it', async () => {
    const bench = poolBench(SCRIPT, shards)
    const tasks = [await bench.dispatch(null), await bench.dispatch('gpu')]
    expect(tasks.map(({ settings }) => settings.worker_pool)).toEqual([null, 'gpu'])
    const rows = tasks.map(({ id }) =>
      bench.ports.store.of('acme', id).ask({ kind: 'stored_rows', after: 0, limit: 1 }),
    )
    const stored = (await Promise.all(rows)).map((page) => JSON.stringify(page).includes('worker_pool'))
    expect(stored).toEqual([false, true])
  })

  it('POOL-04 a claim enters a command that its pool has not heard of, and an Idempotency-Key is of the tenant', async () => {
    const bench = poolBench(SCRIPT, shards)
    const id = awaited(await bench.dispatch('gpu'))
    bench.objects.get('gpu')?.sql.exec('DELETE FROM delegations')
    const keyed = { ...CALLER, key: { scope: 'claim', key: 'k', digest: 'd' } }
    const first = await bench.service.claimDelegation(keyed, id, LEASE)
    const second = await bench.service.claimDelegation(keyed, id, LEASE)
    expect([first, second]).toMatchObject([{ value: { replayed: false } }, { value: { replayed: true } }])
    expect(await bench.seen('gpu')).toEqual([`${id} claimed`])
  })

  it('POOL-04 a command that a Worker of an earlier release has entered in the default pool is moved by the next list', async () => {
    const bench = poolBench(SCRIPT, shards)
    const task = await bench.dispatch('gpu')
    const id = awaited(task)
    bench.objects.get('gpu')?.sql.exec('DELETE FROM delegations')
    const entry = { id, task: task.id, type: 'new', at: bench.time.now, deadline: bench.time.now + MINUTES } as const
    await bench.ports.store.workspace('acme').tell({ kind: 'enter_delegation', entry })
    expect(await bench.seen(null)).toEqual([])
    expect(await bench.seen('gpu')).toEqual([`${id} pending`])
    expect((await pools(bench)).data).toMatchObject([{ pending: 0 }, { name: 'gpu', pending: 1 }])
  })

  it.each(['list', 'claim'])(
    'POOL-04 a command that is claimed in the default pool is moved with its lease by a %s',
    async (by) => {
      const bench = poolBench(SCRIPT, shards)
      const task = await bench.dispatch('gpu')
      const id = awaited(task)
      bench.objects.get('gpu')?.sql.exec('DELETE FROM delegations')
      const entry = { id, task: task.id, type: 'new', at: bench.time.now, deadline: bench.time.now + MINUTES } as const
      const home = bench.ports.store.workspace('acme')
      await home.tell({ kind: 'enter_delegation', entry })
      await home.tell({ kind: 'claim_delegation', id, worker: 'a', lease_ms: 50_000 })
      if (by === 'list') expect(await bench.seen(null)).toEqual([])
      expect(codeOf(await claim(bench, id, { worker: 'b', lease_ms: 60_000 }))).toBe('delegation_claimed')
      expect(codeOf(await claim(bench, id))).toBe('ok')
      expect(await bench.seen('gpu')).toEqual([`${id} claimed`])
    },
  )

  it('POOL-04 a claim that lasts beyond the deadline extends it, and a deadline that passes expires the command', async () => {
    const bench = poolBench(AGAIN, shards)
    const task = await bench.dispatch('gpu')
    const id = awaited(task)
    expect(codeOf(await claim(bench, id, { worker: 'a', lease_ms: 20 * MINUTES }))).toBe('ok')
    bench.time.now += 15 * MINUTES
    expect(await bench.seen('gpu')).toEqual([`${id} claimed`])
    bench.time.now += 60 * MINUTES
    expect(await bench.seen('gpu')).toEqual([`${id} expired`])
    await runJob(bench.ports, { kind: 'tend', tenant: 'acme', task: task.id })
    const next = awaited(await step(bench, task.id))
    expect(await bench.seen('gpu', 'pending')).toEqual([`${next} pending`])
    expect(codeOf(await claim(bench, id))).toBe('delegation_expired')
  })

  it('POOL-05 a task that is canceled cancels its command in the pool, and leaves those of others', async () => {
    const bench = poolBench(SCRIPT, shards)
    const [one, other] = [await bench.dispatch('gpu'), await bench.dispatch('gpu')]
    taken(await cancel(bench, one.id))
    const open = bench.objects.get('gpu')?.sql.exec("SELECT id FROM delegations WHERE status = 'open'").toArray()
    expect(open).toEqual([{ id: awaited(other) }])
    expect(await bench.seen('gpu', 'canceled')).toEqual([`${awaited(one)} canceled`])
  })

  it('POOL-05 the end of a task reaches its pool as an end command, and a task that goes on withdraws it', async () => {
    const bench = poolBench(FAILING, shards)
    const task = await bench.dispatch('gpu')
    await report(bench, awaited(task))
    expect((await step(bench, task.id)).status).toBe('failed')
    const [end = ''] = await bench.seen('gpu', 'pending')
    expect(end).toMatch(/ pending$/)
    taken(await bench.service.tellTask(CALLER, task.id, { kind: 'resume' }))
    const canceled = bench.objects
      .get('gpu')
      ?.sql.exec("SELECT id FROM delegations WHERE status = 'canceled'")
      .toArray()
    expect(canceled).toEqual([{ id: end.split(' ')[0] }])
    const next = awaited(await step(bench, task.id))
    expect(await bench.seen('gpu', 'pending')).toEqual([`${next} pending`])
  })

  it('POOL-05 a late word of an end cancels no command that the task has dispatched since', async () => {
    const bench = poolBench(FAILING, shards)
    const task = await bench.dispatch('gpu')
    await report(bench, awaited(task))
    const { version } = await step(bench, task.id)
    taken(await bench.service.tellTask(CALLER, task.id, { kind: 'resume' }))
    const next = awaited(await step(bench, task.id))
    const late = { kind: 'note_task_change', task: task.id, change: 'ended', until: version } as const
    await bench.ports.store.pool('acme', 'gpu').tell(late)
    expect(await bench.seen('gpu', 'pending')).toEqual([`${next} pending`])
  })

  it('POOL-05 a deleted task leaves nothing in its pool, and a pool without a task is listed no more', async () => {
    const bench = poolBench(SCRIPT, shards)
    const [gone, stays] = [await bench.dispatch('gpu'), await bench.dispatch('cpu')]
    expect((await pools(bench)).data.map(({ name }) => name)).toEqual([null, 'cpu', 'gpu'])
    expect(await bench.service.deleteTask(CALLER, gone.id)).toMatchObject({ ok: true })
    expect([bench.rows('delegations'), bench.rows('foreign_tasks'), bench.rows('pooled_tasks')]).toEqual([1, 1, 1])
    expect((await pools(bench)).data.map(({ name }) => name)).toEqual([null, 'cpu'])
    expect(await bench.seen('cpu')).toEqual([`${awaited(stays)} pending`])
  })

  it('POOL-05 a task that is lost leaves its pool with the next list', async () => {
    const bench = poolBench(SCRIPT, shards)
    const task = await bench.dispatch('gpu')
    await bench.ports.store.of('acme', task.id).remove()
    bench.time.now += 5 * MINUTES
    expect(await bench.seen('gpu')).toEqual([])
    expect([bench.rows('delegations'), bench.rows('pooled_tasks'), bench.rows('tasks')]).toEqual([0, 0, 0])
  })

  it('POOL-05 commands of a task that neither its object nor the index knows leave their pool with the next list', async () => {
    const bench = poolBench(SCRIPT, shards)
    const task = await bench.dispatch('gpu')
    await bench.ports.store.of('acme', task.id).remove()
    for (const [name, { sql }] of bench.objects) if (name !== 'gpu') sql.exec('DELETE FROM tasks')
    expect(await bench.seen('gpu')).toEqual([])
    expect([bench.rows('delegations'), bench.rows('foreign_tasks')]).toEqual([0, 0])
  })

  it('POOL-03 a pool is not asked for a task that the index does not know', async () => {
    const bench = poolBench(SCRIPT, shards)
    const times = { at: bench.time.now, deadline: bench.time.now + MINUTES }
    const entry = { id: 'delegation_x_3', task: 'task_x', type: 'new', ...times } as const
    await enterDelegation(bench.ports.store, { tenant: 'acme', pool: 'gpu' }, entry)
    expect([bench.told, [...bench.objects.keys()].includes('gpu')]).toEqual([
      [expect.stringMatching(/tie_to_pool$/)],
      false,
    ])
  })

  it('POOL-01 a task of a mode without commands opens no pool, whatever it names', async () => {
    const bench = poolBench({ ...SCRIPT, turn: ['none'] }, shards)
    const task = await createTask(bench, { worker_pool: 'gpu' }, ALL, { mode: 'session' })
    taken(await cancel(bench, task.id))
    expect([...bench.objects.keys()]).not.toContain('gpu')
  })

  it('POOL-06 a fork has the pool of its parent, or the one that its settings name', async () => {
    const bench = poolBench(SCRIPT, shards)
    const task = await bench.dispatch('gpu')
    // The row before the dispatch.
    const at = task.version - 2
    const fork = async (settings: object) =>
      step(bench, taken(await bench.service.forkTask(CALLER, task.id, { at, settings, outcome: null } as never)).id)
    const [same, other] = [await fork({}), await fork({ worker_pool: 'cpu' })]
    expect(await bench.seen('gpu', 'pending')).toContain(`${awaited(same)} pending`)
    expect(await bench.seen('cpu', 'pending')).toEqual([`${awaited(other)} pending`])
  })

  it('POOL-06 a fork that waits for a report has a command of its own in its pool', async () => {
    const bench = poolBench(SCRIPT, shards)
    const task = await bench.dispatch('gpu')
    const fork = async (settings: object) =>
      taken(await bench.service.forkTask(CALLER, task.id, { at: task.version, settings, outcome: null } as never))
    const [same, other] = [await fork({}), await fork({ worker_pool: 'cpu' })]
    expect(await bench.seen('gpu', 'pending')).toEqual([`${awaited(same)} pending`, `${awaited(task)} pending`])
    expect(await bench.seen('cpu', 'pending')).toEqual([`${awaited(other)} pending`])
  })

  it('POOL-03 an index that was lost is restored with the pool of each task', async () => {
    const bench = poolBench(SCRIPT, shards)
    const task = await bench.dispatch('gpu')
    const view = await bench.ports.store.of('acme', task.id).ask({ kind: 'view' })
    if (!view.ok) throw new Error('no task')
    bench.objects.clear()
    const entry = { view: view.value, incarnation: 's', room: 9, blobs: [], key_name: null }
    await restoreTask(bench.ports, { tenant: 'acme', ...entry })
    expect((await pools(bench)).data.map(({ name }) => name)).toEqual([null, 'gpu'])
    expect(await bench.seen('gpu', 'pending')).toEqual([`${awaited(task)} pending`])
  })

  it('POOL-03 an index that was lost is restored with the pool of a task whose commands are all settled', async () => {
    const bench = poolBench(SCRIPT, shards)
    const task = await bench.dispatch('gpu')
    taken(await cancel(bench, task.id))
    const view = await bench.ports.store.of('acme', task.id).ask({ kind: 'view' })
    if (!view.ok) throw new Error('no task')
    for (const name of bench.objects.keys()) if (name !== 'gpu') bench.objects.delete(name)
    const entry = { view: view.value, incarnation: 's', room: 9, blobs: [], key_name: null }
    await restoreTask(bench.ports, { tenant: 'acme', ...entry })
    expect(stored(bench)).toEqual(['canceled'])
    bench.time.now += 5 * MINUTES
    expect(await bench.service.deleteTask(CALLER, task.id)).toMatchObject({ ok: true })
    expect([stored(bench), bench.rows('pooled_tasks')]).toEqual([[], 0])
  })

  it('POOL-07 the pools are listed by name, the default pool first, each with what is open in it', async () => {
    const bench = poolBench(SCRIPT, shards)
    for (const name of ['gpu', 'cpu', 'gpu', 'GPU']) await bench.dispatch(name)
    const [first = ''] = await bench.seen('gpu')
    await claim(bench, first.split(' ')[0] ?? '')
    const idle = { claimed: 0, waiting: 0 }
    const one = await pools(bench, { after: '', limit: 2 })
    expect(one).toEqual({
      data: [
        { name: null, pending: 0, ...idle },
        { name: 'GPU', pending: 1, ...idle },
      ],
      has_more: true,
      next_cursor: 'GPU',
    })
    const two = await pools(bench, { after: 'GPU', limit: 2 })
    expect(two).toEqual({
      data: [
        { name: 'cpu', pending: 1, ...idle },
        { name: 'gpu', pending: 1, claimed: 1, waiting: 0 },
      ],
      has_more: false,
      next_cursor: null,
    })
    const { data, next_cursor } = await pools(bench, { after: '', limit: 1 })
    expect(data.map(({ name }) => name)).toEqual([null])
    const rest = await pools(bench, { after: next_cursor ?? '', limit: 9 })
    expect(rest.data.map(({ name }) => name)).toEqual(['GPU', 'cpu', 'gpu'])
  })
})

type Act = (bench: PoolBench, id: string) => Promise<unknown>
interface Story {
  name: string
  script: Script
  /** What has happened before a worker dies. Gives the task. */
  before: (bench: PoolBench) => Promise<string>
  act: Act
  /** What is left in the pool of the task afterwards. */
  left: string[]
}
const waiting = async (bench: PoolBench) => (await bench.dispatch('gpu')).id
const reported = async (bench: PoolBench) => {
  const task = await bench.dispatch('gpu')
  await report(bench, awaited(task))
  return task.id
}
const STORIES: Story[] = [
  { name: 'a command is dispatched', script: AGAIN, before: reported, act: step, left: ['pending', 'reported'] },
  { name: 'a task ends', script: SCRIPT, before: reported, act: step, left: ['pending', 'reported'] },
  { name: 'a task is canceled', script: SCRIPT, before: waiting, act: cancel, left: ['canceled'] },
  {
    name: 'a task is given more attempts',
    script: FAILING,
    async before(bench) {
      const id = await reported(bench)
      await step(bench, id)
      return id
    },
    async act(bench, id) {
      await bench.service.tellTask(CALLER, id, { kind: 'resume' })
      await step(bench, id)
    },
    left: ['pending', 'canceled', 'reported'],
  },
  {
    name: 'a task is deleted',
    script: SCRIPT,
    before: waiting,
    act: (bench, id) => bench.service.deleteTask(CALLER, id),
    left: [],
  },
]

describe.each([1, 4])('a worker of ours that dies, in a tenant with %i shards', (shards) => {
  it.each(STORIES)(
    'POOL-03 at any call while $name leaves nothing that the next request does not mend',
    async (story) => {
      const { script, before, act, left } = story
      for (const done of [false, true])
        for (let at = 0; ; at++) {
          const bench = poolBench(script, shards)
          const id = await before(bench)
          bench.dieAt(at, done)
          const died = await act(bench, id).then(
            () => false,
            (error: unknown) => error === DIED,
          )
          bench.live()
          const message = `died at call ${at}, ${done ? 'after' : 'before'} its effect: ${bench.told.join(' ')}`
          if (!died) {
            expect([message, at > 1]).toEqual([message, true])
            break
          }
          // The lease of the worker ends, and an admission is not taken for one that is under way.
          bench.time.now += 5 * MINUTES
          await act(bench, id).catch(() => undefined)
          await mendAll(bench.ports, 'acme')
          // A deletion needs no list to be whole: a later task of the same id must not meet its commands.
          if (left.length === 0) expect([message, bench.rows('delegations')]).toEqual([message, 0])
          const shown = (await bench.seen('gpu')).map((one) => one.split(' ')[1])
          expect([message, shown]).toEqual([message, left])
          const rows = bench.rows('pooled_tasks')
          expect([message, rows]).toEqual([message, left.length === 0 ? 0 : 1])
        }
    },
  )
})
