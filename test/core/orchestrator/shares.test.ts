/** Sub-budgets: a command carries a share of what is left, its worker says what it spent, and the ledger of the task has it. */
import { describe, expect, it } from 'vitest'
import type { Settings } from '../../../src/core/terms/settings.ts'
import { journalOf, type Script } from '../../support/scripted.ts'
import { answered, judge, orchestrated, overdue, report, seen, send, steps, waitedFor, work } from './support.ts'

const BOUNDED: Partial<Settings> = {
  max_tokens: 100_000,
  max_cost_usd: '1.00',
  max_seconds: 1_000,
  command_budget: { tokens: 60_000, cost_usd: '0.75', seconds: 900 },
}
async function shared(settings: Partial<Settings> = BOUNDED, script: Script = {}) {
  const { bench, task } = await orchestrated(
    { plan: [steps('A')], evaluate: [judge('retry'), judge('next')], ...script },
    settings,
  )
  await work(bench, task.id)
  return { bench, id: task.id, delegation: await waitedFor(bench, task.id) }
}

describe('the share of a command', () => {
  it('is what the setting says, and never more than is left', async () => {
    const { bench, id, delegation } = await shared()
    expect(delegation.share).toEqual({ tokens: 60_000, cost: 750_000, working_ms: 900_000 })
    await answered(bench, id, report('FAILED'), { spent: { tokens: 50_000, cost: 500_000, working_ms: 800_000 } })
    const { tokens, cost_usd, seconds } = (await seen(bench, id)).budget
    expect((await waitedFor(bench, id)).share).toEqual({
      tokens: 100_000 - tokens.used,
      cost: 1_000_000 - Number(cost_usd.used) * 1_000_000,
      working_ms: 1_000_000 - seconds.used * 1_000,
    })
    expect(tokens.used).toBeGreaterThanOrEqual(50_000)
  })

  it('is nothing where the setting names nothing, and of an axis without a maximum what the setting says', async () => {
    expect((await shared({})).delegation.share).toBeNull()
    expect((await shared({ command_budget: { tokens: 7 } })).delegation.share).toEqual({ tokens: 7 })
  })

  it('pauses the task by an axis without rest before a command is dispatched', async () => {
    const { bench, id, delegation } = await shared({ max_seconds: 10, command_budget: { seconds: 20 } })
    expect(delegation.share).toEqual({ working_ms: 10_000 })
    await send(bench, id, delegation.seq, { report: report('FAILED'), spent: { working_ms: 10_000 } })
    const task = await work(bench, id)
    expect([task.status, task.stop_reason, task.budget.used]).toEqual(['paused', 'budget_exhausted:seconds', 1])
  })
})

describe('what a worker has spent', () => {
  const spent = async (id: string, bench: Parameters<typeof journalOf>[0]) => {
    const row = (await journalOf(bench, id)).findLast(
      ({ kind }) => kind === 'report_arrived' || kind === 'report_expired',
    )
    return [row?.charged_tokens, row?.cost_usd, row?.over_reserve, row?.counted]
  }
  it.each<[string, object | null, [number, string, boolean, boolean]]>([
    ['what it says', { tokens: 10, cost: 20, working_ms: 1_500 }, [10, '0.000020', false, false]],
    ['more than its share, marked', { tokens: 70_000, cost: 1, working_ms: 0 }, [70_000, '0.000001', true, false]],
    ['all of its share where it says nothing', null, [60_000, '0.750000', false, false]],
    ['of an axis it does not name its share', { tokens: 1 }, [1, '0.750000', false, false]],
  ])('the task is charged %s', async (_, said, row) => {
    const { bench, id, delegation } = await shared()
    const before = (await seen(bench, id)).budget.tokens.used
    await send(bench, id, delegation.seq, { report: report(), spent: said })
    expect(await spent(id, bench)).toEqual(row)
    expect((await seen(bench, id)).budget.tokens.used - before).toBe(row[0])
  })

  it('a share whose command never reports is charged in full', async () => {
    const { bench, id } = await shared()
    const before = (await seen(bench, id)).budget
    await overdue(bench, id)
    expect(await spent(id, bench)).toEqual([60_000, '0.750000', false, false])
    expect((await seen(bench, id)).budget.tokens.used - before.tokens.used).toBe(60_000)
  })

  it('without a share what is said is charged, and nothing where nothing is said', async () => {
    const { bench, id, delegation } = await shared({})
    const before = (await seen(bench, id)).budget
    await answered(bench, id, report('FAILED'))
    expect(await spent(id, bench)).toEqual([0, '0.000000', false, false])
    const second = await waitedFor(bench, id)
    await send(bench, id, second.seq, { report: report(), spent: { tokens: 5, working_ms: 2_000 } })
    const { tokens, seconds } = (await seen(bench, id)).budget
    expect([tokens.used - before.tokens.used, seconds.used - before.seconds.used]).toEqual([20, 2])
    expect(delegation.share).toBeNull()
  })

  it('no amount that is said makes the state of the task unreadable', async () => {
    const { bench, id } = await shared({})
    const most = { tokens: Number.MAX_SAFE_INTEGER, cost: Number.MAX_SAFE_INTEGER, working_ms: Number.MAX_SAFE_INTEGER }
    await answered(bench, id, report('FAILED'), { spent: most })
    await answered(bench, id, report(), { spent: most })
    const { tokens, seconds } = (await seen(bench, id)).budget
    expect([tokens.used, seconds.used]).toEqual([1_000_000_000_000_000, 1_000_000_000_000])
  })

  it('the same report again is charged once', async () => {
    const { bench, id, delegation } = await shared()
    const told = { report: report(), spent: { tokens: 10, cost: 0, working_ms: 0 } }
    await send(bench, id, delegation.seq, told)
    const once = (await seen(bench, id)).budget
    await send(bench, id, delegation.seq, told)
    expect((await seen(bench, id)).budget).toEqual(once)
  })
})
