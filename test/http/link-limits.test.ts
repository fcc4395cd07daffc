/** Links cannot be locked out, outlive no key of their tenant, and go on while a secret is replaced: all five kinds in one table. */
import { describe, expect, it } from 'vitest'
import { TaskView } from '../../src/core/terms/view.ts'
import { linkLimiter } from '../../src/http/gate/rate-limit.ts'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { CALENDAR_LINK, EVENTS_LINK, FILES_LINK, readLinksBy } from '../../src/shell/links/read-links.ts'
import { ACME, linkBench, pathOf, type LinkBench } from '../support/link-bench.ts'
import { delegationBench, keyOf, linkOf } from '../support/delegations.ts'
import { ask, planned } from '../support/scripted.ts'
import { fixture, ID } from '../support/http-fixture.ts'

const BARE = { authorization: '' }
const SECRET = 'a secret of sixteen'
const OLDER = 'an older secret of sixteen'

describe('links that someone makes up', () => {
  const asking = async (env: Record<string, unknown> = {}) => {
    const bench = linkBench({ plan: [planned('A'), planned('B')], thought: [ask(), ask()] }, env)
    return { bench, one: pathOf(await bench.asking()), other: pathOf(await bench.asking()) }
  }
  const statusOf = async (bench: LinkBench, path: string) => (await bench.quick('GET', path)).status

  it('6,100 of them stop no link of ours, and are stopped together', async () => {
    const { bench, one } = await asking({ RATE_LIMIT_PER_MINUTE: '6000' })
    const statuses = new Map<number, number>()
    for (let n = 0; n < 6_100; n++) {
      const status = await statusOf(bench, `/answers/AAAA${n}`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [404, 6_000],
      [429, 100],
    ])
    const limited = await bench.send('GET', '/answers/AAAA')
    expect(limited.headers.get('ratelimit-policy')).toBe('"links";q=6000;w=60')
    expect(await statusOf(bench, one)).toBe(200)
    expect((await bench.send('POST', one, 'at 3', { 'content-type': 'text/plain' })).status).toBe(200)
  })

  it('a link that is used up stops no other link, and no request with a key', async () => {
    const { bench, one, other } = await asking({ RATE_LIMIT_PER_MINUTE: '100' })
    for (let n = 0; n < 60; n++) expect(await statusOf(bench, one)).toBe(200)
    expect([await statusOf(bench, one), await statusOf(bench, other)]).toEqual([429, 200])
    expect((await bench.quick('GET', '/tasks', null, { authorization: 'Bearer acme-key' })).status).toBe(200)
  })

  it("the links of a tenant together are bounded too, and use up none of its keys' requests", async () => {
    const { bench, one, other } = await asking({ RATE_LIMIT_PER_MINUTE: '5' })
    const statuses: number[] = []
    for (const path of [one, other, one, other, one, other]) statuses.push(await statusOf(bench, path))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await bench.quick('GET', '/tasks', null, { authorization: 'Bearer acme-key' })).status).toBe(200)
  })
})

it('a link to files that is asked for without end stops no answer, and no link of another tenant', async () => {
  const limiter = linkLimiter(5, () => 0)
  const opened = async (kind: 'path' | 'read', tenant: string, token: string) =>
    (await limiter.countKnownLink({ kind, tenant, token })) === null
  const files = []
  for (let n = 0; n < 6; n++) files.push(await opened('read', 'acme', 'files'))
  expect(files).toEqual([true, true, true, true, true, false])
  expect([await opened('path', 'acme', 'answer'), await opened('read', 'other', 'files')]).toEqual([true, true])
})

describe.each([
  ['events', EVENTS_LINK, `/tasks/${ID}/events?limit=1&`, ID],
  ['files', FILES_LINK, `/tasks/${ID}/files?`, ID],
  ['calendar', CALENDAR_LINK, '/calendar.ics?', ''],
] as const)('a link to %s', (_, kind, path, task) => {
  const open = async (signed: string, env: Record<string, string>, now = 0) => {
    const token = await readLinksBy(signedLinks([signed]), kind).sign({ tenant: 'alice', task, link_epoch: 0 }, 0)
    const app = fixture({ env: { API_KEYS: 'alice:alice-key,bob:bob-key', ...env }, now: () => now })
    return (await app.send('GET', `${path}token=${token}`, null, BARE)).status
  }
  it.each([
    ['as it was made', SECRET, { SIGNING_SECRET: SECRET }, 0, 200],
    ['while its secret is being replaced', OLDER, { SIGNING_SECRET: `${SECRET},${OLDER}` }, 0, 200],
    ['when its secret is gone', OLDER, { SIGNING_SECRET: SECRET }, 0, 401],
    ['when it has expired', SECRET, { SIGNING_SECRET: SECRET }, kind.life_ms + 1_000, 401],
    ['when the key of its tenant is gone', SECRET, { SIGNING_SECRET: SECRET, API_KEYS: 'bob:bob-key' }, 0, 401],
    ['when only a worker is left', SECRET, { SIGNING_SECRET: SECRET, API_KEYS: 'alice:k:worker,bob:k2' }, 0, 401],
  ])('%s is answered so', async (_case, signed, env, now, status) => expect(await open(signed, env, now)).toBe(status))
})

describe.each([
  ['its tenant has a key', 'acme:acme-key,other:other-key', 200],
  ['no key of its tenant is left', 'other:other-key', 404],
  ['only a key for workers is left', 'acme:hand-key:worker,other:other-key', 404],
])('where %s', (_, API_KEYS, status) => {
  it(`a link to answer is ${status}`, async () => {
    const bench = linkBench({ plan: [planned('A')], thought: [ask()] }, { API_KEYS })
    const path = pathOf(await bench.asking({ tenant: 'acme' }))
    const looked = await bench.send('GET', path)
    const answered = await bench.send('POST', path, 'at 3', { 'content-type': 'text/plain' })
    expect([looked.status, answered.status]).toEqual([status, status])
    if (status === 404) expect(await looked.text()).toBe(await (await bench.send('GET', '/answers/AAAA')).text())
  })

  it(`a link to report is ${status}`, async () => {
    const bench = delegationBench({ API_KEYS })
    const { id, created } = await bench.dispatch()
    const path = `/reports/${await bench.ports.links.sign('report', ['acme', id, created])}`
    const file = '---\nstatus: SUCCESS\n---\n\nDone.\n'
    const reported = await bench.send('POST', path, file, { 'content-type': 'text/markdown' })
    expect([reported.status, bench.heard.length]).toEqual([status, status === 200 ? 1 : 0])
  })
})

describe('links that were ended', () => {
  it('U41 a command is reported by a link that was made after, not by one from before', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    const before = await linkOf(bench, one)
    const earlier = `/reports/${await bench.ports.links.sign('report', ['acme', one.id, one.created])}`
    expect((await bench.send('DELETE', `/tasks/${one.task}/links`, null, keyOf('acme'))).status).toBe(204)
    const file = '---\nstatus: SUCCESS\n---\n\nDone.\n'
    const report = async (path: string) =>
      (await bench.send('POST', path, file, { 'content-type': 'text/markdown' })).status
    expect([await report(before), await report(earlier), bench.heard]).toEqual([404, 404, []])
    expect(await report(await linkOf(bench, one))).toBe(200)
  })

  it('U41 an answer by a link from before is 404 and not heard', async () => {
    const bench = linkBench({ plan: [planned('A')], thought: [ask()] })
    const task = await bench.asking()
    const answer = (path: string) => bench.send('POST', path, 'at 3', { 'content-type': 'text/plain' })
    expect((await bench.send('DELETE', `/tasks/${task.id}/links`, null, ACME)).status).toBe(204)
    expect((await answer(pathOf(task))).status).toBe(404)
    const seen = TaskView.parse(await (await bench.send('GET', `/tasks/${task.id}`, null, ACME)).json())
    expect([seen.status, seen.version]).toEqual(['input_required', task.version])
    expect((await answer(pathOf(seen))).status).toBe(200)
  })
})
