/** What a person does to an orchestrated task: edits its list, approves the plan or each command (U15, U18). */
import { describe, expect, it } from 'vitest'
import type { SentItem } from '../../../src/core/protocol/plan-edit.ts'
import { CALLER, say, step as advance, taken, titles } from '../../support/scripted.ts'
import { answered, judge, orchestrated, report, seen, send, steps, taskOf, waitedFor, work } from './support.ts'

type Bench = Awaited<ReturnType<typeof orchestrated>>['bench']
const edit = async (bench: Bench, id: string, ...items: SentItem[]) =>
  taken(await bench.service.editPlan(CALLER, id, items, null))

async function waiting(script = {}, settings = {}) {
  const { bench, task } = await orchestrated({ plan: [steps('A', 'B')], ...script }, settings)
  await work(bench, task.id)
  return { bench, id: task.id, delegation: await waitedFor(bench, task.id) }
}

describe('U18 edits', () => {
  it('while its command is out, the step that stays the first of the list keeps it', async () => {
    const { bench, id, delegation } = await waiting()
    const task = await edit(bench, id, { id: 'step_1', title: 'A', description: 'Do it otherwise' }, { title: 'C' })
    expect([task.status, titles(task), task.plan.source]).toEqual(['waiting_external', ['A', 'C'], 'edit'])
    expect((await waitedFor(bench, id)).seq).toBe(delegation.seq)
    // What was handed out is what it was.
    expect((await waitedFor(bench, id)).command).toEqual(delegation.command)
  })

  it('another step in its place withdraws the command, and the next one is about that step', async () => {
    const { bench, id, delegation } = await waiting()
    const task = await edit(bench, id, { title: 'C' }, { id: 'step_1', title: 'A' })
    expect([task.status, task.plan.items.map((item) => item.id)]).toEqual(['running', ['step_3', 'step_1']])
    expect(await taskOf(bench, id).ask({ kind: 'delegation', seq: delegation.seq })).toMatchObject({
      ok: true,
      value: { status: 'canceled' },
    })
    expect(await send(bench, id, delegation.seq, { report: report() })).toEqual({ refused: 'delegation_canceled' })
    await work(bench, id)
    expect((await waitedFor(bench, id)).command.item_id).toBe('step_3')
  })

  it('a step that is edited keeps its constraints, which an edit does not name', async () => {
    const { bench, id } = await waiting({ evaluate: [judge('next')] })
    await edit(
      bench,
      id,
      { id: 'step_1', title: 'A' },
      { id: 'step_2', title: 'B, but better', description: 'Do B well' },
    )
    await edit(bench, id, { id: 'step_1', title: 'A' }, { id: 'step_2', title: 'B, much better' })
    await answered(bench, id, report())
    const { constraints, task } = (await waitedFor(bench, id)).command
    expect([constraints, task]).toEqual(['keep to B', expect.stringContaining('B, much better\n\nDo B well')])
  })

  it('an empty list leaves nothing to do: the task is summed up', async () => {
    const { bench, id } = await waiting()
    await edit(bench, id)
    expect(await work(bench, id)).toMatchObject({ status: 'completed', plan: { items: [] } })
  })

  it('an edit answers the question about the step it leaves first', async () => {
    const { bench, id } = await waiting({ evaluate: [judge('retry')] }, { max_retries_per_step: 0 })
    await answered(bench, id, report('FAILED'))
    const task = await edit(bench, id, { id: 'step_1', title: 'A', description: 'Do it by hand' })
    expect([task.status, task.pending]).toEqual(['running', null])
    await work(bench, id)
    expect((await waitedFor(bench, id)).command.task).toContain('Do it by hand')
  })

  it('a question is settled when an edit leads on without its answer, and its link records no answer', async () => {
    const { bench, id, delegation } = await waiting({ evaluate: [judge('retry')] }, { max_retries_per_step: 0 })
    await send(bench, id, delegation.seq, { report: report('FAILED') })
    const asking = await work(bench, id)
    const seq = asking.version
    const nonce = bench.store.rows.get(JSON.stringify([CALLER.tenant, id]))?.holder(seq) ?? ''
    const ref = { seq, nonce, expires_ms: Infinity, link_epoch: 0 }
    const stored = bench.store.of(CALLER.tenant, id)
    expect(await stored.ask({ kind: 'question', ref })).toMatchObject({ ok: true, value: { state: 'open' } })
    await edit(bench, id, { title: 'C' }, { id: 'step_1', title: 'A' })
    expect(await stored.ask({ kind: 'question', ref })).toMatchObject({
      ok: true,
      value: { state: 'settled', answer: null },
    })
    const ticket = { slice: 'person', boot: 'boot', more: 'nothing' as const, rounds: 0, wall_ms: 0, key: null }
    expect(await stored.tell({ kind: 'answer', ref, text: 'skip' }, ticket)).toMatchObject({
      ok: false,
      refusal: { code: 'question_settled' },
    })
    expect((await seen(bench, id)).version).toBe(seq + 1)
  })

  it('steps that have ended stay, and the evaluator is told whose list it is', async () => {
    const { bench, id } = await waiting({ evaluate: [judge('next'), judge('next')] })
    await answered(bench, id, report())
    const task = await edit(bench, id, { title: 'Z' })
    expect([titles(task), task.plan.cursor]).toEqual([['A', 'Z'], 1])
    await work(bench, id)
    await answered(bench, id, report())
    expect(bench.requests[2]?.messages[1]?.content).toContain('The user has edited the plan by hand')
  })
})

describe('U15 approvals', () => {
  it('approve: plan hands nothing out before the plan is approved', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')] }, { approve: 'plan' })
    expect([task.status, task.stop_reason, task.plan.items[0]?.status]).toEqual([
      'input_required',
      'approval',
      'pending',
    ])
    const approved = await say(bench, task.id, 'yes')
    expect([approved.status, approved.plan.items[0]?.status]).toEqual(['waiting_external', 'running'])
  })

  it('approve: plan other words have the plan made again; no ends the task', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A'), steps('B')] }, { approve: 'plan' })
    const again = await say(bench, task.id, 'rather B')
    expect([again.status, titles(again), again.budget.used]).toEqual(['input_required', ['B'], 0])
    expect(JSON.parse(bench.requests[1]?.messages[1]?.content ?? '')).toMatchObject({ requested_change: 'rather B' })
    const ended = await say(bench, task.id, 'no')
    expect([ended.status, ended.stop_reason, ended.error?.detail]).toEqual([
      'failed',
      'aborted',
      'Its plan was rejected.',
    ])
  })

  it('approve: actions has each command approved before it is handed out', async () => {
    const { bench, task } = await orchestrated(
      { plan: [steps('A')], evaluate: [judge('retry')] },
      { approve: 'actions' },
    )
    const asked = await advance(bench, task.id)
    if (asked.pending?.kind !== 'approval') throw new Error('no approval')
    expect([asked.pending.action?.tool, asked.pending.action?.item_id]).toEqual(['delegate', 'step_1'])
    expect(JSON.parse(asked.pending.action?.input ?? '')).toMatchObject({
      command_type: 'new',
      session_id: 'auto',
      constraints: 'keep to A',
    })
    expect((await say(bench, task.id, 'ok')).status).toBe('waiting_external')
    const { task: second } = await answered(bench, task.id, report('FAILED'))
    expect([second.status, second.stop_reason]).toEqual(['input_required', 'approval'])
  })

  it('approve: actions what is to be changed is the new instruction of the step, and asked about again; a rejected command is a failed attempt', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')] }, { approve: 'actions', max_retries_per_step: 0 })
    await advance(bench, task.id)
    const changed = await say(bench, task.id, 'Only read, write nothing')
    if (changed.pending?.kind !== 'approval') throw new Error('no approval')
    expect(changed.pending.action?.input).toContain('Only read, write nothing')
    const rejected = await say(bench, task.id, 'no')
    expect([rejected.status, rejected.stop_reason, rejected.budget.used]).toEqual(['input_required', 'question', 0])
    expect((await seen(bench, task.id)).pending).toMatchObject({
      question: expect.stringContaining('The command was not approved.'),
    })
  })
})
