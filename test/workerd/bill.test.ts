/** What the bench task costs in the real objects: rows, alarms, bytes, and money at list prices. Calls by request: test/shell/bill.test.ts. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { roundsOf } from '../../bench/task.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { TELL_AFTER_MS } from '../../src/store/task/index-teller.ts'
import { benchTask } from '../support/bench-task.ts'
import { priceOfMillion, usageOf } from '../support/price.ts'
import { ALL, CALLER, ONE, taken } from '../support/scripted.ts'

const nameOf = (...parts: string[]) => JSON.stringify(parts)
const taskStub = (id: string) => env.TASKS.getByName(nameOf(CALLER.tenant, id))
const store = () => durableStore(env.TASKS, env.WORKSPACES)

interface Meter {
  /** What was asked of SQL, with the call of an object that asked it. */
  asked: { call: string; cursor: SqlStorageCursor<Record<string, SqlStorageValue>> }[]
  call: string
  rows(counts: (call: string) => boolean): { read: number; written: number }
}
function newMeter(): Meter {
  const asked: Meter['asked'] = []
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const rows: Meter['rows'] = (counts) => {
    const cursors = asked.flatMap(({ call, cursor }) => (counts(call) ? [cursor] : []))
    return {
      read: sum(cursors.map(({ rowsRead }) => rowsRead)),
      written: sum(cursors.map(({ rowsWritten }) => rowsWritten)),
    }
  }
  return { asked, call: '', rows }
}
/**
 * What a tool writes is its own. The tenant's tables, which its first command makes, are not made by a task either. Usage leaves a task some
 * seconds after a burst of work, and can be switched off: what that writes is told in docs/deploy/cloudflare.md.
 */
const ofTheLoop = (call: string) => call !== 'run_command' && call !== EXPORT
const EXPORT = 'export'
const isOfExport = (query: string) => /\b(?:INTO|FROM|UPDATE|EXISTS)\s+(?:exports|usage|counted|receiver)\b/.test(query)

/** From now on whatever this object asks of its SQL is counted; installed once. */
async function watch(stub: DurableObjectStub, meter: Meter, known: Set<string>): Promise<void> {
  if (known.has(String(stub.id))) return
  known.add(String(stub.id))
  await runInDurableObject(stub, (_object, { storage: { sql } }) => {
    const exec = sql.exec.bind(sql)
    sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
      const cursor = exec(query, ...values)
      meter.asked.push({ call: isOfExport(query) ? EXPORT : meter.call, cursor })
      return cursor
    }) as SqlStorage['exec'] // whoever asks says himself what the rows are
  })
}

/** What was told or asked is data with a kind. */
const kindIn = ([first]: unknown[]): string | null =>
  typeof first === 'object' && first !== null && 'kind' in first ? String(first.kind) : null

/** For one caller at a time. */
function metered(meter: Meter): TaskStore {
  const known = new Set<string>()
  const real = store()
  const first = <T extends object>(remote: T, stub: DurableObjectStub): T =>
    new Proxy(remote, {
      get:
        (target, name) =>
        async (...args: unknown[]) => {
          await watch(stub, meter, known)
          meter.call = kindIn(args) ?? String(name)
          // A stub's methods are there when they are called.
          return await (target as Record<string | symbol, (...given: unknown[]) => Promise<unknown>>)[name]?.(...args)
        },
    })
  return {
    of: (tenant, id) => first(real.of(tenant, id), env.TASKS.getByName(nameOf(tenant, id))),
    workspace: (tenant) => first(real.workspace(tenant), env.WORKSPACES.getByName(nameOf(tenant))),
    pool: (tenant, pool) => first(real.pool(tenant, pool), env.WORKSPACES.getByName(nameOf(tenant, pool))),
  }
}

/** What its object still has to tell the index, some seconds later, would be counted for the next test. */
const silence = (id: string) => evictDurableObject(taskStub(id))

describe('the bill of the bench task', () => {
  it('U5 an effect writes two rows, with its lease and the key of its request in them, and sets no alarm', async () => {
    const meter = newMeter()
    const { bench, id } = await benchTask('bench-thoughts', metered(meter))
    for (let made = 0; made < 10; made++) {
      const key = { scope: `POST /tasks/${id}/step`, key: `key ${made}`, digest: 'd' }
      const before = meter.rows(ofTheLoop).written
      const task = taken(await bench.service.stepTask({ ...CALLER, key }, id, ONE))
      expect(task).toMatchObject({ step_count: made + 1, slice: { advanced: true, rounds: 1 } })
      expect(meter.rows(ofTheLoop).written - before).toBe(2)
    }
    await runInDurableObject(taskStub(id), async (_object, state) => {
      expect(await state.storage.getAlarm()).toBeNull()
    })
    await silence(id)
  })

  it('200 steps of it take at most 1 MB', async () => {
    const { id, request } = await benchTask('bench', store())
    for (let made = 0; made < 4; made++) await request({ ...ALL, rounds: roundsOf(48) })
    const task = await request({ ...ALL, rounds: roundsOf(8) })
    expect(task).toMatchObject({ status: 'running', step_count: 200 })
    await runInDurableObject(taskStub(id), (_object, state) => {
      expect(state.storage.sql.databaseSize).toBeGreaterThan(100_000)
      expect(state.storage.sql.databaseSize).toBeLessThanOrEqual(1_000_000)
    })
    await silence(id)
  })

  it.each([
    // One request a round, as a client without a bound of its own makes them.
    { bounds: ONE, requests: 1 + roundsOf(20), calls: 44 },
    { bounds: ALL, requests: 2, calls: 30 },
  ])(
    'a million such tasks with 20 steps cost at most 70 USD in $requests requests each, however long the model thinks',
    async ({ bounds, requests, calls }) => {
      const meter = newMeter()
      const begun = Date.now()
      const task = await benchTask('bench-20', metered(meter), true)
      for (let made = 1; made < requests; made++) {
        const { status } = await task.request(bounds)
        expect(status).toBe(made === requests - 1 ? 'completed' : 'running')
      }
      expect(task.calls).toHaveLength(calls)
      const rows = meter.rows(ofTheLoop)
      // The task's table, its row, two for each of 21 effects; its entry in the index with two keys, the count of open tasks and that of bytes; its end
      // and its cost there, what a list shows of it then, and the count; and what a list shows of it meanwhile, every two seconds.
      const meanwhile = Math.ceil((Date.now() - begun) / TELL_AFTER_MS)
      expect(rows.written).toBeLessThanOrEqual(2 + 1 + 2 * 21 + 5 + 4 + meanwhile)
      await silence(task.id)
      const price = priceOfMillion(usageOf(requests, 21, calls, rows))
      console.log(`a million tasks of 20 steps, ${requests} requests each, in USD: ${JSON.stringify(price)}`)
      expect(price.total).toBeLessThanOrEqual(70)
    },
  )
})
