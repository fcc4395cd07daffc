/** Whatever a client sends: no 5xx, every 4xx a problem document, every answer as openapi.yaml says. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DELEGATION_EXAMPLE } from '../../src/http/document/delegation-examples.ts'
import { ADMIN_KEY, fixture, ID, KEY } from '../support/http-fixture.ts'

const method = fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'QUERY')
const odd = fc.oneof(
  fc.constantFrom(
    '',
    '%00',
    '%zz',
    '%ff',
    '..',
    '%2e%2e',
    '%2F',
    ID,
    '__proto__',
    'constructor',
    '*',
    '{id}',
    ':id',
    ';',
    '@',
    '\\',
  ),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
)
const DELEGATION = `/delegations/${DELEGATION_EXAMPLE.id}`
const path = fc.oneof(
  fc.constantFrom(
    '/tasks',
    '/commands',
    `/tasks/${ID}/step`,
    `/tasks/${ID}/input`,
    `/tasks/${ID}/cancel`,
    `/tasks/${ID}`,
  ),
  fc.constantFrom('/delegations', DELEGATION, `${DELEGATION}/claim`, `${DELEGATION}/report`, '/reports/AAAA'),
  fc.constantFrom(
    '/admin/tenants',
    '/admin/tenants/acme',
    '/admin/keys',
    '/admin/keys/key_x',
    '/admin/keys/key_x/rotate',
  ),
  fc.constantFrom('/admin/audit', '/admin/deployment', '/usage', '/limits', '/telemetry', '/metrics', '/auth'),
  fc.constantFrom('/health', '/docs', '/openapi.yaml', `/tasks/${ID}/events`, `/tasks/${ID}/journal`),
  fc
    .array(
      fc.oneof(odd, fc.constantFrom('tasks', 'docs', 'step', 'input', 'events', 'delegations', 'reports', 'claim')),
      { maxLength: 5 },
    )
    .map((parts) => `/${parts.join('/')}`),
)
const query = fc.oneof(
  fc.constant(''),
  fc
    .array(
      fc.tuple(
        fc.oneof(
          odd,
          fc.constantFrom(
            'limit',
            'after',
            'status',
            'metadata.a',
            'metadata.',
            'tenant',
            'action',
            'from',
            'group_by',
          ),
        ),
        odd,
      ),
      {
        maxLength: 3,
      },
    )
    .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
)
const type = fc.constantFrom(
  undefined,
  'application/json',
  'text/plain',
  'text/markdown',
  'application/x-www-form-urlencoded',
  'x/y',
  ';',
  'application/json; charset=',
)
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.record(
    {
      goal: fc.oneof(fc.string(), fc.jsonValue()),
      rounds: fc.oneof(fc.integer(), fc.double(), fc.string()),
      settings: fc.dictionary(fc.string(), fc.jsonValue()),
      input: fc.string(),
      command: fc.string(),
      worker: fc.string(),
      text: fc.string(),
      spent: fc.jsonValue(),
      metadata: fc.jsonValue(),
      name: fc.oneof(fc.string(), fc.jsonValue()),
      tenant: fc.string(),
      scopes: fc.oneof(fc.array(fc.constantFrom('tasks:read', 'admin', '__proto__')), fc.jsonValue()),
      limits: fc.oneof(
        fc.dictionary(fc.constantFrom('open_tasks', 'hosts', 'models', 'cost_usd_per_day'), fc.jsonValue()),
        fc.jsonValue(),
      ),
      expires_at: fc.oneof(fc.constantFrom(null, '2027-01-01T00:00:00Z', '+275760-09-13T00:00:00Z'), fc.string()),
      grace_s: fc.oneof(fc.integer(), fc.double()),
      disabled: fc.jsonValue(),
      endpoint: fc.string(),
      headers: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
)
const body = fc.oneof(
  fc.constantFrom(
    '{"goal":"x"}',
    '{"command":"/help"}',
    '{"input":"x"}',
    '{"worker":"x"}',
    '{"text":"x"}',
    '---\nstatus: SUCCESS\n---',
    'goal=x',
    '{}',
  ),
  value.map((json) => JSON.stringify(json)),
  value.chain((json) => fc.nat(60).map((cut) => JSON.stringify(json).slice(0, cut))),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Uint8Array.from(bytes)),
  fc.webQueryParameters(),
)
const noise = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 40,
})
const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-language',
    'traceparent',
    'x-request-id',
    'content-encoding',
    'if-none-match',
    'prefer',
    'idempotency-key',
    'x-tenant',
    'range',
    'expect',
  ),
  fc.oneof(noise, fc.constantFrom('text/plain', 'text/plain;q="', 'zh;q=1e9', 'gzip')),
)

const known = (key: string) => fc.constant(`Bearer ${key}`)
const keyed = fc.oneof(
  { weight: 5, arbitrary: known(KEY) },
  { weight: 2, arbitrary: known(ADMIN_KEY) },
  { weight: 1, arbitrary: noise },
)
const anything = fc.record({ method, path, query, type, body, headers, authorization: keyed })
type Sent = typeof anything extends fc.Arbitrary<infer T> ? T : never
const GOOD: Sent = {
  method: 'POST',
  path: '/tasks',
  query: '',
  type: 'application/json',
  body: '{"goal":"x"}',
  headers: {},
  authorization: `Bearer ${KEY}`,
}
const PARTS = ['method', 'path', 'query', 'type', 'body', 'headers', 'authorization'] as const
/** A good request with at most two parts of an odd one: it gets past the first check more often. */
const nearlyGood = fc
  .tuple(anything, fc.subarray([...PARTS], { maxLength: 2 }))
  .map(([odd, parts]): Sent => ({ ...GOOD, ...Object.fromEntries(parts.map((part) => [part, odd[part]])) }))

async function answerTo(sent: Sent): Promise<Response> {
  const kind: Record<string, string> = sent.type === undefined ? {} : { 'content-type': sent.type }
  const bare = sent.method === 'GET' || sent.method === 'HEAD'
  const target = new URL(`http://x${sent.path}`).pathname + sent.query
  const all = { ...sent.headers, ...kind, authorization: sent.authorization }
  return fixture().send(sent.method, target, bare ? null : sent.body, all)
}

describe('hostile requests', () => {
  it('0 answers of 5xx, and 4xx are problem documents', async () => {
    const counts = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, nearlyGood), async (sent) => {
        const response = await answerTo(sent)
        counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
        expect(response.status).toBeLessThan(500)
        if (response.status >= 400)
          expect(response.headers.get('content-type')).toMatch(
            /^(?:application\/problem\+json|text\/plain; charset=utf-8)$/,
          )
      }),
      { numRuns: 3_000, seed: 20_260_302 },
    )
    // A fuzzer that reaches one answer only has tested nothing.
    expect([...counts.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 404, 405, 415, 422]))
  }, 60_000)
})
