/** U21: a key with `:worker` behind it opens the routes of delegations, and nothing else of its tenant. */
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/http/contract.ts'
import { DELEGATION_EXAMPLE } from '../../src/http/document/delegation-examples.ts'
import { EXAMPLES } from '../../src/http/document/examples.ts'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { allReadLinks } from '../../src/shell/links/read-links.ts'
import { callerIn, fixture, ID, problemOf, type Fixture } from '../support/http-fixture.ts'

const WORKER = { authorization: 'Bearer carol-key' }
const WRITES = { 'content-type': 'application/json', 'if-match': '*' }
type Entry = [name: string, route: (typeof ROUTES)[keyof typeof ROUTES]]
const routes: Entry[] = Object.entries(ROUTES)
const isForWorkers = ([, route]: Entry) => 'worker' in route
const pathOf = (path: string) =>
  path
    .replace('{id}', path.startsWith('/delegations/') ? DELEGATION_EXAMPLE.id : ID)
    .replace('{file}', 'init.js')
    .replace('{name}', /^\/(?:secrets|schedules)\//.test(path) ? 'orders' : 'sales.csv')
    .replace('{token}', 'AAAA')

/** Asks a route for what it answers with 2xx. */
async function ask(entry: Entry, headers: Record<string, string> = WORKER) {
  const [name, { method, path, body }] = entry
  const app = fixture()
  const sent = body === null ? null : JSON.stringify(EXAMPLES[name]?.request)
  const all = body === null ? headers : { ...WRITES, ...headers }
  return { response: await app.send(method.toUpperCase(), pathOf(path), sent, all), asked: app.asked }
}

describe('U21 a key for workers', () => {
  it('is for exactly these routes', () => {
    expect(routes.filter(isForWorkers).map(([name]) => name)).toEqual([
      'listDelegations',
      'listPools',
      'getDelegation',
      'claimDelegation',
      'reportDelegation',
      'postReport',
    ])
  })

  it.each(routes.filter(isForWorkers))('opens %s, for its tenant', async (...entry) => {
    const { response, asked } = await ask(entry)
    expect([response.status, asked.length]).toEqual([200, 1])
    expect(callerIn(asked[0]).tenant).toBe(entry[1].open ? '' : 'carol')
  })

  it.each(routes.filter((entry) => !isForWorkers(entry) && !entry[1].open))(
    'is refused by %s with 403 worker_key, and reaches no service',
    async (...entry) => {
      const { response, asked } = await ask(entry)
      expect(await problemOf(response)).toMatchObject({
        status: 403,
        code: 'worker_key',
        detail: expect.stringContaining('delegations'),
      })
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="loop-agent", error="insufficient_scope"')
      expect(asked).toEqual([])
    },
  )

  it.each(routes.filter(([, route]) => route.open && !('operator' in route)))(
    'changes nothing about %s, which is open',
    async (...entry) => {
      const [worker, nobody] = [await ask(entry), await ask(entry, { authorization: '' })]
      expect([worker.response.status, await worker.response.text()]).toEqual([
        nobody.response.status,
        await nobody.response.text(),
      ])
    },
  )

  it('is refused before anything is looked at: a malformed id, a bad query and an unreadable body are 403 too', async () => {
    const { send, asked } = fixture()
    const statuses = [
      (await send('GET', '/tasks/x', null, WORKER)).status,
      (await send('GET', '/tasks?limit=0', null, WORKER)).status,
      (await send('POST', '/tasks', '{', { ...WORKER, 'content-type': 'application/json' })).status,
    ]
    expect([statuses, asked]).toEqual([[403, 403, 403], []])
  })

  it('opens no route that is not there: 404 and 405 as for everybody', async () => {
    const { send } = fixture()
    expect((await send('GET', '/nowhere', null, WORKER)).status).toBe(404)
    expect((await send('DELETE', '/delegations', null, WORKER)).status).toBe(405)
  })

  it('goes before a link: with both the key counts', async () => {
    for (const path of [`/tasks/${ID}/events?token=x`, `/tasks/${ID}/files?token=x`, '/calendar.ics?token=x'])
      expect((await fixture().send('GET', path, null, WORKER)).status).toBe(403)
  })

  it('does not let links of its tenant be read: that takes a key that may read', async () => {
    for (const [tenant, status] of [
      ['carol', 401],
      ['alice', 200],
    ] as const) {
      const { config, send } = fixture()
      const links = allReadLinks(signedLinks(config.signing_secrets))
      const token = await links.calendar.sign({ tenant, task: '', link_epoch: 0 }, 0)
      const response = await send('GET', `/calendar.ics?token=${token}`, null, { authorization: '' })
      expect(response.status).toBe(status)
    }
  })

  it('may be configured by its hash', async () => {
    // sha256("secret")
    const hex = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b'
    const { send, asked } = fixture({ env: { API_KEYS: `dora:sha256:${hex}:worker` } })
    const secret = { authorization: 'Bearer secret' }
    expect((await send('GET', '/delegations', null, secret)).status).toBe(200)
    expect((await send('GET', '/tasks', null, secret)).status).toBe(403)
    expect(asked.map(({ method }) => method)).toEqual(['listDelegations'])
    expect((await send('GET', '/delegations', null, { authorization: `Bearer ${hex}` })).status).toBe(401)
  })
})

it.each(routes.filter(isForWorkers))('an ordinary key opens %s too', async (...entry) => {
  const { response, asked } = await ask(entry, {})
  expect([response.status, asked.length]).toEqual([200, 1])
})

describe('the rate limit', () => {
  const env = {
    API_KEYS: 'alice:alice-key,alice:alice-second,alice:hand-key:worker,alice:other-hand:worker',
    RATE_LIMIT_PER_MINUTE: '3',
  }
  const HAND = { authorization: 'Bearer hand-key' }

  it('API4 a key for workers has a limit of its own: neither it nor its tenant uses up what is the other one’s', async () => {
    const statuses = async ({ send }: Fixture, headers = {}) =>
      (await send('GET', '/delegations', null, headers)).status
    for (const [busy, idle] of [
      [HAND, {}],
      [{}, HAND],
      [HAND, { authorization: 'Bearer other-hand' }],
    ]) {
      const app = fixture({ env })
      for (let count = 0; count < 3; count++) expect(await statuses(app, busy)).toBe(200)
      expect([await statuses(app, busy), await statuses(app, idle)]).toEqual([429, 200])
    }
  })

  it('API4 keys of one tenant that are for no worker are counted together', async () => {
    const app = fixture({ env })
    const second = { authorization: 'Bearer alice-second' }
    const statuses: number[] = []
    for (const headers of [{}, second, {}, second])
      statuses.push((await app.send('GET', '/delegations', null, headers)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('what a worker must not do takes nothing from its tenant', async () => {
    const { send } = fixture({ env })
    for (let count = 0; count < 5; count++) expect((await send('GET', '/tasks', null, HAND)).status).toBe(403)
    expect((await send('GET', '/tasks')).status).toBe(200)
  })
})
