/** Uploads whose workers die behind any call, and sweeps of what they leave: against uploads that live, deletions and forks. */
import { describe, expect, it, vi } from 'vitest'
import type { Result } from '../../src/core/terms/refusal.ts'
import { UPLOAD_SILENCE_MS } from '../../src/core/workspace/unfinished-blobs.ts'
import { taskFiles } from '../../src/shell/files/files.ts'
import { bodyStream } from '../../src/shell/network/chunked-body.ts'
import type { Blobs, Ports } from '../../src/shell/ports.ts'
import { sweepUploads } from '../../src/shell/files/sweep-uploads.ts'
import { createService } from '../../src/shell/create-service.ts'
import { memoryBlobs } from '../support/memory/memory-blobs.ts'
import { ALL, benchOf, CALLER, createTask, NONE, planned, step } from '../support/scripted.ts'

const DIED = new Error('the worker died')
const { tenant } = CALLER
function taken<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}

/** Ports of a worker of its own, which dies at the call `at`: no later one of it is made. */
function workerOf(ports: Ports, at: number): { ports: Ports; calls: () => number } {
  let calls = 0
  const counted = <T extends object>(methods: T): T =>
    new Proxy(methods, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          if (calls++ >= at) throw DIED
          return (await Reflect.apply(method, target, args)) as unknown
        }
      },
    })
  const { store, blobs } = ports
  const of: typeof store.of = (whose, id) => counted(store.of(whose, id))
  const workspace: typeof store.workspace = (whose) => counted(store.workspace(whose))
  const pool: typeof store.pool = (whose, name) => counted(store.pool(whose, name))
  const own = { store: { of, workspace, pool }, blobs: blobs === null ? null : counted<Blobs>(blobs) }
  return { ports: { ...ports, ...own }, calls: () => calls }
}

async function begun() {
  const blobs = memoryBlobs()
  const bench = benchOf({ plan: [planned('A')] }, { blobs })
  const { id } = await createTask(bench, {}, NONE)
  const desk = bench.store.workspace(tenant)
  const upload = (ports: Ports, body: ReadableStream<Uint8Array>, length: number | null = null, name = 'a.csv') =>
    createService(ports).putFile(CALLER, id, { name, body, length, bytes_max: 1e6 })
  const later = async (ports: Ports = bench.ports) => {
    bench.clock.now += UPLOAD_SILENCE_MS
    await sweepUploads(ports, tenant)
  }
  /** Names and contents of the files; what is kept and what is counted is theirs and nothing else. */
  const files = async (task = id) => {
    const listed = taken(await bench.service.listFiles(CALLER, task, { limit: 100, after: '' })).data
    const texts = listed.map(async ({ name }) => {
      const body = await taken(await bench.service.fetchFile(CALLER, task, name)).body()
      return `${name} ${body === null ? 'gone' : await new Response(body).text()}`
    })
    expect(blobs.kept({ tenant, task })).toHaveLength(listed.length)
    expect((await desk.ask({ kind: 'admission', id: task }))?.blobs.toSorted()).toEqual(
      blobs.kept({ tenant, task }).toSorted(),
    )
    return Promise.all(texts)
  }
  return { blobs, bench, id, desk, upload, later, files, of: { tenant, task: id } }
}
type One = Awaited<ReturnType<typeof begun>>

/** Pieces of a body; something happens before each. */
const pieces = (count: number, before: (piece: number) => Promise<void>) => {
  let piece = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (piece === count) return controller.close()
        await before(piece++)
        controller.enqueue(new Uint8Array(70_000).fill(65))
      },
    },
    { highWaterMark: 0 },
  )
}
/** A bench whose blobs are complete, but something happens before their writer hears of it. */
function meanwhile(one: One, happens: () => Promise<void>): Ports {
  const write: Blobs['write'] = async (...args) => {
    const bytes = await one.blobs.write(...args)
    await happens()
    return bytes
  }
  return { ...one.bench.ports, blobs: { ...one.blobs, write } }
}
const silently = () => vi.spyOn(console, 'error').mockImplementation(() => undefined)

it('an upload whose worker dies behind any call leaves a file that is whole, or an hour later nothing that is kept or counted', async () => {
  const lines = silently()
  const outcomes = new Set<string>()
  for (let at = 0, over = false; !over; at++) {
    const one = await begun()
    const worker = workerOf(one.bench.ports, at)
    const put = await one.upload(worker.ports, bodyStream('x'), 1).catch((error: unknown) => error)
    over = worker.calls() <= at
    if (!over && put === DIED) outcomes.add(`${one.blobs.kept(one.of).length} left`)
    await one.later()
    const found = await one.files()
    outcomes.add(found.join())
    if (over) expect(found).toEqual(['a.csv x'])
  }
  expect([...outcomes].toSorted()).toEqual(['', '0 left', '1 left', 'a.csv x'])
  lines.mockRestore()
})

it('a sweep whose worker dies behind any call is done again, and ends as if it had not died', async () => {
  for (let at = 0, over = false; !over; at++) {
    const one = await begun()
    const dead = workerOf(one.bench.ports, 3)
    const lines = silently()
    await expect(one.upload(dead.ports, bodyStream('x'), 1)).rejects.toBe(DIED)
    lines.mockRestore()
    expect(one.blobs.kept(one.of)).toHaveLength(1)
    const worker = workerOf(one.bench.ports, at)
    await one.later(worker.ports).catch((error: unknown) => expect(error).toBe(DIED))
    over = worker.calls() <= at
    await one.later()
    expect(await one.files()).toEqual([])
  }
})

describe('an upload that is alive', () => {
  it.each([null, 420_000])('is not swept, however slowly it comes: of announced length %s', async (length) => {
    const one = await begun()
    const slow = pieces(6, async () => {
      one.bench.clock.now += UPLOAD_SILENCE_MS - 1
      await sweepUploads(one.bench.ports, tenant)
    })
    taken(await one.upload(one.bench.ports, slow, length))
    expect((await one.files())[0]).toHaveLength('a.csv '.length + 420_000)
    await one.later()
    expect(await one.files()).toHaveLength(1)
  })

  it('and was silent for so long that it was swept breaks off, and leaves nothing', async () => {
    const one = await begun()
    const silent = pieces(6, (piece) => (piece === 3 ? one.later() : Promise.resolve()))
    await expect(one.upload(one.bench.ports, silent)).rejects.toMatchObject({ name: 'BodyBroken' })
    expect(await one.files()).toEqual([])
  })

  it('and is swept before its row was written is refused that row: no file names a blob that is gone', async () => {
    const one = await begun()
    taken(await one.upload(one.bench.ports, bodyStream('before')))
    await expect(one.upload(meanwhile(one, one.later), bodyStream('x'))).rejects.toMatchObject({ name: 'BodyBroken' })
    expect(await one.files()).toEqual(['a.csv before'])
  })

  it('by a tool and was swept before its row is one whose effect was given up', async () => {
    const one = await begun()
    const write = taskFiles(meanwhile(one, one.later)).write(one.of, {
      name: 'c.png',
      seq: 9,
      content: new Uint8Array(2),
    })
    expect(await write).toMatchObject({ refusal: { code: 'lease_lost' } })
    expect(await one.files()).toEqual([])
  })
})

describe('what outlives its task', () => {
  it('is swept: a blob whose upload outlived the DELETE and whose worker died at that moment', async () => {
    const one = await begun()
    const before = await one.desk.ask({ kind: 'used_bytes' })
    const { store } = workerOf(one.bench.ports, 2).ports
    const write: Blobs['write'] = (ref, body, allow) =>
      one.blobs.write(ref, body, async (bytes) => {
        const may = await allow(bytes)
        taken(await one.bench.service.deleteTask(CALLER, one.id))
        return may
      })
    await expect(
      one.upload({ ...one.bench.ports, store, blobs: { ...one.blobs, write } }, bodyStream('x')),
    ).rejects.toBe(DIED)
    expect([one.blobs.kept(one.of).length, await one.desk.ask({ kind: 'admission', id: one.id })]).toEqual([1, null])
    await one.later()
    expect([one.blobs.kept(one.of).length, await one.desk.ask({ kind: 'used_bytes' })]).toEqual([0, before])
  })

  it('is swept from a task that was made anew under its id as well, and nothing of that one', async () => {
    const one = await begun()
    const old = 'life_old.orphan'
    await one.blobs.write({ ...one.of, blob: old }, bodyStream('x'), async () => true)
    await one.desk.tell({ kind: 'hold_bytes', task: one.id, blob: old, bytes: 1, max: 1e9 })
    taken(await one.upload(one.bench.ports, bodyStream('new')))
    await one.later()
    expect(await one.files()).toEqual(['a.csv new'])
  })
})

describe('a fork', () => {
  const forkOf = async (one: One, ports: Ports) => {
    taken(await one.upload(one.bench.ports, bodyStream('x')))
    await step(one.bench, one.id, ALL)
    return createService(ports).forkTask(CALLER, one.id, { at: 1, outcome: null, settings: {} })
  }
  const copying = (one: One, ports: Ports, after: (fork: string) => Promise<void>): Ports => {
    const copy: Blobs['copy'] = async (from, to) => {
      const copied = await one.blobs.copy(from, to)
      await after(to.task)
      return copied
    }
    return { ...ports, blobs: { ...one.blobs, copy } }
  }

  it('whose worker dies behind any call is whole, or an hour later nothing of its copies is kept', async () => {
    const outcomes = new Set<string>()
    for (let at = 0, over = false; !over; at++) {
      const one = await begun()
      let fork = ''
      const worker = workerOf(one.bench.ports, at)
      const ports = copying(one, worker.ports, async (id) => void (fork = id))
      await forkOf(one, ports).catch((error: unknown) => expect(error).toBe(DIED))
      over = worker.calls() <= at
      await one.later()
      const there = await one.bench.store.of(tenant, fork).ask({ kind: 'view' })
      if (there.ok) outcomes.add((await one.files(fork)).join())
      else outcomes.add(`${one.blobs.kept({ tenant, task: fork }).length} left`)
    }
    expect([...outcomes]).toEqual(['0 left', 'a.csv x'])
  })

  it('whose copies were swept before its rows is not made, and may be asked for again', async () => {
    const one = await begun()
    const swept = copying(one, one.bench.ports, () => one.later())
    await expect(forkOf(one, swept)).rejects.toMatchObject({ blobs_away: true })
    expect(await one.files()).toEqual(['a.csv x'])
  })
})

it('no blob of a task that cannot be read is swept, because its rows may name it', async () => {
  const one = await begun()
  await one.blobs.write({ ...one.of, blob: 'b' }, bodyStream('x'), async () => true)
  await one.desk.tell({ kind: 'hold_bytes', task: one.id, blob: 'b', bytes: 1, max: 1e9 })
  const store: Ports['store'] = {
    ...one.bench.store,
    of: (whose, id) => {
      const task = one.bench.store.of(whose, id)
      const damaged = { ok: false, refusal: { code: 'state_unreadable', detail: 'damaged' } } as const
      return { ...task, upkeep: async (call) => (call.kind === 'refuse_blobs' ? damaged : task.upkeep(call)) }
    },
  }
  await one.later({ ...one.bench.ports, store })
  expect(one.blobs.kept(one.of)).toEqual(['b'])
  await one.later()
  expect(await one.files()).toEqual([])
})
