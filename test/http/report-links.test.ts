/** Links to report by (U23, F43 to F46): one command each, nothing of its task; and whose commands a key opens. */
import { describe, expect, it, vi } from 'vitest'
import type { Delegation } from '../../src/core/terms/delegation.ts'
import { signedLinks } from '../../src/shell/links/signed-links.ts'
import { delegationBench, HAND, keyOf, linkOf, TENANTS, type DelegationBench } from '../support/delegations.ts'
import { bytes, FORM, JSON_TYPE, TEXT } from './sent.ts'

const MARKDOWN = { 'content-type': 'text/markdown' }
const FILE = '---\nstatus: SUCCESS\n---\n\nDone.\n'

async function dispatched(env: Record<string, unknown> = {}) {
  const bench = delegationBench(env)
  const one = await bench.dispatch({ command_budget: { tokens: 10 } })
  return { bench, one, path: await linkOf(bench, one) }
}
const read = async (bench: DelegationBench, { id }: Delegation) =>
  (await (await bench.send('GET', `/delegations/${id}`, null, HAND)).json()) as Record<string, unknown>

describe('a link to report by', () => {
  it('U23 takes the file from its holder without a key', async () => {
    const { bench, one, path } = await dispatched()
    const response = await bench.send('POST', path, FILE, MARKDOWN)
    expect([response.status, await response.json()]).toMatchObject([200, { id: one.id, status: 'reported' }])
    expect(await read(bench, one)).toMatchObject({
      status: 'reported',
      report: { status: 'SUCCESS' },
      report_url: null,
    })
  })

  it('takes JSON and plain text too, and the same again is 200 with Idempotency-Replayed', async () => {
    const { bench, path } = await dispatched()
    const first = await bench.send('POST', path, '{"status":"failed","text":"no"}', JSON_TYPE)
    const again = await bench.send('POST', path, '{"status":"FAILED","text":"no"}', JSON_TYPE)
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect((await bench.send('POST', path, FILE, TEXT)).status).toBe(409)
  })

  it('shows nothing of the task, and no name, that the command file did not have', async () => {
    const { bench, one, path } = await dispatched()
    await bench.send('POST', `/delegations/${one.id}/claim`, '{"worker":"a-secret-name"}', { ...JSON_TYPE, ...HAND })
    const response = await bench.send('POST', path, FILE, MARKDOWN)
    const text = await response.text()
    expect(Object.keys(JSON.parse(text)).toSorted()).toEqual(
      [
        'budget',
        'command_id',
        'command_type',
        'created_at',
        'deadline',
        'id',
        'report',
        'report_url',
        'session_id',
        'status',
      ].toSorted(),
    )
    for (const hidden of [one.task, 'a goal', one.command.item_id, 'a-secret-name', 'acme'])
      expect(text).not.toContain(`"${hidden}"`)
  })

  it('as text says the same in lines', async () => {
    const { bench, one, path } = await dispatched()
    const response = await bench.send('POST', path, FILE, { ...MARKDOWN, accept: 'text/plain' })
    expect((await response.text()).split('\n').slice(0, 2)).toEqual([
      `${one.id}  reported  new  ${one.command_id}  due ${new Date(one.deadline).toISOString()}`,
      'session: auto',
    ])
  })

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
    'F44 %s is 405 with Allow, and changes nothing: scanners follow links',
    async (method) => {
      const { bench, one, path } = await dispatched()
      const response = await bench.send(method, path)
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
      expect(await read(bench, one)).toMatchObject({ status: 'pending', report: null })
    },
  )

  it.each([
    ['expired', 'delegation_expired'],
    ['canceled', 'delegation_canceled'],
  ] as const)('U19 is 409 for a command that is %s: %s', async (status, code) => {
    const { bench, one, path } = await dispatched()
    await bench.became(one, status)
    const response = await bench.send('POST', path, FILE, MARKDOWN)
    expect([response.status, await response.json()]).toMatchObject([409, { code }])
  })

  it('takes no report of another command', async () => {
    const { bench, path } = await dispatched()
    const response = await bench.send('POST', path, '---\ncommand_id: task-other\nstatus: SUCCESS\n---\n', MARKDOWN)
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'wrong_command' }])
  })

  it.each([
    ['a file without a content type', {}, bytes(FILE), 415],
    ['a form', FORM, 'text=done', 415],
    ['half of some JSON', JSON_TYPE, '{"text":', 400],
    ['an unknown field', JSON_TYPE, '{"text":"","rounds":1}', 422],
    ['more than a megabyte', MARKDOWN, 'x'.repeat(1_048_577), 413],
  ])('%s is refused, and the command stays open', async (_, headers, body, status) => {
    const { bench, one, path } = await dispatched()
    const response = await bench.send('POST', path, body, headers)
    expect([response.status, bench.heard]).toEqual([status, []])
    expect((await response.json()) as object).toMatchObject({ instance: '/reports/' })
    expect((await read(bench, one))['status']).toBe('pending')
  })

  it('is counted: so many requests of one link', async () => {
    const { bench, path } = await dispatched()
    for (let n = 0; n < 60; n++) expect((await bench.quick('POST', path, FILE, MARKDOWN)).status).toBe(200)
    const refused = await bench.send('POST', path, FILE, MARKDOWN)
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"link";q=60;w=60'])
    bench.clock.now += 60_000
    expect((await bench.send('POST', path, FILE, MARKDOWN)).status).toBe(200)
  })

  it('opens no other route, and no other link opens it', async () => {
    const { bench, one, path } = await dispatched()
    const token = path.slice('/reports/'.length)
    expect((await bench.send('GET', `/delegations/${one.id}`, null, { authorization: `Bearer ${token}` })).status).toBe(
      401,
    )
    expect((await bench.send('GET', `/answers/${token}`)).status).toBe(404)
    expect((await bench.send('GET', `/tasks/${one.task}/events?token=${token}`)).status).toBe(401)
    const answer = await bench.ports.links.sign('answer', ['acme', one.id, one.created])
    expect((await bench.send('POST', `/reports/${answer}`, FILE, MARKDOWN)).status).toBe(404)
  })

  it('F66 no answer and no line of the log repeats the token', async () => {
    const lines = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const { bench, path } = await dispatched()
    const said = [
      await (await bench.send('GET', path)).text(),
      await (await bench.send('POST', path, '{', JSON_TYPE)).text(),
    ]
    said.push(await (await bench.send('POST', `${path}/x`, FILE, MARKDOWN)).text())
    bench.store.of = () => {
      throw new TypeError('lost')
    }
    const failed = await bench.send('POST', path, FILE, MARKDOWN)
    expect(failed.status).toBe(500)
    said.push(await failed.text(), JSON.stringify(lines.mock.calls))
    lines.mockRestore()
    expect(said.join()).toContain('request_failed')
    expect(said.join()).not.toContain(path.slice('/reports/'.length))
  })
})

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const flipped = (token: string) => {
  const bytes = Buffer.from(token, 'base64url')
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    return changed.toString('base64url')
  })
}
const replaced = (token: string) =>
  [...token].flatMap((was, at) =>
    [...ALPHABET].filter((char) => char !== was).map((char) => token.slice(0, at) + char + token.slice(at + 1)),
  )
const cut = (token: string) => [...token].flatMap((_, at) => [token.slice(0, at + 1), token.slice(at + 1)])
const longer = (token: string) => [...ALPHABET].flatMap((char) => [token + char, char + token])

describe('tokens', () => {
  it('F45 none of 10,000 changed tokens is accepted, and all get the same answer', async () => {
    const { bench, one, path } = await dispatched()
    const token = path.slice('/reports/'.length)
    const foreign = (await linkOf(bench, await bench.dispatch({ tenant: 'other' }), 'other')).slice('/reports/'.length)
    const all = [token, foreign]
      .flatMap((one) => [...flipped(one), ...cut(one), ...longer(one)])
      .concat(replaced(token))
    const changed = [...new Set(all)].filter((other) => ![token, foreign, ''].includes(other))
    expect(changed.length).toBeGreaterThan(10_000)
    const answers = new Map<string, number>()
    for (const other of changed) {
      const response = await bench.quick('POST', `/reports/${other}`, FILE, MARKDOWN)
      const known = `${response.status} ${await response.text()}`
      answers.set(known, (answers.get(known) ?? 0) + 1)
    }
    expect([...answers.values()]).toEqual([changed.length])
    expect([...answers.keys()][0]).toMatch(/^404 .*"code":"link_not_found"/)
    expect([bench.heard, (await read(bench, one))['status']]).toEqual([[], 'pending'])
  }, 30_000)

  it('F45 what is signed by us and opens nothing is answered the same', async () => {
    const { bench, one } = await dispatched()
    const gone = await bench.dispatch()
    const deleted = await linkOf(bench, gone)
    expect((await bench.send('DELETE', `/tasks/${gone.task}`, null, keyOf('acme'))).status).toBe(204)
    const sign = async (...claims: (string | number)[]) => `/reports/${await bench.ports.links.sign('report', claims)}`
    const { id, created } = one
    const nothing = [
      await sign('other', id, created),
      await sign('acme', id, created + 1),
      await sign('acme', id.replace(/\d+$/, '1'), created),
      await sign('acme', 'delegation_unknown00000000000_3', created),
      await sign('acme', 'x', created),
      await sign('acme', id, String(created)),
      await sign('acme', id),
      `/reports/${await signedLinks(['another secret of ours']).sign('report', ['acme', id, created])}`,
      deleted,
      '/reports/%00',
      '/reports/a.b',
    ]
    const forged = await (await bench.send('POST', '/reports/AAAA', FILE, MARKDOWN)).text()
    for (const path of nothing) {
      const response = await bench.send('POST', path, FILE, MARKDOWN)
      expect([response.status, await response.text()]).toEqual([404, forged])
    }
    expect(bench.heard).toEqual([])
  })
})

describe('whose delegations', () => {
  it('F46 each of five tenants sees its own delegations, and those of others look like unknown ones', async () => {
    const bench = delegationBench()
    const own = new Map<string, Delegation>()
    for (const tenant of TENANTS) own.set(tenant, await bench.dispatch({ tenant }))
    const unknown = 'delegation_unknown00000000000_3'
    for (const tenant of TENANTS) {
      const ask = async (method: string, id: string, end: string, body: string | null) => {
        const headers = { ...keyOf(tenant), ...(body === null ? {} : JSON_TYPE), 'x-tenant': 'acme' }
        const response = await bench.send(method, `/delegations/${id}${end}`, body, headers)
        return [response.status, (await response.text()).replaceAll(id, '…')]
      }
      for (const [of, { id }] of own) {
        for (const [method, end, body] of [
          ['GET', '', null],
          ['POST', '/claim', '{"worker":"me"}'],
          ['POST', '/report', '{"text":"x"}'],
        ] as const) {
          const answer = await ask(method, id, end, body)
          if (of === tenant) expect(answer[0]).toBe(200)
          else expect(answer).toEqual(await ask(method, unknown, end, body))
        }
      }
      const list = (await (await bench.send('GET', '/delegations', null, keyOf(tenant))).json()) as {
        data: Delegation[]
      }
      expect(list.data.map(({ id }) => id)).toEqual([own.get(tenant)?.id])
    }
  })
})
