/** The files of a task in both stores: what is written is read, a lost write is repeated, a late one is fenced, all go with the task. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Ticket } from '../../src/core/protocol/advance.ts'
import type { Assignment } from '../../src/core/engine/assignment.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { StepResult } from '../../src/core/protocol/task-answers.ts'
import { performEffect } from '../../src/shell/slice/perform-effect.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { bootId } from '../../src/store/boot.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { cachedRows } from '../../src/store/task/rows/cached-rows.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { sqlRows } from '../../src/store/task/rows/sql-rows.ts'
import { builtInTools } from '../../src/tools/index.ts'
import { replied } from '../support/held.ts'
import {
  NO_RUNNERS,
  act,
  clientToolsOf,
  done,
  filesOver,
  FREE,
  MANUAL,
  planned,
  replanned,
  UNBOUNDED,
} from '../support/scripted.ts'

const stores: [string, () => TaskStore][] = [
  ['memory', () => memoryStore(() => ({ now_ms: Date.now(), boot: bootId(), prices: FREE, daily: UNBOUNDED }))],
  ['durable objects', () => durableStore(env.TASKS, env.WORKSPACES)],
]
const search = { name: 'none', search: () => Promise.reject(new Error('no network in tests')) }
const ticket = (slice: string, more: Ticket['more'] = 'new_round'): Ticket => ({
  slice,
  boot: bootId(),
  more,
  wall_ms: 0,
  rounds: 9,
  key: null,
})
const fixed = { goal: 'g', mode: 'plan_execute', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
const brief = { ...fixed, settings: Settings.parse({}) }
const LOST = { ok: false, refusal: { code: 'lease_lost' } }
const GONE = { ok: false, refusal: { code: 'task_not_found' } }

function assigned(answer: Result<StepResult>): Assignment {
  if (!answer.ok || answer.value.assignment === null) throw new Error(`no effect: ${JSON.stringify(answer)}`)
  return answer.value.assignment
}

describe.each(stores)('files: %s', (_name, open) => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A task that has a plan; `runs` performs an action as a Worker does, in a mode that offers the tool. */
  async function begun() {
    const store = open()
    const tenant = `files-${crypto.randomUUID()}`
    const task = store.of(tenant, 'task_1')
    await task.create({ id: 'task_1', tenant, brief }, ticket('s1'))
    await task.commit(2, replied(planned('A')), ticket('s1', 'this_round'))
    const client_tools = clientToolsOf(() => {
      throw new Error('no tool is elsewhere')
    })
    const ports = {
      model: null,
      tools: builtInTools(store, filesOver(store), search, 'UTC', NO_RUNNERS),
      files: filesOver(store),
      client_tools,
    }
    const runs = (given: Assignment): Promise<Event> => {
      if (given.work.kind !== 'run_tool') throw new Error('no tool is called')
      return performEffect(ports, tenant, { ...given, work: { ...given.work, offered: [given.work.tool] } }, null)
    }
    return { store, tenant, task, runs }
  }
  const writing = (content: string) => replied(act(JSON.stringify({ name: 'notes.md', content }), 'write_file'))

  it('a file is what was written last, with the effect and the time of that; the list has no contents', async () => {
    const { task } = await begun()
    expect(await task.ask({ kind: 'files' })).toEqual({ ok: true, value: [] })
    expect(await task.ask({ kind: 'file', name: 'b' })).toEqual({ ok: true, value: null })
    const at = Date.now()
    const more = { content_type: 'application/octet-stream', source: 'tool' }
    const shown = (name: string, seq: number, bytes: number) => ({ name, seq, at, bytes, ...more })
    for (const [name, seq, content] of [
      ['b', 3, 'one'],
      ['a', 4, '字\u0000"'],
      ['b', 5, ''],
      ['B', 6, 'other'],
    ] as const) {
      expect(await task.upkeep({ kind: 'write_file', file: { name, seq, content } })).toMatchObject({
        ok: true,
        value: { outcome: 'written' },
      })
    }
    expect(await task.ask({ kind: 'file', name: 'a' })).toEqual({
      ok: true,
      value: { ...shown('a', 4, 5), content: '字\u0000"', blob: null, tag: expect.any(String) },
    })
    const listed = await task.ask({ kind: 'files' })
    expect(listed).toEqual({
      ok: true,
      value: [shown('B', 6, 5), shown('a', 4, 5), shown('b', 5, 0)],
    })
  })

  it('a write of an earlier effect is refused, one of the same effect is done already', async () => {
    const { task } = await begun()
    await task.upkeep({ kind: 'write_file', file: { name: 'a', seq: 7, content: 'new' } })
    expect(await task.upkeep({ kind: 'write_file', file: { name: 'a', seq: 6, content: 'old' } })).toEqual(LOST)
    expect(await task.upkeep({ kind: 'write_file', file: { name: 'a', seq: 7, content: 'new' } })).toMatchObject({
      ok: true,
      value: { outcome: 'written' },
    })
    expect(await task.ask({ kind: 'file', name: 'a' })).toMatchObject({ value: { seq: 7, content: 'new' } })
  })

  it('what does not fit changes nothing', async () => {
    const { task } = await begun()
    await task.upkeep({ kind: 'write_file', file: { name: 'a', seq: 3, content: 'small' } })
    const large = { name: 'a', seq: 4, content: 'x'.repeat(262_145) }
    expect(await task.upkeep({ kind: 'write_file', file: large })).toMatchObject({
      ok: true,
      value: { outcome: 'file_too_large' },
    })
    expect(await task.ask({ kind: 'file', name: 'a' })).toMatchObject({ value: { seq: 3, content: 'small' } })
    const largest = 'x'.repeat(262_144)
    for (let n = 1; n <= 15; n++)
      await task.upkeep({ kind: 'write_file', file: { name: `f${n}`, seq: n, content: largest } })
    expect(await task.upkeep({ kind: 'write_file', file: { name: 'f16', seq: 16, content: largest } })).toMatchObject({
      ok: true,
      value: { outcome: 'too_many_files' },
    })
    expect(await task.ask({ kind: 'file', name: 'f15' })).toMatchObject({ value: { bytes: 262_144 } })
  })

  it('P7 D4 a write whose worker is lost before its commit is repeated under its key, with the same result', async () => {
    const { task, runs } = await begun()
    const thought = assigned(await task.begin(ticket('s1')))
    const first = assigned(await task.commit(thought.seq, writing('one'), ticket('s1')))
    const told = await runs(first)
    expect(told).toMatchObject({ kind: 'tool_returned', ok: true, code: 'file_written' })
    vi.setSystemTime(Date.now() + 120_000)
    const again = assigned(await task.begin(ticket('s2')))
    expect([again.key, again.seq]).toEqual([first.key, first.seq])
    expect(await runs(again)).toEqual(told)
    expect(await task.commit(first.seq, told, ticket('s1'))).toEqual(LOST)
    expect(await task.commit(again.seq, told, ticket('s2', 'this_round'))).toMatchObject({
      ok: true,
      value: { task: { counters: { successful_actions: 1, failed_actions: 0 } } },
    })
    expect(await task.ask({ kind: 'files' })).toMatchObject({ value: [{ name: 'notes.md', seq: first.seq, bytes: 3 }] })
  })

  it('P8 a worker that wakes up late replaces nothing of what the task has written since', async () => {
    const { task, runs } = await begun()
    const thought = assigned(await task.begin(ticket('s1')))
    const asleep = assigned(await task.commit(thought.seq, writing('old'), ticket('s1')))
    vi.setSystemTime(Date.now() + 120_000)
    const taken = assigned(await task.begin(ticket('s2')))
    const next = assigned(await task.commit(taken.seq, await runs(taken), ticket('s2')))
    const later = assigned(await task.commit(next.seq, writing('new'), ticket('s2')))
    await runs(later)
    expect(await runs(asleep)).toMatchObject({ ok: false, code: 'tool_error' })
    expect(await task.ask({ kind: 'file', name: 'notes.md' })).toMatchObject({
      value: { seq: later.seq, content: 'new' },
    })
  })

  it('they go with the task, and a task that is made again has none', async () => {
    const { tenant, task } = await begun()
    await task.upkeep({ kind: 'write_file', file: { name: 'a', seq: 3, content: 'x' } })
    await task.remove()
    for (const asked of [
      await task.ask({ kind: 'file', name: 'a' }),
      await task.ask({ kind: 'files' }),
      await task.upkeep({ kind: 'write_file', file: { name: 'a', seq: 4, content: 'late' } }),
    ]) {
      expect(asked).toEqual(GONE)
    }
    await task.create({ id: 'task_1', tenant, brief }, ticket('s9'))
    expect(await task.ask({ kind: 'files' })).toEqual({ ok: true, value: [] })
  })

  it('they stay when the task has ended', async () => {
    const { task } = await begun()
    await task.upkeep({ kind: 'write_file', file: { name: 'a', seq: 3, content: 'x' } })
    await task.tell({ kind: 'cancel' }, ticket('s1'))
    expect(await task.ask({ kind: 'file', name: 'a' })).toMatchObject({ value: { content: 'x' } })
  })

  it('no file is seen by another task', async () => {
    const { store, tenant, task } = await begun()
    await task.upkeep({ kind: 'write_file', file: { name: 'a', seq: 3, content: 'x' } })
    const other = store.of(tenant, 'task_2')
    await other.create({ id: 'task_2', tenant, brief }, ticket('s1'))
    expect(await other.ask({ kind: 'file', name: 'a' })).toEqual({ ok: true, value: null })
  })
})

describe('files in SQLite', () => {
  it('U5 their table is made by the first of them; a write costs one row, a repeated one and a look none', async () => {
    const stub = env.TASKS.getByName(crypto.randomUUID())
    await stub.create({ id: 'task_1', tenant: 't', brief }, ticket('s1'))
    await runInDurableObject(stub, (object, { storage: { sql } }) => {
      const tables = () => sql.exec("SELECT name FROM sqlite_master WHERE name = 'files'").toArray().length
      const changed = () => Number(sql.exec('SELECT total_changes() AS n').one()['n'])
      object.ask({ kind: 'files' })
      expect(tables()).toBe(0)
      object.upkeep({ kind: 'write_file', file: { name: 'a', seq: 3, content: 'x' } })
      expect(tables()).toBe(1)
      const before = changed()
      object.upkeep({ kind: 'write_file', file: { name: 'b', seq: 4, content: 'y' } })
      expect(changed() - before).toBe(1)
      object.upkeep({ kind: 'write_file', file: { name: 'b', seq: 4, content: 'y' } })
      object.ask({ kind: 'file', name: 'b' })
      object.ask({ kind: 'files' })
      expect(changed() - before).toBe(1)
    })
  })

  it('F18 they are there when the object was evicted', async () => {
    const stub = env.TASKS.getByName(crypto.randomUUID())
    await stub.create({ id: 'task_1', tenant: 't', brief }, ticket('s1'))
    await stub.upkeep({ kind: 'write_file', file: { name: 'a', seq: 3, content: 'x' } })
    await evictDurableObject(stub)
    expect(await stub.ask({ kind: 'file', name: 'a' })).toMatchObject({ value: { content: 'x' } })
  })

  it('an object that knows its rows knows of files what is stored', async () => {
    const stub = env.TASKS.get(env.TASKS.newUniqueId())
    await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      const rows = cachedRows(sqlRows(sql))
      expect([rows.file('a'), rows.files()]).toEqual([null, []])
      const first = { name: 'a', seq: 3, at: 1, bytes: 1, source: 'tool' as const, blob: null }
      rows.keepFile({ ...first, content: 'x' })
      expect(rows.file('a')).toEqual({ ...first, content: 'x' })
      const other = { ...first, seq: 4, at: 2, bytes: 2, source: 'client' as const, blob: 'b1' }
      rows.keepFile({ ...other, content: '' })
      expect(rows.files()).toEqual([other])
      rows.dropFile('a')
      expect(rows.files()).toEqual([])
    })
  })

  it('a write touches nothing of the task, and a commit nothing of the files', async () => {
    const stub = env.TASKS.getByName(crypto.randomUUID())
    await stub.create({ id: 'task_1', tenant: 't', brief }, ticket('s1'))
    await stub.commit(2, replied(planned('A')), ticket('s1', 'this_round'))
    const before = JSON.stringify(await stub.ask({ kind: 'stored_rows', after: 0, limit: 10 }))
    await stub.upkeep({ kind: 'write_file', file: { name: 'a', seq: 3, content: 'x' } })
    expect(JSON.stringify(await stub.ask({ kind: 'stored_rows', after: 0, limit: 10 }))).toBe(before)
    await stub.begin(ticket('s1'))
    await stub.commit(3, replied(done()), ticket('s1'))
    await stub.commit(4, replied(replanned('B')), ticket('s1', 'this_round'))
    expect(await stub.ask({ kind: 'files' })).toMatchObject({ value: [{ name: 'a', seq: 3 }] })
  })
})
