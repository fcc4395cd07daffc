/** Rows in SQLite are the rows in memory, call by call: leases, takeovers, queues, keys, repeated commits (P1 to P14). */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import type { ObjectContext, Ticket } from '../../src/core/protocol/advance.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { cachedRows } from '../../src/store/task/rows/cached-rows.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { type Rows } from '../../src/store/task/rows/rows.ts'
import { sqlRows } from '../../src/store/task/rows/sql-rows.ts'
import { replied, returned, ticket } from '../support/held.ts'
import { MANUAL, act, done, FREE, planned, UNBOUNDED } from '../support/scripted.ts'

const MINUTE = 60_000
const key = { scope: 'POST /step', key: 'k', digest: 'd' }
const keyed = (slice: string, more: Ticket['more'] = 'new_round') => ({ ...ticket(slice, more), key })

function play(rows: Rows) {
  const here: ObjectContext = { now_ms: 0, boot: 'boot', prices: FREE, daily: UNBOUNDED }
  const task = taskMethods(rows, () => here)
  const fixed = { goal: 'g', mode: 'plan_execute', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
  const brief = { ...fixed, settings: Settings.parse({}) }
  const told: unknown[] = [task.begin(ticket('s1')), task.begin(keyed('s1')), rows.rowsWithKey(key.scope, key.key, 0)]
  told.push(task.create({ id: 'task_1', tenant: 't', brief }, ticket('s1')))
  told.push(task.commit(2, replied(planned('A')), ticket('s1', 'nothing')))
  // Under a key, with two remarks queued behind it.
  told.push(
    task.begin(keyed('s2')),
    task.tell({ kind: 'input', text: 'first', request_id: null }, ticket('s3')),
    task.tell({ kind: 'input', text: 'second', request_id: null }, ticket('s4')),
  )
  told.push(rows.pending(), rows.queued(), rows.holder(3), rows.closed(3), rows.closed(4))
  told.push(task.commit(3, replied(act()), keyed('s2', 'this_round')))
  // Its tool is lost and leased again; the late commit is refused, the repeated one is not.
  here.now_ms = 2 * MINUTE
  told.push(task.begin(ticket('s5')), rows.pending(), task.commit(6, returned, keyed('s2')))
  told.push(task.commit(6, returned, ticket('s5', 'nothing')), task.commit(6, returned, ticket('s5', 'nothing')))
  told.push(
    task.begin(keyed('s6')),
    [2, 3, 4, 5, 6, 7].map((seq) => [rows.holder(seq), rows.closed(seq)?.slice]),
  )
  told.push(rows.closedWith(3), rows.closedWith(6), rows.rowsWithKey(key.scope, key.key, 0))
  told.push(rows.rowsWithKey(key.scope, key.key, 1), rows.rowsWithKey('POST /input', key.key, 0))
  told.push(
    task.begin(ticket('s7')),
    task.commit(7, replied(done()), ticket('s7', 'nothing')),
    task.tell({ kind: 'cancel' }, ticket('s8')),
  )
  told.push(
    task.ask({ kind: 'journal', after: 0, limit: 100 }),
    task.ask({ kind: 'events', after: 0, limit: 100 }),
    task.ask({ kind: 'view' }),
  )
  return told
}

it.each([
  ['rows in SQLite', sqlRows],
  ['rows in SQLite of which an object knows what it read and wrote', (sql: SqlStorage) => cachedRows(sqlRows(sql))],
])('%s are rows in memory', async (_name, rowsOf) => {
  const stub = env.TASKS.get(env.TASKS.newUniqueId())
  const kept = await runInDurableObject(stub, (_object, state) => JSON.stringify(play(rowsOf(state.storage.sql))))
  const told = play(memoryRows())
  expect(JSON.parse(kept)).toEqual(JSON.parse(JSON.stringify(told)))
  const refused = JSON.stringify(told).match(/"code":"(task_not_found|lease_lost)"/g)
  expect(refused).toHaveLength(3)
})
