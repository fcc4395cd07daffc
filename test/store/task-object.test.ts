/** What only the real object can show: rows written, eviction, unreadable state, no table without a task. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/terms/effect.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { bootId } from '../../src/store/boot.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { sqlRows } from '../../src/store/task/rows/sql-rows.ts'
import { MANUAL, act, done, FREE, UNBOUNDED, planned } from '../support/scripted.ts'

const ticket = (more: 'new_round' | 'this_round' = 'new_round') => ({
  slice: 's1',
  boot: bootId(),
  more,
  wall_ms: 0,
  rounds: 9,
  key: null,
})
const replied = (reply: object): Event => ({
  kind: 'model_replied',
  text: JSON.stringify(reply),
  usage: null,
  model: 'm',
  form: 'text',
})
const brief = {
  goal: 'g',
  mode: 'plan_execute',
  settings: Settings.parse({}),
  locale: 'en' as const,
  timezone: 'UTC',
  metadata: {},
  ...MANUAL,
}
const stubOf = () => env.TASKS.getByName(crypto.randomUUID())
const newTask = { id: 'task_1', tenant: 't', brief }

/** The object's own SQL, with the rows each statement writes added up. */
function counting(sql: SqlStorage) {
  const count = { rows: 0 }
  const exec: SqlStorage['exec'] = (query, ...values) => {
    const cursor = sql.exec(query, ...values)
    const found = cursor.toArray()
    count.rows += cursor.rowsWritten
    return { ...cursor, toArray: () => found } as never // sqlRows() only ever asks for arrays
  }
  return { count, sql: { exec } as SqlStorage } // and only ever for exec
}

describe('TaskObject', () => {
  it('U5 P1 an effect writes 2 rows, an outside event 1, a create at most 3 with its plan effect apart', async () => {
    await runInDurableObject(stubOf(), (_object, state) => {
      const { count, sql } = counting(state.storage.sql)
      const task = taskMethods(sqlRows(sql), () => ({
        now_ms: Date.now(),
        boot: bootId(),
        prices: FREE,
        daily: UNBOUNDED,
      }))
      const spent = (act_: () => unknown) => {
        const before = count.rows
        act_()
        return count.rows - before
      }
      const created = spent(() => task.create(newTask, ticket()))
      expect(created).toBeLessThanOrEqual(2 + 1 + 1) // the table, its first row, the plan's pending row
      expect(spent(() => task.commit(2, replied(planned('A')), ticket('this_round')))).toBe(1)
      expect(spent(() => task.begin(ticket()))).toBe(1)
      expect(spent(() => task.commit(3, replied(act()), ticket()))).toBe(2) // closes the thought, begins the action
      expect(
        spent(() => task.commit(4, { kind: 'tool_returned', ok: true, text: 'x', code: 'x' }, ticket('this_round'))),
      ).toBe(1)
      expect(spent(() => task.tell({ kind: 'input', text: 'a remark', request_id: null }, ticket('this_round')))).toBe(
        1,
      )
      expect(spent(() => task.ask({ kind: 'view' }))).toBe(0)
      expect(spent(() => task.tell({ kind: 'cancel' }, ticket()))).toBe(1)
    })
  })

  it('P5 eviction of an idle object does not end the lease of a live worker', async () => {
    const stub = stubOf()
    await stub.create(newTask, ticket())
    await evictDurableObject(stub)
    const committed = await stub.commit(2, replied(planned('A')), ticket('this_round'))
    expect(committed).toMatchObject({ ok: true, value: { status: 'running' } })
  })

  it('F18 nothing is lost when the object is evicted', async () => {
    const stub = stubOf()
    await stub.create(newTask, ticket())
    await stub.commit(2, replied(planned('A', 'B')), ticket())
    await stub.commit(3, replied(done('a')), ticket('this_round'))
    const before = JSON.stringify(await stub.ask({ kind: 'view' }))
    await evictDurableObject(stub)
    expect(JSON.stringify(await stub.ask({ kind: 'view' }))).toBe(before)
    expect(before).toContain('"step_count":1')
  })

  it.each(['INSERT', 'UPDATE'])(
    'P15 nothing of a transaction that fails at its %s is known afterwards',
    async (statement) => {
      const stub = stubOf()
      await stub.create(newTask, ticket())
      await stub.commit(2, replied(planned('A', 'B')), ticket())
      const before = JSON.stringify(await stub.ask({ kind: 'view' }))
      const sql = (query: string) => runInDurableObject(stub, (_object, state) => void state.storage.sql.exec(query))
      await sql(`CREATE TRIGGER full BEFORE ${statement} ON journal BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
      // It closes a row and begins the next.
      await expect(
        runInDurableObject(stub, (object) => object.commit(3, replied(done('a')), ticket())),
      ).rejects.toThrow('the disk is full')
      expect(JSON.stringify(await stub.ask({ kind: 'view' }))).toBe(before)
      await sql('DROP TRIGGER full')
      const committed = await stub.commit(3, replied(done('a')), ticket('this_round'))
      expect(committed).toMatchObject({ ok: true, value: { advanced: true, task: { step_count: 1 } } })
    },
  )

  it('D4 a task that is made again after a delete remembers nothing of the one before', async () => {
    const stub = stubOf()
    await stub.create(newTask, ticket())
    await stub.commit(2, replied(planned('A', 'B')), ticket('this_round'))
    await stub.ask({ kind: 'view' })
    await stub.remove()
    const other = { ...newTask, brief: { ...brief, goal: 'another goal' } }
    expect(JSON.stringify(await stub.create(other, ticket()))).toContain('another goal')
    await stub.commit(2, replied(planned('C')), ticket('this_round'))
    expect(await stub.ask({ kind: 'view' })).toMatchObject({
      value: { goal: 'another goal', plan: { items: [{ title: 'C' }] } },
    })
  })

  it('P12 an object without a task makes no table', async () => {
    const stub = stubOf()
    expect(await stub.ask({ kind: 'view' })).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
    expect(await stub.remove()).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
    expect(await stub.ask({ kind: 'stored_rows', after: 0, limit: 10 })).toEqual({
      ok: false,
      refusal: { code: 'task_not_found' },
    })
    const file = { name: 'a.txt', seq: 3, content: 'a' }
    for (const asked of [
      await stub.upkeep({ kind: 'write_file', file }),
      await stub.ask({ kind: 'file', name: 'a.txt' }),
      await stub.ask({ kind: 'files' }),
    ]) {
      expect(asked).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
    }
    await runInDurableObject(stub, (_object, state) => {
      const tables = state.storage.sql
        .exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'")
        .toArray()
      expect(tables).toEqual([])
    })
  })

  it.each([
    ['is not JSON', '{"schema_version":'],
    ['has another shape', '{"schema_version":1}'],
    ['is of a newer release', '{"schema_version":99}'],
  ])('F59 F60 a head that %s is refused as state_unreadable and left as it is', async (_name, head) => {
    const stub = stubOf()
    await stub.create(newTask, ticket())
    await stub.commit(2, replied(planned('A')), ticket('this_round'))
    await runInDurableObject(
      stub,
      (_object, state) => void state.storage.sql.exec('UPDATE journal SET head = ? WHERE seq = 2', head),
    )
    // What the object knows of its storage is not read again while it lives.
    await evictDurableObject(stub)
    for (const answer of [
      await stub.ask({ kind: 'view' }),
      await stub.begin(ticket()),
      await stub.tell({ kind: 'cancel' }, ticket()),
    ]) {
      expect(answer).toMatchObject({ ok: false, refusal: { code: 'state_unreadable' } })
    }
    await runInDurableObject(stub, (_object, state) => {
      expect(state.storage.sql.exec('SELECT head FROM journal WHERE seq = 2').one()).toEqual({ head })
    })
    expect(await stub.ask({ kind: 'stored_rows', after: 1, limit: 10 })).toMatchObject({
      value: { data: [{ seq: 2, kind: 'call_model', head }] },
    })
  })
})
