/** A report is recorded and nothing is begun; the workspace hears of it whatever comes after. Each sentence of api.md about reports. */
import { describe, expect, it } from 'vitest'
import type { SentReport, Delegation } from '../../src/core/terms/delegation.ts'
import type { Refusal, Result } from '../../src/core/terms/refusal.ts'
import type { Caller } from '../../src/shell/caller.ts'
import { delegationBench, linkOf, sentReport, type DelegationBench } from '../support/delegations.ts'
import { recordsOf } from '../support/forks.ts'
import { CALLER } from '../support/scripted.ts'
import { workspaceWith } from '../support/workspace-with.ts'

const key = (name: string, digest = 'd') => ({ scope: 'POST /delegations/x/report', key: name, digest })
const codeOf = (result: Result<unknown>): Refusal['code'] | null => (result.ok ? null : result.refusal.code)
function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}

type Send = (bench: DelegationBench, one: Delegation, sent: SentReport, caller?: Caller) => ReturnType<Report>
type Report = DelegationBench['service']['reportDelegation'] | DelegationBench['service']['reportByLink']
/** The token of its link is asked for while there is one. */
const tokens = new WeakMap<DelegationBench, Map<string, string>>()
async function tokenOf(bench: DelegationBench, one: Delegation): Promise<string> {
  const known = tokens.get(bench) ?? new Map<string, string>()
  tokens.set(bench, known)
  const token = known.get(one.id) ?? (await linkOf(bench, one)).slice('/reports/'.length)
  known.set(one.id, token)
  return token
}
const WAYS: [string, Send][] = [
  ['with a key', (bench, { id }, sent, caller = CALLER) => bench.service.reportDelegation(caller, id, sent)],
  [
    'by the link',
    async (bench, one, sent, caller = CALLER) => bench.service.reportByLink(caller, await tokenOf(bench, one), sent),
  ],
]

describe.each(WAYS)('a report %s', (_, send) => {
  /** A command whose link is known, as the worker has it from its file. */
  async function dispatched() {
    const bench = delegationBench()
    const one = await bench.dispatch()
    await tokenOf(bench, one)
    return { bench, one }
  }

  it('needs no claim: it is recorded and shown, and the workspace is told', async () => {
    const { bench, one } = await dispatched()
    const sent = sentReport('done', { command_id: one.command_id, spent: { tokens: 3 } })
    const { delegation, replayed } = value(await send(bench, one, sent))
    expect(delegation).toMatchObject({ id: one.id, status: 'reported', report: sent.report, report_url: null })
    expect([replayed, bench.heard, await bench.indexed()]).toEqual([false, [sent], ['reported']])
  })

  it('is taken while another worker has the lease', async () => {
    const { bench, one } = await dispatched()
    value(await bench.service.claimDelegation(CALLER, one.id, { worker: 'other', lease_ms: 60_000 }))
    expect(value(await send(bench, one, sentReport())).delegation.status).toBe('reported')
    expect(await bench.indexed()).toEqual(['reported'])
  })

  it('begins nothing: no model is asked, and the task is where it was', async () => {
    const { bench, one } = await dispatched()
    const asked = bench.requests.length
    const before = recordsOf(bench, one.task).length
    value(await send(bench, one, sentReport()))
    expect([bench.requests.length, recordsOf(bench, one.task).length]).toEqual([asked, before + 1])
  })

  it('lets a task go on whose status changes by it: the index hears of it in the same request', async () => {
    const { bench, one } = await dispatched()
    const running = async () => {
      const { entries } = await bench.store.workspace('acme').ask({
        kind: 'list',
        filter: { status: 'running', mode: null, metadata: {}, q: null, outcome: null },
        before: 0,
        limit: 9,
      })
      return entries.length
    }
    expect(await running()).toBe(0)
    value(await send(bench, one, sentReport()))
    expect(await running()).toBe(1)
  })

  it('that is repeated is 200 and not applied; another one is already_reported, and the first counts', async () => {
    const { bench, one } = await dispatched()
    const first = value(await send(bench, one, sentReport('a')))
    expect(value(await send(bench, one, sentReport('a')))).toEqual({ ...first, replayed: true })
    expect(codeOf(await send(bench, one, sentReport('b')))).toBe('already_reported')
    expect(bench.heard).toHaveLength(1)
    expect(value(await bench.service.getDelegation(CALLER, one.id)).delegation.report?.text).toBe('a')
  })

  it('twice at once is heard once', async () => {
    const { bench, one } = await dispatched()
    const both = await Promise.all([send(bench, one, sentReport('a')), send(bench, one, sentReport('a'))])
    expect([both.every(({ ok }) => ok), bench.heard.length]).toEqual([true, 1])
  })

  it('U6 with its key is answered again, also when another one was sent since', async () => {
    const { bench, one } = await dispatched()
    const keyed = { ...CALLER, key: key('k') }
    const first = value(await send(bench, one, sentReport('a'), keyed))
    expect(value(await send(bench, one, sentReport('a'), keyed))).toEqual({ ...first, replayed: true })
    expect(codeOf(await send(bench, one, sentReport('b'), { ...CALLER, key: key('k', 'other') }))).toBe(
      'idempotency_key_reused',
    )
    expect(bench.heard).toHaveLength(1)
  })

  it('S2-13 for another command is wrong_command, and the delegation stays open', async () => {
    const { bench, one } = await dispatched()
    const result = await send(bench, one, sentReport('a', { command_id: 'task-other' }))
    expect(result).toEqual({
      ok: false,
      refusal: { code: 'wrong_command', wanted: one.command_id, given: 'task-other' },
    })
    expect([bench.heard, await bench.indexed()]).toEqual([[], ['pending']])
  })

  it.each([
    ['expired', 'delegation_expired'],
    ['canceled', 'delegation_canceled'],
  ] as const)('U19 after its task has said %s is %s, and the workspace is told', async (status, code) => {
    const { bench, one } = await dispatched()
    await bench.became(one, status)
    expect(codeOf(await send(bench, one, sentReport()))).toBe(code)
    expect(await bench.indexed()).toEqual([status])
  })

  it('that the workspace missed is recorded there when a report is sent again', async () => {
    const { bench, one } = await dispatched()
    await bench.became(one, 'reported', sentReport('a').report)
    expect(await bench.indexed()).toEqual(['pending'])
    expect(codeOf(await send(bench, one, sentReport('b')))).toBe('already_reported')
    expect(await bench.indexed()).toEqual(['reported'])
  })

  it('is on record for the workspace even if its request dies behind it', async () => {
    const { bench, one } = await dispatched()
    const { workspace } = bench.store
    bench.store.workspace = (tenant) =>
      workspaceWith(workspace(tenant), { set_status: () => Promise.reject(new Error('the worker died')) })
    await expect(send(bench, one, sentReport())).rejects.toThrow('the worker died')
    bench.store.workspace = workspace
    expect([bench.heard.length, await bench.indexed()]).toEqual([1, ['reported']])
    expect(value(await send(bench, one, sentReport())).replayed).toBe(true)
  })

  it('to a task that cannot be read is told so', async () => {
    const { bench, one } = await dispatched()
    bench.fails(one, { code: 'state_unreadable', detail: '' })
    expect(codeOf(await send(bench, one, sentReport()))).toBe('state_unreadable')
  })
})

it('a report to an id that is unknown, malformed, foreign or of a deleted task is delegation_not_found', async () => {
  const bench = delegationBench()
  const one = await bench.dispatch()
  const report = async (id: string, tenant = 'acme') =>
    codeOf(await bench.service.reportDelegation({ ...CALLER, tenant }, id, sentReport()))
  const codes = [await report('x'), await report('delegation_unknown00000000000_3'), await report(one.id, 'other')]
  await bench.service.deleteTask(CALLER, one.task)
  expect([...codes, await report(one.id)]).toEqual(Array.from({ length: 4 }, () => 'delegation_not_found'))
})

it('U23 the key of a report by a link is scoped to the command, and no row holds the token', async () => {
  const bench = delegationBench()
  const one = await bench.dispatch()
  const token = await tokenOf(bench, one)
  const scope = `POST /reports/${token}`
  value(await bench.service.reportByLink({ ...CALLER, key: { scope, key: 'k', digest: 'd' } }, token, sentReport()))
  const page = value(await bench.service.exportTask(CALLER, one.task, { after: 0, limit: 100 }))
  expect(page.data.map((row) => row.key).join()).toContain(`POST /reports of ${one.seq}`)
  expect(JSON.stringify(page)).not.toContain(token)
})
