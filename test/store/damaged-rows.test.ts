/** Garbage in each column of a task's storage: what can be read is served, the rest is `state_unreadable`, and nothing else is ever thrown. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { dueOf } from '../../src/core/protocol/alarm-times.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { rfc3339 } from '../../src/core/terms/text.ts'
import { bootId } from '../../src/store/boot.ts'
import { cachedRows } from '../../src/store/task/rows/cached-rows.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { remainsOf } from '../../src/store/task/task-facts.ts'
import { refuseUnreadable } from '../../src/store/task/refuse-unreadable.ts'
import { OUTBOX_TABLE } from '../../src/store/task/rows/schema.ts'
import { sqlRows } from '../../src/store/task/rows/sql-rows.ts'
import { FREE, MANUAL, planned, UNBOUNDED } from '../support/scripted.ts'

const ticket = { slice: 's1', boot: bootId(), more: 'new_round' as const, wall_ms: 0, rounds: 9, key: null }
const keyed = { ...ticket, slice: 's2', key: { scope: 'step', key: 'k', fingerprint: 'f' } as never }
const here = () => ({ now_ms: Date.now(), boot: bootId(), prices: FREE, daily: UNBOUNDED })
const fixed = { goal: 'g', mode: 'plan_execute', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
const newTask = { id: 'task_1', tenant: 't', brief: { ...fixed, settings: Settings.parse({}) } }
const text = JSON.stringify(planned('A'))
const replied = { kind: 'model_replied' as const, text, usage: null, model: 'm', form: 'text' as const }

/** Created, planned, a thought under way; with a file and a callback that was told. */
async function stored() {
  const stub = env.TASKS.getByName(crypto.randomUUID())
  await stub.create(newTask, ticket)
  await stub.commit(2, replied, ticket)
  await stub.upkeep({ kind: 'write_file', file: { name: 'a.csv', seq: null, content: 'a,b' } })
  await runInDurableObject(stub, (_object, { storage: { sql } }) => {
    sql.exec(OUTBOX_TABLE)
    sql.exec(`INSERT INTO outbox VALUES (1, 'running', 1, 1, 1, 'pending', NULL)`)
  })
  return stub
}

const GARBAGE: SqlStorageValue[] = [
  '',
  'x',
  'null',
  '{}',
  '[1]',
  '{"kind":',
  -1,
  1e300,
  new Uint8Array([0xff, 0, 0x80]).buffer,
]
const COLUMNS = {
  journal: ['kind', 'at', 'slice', 'lease', 'key', 'effect', 'reserved', 'event', 'head'],
  outbox: ['status', 'at', 'due', 'attempts', 'state', 'detail'],
  files: ['seq', 'at', 'bytes', 'source', 'blob', 'content'],
}
const CASES = Object.entries(COLUMNS).flatMap(([table, columns]) => columns.map((column) => [table, column] as const))

/** What each method comes to: `ok`, the code of its refusal, or the words of what it throws. */
function outcomes(sql: SqlStorage): [string, string][] {
  const rows = cachedRows(sqlRows(sql))
  const methods = taskMethods(rows, here)
  const asked = {
    read: () => methods.ask({ kind: 'view' }),
    events: () => methods.ask({ kind: 'events', after: 0, limit: 9 }),
    journal: () => methods.ask({ kind: 'journal', after: 0, limit: 9 }),
    stored: () => methods.ask({ kind: 'stored_rows', after: 0, limit: 9 }),
    listFiles: () => {
      const files = methods.ask({ kind: 'files' })
      // As the answer shows them.
      if (files.ok) for (const { at } of files.value) rfc3339(at)
      return files
    },
    jobs: () => {
      const due = dueOf(rows, rows.deliveries(), here())
      if (!Object.values(due).every(isAlarm)) throw new Error(`no alarm can be set: ${JSON.stringify(due)}`)
      return { ok: true as const, value: due }
    },
    readFile: () => methods.ask({ kind: 'file', name: 'a.csv' }),
    begin: () => methods.begin({ ...ticket, slice: 's2' }),
    repeated: () => methods.begin(keyed),
    cancel: () => methods.tell({ kind: 'cancel' }, ticket),
    deliver: () => methods.upkeep({ kind: 'begin_delivery' }),
    remove: () => ({ ok: true as const, value: remainsOf(rows) }),
  }
  return Object.entries(asked).map(([name, ask]) => {
    try {
      const answer = refuseUnreadable<unknown>(ask)
      return [name, answer.ok ? 'ok' : answer.refusal.code]
    } catch (error) {
      return [name, String(error)]
    }
  })
}

/** Nanoseconds of it fit into 64 bits. */
const isAlarm = (at: unknown) => at === null || (typeof at === 'number' && at >= 0 && at < 9e12)

const ALWAYS = new Set(['journal', 'stored', 'remove'])
const REFUSED = new Set(['state_unreadable', 'task_busy', 'lease_lost'])

describe('garbage in a column of a task', () => {
  it.each(CASES)(
    'F60 in %s.%s: each method answers or is state_unreadable, and the rows are given, whatever row it is in',
    async (table, column) => {
      const wrong: unknown[] = []
      await runInDurableObject(await stored(), (_object, { storage }) => {
        const { sql } = storage
        const key = table === 'files' ? 'name' : 'seq'
        for (const { at } of sql.exec(`SELECT ${key} AS at FROM ${table}`).toArray()) {
          for (const garbage of GARBAGE) {
            const undone = new Error('undone')
            try {
              storage.transactionSync(() => {
                sql.exec(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`, garbage, at ?? null)
                for (const [method, answer] of outcomes(sql)) {
                  const isRight = answer === 'ok' || (REFUSED.has(answer) && !ALWAYS.has(method))
                  if (!isRight) wrong.push([at, garbage, method, answer])
                }
                throw undone
              })
            } catch (error) {
              if (error !== undone) throw error
            }
          }
        }
      })
      expect(wrong).toEqual([])
    },
  )

  it('F60 the rows that can be read are given, the others named, page by page', async () => {
    const stub = await stored()
    await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      sql.exec(`UPDATE journal SET event = X'FF00' WHERE seq = 2`)
    })
    await evictDurableObject(stub)
    const damaged = { unreadable: [2], incomplete: true }
    expect(await stub.ask({ kind: 'stored_rows', after: 0, limit: 9 })).toMatchObject({
      value: { data: [{ seq: 1 }, { seq: 3 }], ...damaged },
    })
    expect(await stub.ask({ kind: 'stored_rows', after: 1, limit: 1 })).toMatchObject({
      value: { data: [], next_cursor: '2', has_more: true, ...damaged },
    })
    const last = await stub.ask({ kind: 'stored_rows', after: 2, limit: 9 })
    expect(last).toEqual({ ok: true, value: { data: [expect.anything()], has_more: false, next_cursor: null } })
    expect(await stub.ask({ kind: 'journal', after: 0, limit: 9 })).toMatchObject({
      value: { data: [{ seq: 1 }], incomplete: true },
    })
    await runInDurableObject(
      stub,
      (_object, { storage: { sql } }) => void sql.exec('DELETE FROM journal WHERE seq = 2'),
    )
    expect(await stub.ask({ kind: 'stored_rows', after: 0, limit: 9 })).toMatchObject({
      value: { data: [{ seq: 1 }, { seq: 3 }], ...damaged },
    })
    expect(await stub.remove()).toMatchObject({ ok: true })
    expect(await stub.ask({ kind: 'view' })).toMatchObject({ refusal: { code: 'task_not_found' } })
  })
})
