/** Tenants and keys of `npm start`, over HTTP alone, with the whole service killed in between. */
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import type { Service } from '../../scripts/lib/service.mjs'
import { newPlace, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

const ADMIN_KEY = 'operator-of-the-end-to-end-tests-only'
const ENV = {
  ENVIRONMENT: 'production',
  API_KEYS: `first:${'f'.repeat(32)}`,
  ADMIN_KEY,
  SIGNING_SECRET: 's'.repeat(32),
  PUBLIC_URL: 'https://agent.example',
}
const Problem = z.looseObject({ code: z.string() })
const Key = z.looseObject({ id: z.string(), key: z.string() })
const Page = z.object({ data: z.array(z.looseObject({})) })

async function ask(service: Service, key: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${service.url}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
  const json: unknown = response.status === 204 ? null : await response.json()
  return { status: response.status, json, code: response.ok ? null : Problem.parse(json).code }
}
const admin = (service: Service, method: string, path: string, body?: object) =>
  ask(service, ADMIN_KEY, method, path, body)
async function makeKey(service: Service, wish: object) {
  const { status, json } = await admin(service, 'POST', '/admin/keys', { tenant: 'acme', ...wish })
  expect(status).toBe(201)
  return Key.parse(json)
}
/** What becomes of a request with each of the keys. */
const codesOf = async (service: Service, keys: Record<string, string>, method = 'GET', body?: object) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(keys).map(async ([name, key]) => {
        const { status, code } = await ask(service, key, method, '/tasks', body)
        return [name, code ?? status]
      }),
    ),
  )
async function restart(service: Service) {
  await service.kill()
  return place.start(ENV)
}
const GOAL = { goal: 'buy milk tomorrow', rounds: 0 }

it('OPS-17 tenants, keys, scopes, limits and the audit log survive kill -9, and a revoked key stays revoked', async () => {
  place = newPlace()
  let service = await place.start(ENV)
  const limits = { open_tasks: 2 }
  expect(await admin(service, 'POST', '/admin/tenants', { name: 'acme', limits })).toMatchObject({ status: 201 })
  const writer = await makeKey(service, { name: 'writer' })
  const reader = await makeKey(service, { name: 'reader', scopes: ['tasks:read'] })
  const leaked = await makeKey(service, { name: 'leaked' })
  const rotated = await makeKey(service, { name: 'rotated' })
  const successor = Key.parse(
    (await admin(service, 'POST', `/admin/keys/${rotated.id}/rotate`, { grace_s: 3600 })).json,
  )
  const replaced = await makeKey(service, { name: 'replaced' })
  const instead = Key.parse((await admin(service, 'POST', `/admin/keys/${replaced.id}/rotate`, { grace_s: 0 })).json)
  const keys = Object.fromEntries(
    Object.entries({ writer, reader, leaked, rotated, successor, replaced, instead }).map(([name, { key }]) => [
      name,
      key,
    ]),
  )
  expect(await ask(service, writer.key, 'POST', '/tasks', GOAL)).toMatchObject({ status: 201 })
  expect(await admin(service, 'DELETE', `/admin/keys/${leaked.id}`)).toMatchObject({ status: 204 })
  service = await restart(service)

  const read = { writer: 200, reader: 200, rotated: 200, successor: 200, instead: 200 }
  const ended = { leaked: 'unauthorized', replaced: 'unauthorized' }
  expect(await codesOf(service, keys)).toEqual({ ...read, ...ended })
  expect(await ask(service, reader.key, 'POST', '/tasks', GOAL)).toMatchObject({ code: 'insufficient_scope' })
  expect(await ask(service, ADMIN_KEY, 'GET', '/tasks')).toMatchObject({ code: 'insufficient_scope' })
  expect(await ask(service, writer.key, 'POST', '/tasks', GOAL)).toMatchObject({ status: 201 })
  expect(await ask(service, successor.key, 'POST', '/tasks', GOAL)).toMatchObject({
    code: 'quota_exceeded',
    json: { quota: 'open_tasks', used: 2, max: 2 },
  })
  const changed = await admin(service, 'PATCH', '/admin/tenants/acme', { limits: { open_tasks: 3 } })
  expect(changed).toMatchObject({ status: 200, json: { limits: { open_tasks: 3 } } })
  service = await restart(service)

  expect(await ask(service, successor.key, 'POST', '/tasks', GOAL)).toMatchObject({ status: 201 })
  expect(await codesOf(service, keys)).toEqual({ ...read, ...ended })
  const listed = await admin(service, 'GET', '/admin/keys?tenant=acme&limit=100')
  const states = Page.parse(listed.json).data.map(({ name, state }) => `${String(name)} ${String(state)}`)
  expect(states.toSorted()).toEqual([
    'leaked revoked',
    'reader live',
    'replaced expired',
    'replaced live',
    'rotated live',
    'rotated live',
    'writer live',
  ])
  const log = await admin(service, 'GET', '/admin/audit?tenant=acme&limit=100')
  const actions = Page.parse(log.json).data.map(({ action }) => String(action))
  expect(actions.filter((action) => !/^(?:get|list)/.test(action)).toReversed()).toEqual(
    ['createTenant', 'createKey', 'createKey', 'createKey', 'createKey', 'rotateKey', 'createKey', 'rotateKey'].concat(
      'revokeKey',
      'changeTenant',
    ),
  )
  for (const text of [listed, log].map(({ json }) => JSON.stringify(json)))
    for (const key of [ADMIN_KEY, ...Object.values(keys)]) expect(text).not.toContain(key)
}, 30_000)

it('OPS-17 a disabled tenant stays disabled after kill -9, and finds its tasks when it is enabled', async () => {
  place = newPlace()
  let service = await place.start(ENV)
  await admin(service, 'POST', '/admin/tenants', { name: 'acme' })
  await admin(service, 'POST', '/admin/tenants', { name: 'first' })
  const { key } = await makeKey(service, {})
  const keys = { acme: key, first: 'f'.repeat(32) }
  expect(await codesOf(service, keys, 'POST', GOAL)).toEqual({ acme: 201, first: 201 })
  for (const tenant of ['acme', 'first'])
    expect(await admin(service, 'PATCH', `/admin/tenants/${tenant}`, { disabled: true })).toMatchObject({ status: 200 })
  service = await restart(service)
  expect(await codesOf(service, keys)).toEqual({ acme: 'tenant_disabled', first: 'tenant_disabled' })
  for (const tenant of ['acme', 'first']) await admin(service, 'PATCH', `/admin/tenants/${tenant}`, { disabled: false })
  service = await restart(service)
  for (const one of Object.values(keys)) {
    const { json } = await ask(service, one, 'GET', '/tasks')
    expect(Page.parse(json).data).toHaveLength(1)
  }
}, 30_000)
