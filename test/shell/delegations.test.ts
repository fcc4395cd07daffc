/** What workers are shown of commands, and who gets one: the task is right, and the workspace is told where it was wrong. */
import { describe, expect, it } from 'vitest'
import type { Delegation, DelegationStatus } from '../../src/core/terms/delegation.ts'
import type { Refusal, Result } from '../../src/core/terms/refusal.ts'
import type { Caller } from '../../src/shell/caller.ts'
import { delegationBench, linkOf, sentReport, UNSAID, type DelegationBench } from '../support/delegations.ts'
import { ALL, CALLER, taken } from '../support/scripted.ts'
import { workspaceWith, type OwnAnswers } from '../support/workspace-with.ts'

const FIRST = { limit: 20, after: 0 }
const REPORT = { status: 'SUCCESS' as const, ...UNSAID, text: 'done' }
const key = (name: string, digest = 'd') => ({ scope: 'POST /delegations/x/claim', key: name, digest })

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}
const codeOf = (result: Result<unknown>): Refusal['code'] | null => (result.ok ? null : result.refusal.code)

async function listed(bench: DelegationBench, status: DelegationStatus | null = null, paging = FIRST) {
  return value(await bench.service.listDelegations(CALLER, { status, pool: null }, paging, 0))
}
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
const read = async (bench: DelegationBench, { id }: Delegation) =>
  value(await bench.service.getDelegation(CALLER, id)).delegation
const claim = (
  bench: DelegationBench,
  { id }: Delegation,
  worker = 'one',
  lease_ms = 60_000,
  caller: Caller = CALLER,
) => bench.service.claimDelegation(caller, id, { worker, lease_ms })

describe('a list', () => {
  it('has the newest first, in pages', async () => {
    const bench = delegationBench()
    const [a, b, c] = [await bench.dispatch(), await bench.dispatch(), await bench.dispatch()]
    const first = await listed(bench, null, { limit: 2, after: 0 })
    expect([idsOf(first), first.has_more]).toEqual([[c.id, b.id], true])
    const second = await listed(bench, null, { limit: 2, after: Number(first.next_cursor) })
    expect(second).toMatchObject({ data: [{ id: a.id }], has_more: false, next_cursor: null })
  })

  it('shows who has claimed one, as long as the lease lasts', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    value(await claim(bench, one, 'builder-3'))
    const until = new Date(bench.clock.now + 60_000).toISOString()
    expect((await listed(bench)).data).toMatchObject([
      { status: 'claimed', claim: { worker: 'builder-3', expires_at: until } },
    ])
    expect([idsOf(await listed(bench, 'pending')), idsOf(await listed(bench, 'claimed'))]).toEqual([[], [one.id]])
    bench.clock.now += 60_000
    expect((await listed(bench, 'pending')).data).toMatchObject([{ status: 'pending', claim: null }])
  })

  it('cuts the text of a report, and has no link to report by', async () => {
    const bench = delegationBench()
    const [open, reported] = [await bench.dispatch(), await bench.dispatch()]
    await bench.became(reported, 'reported', { ...REPORT, results: 'r'.repeat(3_000), text: 'x'.repeat(3_000) })
    const { data } = await listed(bench)
    expect(data.map(({ report_url }) => report_url)).toEqual([null, null])
    expect(data.map(({ report }) => report?.text)).toEqual([`${'x'.repeat(1_997)}...`, undefined])
    expect(data[0]?.report?.results).toBe(`${'r'.repeat(1_997)}...`)
    expect((await read(bench, reported)).report?.text).toHaveLength(3_000)
    expect((await read(bench, open)).report_url).not.toBeNull()
  })

  it.each(['reported', 'expired', 'canceled'] as const)(
    'of pending delegations omits one whose task says %s, and tells the workspace',
    async (status) => {
      const bench = delegationBench()
      const [one, other] = [await bench.dispatch(), await bench.dispatch()]
      await bench.became(one, status)
      expect(idsOf(await listed(bench, 'pending'))).toEqual([other.id])
      expect(await bench.indexed()).toEqual(['pending', status])
      expect(idsOf(await listed(bench, status))).toEqual([one.id])
    },
  )

  it('of all delegations shows it at once as its task has it', async () => {
    const bench = delegationBench()
    await bench.became(await bench.dispatch(), 'reported', REPORT)
    expect((await listed(bench)).data).toMatchObject([{ status: 'reported', report: REPORT, claim: null }])
    expect(await bench.indexed()).toEqual(['reported'])
  })

  it('mends what the workspace was told wrong: what the task says stands', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    await bench.store.workspace('acme').tell({ kind: 'settle_delegation', id: one.id, status: 'canceled' })
    await bench.became(one, 'reported', REPORT)
    expect(idsOf(await listed(bench, 'canceled'))).toEqual([])
    expect(await bench.indexed()).toEqual(['reported'])
  })

  it('one past its deadline is expired, whether its task has been looked at or not', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    bench.clock.now = one.deadline - 1
    expect([idsOf(await listed(bench, 'pending')), (await read(bench, one)).status]).toEqual([[one.id], 'pending'])
    bench.clock.now = one.deadline
    expect([idsOf(await listed(bench, 'pending')), idsOf(await listed(bench, 'expired'))]).toEqual([[], [one.id]])
    expect(await read(bench, one)).toMatchObject({ status: 'expired', report_url: null })
  })

  it('drops the commands of a task that is gone, and not of one that somebody is making', async () => {
    const bench = delegationBench()
    const [gone, kept] = [await bench.dispatch(), await bench.dispatch()]
    // Whoever deleted it has died behind its object.
    expect(value(await bench.store.of('acme', gone.task).remove()).held).toBeDefined()
    expect(idsOf(await listed(bench))).toEqual([kept.id])
    expect(await bench.indexed()).toEqual(['pending', 'pending'])
    bench.clock.now += 60_001
    expect(idsOf(await listed(bench))).toEqual([kept.id])
    expect(await bench.indexed()).toEqual(['pending'])
  })

  it.each<[string, Refusal]>([
    ['cannot be read', { code: 'state_unreadable', detail: 'row 3' }],
    ['does not know it', { code: 'delegation_not_found' }],
  ])('leaves out one whose task %s, and leaves its entry as it is', async (_, refusal) => {
    const bench = delegationBench()
    const [one, other] = [await bench.dispatch(), await bench.dispatch()]
    bench.fails(one, refusal)
    expect(idsOf(await listed(bench, 'pending'))).toEqual([other.id])
    expect(await bench.indexed()).toEqual(['pending', 'pending'])
  })

  it('for another tenant contains none of them', async () => {
    const bench = delegationBench()
    await bench.dispatch()
    const page = await bench.service.listDelegations(
      { ...CALLER, tenant: 'other' },
      { status: null, pool: null },
      FIRST,
      0,
    )
    expect(value(page).data).toEqual([])
  })
})

/** A workspace that lets nobody wait but as `wait` says. */
function waiting(bench: DelegationBench, wait: (ms: number) => Promise<void>) {
  const { workspace } = bench.store
  const waits: number[] = []
  let looks = 0
  bench.store.workspace = (tenant) => {
    const real = workspace(tenant)
    const delegations: OwnAnswers['delegations'] = (query) => {
      looks += 1
      return real.ask(query)
    }
    return {
      ...workspaceWith(real, { delegations }),
      async awaitDelegation(ms) {
        waits.push(ms)
        await wait(ms)
      },
    }
  }
  return { waits, looks: () => looks }
}
const ask = async (bench: DelegationBench, wait_ms = 10_000, caller: Caller = CALLER) =>
  value(await bench.service.listDelegations(caller, { status: 'pending', pool: null }, FIRST, wait_ms))

describe('waiting for a command', () => {
  it('ends as soon as one is pending', async () => {
    const bench = delegationBench()
    let one: Delegation | undefined
    const { waits } = waiting(bench, async () => {
      bench.clock.now += 2_000
      one = await bench.dispatch()
    })
    expect(idsOf(await ask(bench))).toEqual([one?.id])
    expect(waits).toEqual([10_000])
  })

  it('ends with its time, after a last look, and an empty page', async () => {
    const bench = delegationBench()
    const { waits, looks } = waiting(bench, async (ms) => void (bench.clock.now += ms))
    expect(await ask(bench)).toEqual({ data: [], has_more: false, next_cursor: null })
    expect([waits, looks()]).toEqual([[10_000], 2])
  })

  it('F17 goes on where the workspace restarts meanwhile, and ends with what it then has; no other failure is hidden', async () => {
    const bench = delegationBench()
    let one: Delegation | undefined
    const lost = Object.assign(new Error('reset'), { durableObjectReset: true, retryable: true })
    const { waits } = waiting(bench, async () => {
      bench.clock.now += 2_000
      if (waits.length === 1) throw lost
      one = await bench.dispatch()
    })
    expect(idsOf(await ask(bench))).toEqual([one?.id])
    expect(waits).toEqual([10_000, 8_000])
    const broken = delegationBench()
    waiting(broken, () => Promise.reject(new TypeError('ours')))
    await expect(ask(broken)).rejects.toThrow('ours')
  })

  it('goes on for what is left of its time where somebody else was faster', async () => {
    const bench = delegationBench()
    const steps = [1_000, 2_500, 6_500]
    const { waits } = waiting(bench, async () => void (bench.clock.now += steps.shift() ?? 0))
    expect(idsOf(await ask(bench))).toEqual([])
    expect(waits).toEqual([10_000, 9_000, 6_500])
  })

  it('does not begin if there is a command, or if the caller does not want to wait', async () => {
    const bench = delegationBench()
    const { waits } = waiting(bench, async () => undefined)
    expect(idsOf(await ask(bench, 0))).toEqual([])
    const one = await bench.dispatch()
    expect([idsOf(await ask(bench)), waits]).toEqual([[one.id], []])
  })

  it('stops when the caller has gone', async () => {
    const bench = delegationBench()
    let gone = false
    const { waits, looks } = waiting(bench, async () => {
      gone = true
      await bench.dispatch()
    })
    expect(idsOf(await ask(bench, 10_000, { ...CALLER, gone: () => gone }))).toEqual([])
    expect([waits, looks()]).toEqual([[10_000], 1])
  })

  it('does not begin for a caller who has gone by then', async () => {
    const bench = delegationBench()
    const { waits } = waiting(bench, async () => undefined)
    await ask(bench, 10_000, { ...CALLER, gone: () => true })
    expect(waits).toEqual([])
  })

  it('is bounded where something wakes everybody and cannot be shown', async () => {
    const bench = delegationBench()
    bench.fails(await bench.dispatch(), { code: 'state_unreadable', detail: '' })
    const { looks } = waiting(bench, async () => undefined)
    expect(idsOf(await ask(bench))).toEqual([])
    expect(looks()).toBe(11)
  })
})

describe('a delegation', () => {
  it('is shown with its budget, its step and where it can be reported', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch({ command_budget: { tokens: 1_000, cost_usd: '0.25', seconds: 2 } })
    expect(await read(bench, one)).toEqual({
      id: one.id,
      task_id: one.task,
      item_id: one.command.item_id,
      command_id: one.command_id,
      command_type: 'new',
      session_id: 'auto',
      status: 'pending',
      deadline: new Date(one.deadline).toISOString(),
      created_at: new Date(one.created).toISOString(),
      pool: null,
      report: null,
      claim: null,
      budget: { tokens: 1_000, cost_usd: '0.250000', seconds: 2 },
      report_url: expect.stringMatching(/^https:\/\/agent\.example\/reports\/[A-Za-z0-9_-]+$/),
    })
  })

  it.each([
    [null, null],
    [{ seconds: 7 }, { tokens: null, cost_usd: null, seconds: 7 }],
    [{ tokens: 5 }, { tokens: 5, cost_usd: null, seconds: null }],
  ])('with the command_budget %o has the budget %o', async (command_budget, budget) => {
    const bench = delegationBench()
    const one = await bench.dispatch({ command_budget })
    expect((await read(bench, one)).budget).toEqual(budget)
  })

  it('of type end belongs to no step', async () => {
    const bench = delegationBench()
    const { id, task } = await bench.dispatch()
    value(
      await bench.service.reportDelegation(CALLER, id, sentReport('no', { report: { ...REPORT, session_id: 's-1' } })),
    )
    taken(await bench.service.stepTask(CALLER, task, ALL))
    taken(await bench.service.tellTask(CALLER, task, { kind: 'cancel' }))
    expect((await listed(bench, 'pending')).data).toMatchObject([
      { command_type: 'end', item_id: null, session_id: 's-1' },
    ])
  })

  it('U23 has the same link whenever it is read, as long as it can be reported', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    const link = await linkOf(bench, one)
    value(await claim(bench, one))
    bench.clock.now += 5_000
    expect(await linkOf(bench, one)).toBe(link)
    for (const status of ['reported', 'expired', 'canceled'] as const) {
      const other = await bench.dispatch()
      await bench.became(other, status)
      expect(await read(bench, other)).toMatchObject({ status, report_url: null })
    }
  })

  it('comes with what its command file says', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch({ command_budget: { tokens: 9 } })
    const { delegation, command } = value(await bench.service.getDelegation(CALLER, one.id))
    const { task, constraints, expected_output } = one.command
    expect(command).toEqual({
      id: one.command_id,
      created_at: delegation.created_at,
      session_id: 'auto',
      command_type: 'new',
      report_url: delegation.report_url,
      budget: { tokens: 9 },
      task,
      constraints,
      expected_output,
    })
  })

  it.each([
    'x',
    '',
    'delegation_x',
    'delegation_x_0',
    'task_x',
    'delegation_../x_1',
    'delegation_unknown00000000000_3',
  ])('F48 %s is none', async (id) => {
    expect(codeOf(await delegationBench().service.getDelegation(CALLER, id))).toBe('delegation_not_found')
  })

  it('does not exist for a row that dispatched no command', async () => {
    const bench = delegationBench()
    const { id, task } = await bench.dispatch()
    expect(codeOf(await bench.service.getDelegation(CALLER, id.replace(/\d+$/, '1')))).toBe('delegation_not_found')
    await bench.service.deleteTask(CALLER, task)
    expect(codeOf(await bench.service.getDelegation(CALLER, id))).toBe('delegation_not_found')
  })
})

describe('a claim', () => {
  it('is of one worker, who may renew it; another one is told until when', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    const until = () => new Date(bench.clock.now + 60_000).toISOString()
    expect(value(await claim(bench, one))).toMatchObject({
      delegation: {
        status: 'claimed',
        claim: { worker: 'one', expires_at: until() },
        report_url: await linkFor(bench, one),
      },
      replayed: false,
    })
    bench.clock.now += 30_000
    const other = await claim(bench, one, 'two')
    expect(other).toMatchObject({
      ok: false,
      refusal: { code: 'delegation_claimed', worker: 'one', now_ms: bench.clock.now },
    })
    expect(value(await claim(bench, one)).delegation.claim).toEqual({ worker: 'one', expires_at: until() })
    bench.clock.now += 60_000
    expect(value(await claim(bench, one, 'two')).delegation.claim?.worker).toBe('two')
  })

  it.each([
    ['reported', 'already_reported'],
    ['expired', 'delegation_expired'],
    ['canceled', 'delegation_canceled'],
  ] as const)('of one whose task says %s is refused as %s, and the workspace is told', async (status, code) => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    await bench.became(one, status)
    expect(codeOf(await claim(bench, one))).toBe(code)
    expect(await bench.indexed()).toEqual([status])
    expect(codeOf(await claim(bench, one))).toBe(code)
  })

  const HOUR = 3_600_000
  const QUARTER = 900_000
  it('U64 S2-18 that lasts beyond the deadline extends it for the task too, as often as it is renewed', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    bench.clock.now = one.deadline - 1
    const first = value(await claim(bench, one, 'one', 2 * HOUR)).delegation
    const until = bench.clock.now + 2 * HOUR
    expect(first).toMatchObject({ deadline: new Date(until + QUARTER).toISOString(), claim: { worker: 'one' } })
    bench.clock.now = until - 1
    expect((await read(bench, one)).status).toBe('claimed')
    // It ends before the deadline, and so changes nothing.
    expect(value(await claim(bench, one, 'one', 60_000)).delegation.deadline).toBe(first.deadline)
    bench.clock.now = until + QUARTER - 1
    const renewed = value(await claim(bench, one, 'one', 60_000)).delegation
    expect(renewed.deadline).toBe(new Date(bench.clock.now + 60_000 + QUARTER).toISOString())
    bench.clock.now += 60_000 + QUARTER - 1
    const found = await bench.store.of('acme', one.task).ask({ kind: 'view' })
    expect(found).toMatchObject({ value: { status: 'waiting_external', pending: { deadline: renewed.deadline } } })
    expect(idsOf(await listed(bench, 'pending'))).toEqual([one.id])
    bench.clock.now += 1
    expect([(await read(bench, one)).status, idsOf(await listed(bench, 'expired'))]).toEqual(['expired', [one.id]])
    expect(codeOf(await claim(bench, one))).toBe('delegation_expired')
  })

  it('U64 S2-18 a report comes in time as long as its worker has the claim', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    bench.clock.now = one.deadline - 1
    value(await claim(bench, one, 'one', 2 * HOUR))
    bench.clock.now = one.deadline + 7_000_000
    expect(value(await bench.service.reportDelegation(CALLER, one.id, sentReport())).delegation.status).toBe('reported')
  })

  it('U64 S2-18 renewals go on for a week and no longer, and write a row only four times an hour', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    const rows = async () => {
      const view = await bench.store.of('acme', one.task).ask({ kind: 'view' })
      return view.ok ? view.value.version : 0
    }
    const before = await rows()
    bench.clock.now = one.deadline - 1
    for (let renewal = 0; renewal < 180; renewal++) {
      value(await claim(bench, one, 'one', 60_000))
      bench.clock.now += 20_000
    }
    expect(await rows()).toBe(before + 4)
    let last = ''
    while (bench.clock.now < one.created + 7 * 24 * HOUR) {
      last = value(await claim(bench, one, 'one', 24 * HOUR)).delegation.deadline
      bench.clock.now += 24 * HOUR
    }
    expect(Date.parse(last) - one.created).toBe(7 * 24 * HOUR)
    expect(codeOf(await claim(bench, one))).toBe('delegation_expired')
  })

  it('past the deadline is refused', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    bench.clock.now = one.deadline
    expect(codeOf(await claim(bench, one))).toBe('delegation_expired')
  })

  it('of a command that the workspace missed enters it', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch({ entered: false })
    expect([await bench.indexed(), idsOf(await listed(bench))]).toEqual([[], []])
    expect(value(await claim(bench, one)).delegation).toMatchObject({ id: one.id, status: 'claimed' })
    expect(await bench.indexed()).toEqual(['claimed'])
    expect(codeOf(await claim(bench, one, 'two'))).toBe('delegation_claimed')
  })

  it('of a command that no index lists is refused by its state in the task', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch({ entered: false })
    await bench.became(one, 'canceled')
    expect([codeOf(await claim(bench, one)), await bench.indexed()]).toEqual(['delegation_canceled', []])
  })

  it('of an unknown command, or for a deleted task, is delegation_not_found', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    expect(
      codeOf(await bench.service.claimDelegation({ ...CALLER, tenant: 'other' }, one.id, { worker: 'x', lease_ms: 1 })),
    ).toBe('delegation_not_found')
    expect(codeOf(await bench.service.claimDelegation(CALLER, 'x', { worker: 'x', lease_ms: 1 }))).toBe(
      'delegation_not_found',
    )
    await bench.service.deleteTask(CALLER, one.task)
    expect(codeOf(await claim(bench, one))).toBe('delegation_not_found')
  })

  it('U6 with the same key gets the first answer, even if the state has changed since', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    const keyed = { ...CALLER, key: key('k') }
    const first = value(await claim(bench, one, 'one', 60_000, keyed))
    bench.clock.now += 90_000
    value(await claim(bench, one, 'two'))
    expect(value(await claim(bench, one, 'one', 60_000, keyed))).toEqual({ ...first, replayed: true })
    await bench.became(one, 'reported', REPORT)
    expect(value(await claim(bench, one, 'one', 60_000, keyed))).toEqual({ ...first, replayed: true })
    expect((await read(bench, one)).status).toBe('reported')
  })

  it('U6 with the same key and another body is refused, and one that was refused has not used the key up', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    value(await claim(bench, one, 'one', 60_000, { ...CALLER, key: key('k') }))
    expect(codeOf(await claim(bench, one, 'one', 60_000, { ...CALLER, key: key('k', 'other') }))).toBe(
      'idempotency_key_reused',
    )
    const late = { ...CALLER, key: key('late') }
    expect(codeOf(await claim(bench, one, 'two', 60_000, late))).toBe('delegation_claimed')
    bench.clock.now += 60_000
    expect(value(await claim(bench, one, 'two', 60_000, late)).replayed).toBe(false)
  })

  it('U23 no answer that is kept under a key holds a link', async () => {
    const bench = delegationBench()
    const one = await bench.dispatch()
    const { workspace } = bench.store
    const kept: string[] = []
    bench.store.workspace = (tenant) => {
      const real = workspace(tenant)
      return workspaceWith(real, { keep: (command) => (kept.push(command.answer), real.tell(command)) })
    }
    value(await claim(bench, one, 'one', 60_000, { ...CALLER, key: key('k') }))
    expect(kept).toEqual([JSON.stringify({ worker: 'one', until: bench.clock.now + 60_000 })])
  })
})

async function linkFor(bench: DelegationBench, one: Delegation): Promise<string> {
  return `https://agent.example${await linkOf(bench, one)}`
}
