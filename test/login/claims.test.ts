/** What claims mean here: the tenant, the scopes, and the name of the login. */
import { describe, expect, it } from 'vitest'
import type { LoginVariables } from '../../src/config-login.ts'
import { loginNameOf, loginScopesOf, tenantOf } from '../../src/http/gate/login/claims.ts'
import { ISSUER, loginOf } from './stand-in.ts'

const USUAL = ['tasks:read', 'tasks:write', 'delegations']
const tenant = (more: LoginVariables, claims: Record<string, unknown>) => {
  const found = tenantOf(loginOf(more), claims)
  if (found.ok) return found.value
  return found.refusal.code === 'no_tenant' ? found.refusal.fault : found.refusal
}
const scopes = (more: LoginVariables, claims: Record<string, unknown>) => loginScopesOf(loginOf(more), claims)

describe('LOGIN-08 the claim that AUTH_TENANT_CLAIM names is the tenant', () => {
  const MAP = { AUTH_TENANT_MAP: '{"org_1":"acme","org_2":"globex","team 3":"acme"}' }
  it.each<[string, LoginVariables, Record<string, unknown>, string]>([
    ['a text', {}, { org: 'acme' }, 'acme'],
    ['a list of one', {}, { org: ['acme'] }, 'acme'],
    ['the same twice', {}, { org: ['acme', 'acme'] }, 'acme'],
    [
      'a name with dots',
      { AUTH_TENANT_CLAIM: 'https://acme.example/org' },
      { 'https://acme.example/org': 'acme' },
      'acme',
    ],
    ['a path', { AUTH_TENANT_CLAIM: 'app.org.id' }, { app: { org: { id: 'acme' } } }, 'acme'],
    ['a name before a path', { AUTH_TENANT_CLAIM: 'a.b' }, { 'a.b': 'acme', a: { b: 'globex' } }, 'acme'],
    ['a listed value', MAP, { org: 'org_1' }, 'acme'],
    ['a listed value among others', MAP, { org: ['x', 'team 3', 'org_1'] }, 'acme'],
    ['AUTH_TENANT without a claim', { AUTH_TENANT_CLAIM: undefined, AUTH_TENANT: 'acme' }, { org: 'globex' }, 'acme'],
    ['AUTH_TENANT where the claim is missing', { AUTH_TENANT: 'acme' }, {}, 'acme'],
    ['no claim', {}, { organisation: 'acme' }, 'missing'],
    ['null', {}, { org: null }, 'missing'],
    ['a path to nowhere', { AUTH_TENANT_CLAIM: 'a.b' }, { a: 'acme' }, 'missing'],
    ['a member of every object', { AUTH_TENANT_CLAIM: 'constructor.name' }, {}, 'missing'],
    ['its prototype', { AUTH_TENANT_CLAIM: '__proto__' }, {}, 'missing'],
    ['a number', {}, { org: 7 }, 'no_text'],
    ['an object', {}, { org: { acme: {} } }, 'no_text'],
    ['an empty list', {}, { org: [] }, 'no_text'],
    ['two tenants', {}, { org: ['acme', 'globex'] }, 'several'],
    ['two listed tenants', MAP, { org: ['org_1', 'org_2'] }, 'several'],
    ['an unlisted value', MAP, { org: 'acme' }, 'unlisted'],
    ['an unlisted value beside AUTH_TENANT', { ...MAP, AUTH_TENANT: 'acme' }, { org: 'x' }, 'unlisted'],
    ['an empty text', {}, { org: '' }, 'no_name'],
    ['a text with a blank', {}, { org: 'acme corp' }, 'no_name'],
    ['an address', {}, { org: 'user@acme.example' }, 'no_name'],
    ['a path in a name', {}, { org: '../globex' }, 'no_name'],
    ['a long text', {}, { org: 'a'.repeat(65) }, 'no_name'],
    ['a line feed', {}, { org: 'acme\n' }, 'no_name'],
    ['a wrong name beside AUTH_TENANT', { AUTH_TENANT: 'acme' }, { org: 'a b' }, 'no_name'],
  ])('LOGIN-08 %s', (_, more, claims, expected) => expect(tenant(more, claims)).toBe(expected))
})

describe('LOGIN-09 the scopes of a login', () => {
  const MAP = {
    AUTH_SCOPES_CLAIM: 'groups',
    AUTH_SCOPES_MAP: '{"Head admin":"tasks:read admin","readers":"tasks:read"}',
  }
  it.each<[string, LoginVariables, Record<string, unknown>, string[]]>([
    ['are all but admin without a claim', {}, { scope: 'admin', scp: ['admin'] }, USUAL],
    ['are those of AUTH_SCOPES', { AUTH_SCOPES: 'tasks:read' }, {}, ['tasks:read']],
    [
      'are those of a text',
      { AUTH_SCOPES_CLAIM: 'scope' },
      { scope: 'openid tasks:write tasks:read x' },
      USUAL.slice(0, 2),
    ],
    [
      'are those of a list',
      { AUTH_SCOPES_CLAIM: 'scp' },
      { scp: ['delegations', 'email', 'delegations'] },
      ['delegations'],
    ],
    ['are none where the claim names none', { AUTH_SCOPES_CLAIM: 'scope' }, { scope: 'openid' }, []],
    ['are none without the claim', { AUTH_SCOPES_CLAIM: 'scope' }, {}, []],
    [
      'are AUTH_SCOPES without the claim',
      { AUTH_SCOPES_CLAIM: 'scope', AUTH_SCOPES: 'tasks:read' },
      {},
      ['tasks:read'],
    ],
    ['are none where the claim is no text', { AUTH_SCOPES_CLAIM: 'scope', AUTH_SCOPES: 'admin' }, { scope: 1 }, []],
    ['are what a listed group stands for', MAP, { groups: ['x', 'Head admin'] }, ['tasks:read', 'admin']],
    ['are not what the map does not list', MAP, { groups: ['admin', 'tasks:write'] }, []],
    ['a word of an entry with blanks is no scope', { AUTH_SCOPES_CLAIM: 'groups' }, { groups: ['Head admin'] }, []],
    ['a text of several listed words', MAP, { groups: 'x readers' }, ['tasks:read']],
  ])('LOGIN-09 %s', (_, more, claims, expected) => expect(scopes(more, claims)).toEqual(expected))
})

describe('LOGIN-10 the name of a login is a hash of issuer and subject', () => {
  it('LOGIN-10 it is the same for the same person, and reveals no address', async () => {
    const address = 'someone@acme.example'
    const name = await loginNameOf(ISSUER, { sub: address })
    expect(name).toMatch(/^oidc:[0-9a-f]{16}$/)
    expect(await loginNameOf(ISSUER, { sub: address, email: 'x@acme.example' })).toBe(name)
    expect(await loginNameOf(`${ISSUER}2`, { sub: address })).not.toBe(name)
    expect(await loginNameOf(ISSUER, { sub: 'another@acme.example' })).not.toBe(name)
  })
  it.each([
    [{ sub: '', common_name: 'ci.access' }, true],
    [{ client_id: 'ci' }, true],
    [{ azp: 'ci' }, true],
    [{}, false],
    [{ sub: 7 }, false],
    [{ sub: '', common_name: '' }, false],
  ])('LOGIN-10 %j names a login: %s', async (claims, expected) =>
    expect((await loginNameOf(ISSUER, claims)) !== null).toBe(expected),
  )
})
