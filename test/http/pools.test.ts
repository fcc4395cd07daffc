/** The pool of a task over HTTP: how it is named, refused, shown and listed. */
import { describe, expect, it } from 'vitest'
import { DELEGATION_EXAMPLES } from '../../src/http/document/delegation-examples.ts'
import { delegationBench, keyOf, HAND } from '../support/delegations.ts'
import { callerOf, fixture, problemOf } from '../support/http-fixture.ts'

const ALICE = callerOf('alice')
const RULE = 'must be 1 to 64 of A-Z a-z 0-9 _ -'
const json = { 'content-type': 'application/json', ...keyOf('acme') }
const made = (settings: object, mode = 'orchestrator') => JSON.stringify({ goal: 'a goal', mode, rounds: 50, settings })

describe('the setting worker_pool', () => {
  it.each(['g.p', '', 'a b', '池', 'x'.repeat(65)])(
    'POOL-01 %j is refused with the rule of names',
    async (worker_pool) => {
      const { post, asked } = fixture()
      const response = await post('/tasks', { goal: 'x', mode: 'orchestrator', settings: { worker_pool } })
      const { errors } = await problemOf(response)
      expect([response.status, errors, asked]).toEqual([
        422,
        [{ pointer: '/settings/worker_pool', message: `settings.worker_pool ${RULE}` }],
        [],
      ])
    },
  )

  it('POOL-01 is shown by the task and its delegation, listed in its pool alone, and cannot be changed', async () => {
    const bench = delegationBench()
    const body = await bench.send('POST', '/tasks', made({ worker_pool: 'gpu' }), json)
    const task = (await body.json()) as {
      id: string
      settings: { worker_pool: string }
      pending: { delegation_id: string }
    }
    expect(task.settings.worker_pool).toBe('gpu')
    const listed = async (query: string, headers = keyOf('acme')) => {
      const page = (await (await bench.send('GET', `/delegations${query}`, null, headers)).json()) as {
        data: { id: string; pool: string }[]
      }
      return page.data.map(({ id, pool }) => [id, pool])
    }
    expect(await listed('?pool=gpu')).toEqual([[task.pending.delegation_id, 'gpu']])
    expect(await listed('?pool=gpu&status=pending', HAND)).toEqual([[task.pending.delegation_id, 'gpu']])
    expect([await listed(''), await listed('?pool=cpu'), await listed('?pool=gpu', keyOf('other'))]).toEqual([
      [],
      [],
      [],
    ])
    const changed = await bench.send(
      'PATCH',
      `/tasks/${task.id}`,
      JSON.stringify({ settings: { worker_pool: 'cpu' } }),
      json,
    )
    expect(changed.status).toBe(422)
  })

  it('POOL-01 belongs to orchestrator: a task of another mode does not show it', async () => {
    const bench = delegationBench()
    const body = await bench.send(
      'POST',
      '/tasks?include=settings',
      made({ worker_pool: 'gpu' }, 'session').replace('50', '0'),
      json,
    )
    expect(await body.json()).toMatchObject({ settings: { worker_pool: 'gpu' } })
    const plain = (await (await bench.send('POST', '/tasks', made({}, 'session').replace('50', '0'), json)).json()) as {
      settings: object
    }
    expect(Object.keys(plain.settings)).not.toContain('worker_pool')
  })
})

describe('GET /pools', () => {
  it.each([
    ['', { limit: 20, after: '' }],
    ['?limit=2&after=gpu', { limit: 2, after: 'gpu' }],
  ])('POOL-07 %s is answered with a page', async (query, paging) => {
    const { send, asked } = fixture()
    const response = await send('GET', `/pools${query}`)
    expect([response.status, await response.json()]).toEqual([200, DELEGATION_EXAMPLES.listPools.answer])
    expect(asked).toEqual([{ method: 'listPools', args: [ALICE, paging] }])
  })

  it('POOL-07 as text has one line for each pool', async () => {
    const response = await fixture().send('GET', '/pools', null, { accept: 'text/plain' })
    expect((await response.text()).split('\n')).toEqual([
      '(default)  0 pending  1 claimed  3 waiting',
      'gpu  2 pending  4 claimed  0 waiting',
      '',
    ])
  })

  it('POOL-07 is open to a key for workers, and shows the pools of its tenant', async () => {
    const bench = delegationBench()
    await bench.send('POST', '/tasks', made({ worker_pool: 'gpu' }), json)
    const none = { name: null, pending: 0, claimed: 0, waiting: 0 }
    const gpu = { name: 'gpu', pending: 1, claimed: 0, waiting: 0 }
    const asked = async (headers: Record<string, string>) => (await bench.send('GET', '/pools', null, headers)).json()
    expect(await asked(HAND)).toEqual({ data: [none, gpu], has_more: false, next_cursor: null })
    expect(await asked(keyOf('other'))).toEqual({ data: [none], has_more: false, next_cursor: null })
  })

  it.each([
    ['?limit=0', '/limit', 'limit must be a whole number from 1 to 100'],
    [`?after=${'x'.repeat(65)}`, '/after', 'after must be a text of 0 to 64 characters'],
    ['?pool=gpu', '/pool', 'unknown query parameter "pool"; known: limit, after'],
  ])('POOL-07 %s is 422', async (query, pointer, message) => {
    const response = await fixture().send('GET', `/pools${query}`)
    expect(await problemOf(response)).toMatchObject({ status: 422, errors: [{ pointer, message }] })
  })
})
