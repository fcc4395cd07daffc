/** A task that waits for a report: what it shows, what can be said to it, what a report meets (U2, U3, U19; F53). */
import { describe, expect, it } from 'vitest'
import { dueOf } from '../../../src/core/protocol/alarm-times.ts'
import type { SentReport } from '../../../src/core/terms/delegation.ts'
import {
  benchOf,
  CALLER,
  createTask,
  FREE,
  NONE,
  phases,
  say,
  step as advance,
  taken,
  UNBOUNDED,
} from '../../support/scripted.ts'
import {
  answered,
  eventsOf,
  judge,
  orchestrated,
  report,
  seen,
  send,
  steps,
  taskOf,
  waitedFor,
  work,
} from './support.ts'

async function waiting(script = {}, settings = {}) {
  const { bench, task } = await orchestrated({ plan: [steps('A')], ...script }, settings)
  await work(bench, task.id)
  return { bench, id: task.id, delegation: await waitedFor(bench, task.id) }
}

describe('what it shows', () => {
  it('S2-18 it is waiting_external, and names the command and its deadline', async () => {
    const { bench, id, delegation } = await waiting()
    const { status, stop_reason, pending, slice } = await seen(bench, id)
    expect([status, stop_reason, slice]).toEqual(['waiting_external', 'report', null])
    expect(pending).toEqual({ kind: 'report', delegation_id: delegation.id, deadline: '2026-11-21T13:00:00.000Z' })
  })

  it('S2-11 S2-18 R28 nothing is polled: the alarm of a task that only requests advance is set to the deadline', async () => {
    const { bench, id, delegation } = await waiting()
    const rows = bench.store.rows.get(JSON.stringify(['acme', id]))
    if (rows === undefined) throw new Error('no rows')
    const here = { now_ms: bench.clock.now, boot: 'boot', prices: FREE, daily: UNBOUNDED }
    expect(dueOf(rows, [], here).tend).toBe(delegation.deadline)
  })
})

describe('what is said to it', () => {
  it('a remark is kept for the next evaluation: nothing advances, and no model is called', async () => {
    const { bench, id } = await waiting({ evaluate: [judge('next')] })
    const task = await say(bench, id, 'Mind the licence')
    expect([task.status, task.slice?.advanced, phases(bench)]).toEqual(['waiting_external', false, ['plan']])
    await answered(bench, id, report())
    expect(JSON.parse(bench.requests[1]?.messages[1]?.content ?? '')).toMatchObject({ remarks: ['Mind the licence'] })
  })

  it('a report is accepted while the task is paused, and evaluated when the task goes on', async () => {
    const { bench, id, delegation } = await waiting({ evaluate: [judge('next')] })
    taken(await bench.service.tellTask(CALLER, id, { kind: 'pause' }))
    expect(await seen(bench, id)).toMatchObject({ status: 'paused', stop_reason: 'paused_by_user' })
    await send(bench, id, delegation.seq, { report: report() })
    expect((await seen(bench, id)).status).toBe('paused')
    const task = await say(bench, id, 'continue', { rounds: 5, max_ms: 25_000 })
    expect(task.status).toBe('completed')
  })

  it('a command whose task was canceled is withdrawn', async () => {
    const { bench, id, delegation } = await waiting()
    await say(bench, id, '取消当前任务')
    expect(await send(bench, id, delegation.seq, { report: report() })).toEqual({ refused: 'delegation_canceled' })
  })
})

describe('F53 what a report meets', () => {
  const other = 'task-00000000-0000-8000-8000-000000000000'
  it('F53 a report makes the task running, and the next slice evaluates it', async () => {
    const { bench, id, delegation } = await waiting({ evaluate: [judge('next')] })
    const { task } = await send(bench, id, delegation.seq, { report: report(), command_id: delegation.command_id })
    expect([task?.status, task?.stop_reason, phases(bench)]).toEqual(['running', null, ['plan']])
    expect((await advance(bench, id)).last_thought?.decision).toBe('next')
  })

  it.each<[string, Partial<SentReport>, string | undefined]>([
    ['the same report again is shown and not heard', {}, undefined],
    ['another report is refused', { report: report('FAILED') }, 'already_reported'],
    [
      'one that names another session is another one',
      { report: report('SUCCESS', { session_id: 'x' }) },
      'already_reported',
    ],
    ['a report of another command is refused', { command_id: other }, 'wrong_command'],
  ])('F53 %s', async (_, again, refused) => {
    const { bench, id, delegation } = await waiting({ evaluate: [judge('next')] })
    await send(bench, id, delegation.seq, { report: report() })
    const rows = (await seen(bench, id)).version
    const second = await send(bench, id, delegation.seq, { report: report(), ...again })
    expect('refused' in second ? second.refused : undefined).toBe(refused)
    expect((await seen(bench, id)).version).toBe(rows)
  })

  it('F53 a report of another command is refused before there is one of this', async () => {
    const { bench, id, delegation } = await waiting()
    expect(await send(bench, id, delegation.seq, { report: report(), command_id: other })).toEqual({
      refused: 'wrong_command',
    })
    expect((await seen(bench, id)).status).toBe('waiting_external')
  })

  it.each([1, 2, 99])('row %i dispatched no command', async (seq) => {
    const { bench, id } = await waiting()
    expect(await send(bench, id, seq, { report: report() })).toEqual({ refused: 'delegation_not_found' })
  })

  it('U19 at its deadline a report is too late, whether the alarm has gone off or not', async () => {
    const { bench, id, delegation } = await waiting()
    bench.clock.now = delegation.deadline
    expect(await send(bench, id, delegation.seq, { report: report() })).toEqual({ refused: 'delegation_expired' })
  })

  it('an earlier command shows what became of it, however far the task has come', async () => {
    const { bench, id, delegation } = await waiting({ evaluate: [judge('retry'), judge('next')] })
    await answered(bench, id, report('FAILED', { text: 'first' }))
    await answered(bench, id, report())
    const known = await taskOf(bench, id).ask({ kind: 'delegation', seq: delegation.seq })
    expect(known).toMatchObject({
      ok: true,
      value: { status: 'reported', report: { text: 'first', status: 'FAILED' } },
    })
  })

  it('U2 a report that comes while its command is still being handed out is kept, and applied by the next commit', async () => {
    let midway: (() => Promise<unknown>) | null = null
    const bench = benchOf({ plan: [steps('A')], evaluate: [judge('next')], summary: ['done'] })
    const run = bench.ports.tools.get('delegate')
    if (run === undefined) throw new Error('no such tool')
    const tools = new Map(bench.ports.tools).set('delegate', {
      name: 'delegate',
      run: async (input, call) => {
        await midway?.()
        return run.run(input, call)
      },
    })
    Object.assign(bench.ports, { tools })
    const { id } = await createTask(bench, {}, NONE, { mode: 'orchestrator' })
    let told: Awaited<ReturnType<typeof send>> | null = null
    midway = async () => {
      told = await send(bench, id, 3, { report: report() })
      expect(await send(bench, id, 3, { report: report('FAILED') })).toEqual({ refused: 'already_reported' })
    }
    const task = await advance(bench, id)
    expect(told).toMatchObject({ delegation: { status: 'reported' }, task: { status: 'running' } })
    expect([task.status, task.budget.used]).toEqual(['running', 1])
    expect((await eventsOf(bench, id)).map(({ type }) => type).slice(-2)).toEqual([
      'command_dispatched',
      'report_received',
    ])
    midway = null
    expect((await work(bench, id)).status).toBe('completed')
  })

  it.each([
    ['SUCCESS', { actions: 1, successful_actions: 1, failed_actions: 0 }],
    ['PARTIAL_SUCCESS', { actions: 1, successful_actions: 1, failed_actions: 0 }],
    ['FAILED', { actions: 1, successful_actions: 0, failed_actions: 1 }],
  ] as const)('a command counts as the action that its worker reports: %s', async (status, counters) => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('next')] })
    expect((await work(bench, task.id)).counters).toMatchObject({ actions: 1, successful_actions: 1 })
    const { seq } = await waitedFor(bench, task.id)
    await send(bench, task.id, seq, { report: report(status) })
    expect((await seen(bench, task.id)).counters).toMatchObject(counters)
    expect((await advance(bench, task.id)).counters).toMatchObject(counters)
  })

  it('a command that could not be handed out is a failed attempt', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], tools: [{ ok: false, text: 'no room' }] })
    const first = await advance(bench, task.id)
    expect([first.status, first.budget.used, first.counters.failed_actions]).toEqual(['running', 1, 1])
    await work(bench, task.id)
    expect((await waitedFor(bench, task.id)).command.task).toContain('The command could not be handed out.')
  })
})
