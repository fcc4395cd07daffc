/** The routes of delegations over real objects: what a task says of its rows, and a workspace of its entries, as it comes through RPC. */
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { ExportPage } from '../../src/core/replay/export/export-page.ts'
import { delegationId, parseDelegationId } from '../../src/core/terms/delegation-id.ts'
import type { Result } from '../../src/core/terms/refusal.ts'
import { TaskView } from '../../src/core/terms/view.ts'
import { expectContract } from '../support/contract.ts'

const KEY = { authorization: 'Bearer dev-key' }
const JSON_TYPE = { 'content-type': 'application/json' }
const MARKDOWN = { 'content-type': 'text/markdown' }

async function call(method: string, path: string, body: string | null = null, headers: Record<string, string> = {}) {
  const sent = { method, headers: { ...KEY, ...headers }, ...(body === null ? {} : { body }) }
  const response = await exports.default.fetch(`http://service${path}`, sent)
  await expectContract(method, path, response)
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}
async function madeTask(): Promise<TaskView> {
  const { body } = await call('POST', '/tasks', '{"goal":"buy milk","rounds":0}', JSON_TYPE)
  return TaskView.parse(body)
}

describe('delegations in workerd', () => {
  it('every route answers alike for a row without a command and for a task that does not exist', async () => {
    const { id } = await madeTask()
    for (const delegation of [
      delegationId(id, 1),
      delegationId(id, 99),
      delegationId('task_0000000000000000', 1),
      'x',
    ]) {
      const path = `/delegations/${delegation}`
      const answers = [
        await call('GET', path),
        await call('POST', `${path}/claim`, '{"worker":"me"}', JSON_TYPE),
        await call('POST', `${path}/report`, '---\nstatus: SUCCESS\n---\n', MARKDOWN),
      ]
      expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(
        answers.map(() => [404, 'delegation_not_found']),
      )
    }
    expect((await call('POST', '/reports/AAAA', 'x', MARKDOWN)).body['code']).toBe('link_not_found')
  })

  it('an entry that its task does not know is not listed, and no list waits for it', async () => {
    const { id } = await madeTask()
    const workspace = env.WORKSPACES.getByName(JSON.stringify(['dev']))
    const at = Date.now()
    await workspace.tell({
      kind: 'enter_delegation',
      entry: { id: delegationId(id, 7), task: id, type: 'new', at, deadline: at + 60_000 },
    })
    const { status, body, headers } = await call('GET', '/delegations?status=pending', null, { prefer: 'wait=1' })
    expect([status, body]).toEqual([200, { data: [], has_more: false, next_cursor: null }])
    expect(headers.get('preference-applied')).toBe('wait=1')
    expect((await call('GET', '/delegations')).body).toMatchObject({ data: [] })
  })

  it('OTEL-08 the export of a task tells of its commands: from when they were handed out, and how the wait for them ended', async () => {
    const dispatched = async () => {
      const goal = JSON.stringify({ goal: 'Reproduce the project', mode: 'orchestrator', rounds: 5 })
      const { id, pending } = TaskView.parse((await call('POST', '/tasks', goal, JSON_TYPE)).body)
      const delegation = pending?.kind === 'report' ? pending.delegation_id : ''
      return { id, delegation, row: parseDelegationId(delegation)?.seq ?? 0 }
    }
    const told = async (id: string) => {
      const stub = env.TASKS.getByName(JSON.stringify(['dev', id]))
      const page = (await stub.ask({ kind: 'export', after: 1, limit: 100 })) as Result<ExportPage>
      if (!page.ok) throw new Error(page.refusal.code)
      const { rows } = page.value
      const handed_out_at = (row: number) => rows.find(({ seq }) => seq === row)?.at
      return { rows: rows.filter(({ seq, effect }) => seq > 1 && effect === null), handed_out_at }
    }
    const [reported, canceled] = [await dispatched(), await dispatched()]
    await call('POST', `/delegations/${reported.delegation}/report`, '---\nstatus: SUCCESS\n---\nDone.', MARKDOWN)
    await call('POST', `/tasks/${canceled.id}/cancel`)
    const first = await told(reported.id)
    const dispatched_at = first.handed_out_at(reported.row)
    expect(first.rows).toMatchObject([
      {
        event: { kind: 'report_arrived', delegation: reported.row, status: 'SUCCESS', dispatched_at },
        withdrawn: null,
      },
    ])
    const second = await told(canceled.id)
    const withdrawn = { delegation: canceled.row, dispatched_at: second.handed_out_at(canceled.row) }
    expect(second.rows).toMatchObject([{ event: { kind: 'canceled' }, withdrawn }])
  })
})
