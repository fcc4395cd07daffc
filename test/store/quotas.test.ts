/** What a tenant's workspace counts for its quotas, in both stores. */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { FIRST_ROOM, ROOM_SLACK } from '../../src/core/workspace/stored-bytes.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { storeWithRoom } from '../../src/shell/quotas/store-with-room.ts'
import { bootId } from '../../src/store/boot.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { sentReport } from '../support/delegations.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { makeTables } from '../../src/store/workspace/workspace-schema.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  createTask,
  FREE,
  MANUAL,
  NO_TOTAL,
  NONE,
  planned,
  step,
  taken,
  UNBOUNDED,
  type Script,
} from '../support/scripted.ts'

const entryOf = (id: string) => {
  return { id, mode: 'session', status: 'running' as const, metadata: {}, goal: '', slice: 's' }
}
const stores: [string, () => TaskStore][] = [
  ['memory', () => memoryStore(() => ({ now_ms: Date.now(), boot: 'boot', prices: FREE, daily: UNBOUNDED }))],
  ['durable objects', () => durableStore(env.TASKS, env.WORKSPACES)],
]

describe.each(stores)('quotas: %s', (_name, open) => {
  const desk = () => open().workspace(crypto.randomUUID())

  it('permits of a minute are handed out up to the limit, those that were used before they were asked for among them', async () => {
    const workspace = desk()
    const take = (used: number, minute = 7, name = 'requests') =>
      workspace.tell({ kind: 'take_permits', name, minute, per_minute: 20, used })
    expect([await take(3), await take(0), await take(10)]).toEqual([2, 2, 1])
    expect([await take(0), await take(0), await take(0)]).toEqual([1, 1, 0])
    expect([await take(0, 7, 'links'), await take(0, 8)]).toEqual([2, 2])
  })

  it('room is counted for a task in place of what it was counted with, up to what there is, and free again with the task', async () => {
    const workspace = desk()
    await workspace.tell({ kind: 'admit', entry: entryOf('task_1'), open_max: 9, daily: NO_TOTAL })
    const hold = (least: number, most: number, max: number) =>
      workspace.tell({ kind: 'hold_room', task: 'task_1', least, most, max })
    await hold(FIRST_ROOM, FIRST_ROOM, 1e9)
    const base = await workspace.ask({ kind: 'used_bytes' })
    expect(await hold(100_000, 200_000, base + 1e6)).toEqual({ ok: true, value: 200_000 })
    expect((await workspace.ask({ kind: 'used_bytes' })) - base).toBe(200_000 - FIRST_ROOM)
    const limit = base + 300_000 - FIRST_ROOM
    expect(await hold(250_000, 400_000, limit)).toEqual({ ok: true, value: 300_000 })
    expect(await hold(300_001, 400_000, limit)).toMatchObject({ refusal: { code: 'quota_exceeded', bytes_max: limit } })
    // An earlier call that comes late.
    expect(await hold(50_000, 60_000, limit)).toEqual({ ok: true, value: 300_000 })
    await workspace.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })
    expect(await workspace.ask({ kind: 'used_bytes' })).toBeLessThanOrEqual(base)
    expect(await hold(1, 2, limit)).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
  })
})

it('a workspace of an earlier release counts once what it has: its tasks and their blobs', async () => {
  const stub = env.WORKSPACES.getByName(crypto.randomUUID())
  await runInDurableObject(stub, (object, { storage: { sql } }) => {
    for (const id of ['task_1', 'task_2'])
      object.tell({ kind: 'admit', entry: entryOf(id), open_max: 9, daily: NO_TOTAL })
    object.tell({ kind: 'hold_bytes', task: 'task_1', blob: 'a', bytes: 500, max: 1e9 })
    const counted = () => sql.exec('SELECT used FROM bytes').one()['used']
    expect(counted()).toBe(2 * FIRST_ROOM + 500)
    sql.exec('DROP TABLE bytes')
    makeTables(sql)
    expect(counted()).toBe(2 * FIRST_ROOM + 500)
    object.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })
    expect(counted()).toBe(FIRST_ROOM)
  })
})

const STEPS = { steps: [{ title: 'A', description: 'Build', constraints: 'None', expected_output: 'A page' }] }
const AGAIN = { decision: 'retry', reason: 'not yet', adjusted_steps: [] }
const LONG = 'long '.repeat(3_000)

const within = (bytes_max: number) => Promise.resolve({ bytes_max, is_registered: false })

/** A service over real objects whose tenant may have so many bytes beyond what it has when it begins. */
async function roomyBench(script: Script, more: number) {
  const caller = { ...CALLER, tenant: crypto.randomUUID() }
  const store = durableStore(env.TASKS, env.WORKSPACES)
  const workspace = store.workspace(caller.tenant)
  const max = (await workspace.ask({ kind: 'used_bytes' })) + more
  const random_id = () => crypto.randomUUID().replaceAll('-', '')
  const overrides = { boot: bootId, random_id, max_stored_bytes: max, store: storeWithRoom(store, () => within(max)) }
  const bench = benchOf(script, { ...overrides, clock: { now_ms: () => Date.now(), wall_ms: () => 0 } })
  const task = await createTask(bench, { max_steps: 1_000 }, NONE, { caller })
  const sizeOf = (id: string) => {
    const stub = env.TASKS.getByName(JSON.stringify([caller.tenant, id]))
    return runInDurableObject(stub, (_object, { storage: { sql } }) => sql.databaseSize)
  }
  return { bench, caller, workspace, max, id: task.id, sizeOf }
}
const acts = (count: number) => ({
  plan: [planned('A')],
  // The same action with the same result is refused at the third time.
  thought: Array.from({ length: count }, (_, index) => act(`/todo add milk ${index}`)),
  tools: Array.from({ length: count }, () => ({ ok: true, text: LONG })),
})

describe.each(stores)('the total of a day in %s', (_, open) => {
  it.each(['paused', 'input_required', 'completed'] as const)(
    'U16 nobody waits for the part of a task that is %s, because it gives nothing back by itself',
    async (status) => {
      const workspace = open().workspace(crypto.randomUUID())
      await workspace.tell({ kind: 'admit', entry: entryOf('task_1'), open_max: 9, daily: NO_TOTAL })
      const want = { tokens: 10, cost: 0, task: 'task_1' }
      await workspace.tell({ kind: 'reserve', want, daily: { tokens: 1_000, cost: null } })
      const mayComeBack = () => workspace.ask({ kind: 'may_come_back', task: 'task_2' })
      expect(await mayComeBack()).toBe(true)
      await workspace.tell({ kind: 'set_status', id: 'task_1', status: 'running', version: 2, spend: null })
      expect(await mayComeBack()).toBe(true)
      await workspace.tell({ kind: 'set_status', id: 'task_1', status, version: 3, spend: null })
      expect(await mayComeBack()).toBe(false)
    },
  )
})

describe('the bytes of a tenant', () => {
  it('count a task with the room that it was given, also when the index was lost and made again', async () => {
    const { bench, caller, workspace, id } = await roomyBench(acts(12), 2_000_000)
    await step(bench, id, { rounds: 12, max_ms: 25_000 }, caller)
    const stub = env.WORKSPACES.getByName(JSON.stringify([caller.tenant]))
    const inside = (query: string) =>
      runInDurableObject(stub, (_object, { storage: { sql } }) => sql.exec(query).toArray().map(Object.values))
    const counted = await inside('SELECT used FROM bytes')
    expect(Number(counted[0]?.[0])).toBeGreaterThan(150_000)
    for (const table of ['rooms', 'tasks']) await inside(`DELETE FROM ${table}`)
    await workspace.tell({ kind: 'recount' })
    expect(await inside('SELECT used FROM bytes')).toEqual([[0]])
    await env.TASKS.getByName(JSON.stringify([caller.tenant, id])).reindex()
    await workspace.tell({ kind: 'recount' })
    expect(await inside('SELECT used FROM bytes')).toEqual(counted)
  })

  it('a task without room pauses as storage_full, also when it is continued, and goes on when something was deleted', async () => {
    const { bench, caller, workspace, max, id, sizeOf } = await roomyBench(acts(100), 800_000)
    const ballast = await createTask(bench, {}, NONE, { caller })
    await workspace.tell({ kind: 'hold_room', task: ballast.id, least: 300_000, most: 300_000, max })
    const full = await step(bench, id, ALL, caller)
    expect(full).toMatchObject({ status: 'paused', stop_reason: 'storage_full', handover: expect.anything() })
    // The entry of the paused task in the index may need two more pages than the one of the running task.
    const pages = 8_192
    expect(await workspace.ask({ kind: 'used_bytes' })).toBeLessThanOrEqual(max + pages)
    // Its last effect is all that it took beyond what is counted for it.
    expect(await sizeOf(id)).toBeLessThan(500_000 + 100_000)
    const say = () => bench.service.inputTask(caller, id, 'continue', null, ALL)
    expect(await say()).toMatchObject({ value: { task: { status: 'paused', stop_reason: 'storage_full' } } })
    expect(await bench.service.deleteTask(caller, ballast.id)).toEqual({ ok: true, value: null })
    const before = await sizeOf(id)
    const gone_on = await say()
    expect(gone_on).toMatchObject({ value: { task: { slice: { advanced: true } } } })
    expect((await sizeOf(id)) - before).toBeGreaterThan(100_000)
    expect(await workspace.ask({ kind: 'used_bytes' })).toBeLessThanOrEqual(max + pages)
  })

  it('what is said to a task far beyond its room is refused with the quota, and it can be deleted', async () => {
    const { bench, caller, workspace, max, id, sizeOf } = await roomyBench({ plan: [planned('A')] }, 200_000)
    const used = await workspace.ask({ kind: 'used_bytes' })
    const said: unknown[] = []
    let last = 0
    const say = (tried: number) => {
      const key = { scope: 'POST input', key: `k${tried}`, digest: 'd' }
      return bench.service.inputTask({ ...caller, key }, id, `${tried} ${LONG}`, null, NONE)
    }
    for (let tried = 0; tried < 40; tried++) {
      const heard = await say(tried)
      if (heard.ok) last = tried
      else said.push(heard.refusal)
    }
    expect(said.length).toBeGreaterThan(10)
    expect(said[0]).toEqual({ code: 'quota_exceeded', bytes: expect.any(Number), bytes_max: max })
    expect(await sizeOf(id)).toBeLessThan(200_000 + ROOM_SLACK + 100_000)
    // What was heard under a key is answered again, and what ends the task is heard.
    expect(await say(last)).toMatchObject({ ok: true })
    expect(await bench.service.tellTask(caller, id, { kind: 'pause' })).toMatchObject({ ok: true })
    expect(await bench.service.inputTask(caller, id, '取消当前任务', null, NONE)).toMatchObject({ ok: true })
    await bench.service.deleteTask(caller, id)
    expect(await workspace.ask({ kind: 'used_bytes' })).toBeLessThan(used)
  })

  it('a task that outgrows its room by a report keeps the report and pauses as storage_full', async () => {
    const script = { plan: [planned('A'), STEPS], evaluate: [AGAIN] }
    const { bench, caller, workspace, max } = await roomyBench(script, 200_000)
    const about = {
      goal: 'a goal',
      mode: 'orchestrator' as const,
      timezone: 'UTC',
      metadata: {},
      locale: 'en' as const,
    }
    const task = { ...about, settings: Settings.parse({}), ...MANUAL, origin: 'https://loop.example' }
    const { id, pending } = taken(await bench.service.createTask(caller, task, ALL))
    const delegation = pending?.kind === 'report' ? pending.delegation_id : ''
    await workspace.tell({ kind: 'admit', entry: entryOf('ballast'), open_max: 9, daily: NO_TOTAL })
    const rest = max - (await workspace.ask({ kind: 'used_bytes' }))
    await workspace.tell({ kind: 'hold_room', task: 'ballast', least: rest, most: rest, max })
    const reported = await bench.service.reportDelegation(caller, delegation, sentReport('long '.repeat(9_000)))
    expect(reported).toMatchObject({ value: { delegation: { status: 'reported' }, replayed: false } })
    expect(taken(await bench.service.getTask(caller, id))).toMatchObject({
      status: 'paused',
      stop_reason: 'storage_full',
    })
  })

  it('a fork that would be larger than the room there is is refused before it is made, and leaves nothing', async () => {
    const { bench, caller, workspace, max, id } = await roomyBench(acts(12), 2_000_000)
    const { version } = await step(bench, id, { rounds: 12, max_ms: 25_000 }, caller)
    const wish = { at: version, settings: {}, outcome: null }
    const used = await workspace.ask({ kind: 'used_bytes' })
    await workspace.tell({ kind: 'admit', entry: entryOf('ballast'), open_max: 9, daily: NO_TOTAL })
    const rest = max - used - 100_000
    await workspace.tell({ kind: 'hold_room', task: 'ballast', least: rest, most: rest, max })
    const before = await workspace.ask({ kind: 'used_bytes' })
    expect(await bench.service.forkTask(caller, id, wish)).toMatchObject({
      refusal: { code: 'quota_exceeded', bytes_max: max },
    })
    expect(await workspace.ask({ kind: 'used_bytes' })).toBeLessThanOrEqual(before)
    await workspace.tell({ kind: 'drop', id: 'ballast', admitted: ['life_s'] })
    expect(await bench.service.forkTask(caller, id, wish)).toMatchObject({ ok: true })
  })
})

it('rows of minutes that are over go with the first permit of another, but for those an isolate with a late clock still asks for', async () => {
  const stub = env.WORKSPACES.getByName(crypto.randomUUID())
  await runInDurableObject(stub, (object, { storage: { sql } }) => {
    const take = (name: string, minute: number) =>
      object.tell({ kind: 'take_permits', name, minute, per_minute: 2, used: 0 })
    const minutes = () => sql.exec('SELECT DISTINCT minute FROM rates ORDER BY minute').toArray().map(Object.values)
    for (const name of ['a', 'b', 'c']) take(name, 7)
    expect([take('a', 7), take('a', 8), take('a', 7)]).toEqual([1, 1, 0])
    expect(minutes()).toEqual([[7], [8]])
    take('b', 9)
    expect(minutes()).toEqual([[8], [9]])
  })
})
