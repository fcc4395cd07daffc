/** What administrators may do: make, list, rotate and revoke keys, and nothing that would give more than they have. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { parseConfig } from '../../src/config.ts'
import { KEYS_MAX } from '../../src/core/registry/records.ts'
import { NewKeyView, RotatedKeyView, type AuditView, type KeyView } from '../../src/core/shown/registry-views.ts'
import { problemOf, type Fixture } from '../support/http-fixture.ts'
import { memoryRegistry } from '../support/memory/memory-registry.ts'
import { memoryRegistryRows } from '../support/memory/memory-registry-rows.ts'
import { bearer, registryBench } from '../support/registry-bench.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const pageOf = async <T>(response: Promise<Response>) => ((await (await response).json()) as { data: T[] }).data
const keysOf = (app: Fixture, query = '') => pageOf<KeyView>(app.send('GET', `/admin/keys${query}`))
const auditOf = (app: Fixture, query = '', headers = {}) =>
  pageOf<AuditView>(app.send('GET', `/admin/audit${query}`, null, headers))
const newKey = async (response: Response) => NewKeyView.parse(await response.json())

async function acme(wish: object = { scopes: ['admin', 'tasks:read'] }) {
  const bench = registryBench()
  await bench.makeTenant('acme')
  const admin = await bench.makeKey('acme', wish)
  return { ...bench, admin, as: bearer(admin.key) }
}

describe('KEY-10 a key is shown once', () => {
  it('no list, no log and no record has it, and the registry has only its SHA-256', async () => {
    const rows = memoryRegistryRows()
    const told: unknown[] = []
    const real = memoryRegistry(() => 0, rows)
    const bench = registryBench({
      remote: { ...real, tell: (command) => (told.push(structuredClone(command)), real.tell(command)) },
    })
    await bench.makeTenant('acme')
    const { id, key } = await bench.makeKey('acme', { name: 'shop' }, { 'idempotency-key': 'k-1' })
    const again = await bench.makeKey('acme', { name: 'shop' }, { 'idempotency-key': 'k-1' })
    expect(again).toMatchObject({ id, key: null })
    const random = key.slice(9, 35)
    const read = await Promise.all(
      ['/admin/keys', `/admin/keys/${id}`, '/admin/audit', '/admin/tenants'].map(async (path) =>
        (await bench.send('GET', path)).text(),
      ),
    )
    for (const text of [...read, JSON.stringify(told), JSON.stringify(rows.key(id))]) expect(text).not.toContain(random)
    expect(rows.key(id)?.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it('as the first line of text for a terminal', async () => {
    const bench = registryBench()
    await bench.makeTenant('acme')
    const response = await bench.post('/admin/keys', { tenant: 'acme' }, { accept: 'text/plain' })
    const [first = '', second = ''] = (await response.text()).split('\n')
    expect(first).toMatch(/^la_\w{32}_\w{6}$/)
    expect(second).toContain(`${first.slice(0, 9)}…  tasks:read,tasks:write,delegations  live  never used`)
  })

  it('an Idempotency-Key makes one key, and another body under it is refused', async () => {
    const bench = await acme()
    const before = (await keysOf(bench)).length
    const keyed = { 'idempotency-key': 'once' }
    const [one, other] = [
      await bench.post('/admin/keys', { tenant: 'acme' }, keyed),
      await bench.post('/admin/keys', { tenant: 'acme' }, keyed),
    ]
    expect([one.status, other.status, other.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true'])
    expect((await keysOf(bench)).length).toBe(before + 1)
    const reused = await bench.post('/admin/keys', { tenant: 'acme', name: 'x' }, keyed)
    expect(await problemOf(reused)).toMatchObject({ code: 'idempotency_key_reused' })
    // Under the same key of another caller it is another request.
    const theirs = await bench.post(
      '/admin/keys',
      { tenant: 'acme', scopes: ['tasks:read'] },
      { ...keyed, ...bench.as },
    )
    expect([theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, null])
  })
})

describe('KEY-08 a name that nobody can register or disable', () => {
  it('KEY-08 is no tenant in API_KEYS, nor in AUTH_TENANT', () => {
    for (const name of ['.', '..', 'a/b']) {
      const env = { API_KEYS: `${name}:k`, AUTH_ISSUER: 'https://a.example', AUTH_AUDIENCE: 'a', AUTH_TENANT: name }
      expect(parseConfig(env).config_errors).toEqual(
        expect.arrayContaining([expect.stringContaining('API_KEYS entry 1'), expect.stringContaining('AUTH_TENANT')]),
      )
    }
  })

  it.each(['-x', '.x', '_x', 'x.'])(
    'KEY-08 is not that of a tenant that API_KEYS may have had before: %s',
    async (name) => {
      expect(parseConfig({ ENVIRONMENT: 'development', API_KEYS: `${name}:k` }).config_errors).toEqual([])
      const bench = registryBench()
      await bench.makeTenant(name)
      const response = await bench.send(
        'PATCH',
        `/admin/tenants/${name}`,
        JSON.stringify({ disabled: true }),
        JSON_TYPE,
      )
      expect([response.status, await response.json()]).toMatchObject([200, { name }])
    },
  )
})

describe('KEY-18 a key has one meaning, in whichever spelling', () => {
  const KEY = 'k'.repeat(40)
  const HASHED = `sha256:${createHash('sha256').update(KEY).digest('hex')}`
  const MIXED = [KEY, HASHED]
  it.each(MIXED.flatMap((admin) => MIXED.map((own) => [admin, own])))(
    'KEY-18 ADMIN_KEY %s is refused where API_KEYS has %s',
    (admin, own) => {
      const { config_errors, admin_keys } = parseConfig({ API_KEYS: `other:another-key,a:${own}`, ADMIN_KEY: admin })
      expect(config_errors).toEqual(
        expect.arrayContaining([expect.stringMatching(/^ADMIN_KEY must not be a key of API_KEYS/)]),
      )
      expect(admin_keys).toEqual([])
    },
  )

  it('KEY-18 neither list has a key in two spellings', () => {
    const { config_errors } = parseConfig({ API_KEYS: `a:${KEY},b:${HASHED}`, ADMIN_KEY: `${KEY}x` })
    expect(config_errors).toContain('API_KEYS has the same key twice')
    const { config_errors: twice } = parseConfig({ API_KEYS: 'a:x', ADMIN_KEY: `${KEY},${HASHED}` })
    expect(twice).toContain('ADMIN_KEY names the same key twice')
    const fine = parseConfig({
      API_KEYS: `a:${KEY}`,
      ADMIN_KEY: HASHED.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    })
    expect(fine.config_errors.filter((error) => /KEY/.test(error) && !/SIGNING/.test(error))).toEqual([])
  })
})

describe('KEY-11 an administrator of a tenant gives nothing that it does not have', () => {
  const limits = { models: ['fast', 'small'] }
  const wish = { scopes: ['admin', 'tasks:read'], limits, expires_in_s: 3600 }
  it.each([
    ['a scope', { scopes: ['tasks:write'] }, '/scopes'],
    ['all scopes, by default', {}, '/scopes'],
    ['a later expiry', { scopes: ['tasks:read'], expires_in_s: 3601 }, '/expires_at'],
    ['no expiry', { scopes: ['tasks:read'], expires_at: null }, '/expires_at'],
    ['another model', { scopes: ['tasks:read'], limits: { models: ['fast', 'strong'] } }, '/limits/models'],
    ['every model', { scopes: ['tasks:read'], limits: { models: null } }, '/limits/models'],
  ])('%s', async (_name, wanted, pointer) => {
    const bench = await acme(wish)
    const problem = await problemOf(await bench.post('/admin/keys', wanted, bench.as))
    expect(problem).toMatchObject({ status: 403, code: 'grant_exceeded', errors: [{ pointer }] })
    expect(await keysOf(bench)).toHaveLength(1)
  })

  it('an administrator has no totals of its own, which its keys would multiply, and they get what it likes', async () => {
    const bench = await acme()
    const totals = {
      rate_per_minute: 10,
      open_tasks: 5,
      tokens_per_day: 1,
      tokens_per_month: 1,
      cost_usd_per_day: '1.50',
      cost_usd_per_month: '9',
    }
    const pointers = Object.keys(totals).map((name) => ({ pointer: `/limits/${name}` }))
    for (const as of [{}, bench.as]) {
      const body = { tenant: 'acme', scopes: ['admin', 'tasks:read'], limits: totals }
      const problem = await problemOf(await bench.post('/admin/keys', body, as))
      expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: pointers })
    }
    const made = await newKey(await bench.post('/admin/keys', { scopes: ['tasks:read'], limits: totals }, bench.as))
    expect(made).toMatchObject({ limits: { ...totals, models: null } })
  })

  it('what it does not mention is what it has itself', async () => {
    const bench = await acme(wish)
    const made = await newKey(await bench.post('/admin/keys', { scopes: ['tasks:read'] }, bench.as))
    expect(made).toMatchObject({
      tenant: 'acme',
      created_by: bench.admin.id,
      limits: { ...limits, open_tasks: null },
      expires_at: '2026-11-28T13:00:00.000Z',
    })
  })

  it('nor does it get the secret of a key with more scopes by rotating it', async () => {
    const bench = await acme()
    const strong = await bench.makeKey('acme')
    const response = await bench.post(`/admin/keys/${strong.id}/rotate`, {}, bench.as)
    expect(await problemOf(response)).toMatchObject({ code: 'grant_exceeded' })
    expect((await bench.send('GET', '/tasks', null, bearer(strong.key))).status).toBe(200)
    expect(await keysOf(bench)).toHaveLength(2)
  })

  it('another tenant is unknown to it, in every route', async () => {
    const bench = await acme()
    await bench.makeTenant('globex')
    const theirs = await bench.makeKey('globex')
    const codes = async (calls: Promise<Response>[]) =>
      Promise.all(calls.map(async (call) => (await problemOf(await call))['code']))
    expect(
      await codes([
        bench.send('GET', '/admin/tenants/globex', null, bench.as),
        bench.send('GET', `/admin/keys/${theirs.id}`, null, bench.as),
        bench.send('DELETE', `/admin/keys/${theirs.id}`, null, bench.as),
        bench.post(`/admin/keys/${theirs.id}/rotate`, {}, bench.as),
        bench.post('/admin/keys', { tenant: 'globex', scopes: ['tasks:read'] }, bench.as),
      ]),
    ).toEqual(['tenant_not_found', 'key_not_found', 'key_not_found', 'key_not_found', 'tenant_not_found'])
    for (const path of ['/admin/keys?tenant=globex', '/admin/audit?tenant=globex'])
      expect(await pageOf(bench.send('GET', path, null, bench.as))).toEqual([])
    expect(await pageOf(bench.send('GET', '/admin/tenants', null, bench.as))).toMatchObject([{ name: 'acme' }])
    const seen = await pageOf<KeyView>(bench.send('GET', '/admin/keys', null, bench.as))
    expect(seen.map(({ tenant }) => tenant)).toEqual(['acme'])
    const log = await auditOf(bench, '', bench.as)
    expect(log.every((entry) => entry.actor_tenant === 'acme' || entry.tenant === 'acme')).toBe(true)
    // What acme has tried on globex is not told to globex.
    const globex = await bench.makeKey('globex', { scopes: ['admin'] })
    const theirLog = await auditOf(bench, '', bearer(globex.key))
    expect(theirLog.filter(({ actor_tenant }) => actor_tenant === 'acme')).toEqual([])
    // The operators see it among what was tried on globex.
    const tried = (await auditOf(bench, '?tenant=globex')).filter(({ actor_tenant }) => actor_tenant === 'acme')
    expect(tried.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'createKey tenant_not_found',
      'getTenant tenant_not_found',
    ])
  })

  it('a revoked administrator changes nothing, although this isolate does not know yet', async () => {
    const bench = await acme()
    await bench.send('GET', '/admin/keys', null, bench.as)
    expect((await bench.isolate().send('DELETE', `/admin/keys/${bench.admin.id}`)).status).toBe(204)
    const response = await bench.post('/admin/keys', { scopes: ['tasks:read'] }, bench.as)
    expect(await problemOf(response)).toMatchObject({ code: 'key_ended' })
    expect(await keysOf(bench)).toHaveLength(1)
  })

  it('calls 120 times a minute for its tenant, and operators have their own limit', async () => {
    const bench = await acme()
    const statuses: number[] = []
    for (let call = 0; call < 121; call++)
      statuses.push((await bench.send('GET', '/admin/keys', null, bench.as)).status)
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([120, 429])
    expect((await bench.send('GET', '/admin/keys')).status).toBe(200)
  })
})

describe('KEY-12 rotation leaves two keys live until the older expires', () => {
  it('with a day by default, or as long as the body says', async () => {
    const bench = await acme()
    const old = await bench.makeKey('acme', { name: 'shop', limits: { open_tasks: 5 } })
    const response = await bench.post(`/admin/keys/${old.id}/rotate`, { grace_s: 60 })
    const rotated = RotatedKeyView.parse(await response.json())
    expect(rotated).toMatchObject({ name: 'shop', limits: { open_tasks: 5 }, replaces: old.id, expires_at: null })
    expect(rotated.replaced).toMatchObject({ id: old.id, expires_at: '2026-11-28T12:01:00.000Z' })
    const statuses = () =>
      Promise.all(
        [old.key, rotated.key ?? ''].map(async (key) => (await bench.send('GET', '/tasks', null, bearer(key))).status),
      )
    expect(await statuses()).toEqual([200, 200])
    const third = await bench.post(`/admin/keys/${old.id}/rotate`, {})
    expect(await problemOf(third)).toMatchObject({ code: 'key_ended', detail: expect.stringContaining(rotated.id) })
    bench.clock.now += 60_000
    expect(await statuses()).toEqual([401, 200])
  })

  it('a key that would have expired before expires as before, and so does its successor', async () => {
    const bench = await acme()
    const old = await bench.makeKey('acme', { expires_in_s: 30 })
    const rotated = RotatedKeyView.parse(await (await bench.post(`/admin/keys/${old.id}/rotate`, {})).json())
    expect([rotated.expires_at, rotated.replaced.expires_at]).toEqual(Array(2).fill('2026-11-28T12:00:30.000Z'))
  })

  it('with no grace it ends at once, and a revoked key is not rotated', async () => {
    const bench = await acme()
    const leaked = await bench.makeKey('acme')
    expect((await bench.post(`/admin/keys/${leaked.id}/rotate`, { grace_s: 0 })).status).toBe(201)
    expect((await bench.isolate().send('GET', '/tasks', null, bearer(leaked.key))).status).toBe(401)
    await bench.send('DELETE', `/admin/keys/${bench.admin.id}`)
    const response = await bench.post(`/admin/keys/${bench.admin.id}/rotate`, {})
    expect(await problemOf(response)).toMatchObject({ code: 'key_ended', detail: expect.stringContaining('revoked') })
  })
})

describe('KEY-13 what is wrong with a request is said', () => {
  it.each([
    ['/admin/keys', { tenant: 'acme', scopes: ['task:read'] }, '/scopes/0', 'did you mean "tasks:read"?'],
    ['/admin/keys', { tenant: 'acme', scopes: [] }, '/scopes', 'scopes'],
    ['/admin/keys', { tenant: 'acme', scope: ['tasks:read'] }, '/scope', 'did you mean "scopes"?'],
    ['/admin/keys', { tenant: 'acme', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at', 'in the past'],
    ['/admin/keys', { tenant: 'acme', expires_at: 'tomorrow' }, '/expires_at', 'expires_at must be'],
    ['/admin/keys', { tenant: 'acme', expires_in_s: 5, expires_at: null }, '/expires_at', 'exclude each other'],
    ['/admin/keys', { tenant: 'acme', limits: { rate: 5 } }, '/limits/rate', 'unknown field'],
    ['/admin/keys', { tenant: 'acme', limits: { rate_per_minute: 0 } }, '/limits/rate_per_minute', 'from 1'],
    ['/admin/keys', { tenant: 'acme', limits: { hosts: ['a.example'] } }, '/limits/hosts', 'unknown field'],
    ['/admin/keys', {}, '/tenant', 'tenant is needed'],
    ['/admin/tenants', {}, '/name', 'is required'],
    ['/admin/tenants', { name: '../acme' }, '/name', '1 to 64 of A-Z'],
    ['/admin/tenants', { name: '..' }, '/name', 'not . or ..'],
    ['/admin/tenants', { name: 'a b' }, '/name', 'of A-Z a-z 0-9'],
    ['/admin/tenants', { name: 'a'.repeat(65) }, '/name', '1 to 64'],
    ['/admin/tenants', { name: 'x', limits: { cost_usd_per_day: 5 } }, '/limits/cost_usd_per_day', 'cost_usd_per_day'],
    ['/admin/tenants', { name: 'x', limits: { hosts: ['https://a.example'] } }, '/limits/hosts/0', 'host'],
  ])('%s %j', async (path, body, pointer, part) => {
    const bench = await acme()
    const problem = await problemOf(await bench.post(path, body))
    expect(problem).toMatchObject({ status: 422, errors: [{ pointer, message: expect.stringContaining(part) }] })
  })

  it('an unknown tenant by the nearest one there is', async () => {
    const bench = await acme()
    const problem = await problemOf(await bench.post('/admin/keys', { tenant: 'acne' }))
    expect(problem).toMatchObject({ status: 404, detail: 'There is no such tenant; did you mean "acme"?' })
    expect(await problemOf(await bench.post('/admin/tenants', { name: 'acme' }))).toMatchObject({
      code: 'tenant_exists',
    })
    const action = await problemOf(await bench.send('GET', '/admin/audit?action=createkey'))
    expect(action).toMatchObject({ status: 422, detail: expect.stringContaining('did you mean "createKey"?') })
  })

  it('hostile names in the path are unknown, and leave nothing', async () => {
    const bench = await acme()
    for (const name of ['%00', '..%2f', "'; DROP TABLE keys; --", '__proto__', 'a'.repeat(300), '%F0%9F%92%A9']) {
      const path = encodeURI(name).replaceAll('%25', '%')
      for (const [method, at] of [
        ['GET', `/admin/tenants/${path}`],
        ['DELETE', `/admin/tenants/${path}`],
        ['GET', `/admin/keys/${path}`],
        ['DELETE', `/admin/keys/${path}`],
      ] as const)
        expect((await bench.send(method, at)).status).toBe(404)
      expect((await bench.send('PATCH', `/admin/tenants/${path}`, '{"disabled":true}', JSON_TYPE)).status).toBe(404)
      expect((await bench.send('POST', `/admin/keys/${path}/rotate`, '{}', JSON_TYPE)).status).toBe(404)
    }
    expect(await keysOf(bench)).toHaveLength(1)
  })

  it('hostile headers are 4xx, and a tenant has a bounded number of live keys', async () => {
    const bench = await acme()
    for (const authorization of ['Bearer', 'Bearer la_', `Bearer ${'x'.repeat(9000)}`, 'Bearer a b', 'Basic bGE6'])
      expect((await bench.send('GET', '/admin/keys', null, { authorization })).status).toBe(401)
    for (let made = 1; made < KEYS_MAX; made++) await bench.makeKey('acme')
    const problem = await problemOf(await bench.post('/admin/keys', { tenant: 'acme' }))
    expect(problem).toMatchObject({ status: 409, code: 'too_many_keys' })
  })
})

describe('KEY-14 the audit log has every call, its refusals too, and no secret', () => {
  it('who, what, about whom, and from which request', async () => {
    const bench = await acme()
    const headers = { 'x-request-id': 'req-7' }
    await bench.post('/admin/keys', { scopes: ['tasks:write'] }, { ...bench.as, ...headers })
    await bench.post('/admin/keys', { tenant: 'acme', scopes: ['tasks:read'] }, headers)
    const [listed, made, refused] = await (async () => {
      await keysOf(bench)
      return auditOf(bench)
    })()
    expect(listed).toMatchObject({ action: 'listKeys', actor: 'admin_key', outcome: 'done' })
    expect(made).toMatchObject({
      request_id: 'req-7',
      actor: 'admin_key',
      actor_tenant: null,
      action: 'createKey',
      tenant: 'acme',
      key: expect.stringMatching(/^key_/),
      outcome: 'done',
      details: { name: null, scopes: ['tasks:read'], limits: {} },
    })
    expect(refused).toMatchObject({ actor: bench.admin.id, actor_tenant: 'acme', outcome: 'grant_exceeded', key: null })
    const only = await auditOf(bench, '?action=createTenant&limit=1')
    expect(only).toMatchObject([{ action: 'createTenant', tenant: 'acme', details: { limits: expect.any(Object) } }])
  })

  it('in pages, the newest first', async () => {
    const bench = await acme()
    for (let call = 0; call < 5; call++) await keysOf(bench)
    const Page = z.object({ data: z.array(z.object({ seq: z.int() })), next_cursor: z.string().nullable() })
    const first = Page.parse(await (await bench.send('GET', '/admin/audit?limit=3')).json())
    const second = Page.parse(await (await bench.send('GET', `/admin/audit?limit=3&after=${first.next_cursor}`)).json())
    const seqs = [...first.data, ...second.data].map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.toSorted((one, other) => other - one))
    expect(new Set(seqs).size).toBe(6)
  })
})
