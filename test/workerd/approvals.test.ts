/** Approvals and edits of plans over real Durable Objects in workerd: of many at once one counts. */
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { TaskView } from '../../src/core/terms/view.ts'
import { expectContract } from '../support/contract.ts'

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(`http://service${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { authorization: 'Bearer dev-key', 'content-type': 'application/json', ...headers },
  })
  await expectContract(method, path, response)
  return response
}
const taskOf = async (response: Response) => TaskView.parse(await response.json())
const create = async (approve: string) =>
  taskOf(await call('POST', '/tasks', { goal: 'buy milk and buy bread', rounds: 9, settings: { approve } }))
const read = async (id: string) => taskOf(await call('GET', `/tasks/${id}`))

async function kindsOf(id: string): Promise<string[]> {
  const page = (await (await call('GET', `/tasks/${id}/journal?limit=100`)).json()) as { data: { kind: string }[] }
  return page.data.map(({ kind }) => kind)
}
const count = <T>(all: T[], wanted: T) => all.filter((one) => one === wanted).length
const FIFTY = Array.from({ length: 50 }, (_, n) => n)

describe('fifty at once', () => {
  it.each(['plan', 'actions'])(
    'U15 of the approvals of one request (%s) one counts, and the others are told',
    async (what) => {
      const task = await create(what)
      expect([task.status, task.pending?.kind]).toEqual(['input_required', 'approval'])
      const request_id = task.pending?.kind === 'approval' ? task.pending.request_id : ''
      const answers = await Promise.all(
        FIFTY.map(async (n) => {
          const said = { input: n % 2 === 0 ? 'yes' : 'OK', request_id, rounds: 0 }
          const response = await call('POST', `/tasks/${task.id}/input`, said)
          return `${response.status} ${((await response.json()) as { code?: string }).code ?? ''}`.trim()
        }),
      )
      expect([count(answers, '200'), count(answers, '409 question_settled')]).toEqual([1, 49])
      const kinds = await kindsOf(task.id)
      expect(count(kinds, 'approval_answered')).toBe(1)
      expect(kinds).not.toContain('user_remarked')
      const { counters, step_count } = await read(task.id)
      expect([counters.actions, step_count]).toEqual(what === 'plan' ? [0, 0] : [1, 2])
    },
  )

  it('of the PATCHes from one version one counts and the others get 412; with one key all get the same answer', async () => {
    const task = await create('plan')
    const headers = { 'if-match': `"${task.version}"` }
    const all = await Promise.all(
      FIFTY.map((n) => call('PATCH', `/tasks/${task.id}/plan`, { items: [{ title: `item ${n}` }] }, headers)),
    )
    const statuses = all.map(({ status }) => status)
    expect([count(statuses, 200), count(statuses, 412)]).toEqual([1, 49])
    const keyed = { 'if-match': '*', 'idempotency-key': 'one' }
    const same = await Promise.all(
      FIFTY.map(() => call('PATCH', `/tasks/${task.id}/plan`, { items: [{ title: 'the one' }] }, keyed)),
    )
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]))
    expect(
      count(
        same.map((one) => one.headers.get('idempotency-replayed')),
        'true',
      ),
    ).toBe(49)
    expect(count(await kindsOf(task.id), 'plan_edited')).toBe(2)
    expect((await read(task.id)).plan.items).toMatchObject([{ title: 'the one' }])
  })
})

describe('the built-in model', () => {
  it('U15 works through an approved plan, with an approval for each action', async () => {
    let task = await create('actions')
    const done: string[] = []
    for (let n = 0; n < 9 && task.status === 'input_required'; n++) {
      if (task.pending?.kind === 'approval') done.push(task.pending.action?.input ?? '')
      task = await taskOf(await call('POST', `/tasks/${task.id}/input`, { input: '同意', rounds: 9 }))
    }
    expect(task.status).toBe('completed')
    expect([done.length, task.counters.actions, task.counters.failed_actions]).toEqual([2, 2, 0])
  })

  it('U15 plans again when changes are requested', async () => {
    const task = await create('plan')
    const changed = await call('POST', `/tasks/${task.id}/input`, { input: 'buy eggs', rounds: 9 })
    const after = await taskOf(changed)
    expect([after.stop_reason, after.step_count, after.counters.model_calls]).toEqual(['approval', 0, 2])
    expect(after.plan.items.map(({ title }) => title).join()).toContain('eggs')
  })
})
