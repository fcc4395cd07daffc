/** Run slots of a real workspace: its rows in SQLite, its alarm, what a status frees, and what an earlier release left. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { acquireSlot, freeSlot, holdersToWake } from '../../src/core/workspace/run-slots.ts'
import { memoryRunSlots } from '../support/memory/memory-run-slots.ts'
import { makeRunSlotTables, sqlRunSlots } from '../../src/store/workspace/run-slots/sql-run-slots.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import { randomOf } from '../sim/random.ts'
import { NO_TOTAL } from '../support/scripted.ts'
import { workspaceAt } from '../support/workspace-at.ts'

/** Far enough ahead that no alarm of the real clock goes off by itself. */
const NOW = Date.parse('2090-03-18T10:00:00Z')
afterEach(() => vi.useRealTimers())

/** A workspace of a tenant of its own, with two run slots, at a time that stands still. */
function workspace() {
  const made = workspaceAt(NOW, () => ({ MAX_DRIVEN_TASKS: '2' }))
  const { within } = made
  return {
    ...made,
    ask: (task: string, version = 1) => within((object) => object.tell({ kind: 'acquire_slot', task, version })),
    woken: () => within((object) => object.tell({ kind: 'take_holders_to_wake' })),
    alarmIn: () => within(async (_object, { storage }) => ((await storage.getAlarm()) ?? Infinity) - Date.now()),
  }
}
const entryOf = (id: string) => ({
  id,
  mode: 'plan_execute',
  status: 'queued' as const,
  metadata: {},
  goal: '',
  slice: 's',
})

describe('run slots in SQLite', () => {
  it('equal those of the rows in memory for all calls, and are numbered without a gap', async () => {
    await runInDurableObject(env.WORKSPACES.getByName(crypto.randomUUID()), (_object, { storage: { sql } }) => {
      makeRunSlotTables(sql)
      const random = randomOf(1)
      const [stored, held] = [sqlRunSlots(sql), memoryRunSlots()]
      const tasks = Array.from({ length: 12 }, (_, at) => `task_${at}`)
      for (let now_ms = 0; now_ms < 60_000; now_ms += 150) {
        const [task, version, max] = [random.pick(tasks), random.between(1, 9), random.between(1, 5)]
        const what = random.between(0, 9)
        const run = (rows: typeof stored) => {
          if (what < 5) return acquireSlot(rows, { task, version }, { max, now_ms })
          return what < 9 ? freeSlot(rows, task, version, { max, now_ms }) : holdersToWake(rows, 3, now_ms).toSorted()
        }
        expect(run(stored)).toEqual(run(held))
        expect([stored.countHeld(), stored.firstWaiting(), stored.nextLook()]).toEqual([
          held.countHeld(),
          held.firstWaiting(),
          held.nextLook(),
        ])
        const numbers = sql.exec<{ n: number }>('SELECT number AS n FROM run_slots ORDER BY number').toArray()
        expect(numbers.map(({ n }) => n)).toEqual(numbers.map((_, at) => at))
      }
    })
  })

  it('read no more rows with a thousand tasks in the queue than with ten', async () => {
    await runInDurableObject(env.WORKSPACES.getByName(crypto.randomUUID()), (_object, { storage: { sql } }) => {
      makeRunSlotTables(sql)
      let read = 0
      const counted = {
        exec: (query: string, ...values: SqlStorageValue[]) => {
          const cursor = sql.exec(query, ...values)
          const rows = cursor.toArray()
          read += cursor.rowsRead
          return { toArray: () => rows, one: () => rows[0] }
        },
      }
      // Of the storage only what the rows use.
      const rows = sqlRunSlots(counted as unknown as SqlStorage)
      const limits = { max: 3, now_ms: 0 }
      const costOf = (body: () => unknown) => {
        read = 0
        body()
        return read
      }
      const enter = (from: number, to: number) => {
        for (let at = from; at < to; at++) acquireSlot(rows, { task: `task_${at}`, version: 1 }, limits)
      }
      const costs = (at: number) => [
        costOf(() => acquireSlot(rows, { task: `task_new_${at}`, version: 1 }, limits)),
        costOf(() => freeSlot(rows, `task_${at}`, 2, limits)),
      ]
      enter(0, 10)
      const few = costs(0)
      enter(10, 1_000)
      expect(costs(1)).toEqual(few)
      expect(Math.max(...few)).toBeLessThan(30)
    })
  })
})

describe('P20 the run slots of a workspace', () => {
  it('F36 that cannot be read do not stop the alarm: it is logged, and goes off again in a minute', async () => {
    const { ask, within, asked, alarmIn, ring } = workspace()
    await ask('a')
    await within((_object, { storage }) => void storage.sql.exec('DROP TABLE run_slots'))
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await ring()
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('"kind":"wake"'))
    logged.mockRestore()
    expect([await alarmIn(), asked]).toEqual([60_000, []])
  })

  it('U42 go to the task that waited longest in the transaction in which the holder rests, and its alarm wakes that one', async () => {
    const { ask, within, asked, tenant, woken, alarmIn, ring } = workspace()
    expect([await ask('a'), await ask('b'), await ask('c'), await ask('d')]).toEqual([true, true, false, false])
    expect(await alarmIn()).toBe(35_000)
    await within((object) =>
      object.tell({ kind: 'set_status', id: 'a', status: 'input_required', version: 2, spend: null }),
    )
    expect(await alarmIn()).toBe(0)
    await ring()
    expect(asked).toEqual([{ kind: 'wake', tenant, due_ms: expect.any(Number) }])
    expect(await woken()).toEqual(['c'])
    expect([await ask('c'), await ask('d'), await ask('a', 3)]).toEqual([true, false, false])
  })

  it('are freed by each status in which a task does nothing, and by its DELETE, and by no other', async () => {
    const { ask, within, woken } = workspace()
    for (const status of ['input_required', 'paused', 'waiting_external', 'completed', 'failed', 'canceled'] as const) {
      await ask('a')
      await ask('b')
      await ask('next')
      await within((object) => object.tell({ kind: 'set_status', id: 'a', status: 'running', version: 2, spend: null }))
      expect(await woken()).toEqual([])
      await within((object) => object.tell({ kind: 'set_status', id: 'a', status, version: 2, spend: null }))
      expect([status, await woken()]).toEqual([status, ['next']])
      await within((object) => object.tell({ kind: 'drop', id: 'next', admitted: [] }))
      await within((object) => object.tell({ kind: 'drop', id: 'b', admitted: [] }))
    }
  })

  it('stay with a task that has gone on since: what is told late of an earlier version frees nothing', async () => {
    const { ask, within, woken } = workspace()
    await within((object) => void object.tell({ kind: 'admit', entry: entryOf('a'), open_max: 9, daily: NO_TOTAL }))
    await ask('a', 7)
    await ask('b')
    await ask('c')
    await within((object) =>
      object.tell({ kind: 'set_status', id: 'a', status: 'input_required', version: 6, spend: null }),
    )
    expect(await woken()).toEqual([])
    await within((object) => object.tell({ kind: 'release_slot', task: 'a', version: 6 }))
    expect(await woken()).toEqual([])
    await within((object) => object.tell({ kind: 'release_slot', task: 'a', version: 7 }))
    expect(await woken()).toEqual(['c'])
  })

  it('pass on from a task whose id has a new incarnation, at any version of the slot', async () => {
    const { ask, within, woken } = workspace()
    await within((object) => void object.tell({ kind: 'admit', entry: entryOf('a'), open_max: 9, daily: NO_TOTAL }))
    await ask('a', 50)
    await ask('b', 50)
    await ask('c')
    // A create under its key came before the index was told of the DELETE.
    await within(
      (object) =>
        void object.tell({ kind: 'admit', entry: { ...entryOf('a'), slice: 't' }, open_max: 9, daily: NO_TOTAL }),
    )
    await within((object) => object.tell({ kind: 'drop', id: 'a', admitted: ['life_s'] }))
    expect([await ask('d'), await woken()]).toEqual([false, []])
    await within((object) => object.tell({ kind: 'set_status', id: 'a', status: 'completed', version: 5, spend: null }))
    expect(await woken()).toEqual(['c'])
  })

  it('a task that is canceled while it waits leaves the queue; one that is paused begins anew at its end', async () => {
    const { ask, within, woken } = workspace()
    for (const task of ['a', 'b', 'c', 'd', 'e']) await ask(task)
    await within((object) => object.tell({ kind: 'set_status', id: 'c', status: 'canceled', version: 2, spend: null }))
    await within((object) => object.tell({ kind: 'set_status', id: 'd', status: 'paused', version: 2, spend: null }))
    expect(await ask('d', 3)).toBe(false)
    await within((object) => object.tell({ kind: 'set_status', id: 'a', status: 'completed', version: 5, spend: null }))
    await within((object) => object.tell({ kind: 'set_status', id: 'b', status: 'completed', version: 5, spend: null }))
    expect(await woken()).toEqual(['e', 'd'])
  })

  it('a task with a new slot is woken until it answers, and a silent holder is checked', async () => {
    const { ask, within, woken, alarmIn, ring, asked } = workspace()
    for (const task of ['a', 'b', 'c']) await ask(task)
    await within((object) => object.tell({ kind: 'set_status', id: 'a', status: 'completed', version: 2, spend: null }))
    await ring()
    // The job was lost: nobody was woken.
    expect(await alarmIn()).toBe(5_000)
    vi.setSystemTime(NOW + 5_000)
    await ring()
    expect(asked).toHaveLength(2)
    expect(await woken()).toEqual(['c'])
    vi.setSystemTime(NOW + 15_000)
    expect(await woken()).toEqual(['c'])
    expect(await ask('c')).toBe(true)
    vi.setSystemTime(NOW + 35_000)
    expect(await woken()).toEqual(['b'])
    expect(await woken()).toEqual([])
  })

  it('are kept through an eviction with the alarm, which a reminder at another time does not put off', async () => {
    const { ask, stub, asked, tenant, within, ring, alarmIn } = workspace()
    await ask('a')
    await evictDurableObject(stub)
    expect(await alarmIn()).toBe(35_000)
    await ask('b')
    expect(await alarmIn()).toBe(35_000)
    vi.setSystemTime(NOW + 35_000)
    await ring()
    expect(asked).toEqual([{ kind: 'wake', tenant, due_ms: expect.any(Number) }])
    expect(await within((object) => object.tell({ kind: 'take_holders_to_wake' }))).toEqual(['a', 'b'])
  })

  it('a lower MAX_DRIVEN_TASKS takes none away, and hands none over until enough have ended; a higher one fills at the next word', async () => {
    const { ask, within, woken } = workspace()
    for (const task of ['a', 'b', 'c', 'd']) await ask(task)
    const under = (max: string, body: (object: WorkspaceObject) => void) =>
      within((object) => {
        Object.defineProperty(object, 'env', {
          value: { ...env, MAX_DRIVEN_TASKS: max, JOBS: { send: async () => undefined } },
          configurable: true,
        })
        body(object)
      })
    await under('1', (object) =>
      object.tell({ kind: 'set_status', id: 'a', status: 'completed', version: 2, spend: null }),
    )
    expect(await woken()).toEqual([])
    await under('1', (object) =>
      object.tell({ kind: 'set_status', id: 'b', status: 'completed', version: 2, spend: null }),
    )
    expect(await woken()).toEqual(['c'])
    await under('1', (object) => void object.tell({ kind: 'acquire_slot', task: 'c', version: 1 }))
    expect(await woken()).toEqual([])
    await under('5', (object) => void object.tell({ kind: 'acquire_slot', task: 'c', version: 1 }))
    expect(await woken()).toEqual(['d'])
  })

  it('D6 who had a turn in an earlier release, or waited for one, waits in the same order', async () => {
    const { stub, within, woken, ask } = workspace()
    await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      sql.exec(
        'CREATE TABLE turns (id TEXT PRIMARY KEY, slice TEXT NOT NULL, asked INTEGER NOT NULL, held INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
      )
      const rows = [
        ['w2', 30, 0],
        ['h1', 9, 1],
        ['w1', 20, 0],
        ['h2', 8, 1],
      ] as const
      for (const [id, asked, held] of rows)
        sql.exec('INSERT INTO turns VALUES (?, ?, ?, ?, ?)', id, 's', asked, held, 99)
    })
    expect(await ask('new')).toBe(false)
    expect(await woken()).toEqual(['h2', 'h1'])
    await within((object) =>
      object.tell({ kind: 'set_status', id: 'h1', status: 'completed', version: 9, spend: null }),
    )
    await within((object) =>
      object.tell({ kind: 'set_status', id: 'h2', status: 'completed', version: 9, spend: null }),
    )
    expect(await woken()).toEqual(['w1', 'w2'])
    await within((_object, { storage: { sql } }) => {
      expect(sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'turns'").toArray()).toEqual([])
    })
  })
})
