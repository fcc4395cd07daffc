/** What a key may do follows from its scopes, and each route needs one of them. */
import { describe, expect, it } from 'vitest'
import { Scope } from '../../src/core/registry/scopes.ts'
import { ROUTES } from '../../src/http/contract.ts'
import { admit, type Gate } from '../../src/http/gate/admit.ts'
import { scopeOf, type KeyHolder } from '../../src/http/gate/auth/key-holder.ts'
import { problemResponse } from '../../src/http/gate/problem-response.ts'
import type { Route } from '../../src/http/route.ts'
import { fixture, problemOf } from '../support/http-fixture.ts'

const keyed: [string, Route][] = Object.entries<Route>(ROUTES).filter(([, { open }]) => !open)

/** A gate that lets one holder in, and counts how often it was asked to count. */
function gateOf(scopes: readonly Scope[]) {
  const counted: KeyHolder[] = []
  const holder: KeyHolder = { tenant: 'alice', scopes, key_name: 'key_1', is_operator: false }
  const gate: Gate = {
    authenticate: async () => ({ ok: true, value: holder }),
    open_link: { read: async () => null, path: async () => null },
    count_key: async (counting) => {
      counted.push(counting)
      return null
    },
    links: { countKnownLink: async () => null, countUnknownLink: async () => null },
  }
  return { gate, counted }
}

const askAs = async (scopes: readonly Scope[], route: Route) => {
  const { gate, counted } = gateOf(scopes)
  const request = new Request(`http://localhost${route.path}`, { method: route.method.toUpperCase() })
  const admitted = await admit(gate, route, request, {})
  return { refusal: admitted.ok ? null : admitted.refusal, counted: counted.length }
}
const isAboutScopes = (code: string | undefined) => code === 'insufficient_scope' || code === 'worker_key'

describe('KEY-01 every route needs one scope', () => {
  it.each(keyed)('%s is opened by its scope alone, and by no other', async (_, route) => {
    const needed = scopeOf(route)
    for (const scope of Scope.options) {
      const { refusal, counted } = await askAs([scope], route)
      expect([isAboutScopes(refusal?.code), counted]).toEqual(scope === needed ? [false, 1] : [true, 0])
    }
    const others = Scope.options.filter((scope) => scope !== needed)
    expect((await askAs(others, route)).refusal).toEqual({ code: 'insufficient_scope', needed, given: others })
  })

  it('reading needs tasks:read, changing tasks:write, and the work of workers delegations', () => {
    const of = (name: keyof typeof ROUTES) => scopeOf(ROUTES[name])
    expect([of('listTasks'), of('getFile'), of('replayTask')]).toEqual(['tasks:read', 'tasks:read', 'tasks:read'])
    expect([of('createTask'), of('endLinks'), of('dryRunTask'), of('callTool')]).toEqual(
      Array.from({ length: 4 }, () => 'tasks:write'),
    )
    expect([of('listDelegations'), of('reportDelegation')]).toEqual(['delegations', 'delegations'])
  })

  it('a refusal names the scope that is missing and those that the key has', async () => {
    const refusal = { code: 'insufficient_scope', needed: 'tasks:write', given: ['tasks:read', 'delegations'] } as const
    const response = await problemResponse(refusal, '/tasks')
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="loop-agent", error="insufficient_scope", scope="tasks:write"',
    )
    expect(await problemOf(response)).toMatchObject({
      status: 403,
      needed: 'tasks:write',
      scopes: 'tasks:read delegations',
      detail: 'This route needs a key with the scope tasks:write; this key has tasks:read, delegations.',
    })
  })
})

it('KEY-02 a key of API_KEYS has every scope but admin, and a name that does not reveal it', async () => {
  const { post, asked } = fixture()
  expect((await post('/tasks', { goal: 'g' })).status).toBe(201)
  expect(asked[0]?.args[0]).toMatchObject({
    tenant: 'alice',
    scopes: ['tasks:read', 'tasks:write', 'delegations'],
    key_name: expect.stringMatching(/^env_[0-9a-f]{16}$/),
  })
})
