/** AUTH_*: what is read, what is wrong and said without its value, and what a login changes of the rest. */
import { describe, expect, it } from 'vitest'
import { readEnvironment } from '../scripts/lib/environment.mjs'
import { NO_KEYS } from '../src/config-keys.ts'
import { LOGIN_VARIABLES, mayLogIn, readLogin, type LoginVariables } from '../src/config-login.ts'
import { parseConfig } from '../src/config.ts'

const SIGNING_SECRET = 'a secret of the tests'
const ISSUER = 'https://login.example.com/'
const LOGIN = { AUTH_ISSUER: ISSUER, AUTH_AUDIENCE: 'loop-agent', AUTH_TENANT: 'acme' }
const configured = (more: LoginVariables = {}) =>
  parseConfig({ API_KEYS: 'acme:k1', SIGNING_SECRET, ...LOGIN, ...more })
const errorsOf = (more: LoginVariables) => configured(more).config_errors

describe('LOGIN-11 AUTH_ISSUER, AUTH_AUDIENCE and a tenant are enough for a login', () => {
  it('LOGIN-11 without them there is none', () => {
    expect(parseConfig({ API_KEYS: 'acme:k1', SIGNING_SECRET }).login).toBeNull()
  })

  it('LOGIN-11 the issuer is kept sign by sign', () => {
    const { login, config_errors } = configured({ AUTH_AUDIENCE: ' loop-agent , api://x' })
    expect(config_errors).toEqual([])
    expect(login).toEqual({
      issuer: ISSUER,
      audiences: ['loop-agent', 'api://x'],
      jwks_url: null,
      is_access: false,
      tenant: { claim: null, map: null, fallback: 'acme' },
      scopes: { claim: null, map: null, fallback: ['tasks:read', 'tasks:write', 'delegations'] },
      client: null,
    })
  })

  it('LOGIN-11 claims, maps and the client of the console', () => {
    const { login, config_errors } = configured({
      AUTH_TENANT: undefined,
      AUTH_TENANT_CLAIM: 'https://acme.example/org',
      AUTH_TENANT_MAP: '{"org_2x9":"acme"}',
      AUTH_SCOPES_CLAIM: 'realm_access.roles',
      AUTH_SCOPES_MAP: '{"operators":"admin tasks:read"}',
      AUTH_CLIENT_ID: 'console',
      AUTH_CLIENT_SCOPE: 'openid offline_access',
    })
    expect(config_errors).toEqual([])
    expect(login).toMatchObject({
      tenant: { claim: 'https://acme.example/org', map: new Map([['org_2x9', 'acme']]), fallback: null },
      scopes: { claim: 'realm_access.roles', map: new Map([['operators', ['tasks:read', 'admin']]]), fallback: [] },
      client: { id: 'console', scope: 'openid offline_access' },
    })
  })

  it.each([
    ['https://acme.cloudflareaccess.com', undefined, true],
    ['https://acme.cloudflareaccess.com', 'oidc', false],
    ['https://acme.cloudflareaccess.com/cdn-cgi/access/sso/oidc/1', undefined, false],
    ['https://cloudflareaccess.com.example.org', undefined, false],
    ['https://login.example.com', 'cloudflare-access', true],
    ['https://login.example.com', undefined, false],
  ])('LOGIN-11 %s with AUTH_PROVIDER %s is Cloudflare Access: %s', (AUTH_ISSUER, AUTH_PROVIDER, expected) => {
    expect(configured({ AUTH_ISSUER, AUTH_PROVIDER }).login?.is_access).toBe(expected)
  })
})

describe('LOGIN-12 what is wrong is an error that names the variable and not its value, and nobody logs in', () => {
  it.each(Object.keys(LOGIN_VARIABLES).filter((name) => name !== 'AUTH_ISSUER'))('LOGIN-12 %s alone', (name) => {
    const config = parseConfig({ API_KEYS: 'acme:k1', SIGNING_SECRET, [name]: 'canary' })
    expect(config.config_errors).toEqual([`${name} is set, but no AUTH_ISSUER`])
  })

  it.each<[LoginVariables, RegExp]>([
    ...[
      'canary',
      'ftp://canary.example',
      'https://',
      'https://u:canary@a.example',
      'https://a.example/?canary',
      'https://a.example#canary',
      'https://a.example/can ary',
    ].map((AUTH_ISSUER): [LoginVariables, RegExp] => [{ AUTH_ISSUER }, /^AUTH_ISSUER must be an https URL without/]),
    [{ AUTH_ISSUER: 'http://canary.example' }, /^AUTH_ISSUER must begin with https/],
    [{ AUTH_ISSUER: `https://${'canary.'.repeat(400)}example` }, /^AUTH_ISSUER must be an https URL/],
    [{ AUTH_JWKS_URL: 'http://canary.example/keys' }, /^AUTH_JWKS_URL must begin with https/],
    [{ AUTH_AUDIENCE: undefined }, /^AUTH_ISSUER needs AUTH_AUDIENCE/],
    [{ AUTH_AUDIENCE: 'canary,,x' }, /^AUTH_AUDIENCE must be 1 to 10 names/],
    [{ AUTH_AUDIENCE: 'canary'.repeat(50) }, /^AUTH_AUDIENCE must be 1 to 10 names/],
    [{ AUTH_AUDIENCE: Array(11).fill('canary').join() }, /^AUTH_AUDIENCE must be 1 to 10 names/],
    [{ AUTH_PROVIDER: 'canary' }, /^AUTH_PROVIDER must be one of oidc, cloudflare-access$/],
    [{ AUTH_TENANT: undefined }, /^AUTH_ISSUER needs AUTH_TENANT_CLAIM, or AUTH_TENANT/],
    [{ AUTH_TENANT: 'can/ary' }, /^AUTH_TENANT must be the name of a tenant/],
    [{ AUTH_TENANT: 'canary'.repeat(11) }, /^AUTH_TENANT must be the name of a tenant/],
    [{ AUTH_TENANT_CLAIM: 'can ary' }, /^AUTH_TENANT_CLAIM must be the name of a claim/],
    [{ AUTH_TENANT_MAP: '{"canary":"acme"}' }, /^AUTH_TENANT_MAP is set, but no AUTH_TENANT_CLAIM$/],
    ...['canary', '[]', '{}', '"canary"', '{"canary":1}', '{"canary":"a b"}', '{"canary":"acme","x":null}'].map(
      (AUTH_TENANT_MAP): [LoginVariables, RegExp] => [
        { AUTH_TENANT_CLAIM: 'org', AUTH_TENANT_MAP },
        /^AUTH_TENANT_MAP must be JSON/,
      ],
    ),
    [{ AUTH_SCOPES: 'canary' }, /^AUTH_SCOPES must name scopes of tasks:read, tasks:write, delegations, admin/],
    [{ AUTH_SCOPES: 'tasks:read canary' }, /^AUTH_SCOPES must name scopes/],
    [{ AUTH_SCOPES: ',' }, /^AUTH_SCOPES must name scopes/],
    [{ AUTH_SCOPES_CLAIM: 'cañary' }, /^AUTH_SCOPES_CLAIM must be the name of a claim/],
    [{ AUTH_SCOPES_MAP: '{"canary":"admin"}' }, /^AUTH_SCOPES_MAP is set, but no AUTH_SCOPES_CLAIM$/],
    [{ AUTH_SCOPES_CLAIM: 'roles', AUTH_SCOPES_MAP: '{"canary":"root"}' }, /^AUTH_SCOPES_MAP must be JSON/],
    [{ AUTH_CLIENT_ID: 'canary\u0007' }, /^AUTH_CLIENT_ID must be 1 to 256 visible/],
    [{ AUTH_CLIENT_ID: 'x', AUTH_CLIENT_SCOPE: 'canary' }, /^AUTH_CLIENT_SCOPE must name scopes .* openid/],
    [{ AUTH_CLIENT_ID: 'x', AUTH_CLIENT_SCOPE: 'openid  canary' }, /^AUTH_CLIENT_SCOPE must name scopes/],
    [{ AUTH_CLIENT_SCOPE: 'openid' }, /^AUTH_CLIENT_SCOPE is set, but no AUTH_CLIENT_ID$/],
    [{ AUTH_PROVIDER: 'cloudflare-access', AUTH_CLIENT_ID: 'canary' }, /^AUTH_CLIENT_ID is of no use behind/],
  ])('LOGIN-12 %j', (more, error) => {
    const config = configured(more)
    expect(config.config_errors).toEqual([expect.stringMatching(error)])
    expect(config.config_errors.join()).not.toContain('canary')
    expect(config.login).toBeNull()
  })

  it('LOGIN-12 a map of many members is bounded, and one of them may be called as anything', () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`org_${index}`, 'acme']))
    expect(errorsOf({ AUTH_TENANT_CLAIM: 'org', AUTH_TENANT_MAP: JSON.stringify(many) })).toHaveLength(1)
    const strange = { AUTH_TENANT_CLAIM: 'org', AUTH_TENANT_MAP: '{"__proto__":"acme","constructor":"acme"}' }
    expect(configured(strange).login?.tenant.map?.size).toBe(2)
  })

  it('LOGIN-12 http is for this machine in development, and for hosts that the operator names', () => {
    const local = { ...LOGIN, AUTH_ISSUER: 'http://127.0.0.1:9000' }
    expect(parseConfig({ ENVIRONMENT: 'development', ...local }).config_errors).toEqual([])
    expect(errorsOf(local)).toHaveLength(1)
    const inside = { AUTH_ISSUER: 'http://keycloak:8080/realms/acme', ALLOWED_HOSTS: 'keycloak:8080' }
    expect(parseConfig({ API_KEYS: 'acme:k1', SIGNING_SECRET, ...LOGIN, ...inside }).config_errors).toEqual([])
  })
})

describe('LOGIN-13 whoever configures a login serves others', () => {
  it('LOGIN-13 a login without ENVIRONMENT is production, and needs no keys there', () => {
    const config = parseConfig({ ...LOGIN, SIGNING_SECRET, DEFAULT_ENVIRONMENT: 'development' })
    expect(config).toMatchObject({ environment: 'production', environment_reason: 'AUTH_ISSUER' })
    expect([config.api_keys, config.config_errors]).toEqual([[], []])
  })

  it('LOGIN-13 a wrong login leaves nothing open', () => {
    const config = parseConfig({ AUTH_ISSUER: 'wrong', SIGNING_SECRET, DEFAULT_ENVIRONMENT: 'development' })
    expect([config.environment, config.api_keys]).toEqual(['production', []])
    expect(config.config_errors.length).toBeGreaterThan(0)
  })

  it('LOGIN-13 without a login production needs keys as before', () => {
    expect(parseConfig({ ENVIRONMENT: 'production', SIGNING_SECRET }).config_errors).toEqual([NO_KEYS])
  })

  it('LOGIN-13 npm start says whose logins it takes', () => {
    const started = readEnvironment({ ...LOGIN, SIGNING_SECRET, PUBLIC_URL: 'https://agent.example.com' })
    expect(started).toMatchObject({
      errors: [],
      environment: 'production',
      keys: `no keys, logins of ${ISSUER}`,
      reason: 'because AUTH_ISSUER is set and ENVIRONMENT is not',
      bindings: LOGIN,
    })
  })
})

describe('LOGIN-14 links of a tenant that could log in open', () => {
  const of = (more: LoginVariables) => {
    const { login } = readLogin({ ...LOGIN, AUTH_TENANT: undefined, ...more }, { loopback: false })
    return (tenant: string) => login !== null && mayLogIn(login, tenant)
  }
  it.each<[string, LoginVariables, boolean]>([
    ['acme', { AUTH_TENANT: 'acme' }, true],
    ['globex', { AUTH_TENANT: 'acme' }, false],
    ['globex', { AUTH_TENANT_CLAIM: 'org' }, true],
    ['acme', { AUTH_TENANT_CLAIM: 'org', AUTH_TENANT_MAP: '{"1":"acme"}' }, true],
    ['globex', { AUTH_TENANT_CLAIM: 'org', AUTH_TENANT_MAP: '{"1":"acme"}' }, false],
    ['globex', { AUTH_TENANT_CLAIM: 'org', AUTH_TENANT_MAP: '{"1":"acme"}', AUTH_TENANT: 'globex' }, true],
  ])('LOGIN-14 %s with %j: %s', (tenant, more, expected) => expect(of(more)(tenant)).toBe(expected))
})
