/** Deletions against whatever comes in between: stopped behind each call of theirs in turn, or dead there. */
import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/core/terms/refusal.ts'
import { deleteTask, retireTask } from '../../src/shell/delete-task.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import type { Blobs, Ports } from '../../src/shell/ports.ts'
import type { Caller } from '../../src/shell/caller.ts'
import { memoryBlobs } from '../support/memory/memory-blobs.ts'
import { benchOf, CALLER, createTask, NONE, ALL, planned, step } from '../support/scripted.ts'

const DAYS_30 = 2_592_000_000
const MINUTE = 60_001
const DIED = new Error('the worker died')
const KEYED: Caller = { ...CALLER, key: { scope: 'POST /tasks', key: 'k', digest: 'd' } }
const EVERY = { status: null, mode: null, metadata: {}, q: null, outcome: null }

function taken<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}

/** Ports of a worker of its own: `before` is told of each call it makes outside, by number from 0, and may keep it from being made. */
function workerOf(ports: Ports, before: (call: number) => Promise<void>): { ports: Ports; calls: () => number } {
  let calls = 0
  const counted = <T extends object>(methods: T): T =>
    new Proxy(methods, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          await before(calls++)
          return (await Reflect.apply(method, target, args)) as unknown
        }
      },
    })
  const { store, blobs } = ports
  const of: typeof store.of = (tenant, id) => counted(store.of(tenant, id))
  const workspace: typeof store.workspace = (tenant) => counted(store.workspace(tenant))
  const pool: typeof store.pool = (tenant, name) => counted(store.pool(tenant, name))
  return {
    ports: { ...ports, store: { of, workspace, pool }, blobs: blobs === null ? null : counted<Blobs>(blobs) },
    calls: () => calls,
  }
}

async function begun(mode: 'session' | 'plan_execute', script: Parameters<typeof benchOf>[0]) {
  const blobs = memoryBlobs()
  const bench = benchOf(script, { blobs })
  const make = () => createTask(bench, {}, NONE, { mode, caller: KEYED })
  const { id } = await make()
  const of = { tenant: CALLER.tenant, task: id }
  const put = (name: string) =>
    bench.service.putFile(CALLER, id, { name, body: bodyStream('x'), length: null, bytes_max: 9 })
  taken(await put('a.csv'))
  const desk = bench.store.workspace(CALLER.tenant)
  /** Names of the files whose bytes can be read. */
  const files = async () => {
    const listed = taken(await bench.service.listFiles(CALLER, id, { limit: 100, after: '' })).data
    for (const { name } of listed)
      expect(await taken(await bench.service.fetchFile(CALLER, id, name)).body()).not.toBeNull()
    return listed.map(({ name }) => name)
  }
  /** Nothing of the task is anywhere. */
  const expectGone = async () => {
    expect(await bench.store.of(CALLER.tenant, id).ask({ kind: 'view' })).toMatchObject({
      refusal: { code: 'task_not_found' },
    })
    expect([blobs.kept(of), await desk.ask({ kind: 'admission', id })]).toEqual([[], null])
  }
  /** It is there, with all it lists, and the index counts what is kept and no more. */
  const expectWhole = async (names: string[]) => {
    expect(await files()).toEqual(names)
    const found = await desk.ask({ kind: 'admission', id })
    expect(found?.blobs.toSorted()).toEqual(blobs.kept(of).toSorted())
    expect(blobs.kept(of)).toHaveLength(names.length)
  }
  const list = () => bench.service.listTasks(CALLER, EVERY, { after: 0, limit: 10 })
  return { bench, id, make, put, expectGone, expectWhole, list }
}
type One = Awaited<ReturnType<typeof begun>>

/** How many calls `run` makes when nothing comes in between. */
async function callsOf(
  begin: () => Promise<One>,
  run: (ports: Ports, id: string) => Promise<unknown>,
): Promise<number> {
  const one = await begin()
  const worker = workerOf(one.bench.ports, () => Promise.resolve())
  await run(worker.ports, one.id)
  return worker.calls()
}

const removing = (ports: Ports, id: string) => deleteTask(ports, CALLER, id)
const retiring = (ports: Ports, id: string) => retireTask(ports, CALLER, id)
const aPlan = () => begun('plan_execute', { plan: [planned('A')] })
async function anOldSession(): Promise<One> {
  const one = await begun('session', { turn: ['done', 'again'] })
  await step(one.bench, one.id, ALL)
  one.bench.clock.now += DAYS_30
  return one
}

describe('retention against an input that reopens the task', () => {
  it('F61 an input after any call: the task is gone, or it goes on with all its files', async () => {
    const calls = await callsOf(anOldSession, retiring)
    const outcomes = new Set<string>()
    for (let at = 0; at < calls; at++) {
      const one = await anOldSession()
      let heard = ''
      const worker = workerOf(one.bench.ports, async (call) => {
        if (call !== at) return
        const said = await one.bench.service.inputTask(CALLER, one.id, 'and now?', null, NONE)
        heard = said.ok ? 'reopened' : said.refusal.code
      })
      await retiring(worker.ports, one.id)
      outcomes.add(heard)
      await (heard === 'reopened' ? one.expectWhole(['a.csv']) : one.expectGone())
    }
    expect([...outcomes]).toEqual(['reopened', 'task_not_found'])
  })

  it('F61 whose worker dies behind any call: the task is whole, or a list a minute later clears what is left', async () => {
    const calls = await callsOf(anOldSession, retiring)
    for (let at = 0; at < calls; at++)
      expect(await diedAt(await anOldSession(), at, retiring)).toBe(at < 2 ? 'whole' : 'gone')
  })
})

describe('DELETE against a create under the same Idempotency-Key', () => {
  it('a task that is created again after any call exists, in the index, with all its files', async () => {
    const calls = await callsOf(aPlan, removing)
    expect(calls).toBeGreaterThan(4)
    for (let at = 0; at <= calls; at++) {
      const one = await aPlan()
      let again = false
      const anew = async (call: number) => {
        if (call !== at) return
        again = (await one.make()).id === one.id
        taken(await one.put('b.csv'))
      }
      const worker = workerOf(one.bench.ports, anew)
      taken(await removing(worker.ports, one.id))
      if (at === calls) await anew(at)
      expect(again).toBe(true)
      // Before the object was removed the create was a repeated one, and its task is deleted with its files.
      const there = await one.bench.store.of(CALLER.tenant, one.id).ask({ kind: 'view' })
      if (there.ok) await one.expectWhole(['b.csv'])
      one.bench.clock.now += MINUTE
      await one.list()
      await (there.ok ? one.expectWhole(['b.csv']) : one.expectGone())
      if (!there.ok) continue
      taken(await removing(one.bench.ports, one.id))
      await one.expectGone()
    }
  })

  it('and one that was admitted before, and makes the task after, keeps its entry', async () => {
    const one = await aPlan()
    const calls = await callsOf(aPlan, removing)
    for (let at = 1; at < calls; at++) {
      const other = at === 1 ? one : await aPlan()
      // Its worker has told the index of it, and no more yet.
      const entry = {
        id: other.id,
        mode: 'plan_execute',
        status: 'running' as const,
        metadata: {},
        goal: '',
        slice: 'late',
      }
      taken(
        await other.bench.store
          .workspace(CALLER.tenant)
          .tell({ kind: 'admit', entry, open_max: 9, daily: { tokens: null, cost: null } }),
      )
      const worker = workerOf(other.bench.ports, async (call) => {
        if (call === at) await other.make()
      })
      await removing(worker.ports, other.id)
      const there = await other.bench.store.of(CALLER.tenant, other.id).ask({ kind: 'view' })
      // Asked before the object was removed, it is the repeated one that goes.
      expect(there.ok).toBe(at > 1)
      if (there.ok) await other.expectWhole([])
    }
  })

  it('a DELETE whose worker dies behind any call leaves the task whole, or what a list a minute later clears', async () => {
    const calls = await callsOf(aPlan, removing)
    for (let at = 0; at < calls; at++) expect(await diedAt(await aPlan(), at, removing)).toBe(at < 2 ? 'whole' : 'gone')
  })

  it('after a crash there and a new create, the new task keeps its files until its own DELETE removes everything', async () => {
    const calls = await callsOf(aPlan, removing)
    for (let at = 2; at < calls; at++) {
      const one = await aPlan()
      const worker = workerOf(one.bench.ports, async (call) => (call === at ? Promise.reject(DIED) : undefined))
      await expect(removing(worker.ports, one.id)).rejects.toBe(DIED)
      await one.make()
      taken(await one.put('b.csv'))
      one.bench.clock.now += MINUTE
      await one.list()
      expect(taken(await one.bench.service.listFiles(CALLER, one.id, { limit: 9, after: '' })).data).toHaveLength(1)
      taken(await removing(one.bench.ports, one.id))
      await one.expectGone()
    }
  })
})

it('an upload that was begun for the task before is refused by the one made anew, and leaves nothing', async () => {
  const one = await aPlan()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        taken(await removing(one.bench.ports, one.id))
        await one.make()
        controller.enqueue(new Uint8Array(3))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const upload = { name: 'late.csv', body, length: null, bytes_max: 9 }
  expect(await one.bench.service.putFile(CALLER, one.id, upload)).toMatchObject({ refusal: { code: 'task_not_found' } })
  await one.expectWhole([])
})

async function diedAt(one: One, at: number, run: (ports: Ports, id: string) => Promise<unknown>): Promise<string> {
  const worker = workerOf(one.bench.ports, async (call) => (call === at ? Promise.reject(DIED) : undefined))
  await expect(run(worker.ports, one.id)).rejects.toBe(DIED)
  const there = await one.bench.store.of(CALLER.tenant, one.id).ask({ kind: 'view' })
  if (there.ok) {
    await one.expectWhole(['a.csv'])
    return 'whole'
  }
  one.bench.clock.now += MINUTE
  await one.list()
  await one.expectGone()
  return 'gone'
}
