/** What the fuzzer sends as an operator, and what belongs to it: tenants, keys, usage, limits and receivers of spans. */

/** Of the service that the fuzzer starts. Another one refuses it. */
export const ADMIN_KEY = 'operator-of-the-fuzzer-and-of-nobody-else'
const OPERATOR = `Authorization: Bearer ${ADMIN_KEY}`

/** Not the tenant of KEY: a fuzzer that disables its own tenant meets nothing any more. */
const TENANTS = ['acme', 'globex', 'a.b', 'x', '-', 'nobody', 'a'.repeat(64), '%00', '..', '%2F', '__proto__']
const LIMITS = [
  {},
  { open_tasks: 1 },
  { rate_per_minute: 1, tokens_per_day: 1, tokens_per_month: 1 },
  { cost_usd_per_day: '0.01', cost_usd_per_month: '0' },
  { models: ['nothing'], hosts: ['*.example.com'] },
  { stored_bytes: 1 },
  { open_tasks: null, models: null },
  { open_tasks: -1 },
  { hosts: ['http://x'] },
  { __proto__: null, toString: 1 },
]
const SCOPES = [
  ['tasks:read'],
  ['tasks:read', 'tasks:write'],
  ['delegations'],
  ['admin'],
  [],
  ['root'],
  ['admin', 'admin'],
]
/** No collector is there. */
const RECEIVERS = [
  'http://127.0.0.1:9/v1/traces',
  'http://10.0.0.1/',
  'file:///etc/passwd',
  'http://[::1]:9/',
  'https://a:b@127.0.0.1:9/',
  '',
  'x'.repeat(3_000),
]
const USAGE_QUERIES = [
  '',
  '?group_by=key,model,mode',
  '?group_by=nope',
  '?from=2026-01-01&to=2026-01-02',
  '?from=9999-12-31',
  '?to=0000-00-00',
  '?tenant=dev',
  '?tenant=%00',
  '?from=2026-02-30',
]
const ADMIN_QUERIES = [
  '',
  '?limit=1',
  '?limit=0',
  '?after=9007199254740993',
  '?after=%00',
  '?tenant=acme',
  '?tenant=__proto__',
  '?action=createKey',
  '?action=nope',
  '?x=y',
]

/** `keys`: ids of keys that are known to exist. */
export function operatorWords(random, keys) {
  const keyId = () => (keys.length > 0 && random.chance(0.8) ? random.pick(keys) : random.pick(['key_x', '%00', '..']))
  const tenant = () => random.pick(TENANTS)
  const good = goodRequests(random, { keyId, tenant })
  return {
    keyId,
    tenant,
    good: () => random.pick(good)(),
    /** Some requests come without the right to the route. */
    credentialFor: (path) => (path.startsWith('/admin/') && random.chance(0.9) ? { key: OPERATOR } : {}),
  }
}

function goodRequests(random, { keyId, tenant }) {
  const get = (path) => ({ method: 'GET', path })
  const change = (method, path, value) => ({ method, path, type: 'application/json', body: JSON.stringify(value) })
  const asOperator = (request) => ({ ...request, key: OPERATOR })
  const limits = () => random.pick(LIMITS)
  const tenantChange = () => ({ disabled: random.chance(0.2), limits: limits() })
  const key = () => ({ tenant: random.pick([...TENANTS, 'dev']), scopes: random.pick(SCOPES), limits: limits() })
  const receiver = () => ({
    endpoint: random.pick(RECEIVERS),
    protocol: random.pick(['http/json', 'http/protobuf', 'grpc']),
  })
  const usage = () => `/usage${random.pick(USAGE_QUERIES)}`
  return [
    () => asOperator(change('POST', '/admin/tenants', { name: tenant(), limits: limits() })),
    () => asOperator(change('PATCH', `/admin/tenants/${tenant()}`, tenantChange())),
    () => asOperator(change('POST', '/admin/keys', key())),
    () => asOperator(change('POST', `/admin/keys/${keyId()}/rotate`, { grace_s: random.below(100) })),
    () => asOperator({ method: 'DELETE', path: random.pick([`/admin/keys/${keyId()}`, `/admin/tenants/${tenant()}`]) }),
    () => asOperator(get(`/admin/${random.pick(['tenants', 'keys', 'audit'])}${random.pick(ADMIN_QUERIES)}`)),
    () => asOperator(get(random.pick(['/admin/deployment', '/metrics', usage()]))),
    () => get(usage()),
    () => get(random.pick(['/limits', '/telemetry'])),
    () => (random.chance(0.3) ? { method: 'DELETE', path: '/telemetry' } : change('PUT', '/telemetry', receiver())),
  ]
}
