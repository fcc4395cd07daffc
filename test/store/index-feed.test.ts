/**
 * What a workspace feeds to the index database: nothing is lost, repeated harmfully or held up, whatever happens to a batch, its write and its
 * confirmation.
 */
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedBatch, FeedOutcome } from '../../src/core/protocol/index/feed.ts'
import { Status } from '../../src/core/terms/status.ts'
import { INDEX_SCHEMA } from '../../src/store/index-database/schema.ts'
import { FEED_AFTER_MS } from '../../src/store/workspace/task-index/feed-alarm.ts'
import { BATCH_LOST_MS } from '../../src/store/workspace/task-index/feed-turns.ts'
import { UNFED_LISTED_MAX } from '../../src/store/workspace/task-index/index-page.ts'
import { databaseOf, fedWorkspace } from '../support/fed-workspace.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `task_${n}`)
type Fed = ReturnType<typeof fedWorkspace>

/** What the database has of a tenant: id and status of each entry, newest first, whose words are found too. */
async function stored(tenant: string, database = env.INDEX_OF_TESTS): Promise<string[]> {
  const query = `SELECT id || ' ' || status AS entry FROM listed WHERE tenant = ? AND row IN (SELECT rowid FROM words) ORDER BY row DESC`
  const rows = await database.prepare(query).bind(tenant).all<{ entry: string }>()
  return rows.results.map(({ entry }) => entry)
}
const known = (one: Fed) =>
  one.within((_, { storage: { sql } }) =>
    sql
      .exec<{ entry: string }>(`SELECT id || ' ' || status AS entry FROM tasks ORDER BY position DESC`)
      .toArray()
      .map(({ entry }) => entry),
  )
const later = (ms: number) => vi.setSystemTime(Date.now() + ms)
async function feedAll(one: Fed): Promise<void> {
  later(BATCH_LOST_MS + 1)
  await one.feed()
}
const taken = ({ entries, removals, ...batch }: FeedBatch) => ({
  ...batch,
  taken: [...entries, ...removals].map(({ position, revision }) => ({ position, revision })),
})
const setStatus = (one: Fed, id: string, status: Status, version: number) =>
  one.tell({ kind: 'set_status', id, status, version, spend: null })

beforeEach(() => void vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const id = fc.constantFrom('task_1', 'task_2', 'task_3')
const batch = fc.nat(5)
const Step = fc.oneof(
  fc.record({ kind: fc.constant('admit' as const), id }),
  fc.record({
    kind: fc.constant('status' as const),
    id,
    status: fc.constantFrom(...Status.options),
    version: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({ kind: fc.constant('drop' as const), id }),
  fc.record({ kind: fc.constant('take' as const) }),
  fc.record({ kind: fc.constant('write' as const), batch }),
  fc.record({ kind: fc.constant('confirm' as const), batch }),
  fc.record({ kind: fc.constant('restart' as const) }),
)

describe('the feed of the index database', () => {
  it(
    'IDX-02 ends with what the workspace has, in whatever order batches are taken, written, repeated, confirmed and lost',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(Step, { maxLength: 40 }), async (steps) => {
          const database = databaseOf()
          const one = fedWorkspace()
          const target = { tenant: one.tenant, shard: 0 }
          const batches: { batch: FeedBatch; outcome: FeedOutcome }[] = []
          for (const step of steps) {
            if (step.kind === 'admit') await one.admit(step.id)
            if (step.kind === 'status') await setStatus(one, step.id, step.status, step.version)
            if (step.kind === 'drop') await one.drop(step.id)
            if (step.kind === 'restart') await one.tell({ kind: 'restart_feed' })
            if (step.kind === 'take') {
              later(BATCH_LOST_MS + 1)
              const next = await one.ask({ kind: 'feed_batch' })
              if (next !== null) batches.push({ batch: next, outcome: 'failed' })
            }
            const held = 'batch' in step ? batches.at(-1 - step.batch) : undefined
            if (held === undefined) continue
            if (step.kind === 'write') held.outcome = await database.write(target, held.batch)
            else await one.tell({ kind: 'confirm_feed', batch: taken(held.batch), outcome: held.outcome })
          }
          await feedAll(one)
          expect(await stored(one.tenant)).toEqual(await known(one))
          // Batches that come very late bring nothing back.
          const is_copied_once = steps.every(({ kind }) => kind !== 'restart')
          if (!is_copied_once) return
          for (const { batch: late } of batches) await database.write(target, late)
          expect(await stored(one.tenant)).toEqual(await known(one))
        }),
        { numRuns: 60 },
      )
    },
  )

  it('IDX-03 loses nothing when the database fails at any call, before or after it has written', async () => {
    for (const at of ['before', 'after'])
      for (let failing = 1; failing <= 4; failing++) {
        let calls = 0
        const faulty = {
          prepare: (query: string) => env.INDEX_OF_TESTS.prepare(query),
          async batch(statements: D1PreparedStatement[]) {
            const fails = ++calls === failing
            if (fails && at === 'before') throw new Error('away')
            const results = await env.INDEX_OF_TESTS.batch(statements)
            if (fails) throw new Error('away')
            return results
          },
        } as D1Database // what the service uses of it
        const one = fedWorkspace({ database: databaseOf(faulty) })
        await one.admitMany(numbered(130))
        await one.feed().catch(() => undefined)
        await setStatus(one, 'task_7', 'completed', 3)
        await one.drop('task_8')
        for (let again = 0; again < 3; again++) await one.feed().catch(() => undefined)
        expect(await stored(one.tenant), `${at} call ${failing}`).toEqual(await known(one))
      }
  })

  it('IDX-04 shows a new task, a new status and a removal at once, before they are fed', async () => {
    const one = fedWorkspace()
    await one.admit('task_1')
    await feedAll(one)
    await one.admit('task_2', { goal: 'the second' })
    await setStatus(one, 'task_1', 'completed', 3)
    expect(await one.list()).toEqual(['task_2', 'task_1'])
    expect(await one.list({ q: 'second' })).toEqual(['task_2'])
    expect(await one.list({ status: 'running' })).toEqual(['task_2'])
    expect(await one.list({ status: 'completed' })).toEqual(['task_1'])
    await one.drop('task_1')
    expect(await one.list()).toEqual(['task_2'])
    expect(await one.page()).toMatchObject({ as_of: Date.now(), has_more: false })
  })

  it('IDX-05 says as of which time a list is complete where more has changed than the workspace looks through', async () => {
    vi.useRealTimers()
    const one = fedWorkspace()
    await one.admit('task_first')
    await one.feed()
    const begun = Date.now()
    await one.admitMany(numbered(UNFED_LISTED_MAX + 1))
    const page = await one.page()
    expect(page.as_of).toBeGreaterThanOrEqual(begun)
    expect(page.as_of).toBeLessThan(Date.now())
    expect(page.entries.map((entry) => entry.id)).toEqual(['task_first'])
    await one.feed()
    expect((await one.page()).entries.at(0)?.id).toBe(`task_${UNFED_LISTED_MAX}`)
  })

  it('IDX-06 copies the entries of a tenant in batches; until it has all of them, lists come from the workspace', async () => {
    const one = fedWorkspace()
    await one.reload(false)
    await one.admitMany(numbered(250), (n) => ({ goal: `number ${n} of many` }))
    expect(
      await one.within((_, { storage: { sql } }) =>
        sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'unfed'").toArray(),
      ),
    ).toEqual([])
    await one.reload(true)
    const first = await one.ask({ kind: 'feed_batch' })
    expect(first).toMatchObject({ more: true, follows: null, copied: { below: 2 ** 42 - 1 } })
    expect(first?.entries.map((entry) => entry.id)).toEqual(Array.from({ length: 100 }, (_, n) => `task_${249 - n}`))
    if (first === null) throw new Error('nothing to feed')
    await one.tell({
      kind: 'confirm_feed',
      batch: taken(first),
      outcome: await databaseOf().write({ tenant: one.tenant, shard: 0 }, first),
    })
    expect(await one.list({ q: 'number 7 ' })).toEqual(['task_7'])
    expect(await one.find({ q: 'number 7 ' })).toEqual([])
    await feedAll(one)
    expect(await one.find({ q: 'number 7 ' })).toHaveLength(1)
    expect(await one.list({}, 100)).toEqual(await one.listPlainly({}, 100))
  })

  it(
    'IDX-07 goes back to the workspace when the database is unbound, and copies anew when it is bound again',
    { timeout: 60_000 },
    async () => {
      // Time goes on: an object whose clock stands still is not evicted.
      vi.useRealTimers()
      const one = fedWorkspace()
      for (const name of ['task_1', 'task_2', 'task_3']) await one.admit(name)
      await one.feed()
      await one.reload(false)
      await one.drop('task_2')
      await setStatus(one, 'task_1', 'completed', 4)
      await one.admit('task_4')
      expect(await one.listPlainly()).toEqual(['task_4', 'task_3', 'task_1'])
      await one.reload(true)
      // The database does not know yet, and nobody believes it.
      expect(await one.list()).toEqual(['task_4', 'task_3', 'task_1'])
      expect(await one.list({ status: 'completed' })).toEqual(['task_1'])
      await one.feed()
      expect(await stored(one.tenant)).toEqual(['task_4 running', 'task_3 running', 'task_1 completed'])
    },
  )

  it.each([
    'DELETE FROM listed WHERE tenant = ?1',
    'DELETE FROM feeders WHERE tenant = ?1',
    'UPDATE feeders SET number = 1 WHERE tenant = ?1',
  ])('IDX-08 copies anew when the database has lost what it had: %s', async (loss) => {
    const one = fedWorkspace()
    for (const name of ['task_1', 'task_2']) await one.admit(name)
    await feedAll(one)
    await env.INDEX_OF_TESTS.batch([
      env.INDEX_OF_TESTS.prepare('DELETE FROM words WHERE rowid IN (SELECT row FROM listed WHERE tenant = ?1)').bind(
        one.tenant,
      ),
      env.INDEX_OF_TESTS.prepare('DELETE FROM listed WHERE tenant = ?1').bind(one.tenant),
      env.INDEX_OF_TESTS.prepare(loss).bind(one.tenant),
    ])
    if (loss.includes('listed')) await one.tell({ kind: 'restart_feed' })
    await one.admit('task_3')
    if (loss.includes('DELETE FROM feeders')) expect(await one.list()).toEqual(['task_3', 'task_2', 'task_1'])
    later(60_000)
    await feedAll(one)
    await feedAll(one)
    expect(await stored(one.tenant)).toEqual(['task_3 running', 'task_2 running', 'task_1 running'])
  })

  it('IDX-09 is asked for a second after a change, less and less often while the database is away, and not without changes', async () => {
    const one = fedWorkspace()
    await one.admit('task_1')
    const alarm = () => one.within((_, { storage }) => storage.getAlarm())
    expect(await alarm()).toBe(Date.now() + FEED_AFTER_MS)
    const waits: number[] = []
    for (let n = 0; n < 5; n++) {
      vi.setSystemTime((await alarm()) ?? 0)
      await one.within((object) => object.alarm())
      waits.push(((await alarm()) ?? 0) - Date.now())
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000])
    expect(one.asked).toMatchObject(waits.map(() => ({ kind: 'feed_index', tenant: one.tenant })))
    await feedAll(one)
    vi.setSystemTime((await alarm()) ?? Date.now())
    await one.within((object) => object.alarm())
    expect(one.asked).toHaveLength(waits.length)
  })

  it('IDX-10 answers a list from the workspace while the database is away, and asks it again later', async () => {
    let is_away = true
    let calls = 0
    const hanging = {
      prepare: (query: string) => env.INDEX_OF_TESTS.prepare(query),
      batch(statements: D1PreparedStatement[]) {
        calls++
        return is_away ? Promise.reject(new Error('D1 is overloaded')) : env.INDEX_OF_TESTS.batch(statements)
      },
    } as D1Database // what the service uses of it
    const one = fedWorkspace({ database: databaseOf(hanging) })
    is_away = false
    await one.admit('task_1', { goal: 'first' })
    await feedAll(one)
    is_away = true
    calls = 0
    expect(await one.list({ q: 'first' })).toEqual(['task_1'])
    expect(await one.list({ q: 'first' })).toEqual(['task_1'])
    // The second list did not wait for it.
    expect(calls).toBe(1)
    is_away = false
    later(6_000)
    expect(await one.list({ q: 'first' })).toEqual(['task_1'])
    expect(calls).toBe(2)
  })

  it('IDX-11 finds nothing of another tenant, by whatever search, filter or cursor', async () => {
    const [one, other] = [fedWorkspace(), fedWorkspace()]
    const about = { goal: 'a secret 秘密 goal', metadata: { team: 'red' }, agent: 'writer', mode: 'session' }
    await one.admit('task_secret', about)
    await other.admit('task_other', { goal: 'nothing' })
    await feedAll(one)
    await feedAll(other)
    const filters = [
      { q: 'secret' },
      { q: '秘密' },
      { q: 'task_' },
      { q: 'se' },
      { metadata: { team: 'red' } },
      { agent: 'writer' },
      { mode: 'session' },
      { status: 'running' as const },
      {},
    ]
    for (const filter of filters) {
      expect(await one.list(filter)).toEqual(['task_secret'])
      expect((await other.list(filter)).filter((name) => name === 'task_secret')).toEqual([])
    }
    const [position = 0] = await one.find()
    expect((await other.page({}, { after: position + 1 })).entries.map((entry) => entry.id)).not.toContain(
      'task_secret',
    )
    // A batch of one tenant reaches no row of another.
    const forged = {
      epoch: 1,
      number: 1,
      follows: null,
      complete_to: 1,
      entries: [],
      removals: [{ position, revision: 1e15 }],
      copied: { from: 0, below: 2 ** 42 - 1 },
      more: false,
    }
    await databaseOf().write({ tenant: other.tenant, shard: 0 }, { ...forged, epoch: 1e15, number: 1e15 })
    expect(await stored(one.tenant)).toEqual(['task_secret running'])
  })

  it('IDX-11 gives each tenant one number, and fails whole where none is left', async () => {
    const numbers = () => env.INDEX_OF_TESTS.prepare('SELECT max(number) AS last FROM tenants').first<number>('last')
    const one = fedWorkspace()
    await one.admit('task_1')
    await feedAll(one)
    const before = (await numbers()) ?? 0
    for (let round = 2; round < 7; round++) {
      await setStatus(one, 'task_1', round % 2 === 0 ? 'paused' : 'running', round)
      await feedAll(one)
    }
    const next = fedWorkspace()
    await next.admit('task_2')
    await feedAll(next)
    expect(await numbers()).toBe(before + 1)

    await env.INDEX_OF_TESTS.prepare(`INSERT INTO tenants (number, tenant) VALUES (32767, 'last')`).run()
    const late = fedWorkspace()
    await late.admit('task_3')
    later(BATCH_LOST_MS + 1)
    await expect(late.feed()).rejects.toThrow('CHECK')
    const left = await env.INDEX_OF_TESTS.prepare(
      'SELECT (SELECT count(*) FROM listed WHERE tenant = ?1) + (SELECT count(*) FROM feeders WHERE tenant = ?1) AS rows',
    )
      .bind(late.tenant)
      .first('rows')
    expect(left).toBe(0)
    expect(await late.list()).toEqual(['task_3'])
    // The others go on.
    await one.admit('task_4')
    await feedAll(one)
    expect(await stored(one.tenant)).toEqual(['task_4 running', 'task_1 paused'])
    await env.INDEX_OF_TESTS.prepare(`DELETE FROM tenants WHERE tenant = 'last'`).run()
    await feedAll(late)
    expect(await stored(late.tenant)).toEqual(['task_3 running'])
  })

  it('IDX-12 has its tables as migrations/ has them, and makes them itself where they are missing', async () => {
    const { default: migration } = await import('../../migrations/0001_task_index.sql?raw')
    const statements = migration.split(';\n').flatMap((one) => one.replaceAll(/^--.*\n/gm, '').trim() || [])
    expect(statements).toEqual(INDEX_SCHEMA)
    const one = fedWorkspace({ database: databaseOf(env.INDEX_WITHOUT_TABLES) })
    await one.admit('task_1')
    // Before the tables are there, the workspace lists.
    expect(await one.list()).toEqual(['task_1'])
    await feedAll(one)
    expect(await stored(one.tenant, env.INDEX_WITHOUT_TABLES)).toEqual(['task_1 running'])
  })
})
