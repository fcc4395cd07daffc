/** The loop of seed 002: split, hand out, wait, judge, adjust, finish (S2-02, S2-03, R17). */
import { describe, expect, it } from 'vitest'
import { say, step as advance, titles } from '../../support/scripted.ts'
import { answered, eventsOf, judge, orchestrated, overdue, report, send, steps, waitedFor, work } from './support.ts'

describe('S2-02 S2-03 the loop', () => {
  it('S2-02 S2-03 a goal is split, each step is handed out and judged, and in the end all of it is summed up', async () => {
    const { bench, task } = await orchestrated({
      plan: [steps('A', 'B')],
      evaluate: [judge('next', 'A is there'), judge('next', 'B is there')],
    })
    expect([task.status, titles(task), task.budget.used]).toEqual(['running', ['A', 'B'], 0])
    const waiting = await work(bench, task.id)
    expect([waiting.status, waiting.stop_reason, waiting.pending?.kind]).toEqual([
      'waiting_external',
      'report',
      'report',
    ])
    const first = await answered(bench, task.id, report())
    expect(first.delegation.command).toMatchObject({ type: 'new', session_id: 'auto', item_id: 'step_1' })
    const second = await answered(bench, task.id, report('SUCCESS', { session_id: 'session-2' }))
    expect(second.delegation.command).toMatchObject({ type: 'new', session_id: 'auto', item_id: 'step_2' })
    const { status, stop_reason, result, budget, plan } = second.task
    expect([status, stop_reason, budget.used, budget.unit]).toEqual(['completed', 'done', 2, 'commands'])
    expect(plan.items.map((item) => [item.status, item.result])).toEqual([
      ['completed', 'A is there'],
      ['completed', 'B is there'],
    ])
    expect(result?.text).toContain('All is done.\n\nSteps: 2 (2 completed, 0 failed, 0 skipped) · commands: 2')
    bench.spent()
    const events = (await eventsOf(bench, task.id)).map(({ type }) => type)
    expect(events).toEqual([
      'task_created',
      'plan_created',
      'item_started',
      'command_dispatched',
      'report_received',
      'thought_decided',
      'item_completed',
      'item_started',
      'command_dispatched',
      'report_received',
      'thought_decided',
      'item_completed',
      'report_generated',
      'command_dispatched',
      'task_completed',
    ])
  })
  it('S2-15 R17 retry, then person', async () => {
    const { bench, task } = await orchestrated({
      plan: [steps('A')],
      evaluate: [judge('retry', 'no'), judge('retry', 'no'), judge('retry', 'no'), judge('retry', 'no')],
    })
    await work(bench, task.id)
    let last
    for (let i = 0; i < 4; i++) last = await answered(bench, task.id, report('FAILED'))
    expect(last?.task).toMatchObject({ status: 'input_required' })
    const end = await say(bench, task.id, 'skip')
    expect(end).toMatchObject({ status: 'completed', plan: { items: [{ status: 'skipped' }] } })
  })
  it('S2-18 time-out', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('next')] })
    await work(bench, task.id)
    const d = await waitedFor(bench, task.id)
    const t = await overdue(bench, task.id)
    expect(t.status).toBe('running')
    expect(await send(bench, task.id, d.seq, { report: report() })).toEqual({ refused: 'delegation_expired' })
    await advance(bench, task.id)
    const second = await answered(bench, task.id, report())
    expect(second.task.status).toBe('completed')
  })
})
