/** What becomes of a command: it is settled once, its time begins when it is out, and what it costs is within its share. */
import { describe, expect, it } from 'vitest'
import type { Ticket } from '../../../src/core/protocol/advance.ts'
import type { SentReport } from '../../../src/core/terms/delegation.ts'
import type { Event } from '../../../src/core/terms/effect.ts'
import { parseDelegationId } from '../../../src/core/terms/delegation-id.ts'
import { EQUAL, recordsOf, replayOf } from '../../support/forks.ts'
import { CALLER, ONE, say, step as advance, taken, type Bench } from '../../support/scripted.ts'
import { judge, orchestrated, overdue, report, seen, send, steps, taskOf, waitedFor, work } from './support.ts'

const HANDED_OUT: Event = { kind: 'tool_returned', ok: true, code: 'entered', text: 'entered' }
const FAILED: Event = { kind: 'tool_returned', ok: false, code: 'tool_error', text: 'no workspace' }

/** A worker of ours begins to hand out the next command. */
async function begun(bench: Bench, id: string): Promise<{ seq: number; commit: (event: Event) => Promise<unknown> }> {
  const slice = bench.ports.random_id()
  const ticket: Ticket = { slice, boot: 'boot', more: 'new_round', rounds: 1, wall_ms: bench.clock.now, key: null }
  const handed = await taskOf(bench, id).begin(ticket)
  const seq = handed.ok ? (handed.value.assignment?.seq ?? 0) : 0
  const nothing: Ticket = { ...ticket, more: 'nothing' }
  return { seq, commit: (event) => taskOf(bench, id).commit(seq, event, nothing) }
}

async function statusOf(bench: Bench, id: string, seq: number) {
  const known = await taskOf(bench, id).ask({ kind: 'delegation', seq })
  return known.ok ? known.value.status : known.refusal.code
}
const chargedIn = (bench: Bench, id: string) =>
  recordsOf(bench, id)
    .map(({ event }) => JSON.parse(event ?? '{}') as { kind?: string; charged?: object })
    .filter(({ kind }) => kind === 'report_arrived' || kind === 'report_expired')
    .map(({ charged }) => charged)

describe('what is said while a report is waited for', () => {
  const said = async (bench: Bench, id: string, key: string) => {
    const caller = { ...CALLER, key: { scope: 'input', key, digest: 'body' } }
    const answer = await bench.service.inputTask(caller, id, 'mind the tests', null, ONE)
    if (!answer.ok) throw new Error(answer.refusal.code)
    return answer.value
  }

  it('api.md "Input" a remark is kept: nothing advanced, and the same answer again under its key', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [] })
    await work(bench, task.id)
    const first = await said(bench, task.id, 'k')
    expect(first.task).toMatchObject({ status: 'waiting_external', slice: { advanced: false, rounds: 0, events: [] } })
    bench.clock.now += 5_000
    const { replayed, ...again } = await said(bench, task.id, 'k')
    expect([replayed, again]).toEqual([true, first])
    await send(bench, task.id, (await waitedFor(bench, task.id)).seq, { report: report() })
    expect((await said(bench, task.id, 'k')).task).toEqual(first.task)
  })

  it('a top-up is heard at once', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')] })
    await work(bench, task.id)
    const added = taken(await bench.service.tellTask(CALLER, task.id, { kind: 'top_up', add: { steps: 3 } }))
    expect(added).toMatchObject({ status: 'waiting_external', slice: { advanced: true }, budget: { max: 103 } })
  })
})

describe('a command on its way', () => {
  it('S2-18 its time begins as it is first handed out: what workers are shown of it never changes', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')] }, { report_timeout_s: 60 })
    const first = bench.clock.now
    const { seq, commit } = await begun(bench, task.id)
    const before = valueOf(await taskOf(bench, task.id).ask({ kind: 'delegation', seq }))
    bench.clock.now += 20_000
    await commit(HANDED_OUT)
    const { status: _, ...after } = await waitedFor(bench, task.id)
    expect(before).toMatchObject(after)
    expect([after.created, after.deadline]).toEqual([first, first + 60_000])
    bench.clock.now += 40_000
    expect(await statusOf(bench, task.id, seq)).toBe('expired')
  })

  it('U2 a report that comes meanwhile is shown at once, and judged next', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('next')] })
    const { seq, commit } = await begun(bench, task.id)
    const early = await send(bench, task.id, seq, { report: report() })
    expect(early).toMatchObject({ delegation: { status: 'reported' }, task: { slice: { advanced: false } } })
    expect(await send(bench, task.id, seq, { report: report('FAILED') })).toEqual({ refused: 'already_reported' })
    await commit(HANDED_OUT)
    expect((await seen(bench, task.id)).status).toBe('running')
    expect((await work(bench, task.id)).status).toBe('completed')
  })

  it.each([
    [
      'could not be handed out',
      async (bench: Bench, id: string, commit: (event: Event) => Promise<unknown>) => {
        await commit(FAILED)
        expect((await seen(bench, id)).status).toBe('running')
      },
    ],
    [
      'is abandoned by a cancel',
      async (bench: Bench, id: string) => {
        await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
      },
    ],
  ])('S3-17 a report of a command that %s stays with it, and the journal is replayed equal', async (_, then) => {
    const { bench, task } = await orchestrated({ plan: [steps('A')] })
    const { seq, commit } = await begun(bench, task.id)
    await send(bench, task.id, seq, { report: report() })
    await then(bench, task.id, commit)
    expect(await statusOf(bench, task.id, seq)).toBe('reported')
    expect(await replayOf(bench, task.id)).toEqual(EQUAL(recordsOf(bench, task.id).length))
  })

  it.each([
    ['withdrawn', [{ title: 'B' }], 'delegation_canceled'],
    ['left as it is', [{ id: 'step_1', title: 'A' }], undefined],
  ])(
    'U2 while an edit waits behind it a report is told to come again; then the command is %s',
    async (_, items, refused) => {
      const { bench, task } = await orchestrated({ plan: [steps('A')] })
      const { seq, commit } = await begun(bench, task.id)
      taken(await bench.service.editPlan(CALLER, task.id, items, null))
      expect(await send(bench, task.id, seq, { report: report() })).toEqual({ refused: 'task_busy' })
      await commit(HANDED_OUT)
      const again = await send(bench, task.id, seq, { report: report() })
      expect('refused' in again ? again.refused : undefined).toBe(refused)
      expect(await replayOf(bench, task.id)).toEqual(EQUAL(recordsOf(bench, task.id).length))
    },
  )

  it('a report of a command whose dispatch seemed to fail is evaluated: the attempt has not failed', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('next')] })
    const { seq, commit } = await begun(bench, task.id)
    await send(bench, task.id, seq, { report: report() })
    await commit(FAILED)
    const done = await work(bench, task.id)
    expect([done.status, done.result?.text.includes('failed attempts: 0')]).toEqual(['completed', true])
  })

  it('U2 a remark that comes while the evaluation runs which then asks a person is heard by the next command', async () => {
    const { bench, task } = await orchestrated(
      { plan: [steps('A')], evaluate: [judge('retry')] },
      { max_retries_per_step: 0 },
    )
    await work(bench, task.id)
    await send(bench, task.id, (await waitedFor(bench, task.id)).seq, { report: report('FAILED') })
    const { commit } = await begun(bench, task.id)
    await say(bench, task.id, 'Mind the licence')
    const text = JSON.stringify(judge('retry'))
    await commit({ kind: 'model_replied', text, usage: null, model: 'scripted', form: 'text' })
    await say(bench, task.id, 'Once more', { rounds: 2, max_ms: 25_000 })
    expect((await waitedFor(bench, task.id)).command.task).toContain('- Mind the licence')
  })
})

describe('the end command', () => {
  it('R17 is found, and reported on, though its task ended with a command that could not be handed out', async () => {
    const settings = { max_retries_per_step: 1, max_clarifications: 0 }
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('retry')] }, settings)
    await work(bench, task.id)
    await send(bench, task.id, (await waitedFor(bench, task.id)).seq, { report: report() })
    await advance(bench, task.id)
    const { seq, commit } = await begun(bench, task.id)
    await commit(FAILED)
    const { status, stop_reason } = await seen(bench, task.id)
    expect([status, stop_reason]).toEqual(['failed', 'step_failed'])
    const { command } = valueOf(await taskOf(bench, task.id).ask({ kind: 'view' }))
    expect(parseDelegationId(command?.id ?? '')).toEqual({ task: task.id, seq })
    const known = await taskOf(bench, task.id).ask({ kind: 'delegation', seq })
    expect(known).toMatchObject({
      ok: true,
      value: { status: 'pending', command: { type: 'end', session_id: 'session-1' } },
    })
    expect(await send(bench, task.id, seq, { report: report() })).toMatchObject({ delegation: { status: 'reported' } })
  })
})
const valueOf = <T>(result: { ok: true; value: T } | { ok: false }): T => {
  if (!result.ok) throw new Error('refused')
  return result.value
}

describe('what a command costs', () => {
  const spent = (more: SentReport['spent']) => ({ report: report(), spent: more })

  it('P13 on its way it may not spend what handing it out may still take; silence costs what is left then', async () => {
    const limits = { max_seconds: 60, command_budget: { seconds: 600 } }
    const { bench, task } = await orchestrated({ plan: [steps('A')] }, limits)
    const { seq, commit } = await begun(bench, task.id)
    const share = async () => valueOf(await taskOf(bench, task.id).ask({ kind: 'delegation', seq })).share
    expect(await share()).toEqual({ working_ms: 30_000 })
    bench.clock.now += 12_000
    await commit(HANDED_OUT)
    expect(await share()).toEqual({ working_ms: 48_000 })
    await send(bench, task.id, seq, spent(null))
    expect((await seen(bench, task.id)).budget.seconds).toEqual({ used: 60, max: 60 })
  })

  it('a share stays as it was when its command was dispatched, even if budget is added later', async () => {
    const limits = { max_tokens: 100_000, command_budget: { tokens: 200_000 } }
    const { bench, task } = await orchestrated({ plan: [steps('A')] }, limits)
    await work(bench, task.id)
    const { share } = await waitedFor(bench, task.id)
    await bench.service.tellTask(CALLER, task.id, { kind: 'top_up', add: { tokens: 500_000 } })
    await overdue(bench, task.id)
    expect(chargedIn(bench, task.id)).toEqual([share])
    const { tokens } = (await seen(bench, task.id)).budget
    expect(tokens).toMatchObject({ used: 100_000, max: 600_000 })
  })

  it('F33 a worker that says it spent more than can be counted leaves a task that can be read', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('retry'), judge('retry')] })
    for (let n = 0; n < 3; n++) {
      await work(bench, task.id)
      const most = Number.MAX_SAFE_INTEGER
      const all = { tokens: most, cost: most, working_ms: most }
      await send(bench, task.id, (await waitedFor(bench, task.id)).seq, spent(all))
    }
    const { used } = (await seen(bench, task.id)).budget.tokens
    expect([used > 999_999_999_999_999, Number.isSafeInteger(used)]).toEqual([true, true])
    expect(await replayOf(bench, task.id)).toMatchObject({ equal: true })
  })

  it('S3-17 what is spent above a maximum leaves a journal that is replayed equal', async () => {
    const settings = { max_tokens: 50_000, max_cost_usd: '1.00' }
    const { bench, task } = await orchestrated({ plan: [steps('A')] }, settings)
    await work(bench, task.id)
    const { seq } = await waitedFor(bench, task.id)
    await send(bench, task.id, seq, spent({ cost: 2_000_000 }))
    taken(await bench.service.editPlan(CALLER, task.id, [{ title: 'B' }], null))
    // Of a step that has just begun a command is handed out, which takes no money itself.
    const waiting = await work(bench, task.id)
    expect([waiting.status, waiting.budget.cost_usd.used]).toEqual(['waiting_external', '2.000000'])
    expect(await replayOf(bench, task.id)).toEqual(EQUAL(recordsOf(bench, task.id).length))
  })
})
