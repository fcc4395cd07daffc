/** The tables of a tenant's workspace: made, and brought forward from those of an earlier release, in one transaction or not at all. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { KEY_MEMORY_MS } from '../../src/core/protocol/idempotency.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import EARLIER from '../fixtures/workspaces/v1.json'
import WITHOUT_GOALS from '../fixtures/workspaces/v2.json'
import WITHOUT_OUTCOMES from '../fixtures/workspaces/v3.json'
import WITHOUT_PARENTS from '../fixtures/workspaces/v4.json'
import { NO_TOTAL } from '../support/scripted.ts'

const ANY = { status: null, mode: null, metadata: {}, q: null, outcome: null }
const entryOf = (id: string) => ({
  id,
  mode: 'plan_execute',
  status: 'running' as const,
  metadata: {},
  goal: '',
  slice: 's',
})
const OK = { ok: true, value: null }
const zones = { reader: 'person' as const, locale: 'en' as const, timezone: 'UTC', caller_timezone: 'UTC' }
const windows = { schedule_window_days: 31, conflict_preview_days: 31, wall_ms: Date.UTC(2026, 10, 21, 12, 0) }
const commandOf = (command: string) => ({ command, key: null, request: null, ...zones, ...windows })

/** A workspace as an earlier release left it: five tasks, the second and the newest deleted; three todos, the newest removed. */
async function earlier(statements: readonly string[] = EARLIER, admitted_at: number | null = Date.now()) {
  const tenant = crypto.randomUUID()
  const stub = env.WORKSPACES.getByName(JSON.stringify([tenant]))
  await runInDurableObject(stub, (_object, { storage: { sql } }) => {
    for (const statement of statements) sql.exec(statement)
    // Answers are kept for a day; those of the fixture are as old as it.
    sql.exec('UPDATE replies SET at = ?', Date.now() - KEY_MEMORY_MS / 2)
    // Entries without a task are forgotten when they are old.
    if (admitted_at !== null) sql.exec('UPDATE tasks SET at = ?', admitted_at)
  })
  return { stub, workspace: durableStore(env.TASKS, env.WORKSPACES).workspace(tenant) }
}

/** Every table as it was made, and its rows. */
function storedIn({ storage: { sql } }: DurableObjectState): unknown {
  const tables = sql.exec<{ name: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name")
  return tables.toArray().map((table) => [table, sql.exec(`SELECT * FROM ${table.name}`).toArray()])
}

it('a first call that fails leaves a workspace that the next call can use', async () => {
  await runInDurableObject(env.WORKSPACES.getByName(crypto.randomUUID()), (object) => {
    // No mode: SQLite refuses it, and all that the call did is rolled back.
    expect(() =>
      object.tell({
        kind: 'admit',
        entry: { ...entryOf('task_1'), mode: null as never },
        open_max: 9,
        daily: NO_TOTAL,
      }),
    ).toThrow('NOT NULL')
    expect(object.tell({ kind: 'admit', entry: entryOf('task_1'), open_max: 9, daily: NO_TOTAL })).toEqual(OK)
  })
})

describe('D6 a workspace of an earlier release', () => {
  it('has its index: pages and cursors go on, new tasks come first, open ones are counted, reports are heard', async () => {
    const { workspace } = await earlier()
    const ids = async (before = 0) =>
      (await workspace.ask({ kind: 'list', filter: ANY, before, limit: 2 })).entries.map(({ id }) => id)
    expect(await ids(4)).toEqual(['task_3', 'task_1'])
    expect(await workspace.tell({ kind: 'admit', entry: entryOf('task_4'), open_max: 2, daily: NO_TOTAL })).toEqual(OK)
    expect(
      await workspace.tell({ kind: 'admit', entry: entryOf('task_6'), open_max: 2, daily: NO_TOTAL }),
    ).toMatchObject({ refusal: { open: 2 } })
    expect(await workspace.tell({ kind: 'admit', entry: entryOf('task_6'), open_max: 3, daily: NO_TOTAL })).toEqual(OK)
    expect(await ids()).toEqual(['task_6', 'task_4'])
    await workspace.tell({ kind: 'set_status', id: 'task_3', status: 'canceled', version: 5, spend: null })
    await workspace.tell({ kind: 'set_status', id: 'task_4', status: 'canceled', version: 5, spend: null })
    const { entries } = await workspace.ask({
      kind: 'list',
      filter: { ...ANY, metadata: { team: 'red' } },
      before: 0,
      limit: 9,
    })
    expect(entries.map(({ id, status }) => [id, status])).toEqual([
      ['task_3', 'input_required'],
      ['task_1', 'completed'],
    ])
    expect(
      await workspace.ask({ kind: 'list', filter: { ...ANY, status: 'canceled' }, before: 0, limit: 9 }),
    ).toMatchObject({ entries: [{ id: 'task_4' }] })
  })

  it('gets the columns it lacks, with any other columns in its tables', async () => {
    const told = EARLIER.map((statement) => statement.replace(/^(CREATE TABLE tasks \()/, '$1/* admitted, by goal */ '))
    expect(told).not.toEqual(EARLIER)
    const { workspace } = await earlier(told)
    expect(
      await workspace.tell({
        kind: 'admit',
        entry: { ...entryOf('task_6'), goal: 'buy milk' },
        open_max: 9,
        daily: NO_TOTAL,
      }),
    ).toEqual(OK)
    expect(await workspace.ask({ kind: 'list', filter: { ...ANY, q: 'milk' }, before: 0, limit: 9 })).toMatchObject({
      entries: [{ id: 'task_6' }],
    })
  })

  it('knows what finished tasks cost, and counts no task twice', async () => {
    const { workspace } = await earlier()
    const [newest] = await workspace.ask({ kind: 'finished', limit: 9 })
    if (newest === undefined) throw new Error('nothing is remembered')
    await workspace.tell({
      kind: 'set_status',
      id: 'task_1',
      status: 'completed',
      version: 12,
      spend: { ...newest, steps: 7 },
    })
    await workspace.tell({
      kind: 'set_status',
      id: 'task_4',
      status: 'completed',
      version: 12,
      spend: { ...newest, steps: 8 },
    })
    expect((await workspace.ask({ kind: 'finished', limit: 9 })).map(({ steps }) => steps)).toEqual([8, 7, 6])
  })

  it('has its todos, its calendar and its keys, and gives no id again', async () => {
    const { stub, workspace } = await earlier()
    const rowsOf = async (command: string) => {
      const ran = await workspace.tell({ kind: 'run_command', ...commandOf(command) })
      return ran.ok ? ran.value.result.rows.map((row) => [row.id, row.content ?? row.title]) : ran
    }
    expect(await rowsOf('/todo list')).toEqual([
      [1, 'milk'],
      [2, 'tea'],
    ])
    expect(await rowsOf('/todo add jam')).toEqual([[4, 'jam']])
    expect(await rowsOf('/schedule add 2026-11-24 15:00 talk')).toEqual([[3, 'talk']])
    const again = { ...commandOf('/todo add milk'), key: 'task_1:4' }
    expect(await workspace.tell({ kind: 'run_command', ...again })).toMatchObject({
      value: { replayed: true, result: { data: { id: 1 } } },
    })
    const request = { scope: 'POST /commands', key: 'k1', digest: 'd1' }
    expect(await workspace.ask({ kind: 'recall', request })).toMatchObject({
      value: expect.stringContaining('schedule_added'),
    })
    await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      expect(sql.exec('SELECT * FROM spend').toArray()).toEqual([{ day: '2026-11-21', tokens: 40_000, cost: 5_600 }])
    })
  })

  it.each([
    ['without admissions', EARLIER, ['task_4', 'task_3', 'task_1']],
    ['without goals', WITHOUT_GOALS, ['task_2', 'task_1']],
  ])('finds its tasks by their ids alone, new ones by their goals too: one %s', async (_what, statements, ids) => {
    const { workspace } = await earlier(statements)
    const find = async (q: string) =>
      (await workspace.ask({ kind: 'list', filter: { ...ANY, q }, before: 0, limit: 9 })).entries.map(({ id }) => id)
    expect(await find('TASK_')).toEqual(ids)
    expect(await find('task_1')).toEqual(['task_1'])
    expect(await find('milk')).toEqual([])
    expect(
      await workspace.tell({
        kind: 'admit',
        entry: { ...entryOf('task_9'), goal: 'Milk' },
        open_max: 9,
        daily: NO_TOTAL,
      }),
    ).toEqual(OK)
    expect(await find('milk')).toEqual(['task_9'])
    expect(await find('task_')).toEqual(['task_9', ...ids])
  })

  it('lists its ended tasks under every outcome until they have told theirs, and only under theirs from then on', async () => {
    const { workspace } = await earlier(WITHOUT_OUTCOMES)
    const find = async (outcome: 'done' | 'partial') =>
      (await workspace.ask({ kind: 'list', filter: { ...ANY, outcome }, before: 0, limit: 9 })).entries.map(
        ({ id }) => id,
      )
    expect([await find('done'), await find('partial')]).toEqual([
      ['task_3', 'task_1'],
      ['task_3', 'task_1'],
    ])
    const report = { kind: 'set_status', spend: null, listed: { as_of: 5_000, text: '{}' } } as const
    await workspace.tell({ ...report, id: 'task_1', status: 'completed', version: 9, outcome: 'partial' })
    await workspace.tell({ ...report, id: 'task_3', status: 'failed', version: 4, outcome: null })
    expect([await find('done'), await find('partial')]).toEqual([[], ['task_1']])
  })

  it('U52 has every task looked at for its parent until it has told it, and lists only forks from then on', async () => {
    const { workspace } = await earlier(WITHOUT_PARENTS)
    const forksOf = async (forked_from: string) =>
      (await workspace.ask({ kind: 'list', filter: { ...ANY, forked_from }, before: 0, limit: 9 })).entries.map(
        ({ id }) => id,
      )
    expect(await forksOf('task_1')).toEqual(['task_2', 'task_1'])
    const report = { kind: 'set_status', spend: null, listed: { as_of: 5_000, text: '{}' } } as const
    await workspace.tell({ ...report, id: 'task_1', status: 'completed', version: 9, forked_from: null })
    await workspace.tell({ ...report, id: 'task_2', status: 'running', version: 3, forked_from: 'task_1' })
    expect([await forksOf('task_1'), await forksOf('task_2')]).toEqual([['task_2'], []])
    await workspace.tell({ kind: 'admit', entry: entryOf('task_9'), open_max: 9, daily: NO_TOTAL })
    expect(await forksOf('task_9')).toEqual([])
  })

  it('knows who was admitted before goals were kept', async () => {
    const { workspace } = await earlier(WITHOUT_GOALS, null)
    expect(await workspace.ask({ kind: 'admission', id: 'task_2' })).toEqual({
      admitted: 'life_b',
      at: 2_000,
      blobs: [],
    })
    expect(await workspace.ask({ kind: 'admission', id: 'task_1' })).toEqual({ admitted: '', at: 1_000, blobs: [] })
  })

  it('loses nothing when the migration is interrupted at any statement, and is migrated by the next call', async () => {
    const { stub, workspace } = await earlier()
    const interrupted = await runInDurableObject(stub, (object, state) => {
      const { sql } = state.storage
      const exec = sql.exec.bind(sql)
      const before = storedIn(state)
      for (let lasts = 0; ; lasts++) {
        let left = lasts
        sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
          if (left-- === 0) throw new Error('interrupted')
          return exec(query, ...values)
        }) as SqlStorage['exec'] // whoever asks says himself what the rows are
        try {
          object.ask({ kind: 'finished', limit: 9 })
          return lasts
        } catch (error) {
          expect(String(error)).toContain('interrupted')
          sql.exec = exec
          expect(storedIn(state)).toEqual(before)
        }
      }
    })
    // Two looks at what is there, six columns added, four tables put aside, eight and an index made, four copied and dropped, two ids kept;
    // what counts open tasks: a look, an index, four triggers, a table, its row; two tables of the run slots, and a
    // look for the turns before them; two looks for what is counted, which is made and filled; a look each for blobs, for shards and for what is
    // fed to an index database; the query itself.
    expect(interrupted).toBe(2 + 6 + 4 + 9 + 2 * 4 + 2 + 8 + 3 + 4 + 1 + 1 + 1 + 1)
    await evictDurableObject(stub)
    expect(await workspace.ask({ kind: 'finished', limit: 9 })).toHaveLength(2)
    expect((await workspace.ask({ kind: 'list', filter: ANY, before: 0, limit: 9 })).entries).toHaveLength(3)
    await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      const made = sql.exec("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%' OR name LIKE '%before'")
      expect(made.toArray()).toEqual([])
    })
  })
})
