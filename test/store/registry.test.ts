/** The registry in SQLite: what memory has promised of it, with transactions that are whole or not there. */
import { env, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { NO_TENANT_LIMITS } from '../../src/core/registry/limits.ts'
import { AUDIT_MS_MAX, AUDIT_READS_MAX, ENDED_KEYS_MAX } from '../../src/core/registry/records.ts'
import { tellRegistry } from '../../src/core/registry/registry.ts'
import type { RegistryCommand, RemoteRegistry } from '../../src/core/registry/registry-requests.ts'
import type { RegistryRows } from '../../src/core/registry/registry-rows.ts'
import { makeRegistryTables, sqlRegistry } from '../../src/store/registry/sql-registry.ts'

const by = { key_name: 'admin_key', scopes: ['admin' as const], tenant: null, request_id: 'r-1' }
const fresh = (n: number) => ({ id: `key_${String(n).padStart(20, '0')}`, prefix: 'la_xxxxxx', digest: `digest-${n}` })
const wish = { tenant: 'acme', name: 'shop', scopes: ['tasks:read' as const], limits: { open_tasks: 5 } }
const tenant = { kind: 'create_tenant', by, request: null, name: 'acme', limits: NO_TENANT_LIMITS } as const
const key = (n: number): RegistryCommand<'create_key'> => ({
  kind: 'create_key',
  by,
  request: null,
  fresh: fresh(n),
  wish,
})
const request = { scope: 'POST /admin/keys', key: 'k', digest: 'd' }

function stubOf(name: string) {
  if (env.REGISTRY === undefined) throw new Error('wrangler.single.toml binds no registry')
  return env.REGISTRY.getByName(name)
}
// The object implements this interface; the stub's own type widens answers.
const registryAt = (name: string) => stubOf(name) as unknown as RemoteRegistry
/** Runs in one transaction of the object, as its own requests do. */
const within = <T>(name: string, body: (rows: RegistryRows) => T): Promise<T> =>
  runInDurableObject(stubOf(name), (_, { storage }) =>
    storage.transactionSync(() => {
      makeRegistryTables(storage.sql)
      return body(sqlRegistry(storage.sql))
    }),
  )

describe('KEY-15 the registry in SQLite', () => {
  it('makes, finds, rotates and revokes keys, and answers an Idempotency-Key once', async () => {
    const registry = registryAt('keys')
    await registry.tell(tenant)
    const made = await registry.tell({ ...key(1), request })
    expect(made).toMatchObject({
      ok: true,
      value: {
        replayed: false,
        made: { ...fresh(1), limits: { open_tasks: 5, models: null }, created_by: 'admin_key' },
      },
    })
    expect(await registry.tell({ ...key(2), request })).toMatchObject({
      value: { replayed: true, made: { id: fresh(1).id } },
    })
    expect(await registry.tell({ ...key(2), request: { ...request, digest: 'other' } })).toMatchObject({
      refusal: { code: 'idempotency_key_reused' },
    })
    expect(await registry.tell({ kind: 'look_up', of: 'key', name: 'digest-1' })).toMatchObject({
      key: { id: fresh(1).id, tenant: 'acme', state: 'live' },
      tenant: { name: 'acme', disabled: null },
    })
    const rotation = {
      kind: 'rotate_key',
      by,
      request: null,
      id: fresh(1).id,
      fresh: fresh(3),
      grace_ms: 60_000,
    } as const
    expect(await registry.tell(rotation)).toMatchObject({
      ok: true,
      value: { made: { key: { replaces: fresh(1).id } } },
    })
    await registry.tell({ kind: 'revoke_key', by, id: fresh(1).id })
    const page = await registry.ask({ kind: 'keys', within: 'acme', before: 0, limit: 10 })
    expect(page.map(({ id, revoked }) => [id, revoked !== null])).toEqual([
      [fresh(3).id, false],
      [fresh(1).id, true],
    ])
    const next = await registry.ask({ kind: 'keys', within: null, before: page[0]?.position ?? 0, limit: 10 })
    expect(next.map(({ id }) => id)).toEqual([fresh(1).id])
    const log = await registry.ask({
      kind: 'audit',
      within: 'acme',
      as_operator: false,
      action: null,
      before: 0,
      limit: 10,
    })
    expect(log.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'revokeKey done',
      'rotateKey done',
      'createKey idempotency_key_reused',
      'createKey replayed',
      'createKey done',
      'createTenant done',
    ])
  })

  it('an interrupted change leaves no half key, whichever of its writes is the last', async () => {
    const WRITES = ['putTenant', 'addKey', 'changeKey', 'revokeAll', 'dropEnded', 'keepChange', 'addEntry'] as const
    const rotation = { kind: 'rotate_key', by, request, id: fresh(1).id, fresh: fresh(2), grace_ms: 5 } as const
    for (let writes_done = 0; writes_done < 5; writes_done++) {
      const name = `killed after ${writes_done}`
      const registry = registryAt(name)
      await registry.tell(tenant)
      await registry.tell(key(1))
      const killed = within(name, (rows) => {
        let left = writes_done
        const dying = { ...rows }
        for (const write of WRITES) {
          const real = rows[write] as (...given: unknown[]) => unknown
          const dies = (...given: unknown[]) => {
            if (left-- === 0) throw new Error('killed')
            return real(...given)
          }
          Object.assign(dying, { [write]: dies })
        }
        return tellRegistry({ rows: dying, now_ms: Date.now() }, rotation)
      })
      await expect(killed).rejects.toThrow('killed')
      const found = await within(name, (rows) => [
        rows.key(fresh(2).id),
        rows.key(fresh(1).id)?.expires,
        rows.countTenants(),
      ])
      expect(found).toEqual([null, null, 1])
      // The same request again does it as a whole.
      expect(await registry.tell(rotation)).toMatchObject({ ok: true, value: { replayed: false } })
    }
  })

  it('the log forgets what is too old, also of an owner who calls no more, and what is too much of each owner', async () => {
    const found = await within('aged', (rows) => {
      const entry = {
        request_id: 'r',
        actor: 'a',
        is_read: true,
        tenant: null,
        key: null,
        outcome: 'done',
        details: {},
      }
      const call = (actor_tenant: string, at: number) =>
        rows.addEntry({ ...entry, actor_tenant, action: 'listKeys', at })
      const read = (name: string) =>
        rows.entries({ within: name, as_operator: false, action: null, before: 0, limit: 10_000 }).length
      for (let n = 0; n < 10; n++) call('silent', 1_000)
      // Two owners by turns, so that one of them has no entry of an even number.
      for (let n = 0; n < AUDIT_READS_MAX + 200; n++)
        for (const name of ['odd', 'even']) call(name, 2_000 + AUDIT_MS_MAX)
      return ['silent', 'odd', 'even'].map(read)
    })
    expect(found[0]).toBe(0)
    for (const kept of found.slice(1)) expect(kept).toBeLessThanOrEqual(AUDIT_READS_MAX + 64)
  })

  it('a page of the log reads no more rows than it needs, however much others have called', async () => {
    const read = await runInDurableObject(stubOf('pages'), (_, { storage: { sql } }) => {
      makeRegistryTables(sql)
      const { addEntry, entries } = sqlRegistry(sql)
      const entry = { request_id: 'r', actor: 'a', is_read: false, key: null, outcome: 'done', details: {} }
      for (let n = 0; n < 3_000; n++) {
        const actor_tenant = ['busy', 'acme', null][n % 3] ?? null
        addEntry({ ...entry, at: 1, actor_tenant, action: 'createKey', tenant: n % 2 === 0 ? 'acme' : 'busy' })
      }
      return [
        { within: 'acme', as_operator: false, action: null },
        { within: 'acme', as_operator: false, action: 'deleteTenant' },
        { within: 'acme', as_operator: true, action: null },
        { within: null, as_operator: true, action: 'deleteTenant' },
        { within: null, as_operator: true, action: null },
      ].map((range) => {
        const asked: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
        const exec: SqlStorage['exec'] = (query, ...values) => {
          const cursor = sql.exec(query, ...values)
          asked.push(cursor as never)
          return cursor as never
        }
        const counted = sqlRegistry({ exec } as SqlStorage).entries({ ...range, before: 0, limit: 5 })
        const seqs = entries({ ...range, before: 0, limit: 5_000 }).map(({ seq }) => seq)
        const rows = asked.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
        return { rows, isNewest: counted.every(({ seq }, at) => seq === seqs[at]), all: seqs.length }
      })
    })
    expect(read.map(({ all }) => all)).toEqual([1_500, 0, 2_000, 0, 3_000])
    expect(read.every(({ isNewest }) => isNewest)).toBe(true)
    for (const { rows } of read) expect(rows).toBeLessThanOrEqual(100)
  })

  it('what has ended and what was read is kept in bounds', async () => {
    const counts = await within('bounds', (rows) => {
      const now_ms = 1_000_000
      tellRegistry({ rows, now_ms }, tenant)
      for (let n = 0; n < ENDED_KEYS_MAX + 50; n++) {
        tellRegistry({ rows, now_ms }, key(n))
        tellRegistry({ rows, now_ms }, { kind: 'revoke_key', by, id: fresh(n).id })
      }
      const entry = { request_id: 'r', actor: 'a', actor_tenant: 'x', action: 'listKeys', is_read: true }
      for (let n = 0; n < AUDIT_READS_MAX + 200; n++)
        rows.addEntry({ ...entry, at: now_ms, tenant: null, key: null, outcome: 'done', details: {} })
      const reads = rows.entries({ within: 'x', as_operator: false, action: 'listKeys', before: 0, limit: 10_000 })
      return [rows.keys({ tenant: 'acme', before: 0, limit: 10_000 }).length, reads.length]
    })
    expect(counts[0]).toBeLessThanOrEqual(ENDED_KEYS_MAX)
    expect(counts[1]).toBeLessThanOrEqual(AUDIT_READS_MAX + 64)
  })
})
