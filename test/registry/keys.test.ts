/** Keys of the registry over HTTP: what they open, when they stop, and what a look-up costs. */
import { describe, expect, it } from 'vitest'
import { keyFrom, RANDOM_BYTES } from '../../src/core/registry/key-format.ts'
import type { RemoteRegistry } from '../../src/core/registry/registry-requests.ts'
import { KNOWN_MS } from '../../src/shell/registry/directory.ts'
import { AUDIENCE, claims, ISSUER, newKey, sign, standIn } from '../login/stand-in.ts'
import { callerIn, ID, problemOf } from '../support/http-fixture.ts'
import { memoryRegistry } from '../support/memory/memory-registry.ts'
import { bearer, OPERATOR, registryBench } from '../support/registry-bench.ts'

const inventedKey = () => keyFrom(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))

/** Counts the look-ups of a registry, which may be out of reach. */
function watched(now: () => number) {
  const real = memoryRegistry(now)
  const state = { look_ups: 0, is_away: false }
  const remote: RemoteRegistry = {
    tell(command) {
      if (command.kind === 'look_up') state.look_ups++
      return state.is_away ? Promise.reject(new Error('the object is away')) : real.tell(command)
    },
    ask: (query) => real.ask(query),
  }
  return { state, remote }
}

async function watchedBench() {
  const time = { now: 0 }
  const { state, remote } = watched(() => time.now)
  const bench = registryBench({ remote })
  time.now = bench.clock.now
  const move = (ms: number) => (time.now = bench.clock.now += ms)
  await bench.makeTenant('acme')
  return { ...bench, state, move }
}
const statusOf = async (response: Promise<Response>) => (await response).status

describe('KEY-04 a key of the registry works for its tenant, and only by its scopes', () => {
  it('has the tenant, the scopes and the name of the key', async () => {
    const bench = registryBench()
    await bench.makeTenant('acme')
    const { id, key } = await bench.makeKey('acme', { scopes: ['tasks:write', 'tasks:read'] })
    expect(await statusOf(bench.send('GET', '/tasks', null, bearer(key)))).toBe(200)
    expect(callerIn(bench.asked.at(-1))).toMatchObject({
      tenant: 'acme',
      scopes: ['tasks:read', 'tasks:write'],
      key_name: id,
    })
    expect(await problemOf(await bench.send('GET', '/delegations', null, bearer(key)))).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      needed: 'delegations',
      scopes: 'tasks:read tasks:write',
    })
  })

  it('a key with tasks:read alone changes nothing, and a worker’s key is one', async () => {
    const bench = registryBench()
    await bench.makeTenant('acme')
    const reading = await bench.makeKey('acme', { scopes: ['tasks:read'] })
    expect((await bench.post('/tasks', { goal: 'x' }, bearer(reading.key))).status).toBe(403)
    expect(await statusOf(bench.send('DELETE', `/tasks/${ID}`, null, bearer(reading.key)))).toBe(403)
    const worker = await bench.makeKey('acme', { scopes: ['delegations'] })
    expect(await statusOf(bench.send('GET', '/delegations', null, bearer(worker.key)))).toBe(200)
    expect(await problemOf(await bench.send('GET', '/tasks', null, bearer(worker.key)))).toMatchObject({
      code: 'worker_key',
    })
  })

  it('ADMIN_KEY opens no task, and no key of a tenant what is for operators', async () => {
    const bench = registryBench()
    await bench.makeTenant('acme')
    const { key } = await bench.makeKey('acme', { scopes: ['admin'] })
    for (const path of ['/tasks', `/tasks/${ID}`, '/secrets', '/models'])
      expect(await problemOf(await bench.send('GET', path, null, OPERATOR))).toMatchObject({
        code: 'insufficient_scope',
      })
    expect((await bench.post('/admin/tenants', { name: 'other' }, bearer(key))).status).toBe(403)
    expect((await bench.post('/admin/tenants', { name: 'other' }, bearer('alice-key'))).status).toBe(403)
    expect(bench.asked).toEqual([])
  })
})

describe('KEY-05 a key that is not whole is refused without a look-up, and is told so', () => {
  it('by its checksum', async () => {
    const { send, makeKey, state, isolate } = await watchedBench()
    const { key } = await makeKey('acme')
    state.look_ups = 0
    for (const broken of [key.slice(0, -1), `${key.slice(0, 10)}${key.slice(11)}`, 'la_', 'la_x_y', `${key}a`]) {
      const response = await send('GET', '/tasks', null, bearer(broken))
      expect(await problemOf(response)).toMatchObject({ status: 401, detail: expect.stringContaining('damaged') })
    }
    expect(state.look_ups).toBe(0)
    expect(await statusOf(isolate().send('GET', '/tasks', null, bearer(key)))).toBe(200)
  })
})

describe('KEY-06 a look-up is remembered for 30 s, of a key that is not there too', () => {
  it('so a busy key asks the registry twice a minute', async () => {
    const { send, makeKey, state, move } = await watchedBench()
    const { key } = await makeKey('acme')
    state.look_ups = 0
    for (let second = 0; second < 60; second++) {
      expect(await statusOf(send('GET', '/tasks', null, bearer(key)))).toBe(200)
      move(1_000)
    }
    // Both with the key and its tenant.
    expect(state.look_ups).toBe(2)
  })

  it('an invented key is looked up once in that time, and does not push out real ones', async () => {
    const { send, makeKey, state } = await watchedBench()
    const { key } = await makeKey('acme')
    await send('GET', '/tasks', null, bearer(key))
    state.look_ups = 0
    const invented = inventedKey()
    for (let round = 0; round < 5; round++)
      expect(await statusOf(send('GET', '/tasks', null, bearer(invented)))).toBe(401)
    expect(state.look_ups).toBe(1)
    for (let round = 0; round < 2_100; round++) await send('GET', '/tasks', null, bearer(inventedKey()))
    state.look_ups = 0
    await send('GET', '/tasks', null, bearer(key))
    expect(state.look_ups).toBe(0)
  })

  it('the last use is noted every five minutes at most', async () => {
    const { send, makeKey, move } = await watchedBench()
    const { id, key } = await makeKey('acme')
    const lastUse = async () =>
      (await (await send('GET', `/admin/keys/${id}`)).json()) as { last_used_at: string | null }
    expect((await lastUse()).last_used_at).toBe(null)
    await send('GET', '/tasks', null, bearer(key))
    const first = (await lastUse()).last_used_at
    expect(first).toBe('2026-11-28T12:00:00.000Z')
    move(4 * 60_000)
    await send('GET', '/tasks', null, bearer(key))
    expect((await lastUse()).last_used_at).toBe(first)
    move(60_000)
    await send('GET', '/tasks', null, bearer(key))
    expect((await lastUse()).last_used_at).toBe('2026-11-28T12:05:00.000Z')
  })
})

describe('KEY-07 a revoked key is refused everywhere within 60 s', () => {
  it('in two isolates, of which one had looked the key up just before', async () => {
    const bench = registryBench()
    await bench.makeTenant('acme')
    const { id, key } = await bench.makeKey('acme')
    const [one, other] = [bench.isolate(), bench.isolate()]
    for (const isolate of [one, other])
      expect(await statusOf(isolate.send('GET', '/tasks', null, bearer(key)))).toBe(200)
    expect(await statusOf(one.send('DELETE', `/admin/keys/${id}`))).toBe(204)
    bench.clock.now += 59_999
    for (const isolate of [one, other]) {
      const response = await isolate.send('GET', '/tasks', null, bearer(key))
      expect(await problemOf(response)).toMatchObject({ status: 401, detail: expect.stringContaining('revoked') })
    }
    expect(await statusOf(bench.isolate().send('GET', '/tasks', null, bearer(key)))).toBe(401)
  })

  it('also where the registry cannot be reached: what was known counts for less than 60 s, and then the key is asked to wait', async () => {
    const { send, makeKey, state, move } = await watchedBench()
    const { key } = await makeKey('acme')
    expect(await statusOf(send('GET', '/tasks', null, bearer(key)))).toBe(200)
    state.is_away = true
    move(KNOWN_MS - 1)
    expect(await statusOf(send('GET', '/tasks', null, bearer(key)))).toBe(200)
    move(1)
    const response = await send('GET', '/tasks', null, bearer(key))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await problemOf(response)).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('key') })
    expect(KNOWN_MS).toBeLessThanOrEqual(60_000)
    // Keys of API_KEYS need no look-up.
    expect(await statusOf(send('GET', '/tasks'))).toBe(200)
    state.is_away = false
    expect(await statusOf(send('GET', '/tasks', null, bearer(key)))).toBe(200)
  })

  it('a key that expires is refused in that moment, whatever was known of it', async () => {
    const bench = registryBench()
    await bench.makeTenant('acme')
    const { key } = await bench.makeKey('acme', { expires_in_s: 10 })
    expect(await statusOf(bench.send('GET', '/tasks', null, bearer(key)))).toBe(200)
    bench.clock.now += 10_000
    const response = await bench.send('GET', '/tasks', null, bearer(key))
    expect(await problemOf(response)).toMatchObject({ status: 401, detail: expect.stringContaining('expired') })
  })
})

describe('KEY-08 a disabled tenant is not served', () => {
  it('neither by keys of the registry and of API_KEYS, nor by links, until it is enabled', async () => {
    const bench = registryBench()
    await bench.makeTenant('alice')
    const { key } = await bench.makeKey('alice')
    const both = () => [bench.send('GET', '/tasks', null, bearer(key)), bench.send('GET', '/tasks')].map(statusOf)
    const link = () => statusOf(bench.send('GET', '/answers/AAAA'))
    expect([await Promise.all(both()), await link()]).toEqual([[200, 200], 200])
    const setDisabled = (disabled: boolean) =>
      bench.send('PATCH', '/admin/tenants/alice', JSON.stringify({ disabled }), { 'content-type': 'application/json' })
    expect((await setDisabled(true)).status).toBe(200)
    bench.clock.now += 30_000
    expect([await Promise.all(both()), await link()]).toEqual([[403, 403], 404])
    expect(await problemOf(await bench.send('GET', '/tasks'))).toMatchObject({ code: 'tenant_disabled' })
    await setDisabled(false)
    bench.clock.now += 30_000
    expect([await Promise.all(both()), await link()]).toEqual([[200, 200], 200])
  })

  it('while the registry is away, a process that knows nothing serves no login, and keys of API_KEYS alone', async () => {
    const signing = await newKey('k')
    const away: RemoteRegistry = {
      tell: () => Promise.reject(new Error('the object is away')),
      ask: () => Promise.reject(new Error('the object is away')),
    }
    const env = {
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: AUDIENCE,
      AUTH_TENANT_CLAIM: 'org',
      API_KEYS: 'alice:alice-key',
      ADMIN_KEY: OPERATOR.authorization.slice(7),
    }
    const bench = registryBench({ env, remote: away, issuer: standIn(signing.jwk).ports })
    const token = await sign(signing, claims({ org: 'alice' }))
    const refused = await bench.send('GET', '/tasks', null, bearer(token))
    expect(await problemOf(refused)).toMatchObject({ status: 503, code: 'unavailable' })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await statusOf(bench.send('GET', '/tasks', null, bearer('alice-key')))).toBe(200)
  })

  it('links of a tenant that only the registry knows open too', async () => {
    const bench = registryBench({ env: { API_KEYS: 'other:other-key', ADMIN_KEY: OPERATOR.authorization.slice(7) } })
    expect(await statusOf(bench.send('GET', '/answers/AAAA'))).toBe(404)
    await bench.makeTenant('alice')
    bench.clock.now += 30_000
    expect(await statusOf(bench.send('GET', '/answers/AAAA'))).toBe(200)
  })

  it('a deleted tenant is not served either, and its name stays taken', async () => {
    const bench = registryBench()
    await bench.makeTenant('acme')
    const { key } = await bench.makeKey('acme')
    expect(await problemOf(await bench.send('DELETE', '/admin/tenants/acme'))).toMatchObject({ code: 'tenant_enabled' })
    await bench.send('PATCH', '/admin/tenants/acme', '{"disabled":true}', { 'content-type': 'application/json' })
    expect(await statusOf(bench.send('DELETE', '/admin/tenants/acme'))).toBe(204)
    expect(await statusOf(bench.send('GET', '/admin/tenants/acme'))).toBe(404)
    expect(await problemOf(await bench.post('/admin/tenants', { name: 'acme' }))).toMatchObject({
      code: 'tenant_exists',
      detail: expect.stringContaining('was deleted'),
    })
    expect((await bench.post('/admin/keys', { tenant: 'acme' })).status).toBe(404)
    expect(await statusOf(bench.isolate().send('GET', '/tasks', null, bearer(key)))).toBe(401)
  })
})

describe('KEY-09 without ADMIN_KEY nothing asks a registry', () => {
  it('neither a key of API_KEYS, nor a link, nor an invented key of the registry', async () => {
    const fail = () => Promise.reject(new Error('the registry was asked'))
    const bench = registryBench({ env: { API_KEYS: 'alice:alice-key' }, remote: { tell: fail, ask: fail } })
    expect(await statusOf(bench.send('GET', '/tasks'))).toBe(200)
    expect((await bench.post(`/tasks/${ID}/step`, {})).status).toBe(200)
    expect(await statusOf(bench.send('GET', '/answers/AAAA'))).toBe(200)
    expect(await statusOf(bench.send('GET', '/tasks', null, bearer(inventedKey())))).toBe(401)
    expect(await statusOf(bench.send('GET', '/admin/tenants', null, bearer('alice-key')))).toBe(403)
  })
})
