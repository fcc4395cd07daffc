/** The secrets of a tenant in both stores, and the rows that hold them. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { TaskStore } from '../../src/shell/ports.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { WHOLE_QUOTA } from '../../src/store/workspace/handlers.ts'
import { refuseOverQuota } from '../../src/store/workspace/quotas/sql-bytes.ts'
import { SECRET_COMMANDS } from '../../src/store/workspace/sql-secrets.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { FREE, UNBOUNDED } from '../support/scripted.ts'

const stores: [string, () => TaskStore][] = [
  ['memory', () => memoryStore(() => ({ now_ms: Date.now(), boot: 'boot', prices: FREE, daily: UNBOUNDED }))],
  ['durable objects', () => durableStore(env.TASKS, env.WORKSPACES)],
]
const secretOf = (name: string, sealed = 'c2VhbGVk') => ({ name, hosts: ['a.example'], key_id: 'k1', sealed })
const SEALED = { key_id: 'k1', sealed: 'c2VhbGVk' }
const put = (name: string, secrets_max = 9) => ({ kind: 'put_secret', secret: secretOf(name), secrets_max }) as const
const ANY = expect.any(Number)

describe.each(stores)('secrets: %s', (_name, open) => {
  const desk = () => open().workspace(crypto.randomUUID())

  it('a workspace without any answers as one that never had any', async () => {
    const workspace = desk()
    expect(await workspace.ask({ kind: 'secret', name: 'a' })).toBeNull()
    expect(await workspace.ask({ kind: 'secrets', after: '', limit: 20 })).toEqual([])
    expect(await workspace.ask({ kind: 'secret_names' })).toEqual([])
    expect(await workspace.tell({ kind: 'drop_secret', name: 'a' })).toBe(false)
    await workspace.tell({ kind: 'note_secret_use', name: 'a', used: SEALED, resealed: SEALED })
    expect(await workspace.ask({ kind: 'secret', name: 'a' })).toBeNull()
  })

  it('one is put, replaced, read and dropped', async () => {
    const workspace = desk()
    const record = { name: 'a', hosts: ['a.example'], created: ANY, updated: ANY, last_used: null }
    expect(await workspace.tell(put('a'))).toEqual({ ok: true, value: { record, created: true } })
    const first = await workspace.ask({ kind: 'secret', name: 'a' })
    expect(first).toEqual({ ...record, ...SEALED })
    const other = { ...secretOf('a', 'b3RoZXI='), hosts: ['b.example', 'c.example:8443'] }
    expect(await workspace.tell({ kind: 'put_secret', secret: other, secrets_max: 9 })).toMatchObject({
      value: { created: false, record: { created: first?.created } },
    })
    expect(await workspace.ask({ kind: 'secret', name: 'a' })).toMatchObject({ ...other, created: first?.created })
    expect(await workspace.tell({ kind: 'drop_secret', name: 'a' })).toBe(true)
    expect(await workspace.tell({ kind: 'drop_secret', name: 'a' })).toBe(false)
    expect(await workspace.ask({ kind: 'secret', name: 'a' })).toBeNull()
  })

  it('they are listed by name in pages, without what is sealed', async () => {
    const workspace = desk()
    for (const name of ['b', 'a', '_', 'Z', 'c']) await workspace.tell(put(name))
    expect(await workspace.ask({ kind: 'secret_names' })).toEqual(['Z', '_', 'a', 'b', 'c'])
    const page = await workspace.ask({ kind: 'secrets', after: 'Z', limit: 3 })
    expect(page.map(({ name }) => name)).toEqual(['_', 'a', 'b'])
    expect(Object.keys(page[0] ?? {}).toSorted()).toEqual(['created', 'hosts', 'last_used', 'name', 'updated'])
  })

  it('U51 there are at most so many, and one of them can still be replaced', async () => {
    const workspace = desk()
    await workspace.tell(put('a', 2))
    await workspace.tell(put('b', 2))
    const refused = { ok: false, refusal: { code: 'too_many_secrets', max: 2 } }
    expect(await workspace.tell(put('c', 2))).toEqual(refused)
    expect(await workspace.tell(put('b', 2))).toMatchObject({ ok: true, value: { created: false } })
    await workspace.tell({ kind: 'drop_secret', name: 'a' })
    expect(await workspace.tell(put('c', 2))).toMatchObject({ ok: true })
  })

  it('a use is noted, and a value that is sealed again takes the place of the used one only', async () => {
    const workspace = desk()
    await workspace.tell(put('a'))
    const resealed = { key_id: 'k2', sealed: 'YWdhaW4=' }
    await workspace.tell({ kind: 'note_secret_use', name: 'a', used: SEALED, resealed: null })
    const used = await workspace.ask({ kind: 'secret', name: 'a' })
    expect(used).toMatchObject({ ...SEALED, last_used: ANY })
    for (const other of [
      { ...SEALED, sealed: 'b3RoZXI=' },
      { ...SEALED, key_id: 'k0' },
    ])
      await workspace.tell({ kind: 'note_secret_use', name: 'a', used: other, resealed })
    expect(await workspace.ask({ kind: 'secret', name: 'a' })).toEqual(used)
    await workspace.tell({ kind: 'note_secret_use', name: 'a', used: SEALED, resealed })
    expect(await workspace.ask({ kind: 'secret', name: 'a' })).toEqual({ ...used, ...resealed })
  })
})

describe('secrets in SQLite', () => {
  const inWorkspace = <T>(body: (desk: WorkspaceObject, sql: SqlStorage) => T) =>
    runInDurableObject(env.WORKSPACES.getByName(crypto.randomUUID()), (object: WorkspaceObject, { storage: { sql } }) =>
      body(object, sql),
    )

  it('are a table only once there is one', async () => {
    await inWorkspace((desk, sql) => {
      const isMade = () => sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'secrets'").toArray().length > 0
      desk.ask({ kind: 'secret', name: 'a' })
      desk.ask({ kind: 'secrets', after: '', limit: 1 })
      desk.tell({ kind: 'drop_secret', name: 'a' })
      expect(isMade()).toBe(false)
      desk.tell(put('a'))
      expect(isMade()).toBe(true)
    })
  })

  it('outlive the object', async () => {
    const stub = env.WORKSPACES.getByName(crypto.randomUUID())
    await stub.tell(put('a'))
    const before = await stub.ask({ kind: 'secret', name: 'a' })
    await evictDurableObject(stub)
    expect(await stub.ask({ kind: 'secret', name: 'a' })).toEqual(before)
  })

  it('U51 write their last use at most once a minute', async () => {
    await inWorkspace((desk, sql) => {
      desk.tell(put('a'))
      const written = () => sql.exec('SELECT last_used FROM secrets').one()['last_used']
      const use = () => desk.tell({ kind: 'note_secret_use', name: 'a', used: SEALED, resealed: null })
      use()
      expect(written()).toEqual(ANY)
      const recent = Date.now() - 30_000
      sql.exec('UPDATE secrets SET last_used = ?', recent)
      use()
      expect(written()).toBe(recent)
      sql.exec('UPDATE secrets SET last_used = ?', recent - 60_000)
      use()
      expect(written()).toBeGreaterThan(recent)
    })
  })

  it('U51 are refused where the bytes of the tenant are used up, and nothing of them is kept', async () => {
    await runInDurableObject(
      env.WORKSPACES.getByName(crypto.randomUUID()),
      (desk: WorkspaceObject, { storage }: DurableObjectState) => {
        desk.tell(put('a'))
        const bytes_max = desk.ask({ kind: 'used_bytes' })
        const nothing = () => {}
        const after = {
          wakeHolder: nothing,
          planReminders: nothing,
          lookForWaiters: nothing,
          holdHasBegun: nothing,
          feedHasMoved: nothing,
          lookAtSchedules: nothing,
        }
        const context = {
          sql: storage.sql,
          now_ms: 0,
          bytes_max,
          tenant_bytes_max: bytes_max,
          quota: WHOLE_QUOTA,
          has_shard_tables: false,
          mayAsk: () => false,
          feeding: null,
          callersWaiting: () => 0,
          lookAtOpen: nothing,
          tenant: () => null,
          slots_max: 1,
          after,
        }
        const large = { ...put('b'), secret: secretOf('b', 'x'.repeat(11_000)) }
        const tell = () => storage.transactionSync(() => SECRET_COMMANDS.put_secret(context, large))
        expect(refuseOverQuota(tell)).toMatchObject({ ok: false, refusal: { code: 'quota_exceeded', bytes_max } })
        expect(desk.ask({ kind: 'secret_names' })).toEqual(['a'])
      },
    )
  })

  it('U51 count as bytes of the tenant', async () => {
    await inWorkspace((desk) => {
      const before = desk.ask({ kind: 'used_bytes' })
      const sealed = 'x'.repeat(11_000)
      for (let n = 0; n < 20; n++) desk.tell({ kind: 'put_secret', secret: secretOf(`s${n}`, sealed), secrets_max: 99 })
      expect(desk.ask({ kind: 'used_bytes' }) - before).toBeGreaterThan(20 * 11_000)
    })
  })
})
