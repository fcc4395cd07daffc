/** The table of files of an earlier release: brought forward by the first look, in one transaction or not at all (D6). */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { Settings } from '../../src/core/terms/settings.ts'
import EARLIER from '../fixtures/files/v1.json'
import { MANUAL } from '../support/scripted.ts'

const fixed = { goal: 'g', mode: 'session', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
const brief = { ...fixed, settings: Settings.parse({}) }
const ticket = { slice: 's', boot: 'b', more: 'nothing' as const, wall_ms: 0, rounds: 0, key: null }

/** A task whose files are as an earlier release left them. */
async function earlier() {
  const stub = env.TASKS.getByName(JSON.stringify(['t', `task_${crypto.randomUUID()}`]))
  await stub.create({ id: 'task_1', tenant: 't', brief }, ticket)
  // It tells the index what it shows before it goes, and for that it looks at the files.
  await evictDurableObject(stub)
  await runInDurableObject(stub, (_object, { storage: { sql } }) => {
    for (const statement of EARLIER) sql.exec(statement)
  })
  await evictDurableObject(stub)
  return stub
}
const storedIn = ({ storage: { sql } }: DurableObjectState) => [
  sql.exec("SELECT sql FROM sqlite_master WHERE name LIKE 'files%' ORDER BY name").toArray(),
  sql.exec('SELECT * FROM files ORDER BY name').toArray(),
]

describe('D6 files of an earlier release', () => {
  it('are listed and read as what tools wrote, and fenced by the effect that wrote them', async () => {
    const stub = await earlier()
    expect(await stub.ask({ kind: 'files' })).toMatchObject({
      value: [
        { name: 'a.txt', seq: 7, at: 1_763_726_401_000, bytes: 0, source: 'tool' },
        { name: 'notes.md', seq: 4, bytes: 5, content_type: 'text/markdown; charset=utf-8', source: 'tool' },
      ],
    })
    expect(await stub.ask({ kind: 'file', name: 'notes.md' })).toMatchObject({ value: { content: '# 字', blob: null } })
    expect(
      await stub.upkeep({ kind: 'write_file', file: { name: 'notes.md', seq: 3, content: 'late' } }),
    ).toMatchObject({ ok: false })
    expect(
      await stub.upkeep({ kind: 'write_file', file: { name: 'b.csv', seq: null, blob: 'b1', bytes: 9 } }),
    ).toMatchObject({
      value: { outcome: 'written', created: true },
    })
    await evictDurableObject(stub)
    expect(await stub.ask({ kind: 'files' })).toMatchObject({
      value: [{ name: 'a.txt' }, { name: 'b.csv', source: 'client', bytes: 9 }, { name: 'notes.md' }],
    })
  })

  it('lose nothing when the migration is interrupted at any statement, and are migrated by the next call', async () => {
    const stub = await earlier()
    const interrupted = await runInDurableObject(stub, (object, state) => {
      const { sql } = state.storage
      const exec = sql.exec.bind(sql)
      const before = storedIn(state)
      for (let lasts = 0; ; lasts++) {
        let left = lasts
        sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
          if (/files/.test(query) && left-- === 0) throw new Error('interrupted')
          return exec(query, ...values)
        }) as SqlStorage['exec'] // whoever asks says himself what the rows are
        try {
          object.ask({ kind: 'files' })
          sql.exec = exec
          return lasts
        } catch (error) {
          expect(String(error)).toContain('interrupted')
          sql.exec = exec
          expect(storedIn(state)).toEqual(before)
        }
      }
    })
    // The look at what is there; put aside, made, copied, dropped; the query itself.
    expect(interrupted).toBe(1 + 4 + 1)
    await runInDurableObject(stub, (_object, state) => {
      const [tables] = storedIn(state)
      expect(tables).toHaveLength(1)
      expect(JSON.stringify(tables)).toContain('blob TEXT')
    })
  })

  it('a task without files has no table, also after any query', async () => {
    const stub = env.TASKS.getByName(JSON.stringify(['t', `task_${crypto.randomUUID()}`]))
    await stub.create({ id: 'task_1', tenant: 't', brief }, ticket)
    await stub.ask({ kind: 'files' })
    await stub.ask({ kind: 'may_write', name: 'a.csv', seq: null })
    await stub.upkeep({ kind: 'remove_file', name: 'a.csv' })
    await stub.ask({ kind: 'forked_files', at: 1, outcome: null })
    await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      expect(sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'files%'").toArray()).toEqual([])
    })
  })
})
