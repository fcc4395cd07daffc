/** The loop of mode `orchestrator`: split, hand out, wait, judge, adjust, finish (S2-01…S2-08, S2-15…S2-18, R17). */
import { describe, expect, it } from 'vitest'
import type { Settings } from '../../../src/core/terms/settings.ts'
import type { TaskView } from '../../../src/core/terms/view.ts'
import { serviceCaller } from '../../../src/shell/caller.ts'
import { context, createTask, NONE, phases, say, titles, type Script } from '../../support/scripted.ts'
import {
  answered,
  eventsOf,
  judge,
  orchestrated,
  overdue,
  report,
  send,
  seen,
  steps,
  waitedFor,
  work,
} from './support.ts'

const retries = (count: number) => Array.from({ length: count }, (_, index) => judge('retry', `wrong ${index + 1}`))

/** Reports one after the other, until there are no more of them. */
async function played(script: Script, reports: ReturnType<typeof report>[], settings: Partial<Settings> = {}) {
  const { bench, task } = await orchestrated(script, settings)
  let last: TaskView = await work(bench, task.id)
  const commands = []
  for (const one of reports) {
    const { delegation, task: after } = await answered(bench, task.id, one)
    commands.push(delegation.command)
    last = after
  }
  return { bench, id: task.id, task: last, commands }
}
const sessions = (commands: { type: string; session_id: string }[]) =>
  commands.map(({ type, session_id }) => `${type} ${session_id}`)

describe('S2-02 S2-03 S2-06 the loop', () => {
  it('S2-02 S2-03 S2-06 a goal is split, each step is handed out and judged, and in the end all of it is summed up', async () => {
    const { bench, id, task, commands } = await played(
      { plan: [steps('A', 'B')], evaluate: [judge('next', 'A is there'), judge('next', 'B is there')] },
      [report(), report('SUCCESS', { session_id: 'session-2' })],
    )
    expect(commands.map(({ type, session_id, item_id }) => [type, session_id, item_id])).toEqual([
      ['new', 'auto', 'step_1'],
      ['new', 'auto', 'step_2'],
    ])
    const { status, stop_reason, result, budget, plan } = task
    expect([status, stop_reason, budget.used, budget.unit, budget.max]).toEqual([
      'completed',
      'done',
      2,
      'commands',
      100,
    ])
    expect(plan.items.map((item) => [item.status, item.result])).toEqual([
      ['completed', 'A is there'],
      ['completed', 'B is there'],
    ])
    expect(result?.text).toContain(
      'All is done.\n\nit is SUCCESS\n\nSteps: 2 (2 completed, 0 failed, 0 skipped) · commands: 2',
    )
    expect(phases(bench)).toEqual(['plan', 'evaluate', 'evaluate', 'summary'])
    bench.spent()
    const worked = ['item_started', 'command_dispatched', 'report_received', 'thought_decided', 'item_completed']
    expect((await eventsOf(bench, id)).map(({ type }) => type)).toEqual([
      'task_created',
      'plan_created',
      ...worked,
      ...worked,
      'report_generated',
      'command_dispatched',
      'task_completed',
    ])
  })

  it('S2-01 no prompt asks for code, and nothing but plan, evaluation and summary is asked of a model', async () => {
    const { bench } = await played({ plan: [steps('A')], evaluate: [judge('next')] }, [report()])
    expect(bench.requests.map(({ tools }) => tools.length)).toEqual([0, 0, 0])
    for (const { messages } of bench.requests)
      expect(messages[0]?.content).toContain('You do no work yourself and write no code')
  })

  it('a round is one dispatch, one evaluation, or the summary; while a report is waited for a step does nothing', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('next')] })
    const one = { rounds: 1, max_ms: 25_000 }
    const step = async () => {
      const answer = await bench.service.stepTask(serviceCaller('acme'), task.id, one)
      if (!answer.ok) throw new Error(answer.refusal.code)
      const { status, stop_reason, slice } = answer.value.task
      return [status, stop_reason, slice?.rounds, slice?.advanced]
    }
    expect(await step()).toEqual(['waiting_external', 'report', 1, true])
    expect(await step()).toEqual(['waiting_external', 'report', 0, false])
    const { seq } = await waitedFor(bench, task.id)
    await send(bench, task.id, seq, { report: report() })
    expect((await seen(bench, task.id)).status).toBe('running')
    expect(await step()).toEqual(['running', null, 1, true])
    expect(await step()).toEqual(['completed', 'done', 1, true])
  })

  it('S2-08 the state is the list of steps, the current one, its session and how often it failed', async () => {
    const { bench, id } = await played({ plan: [steps('A', 'B')], evaluate: [judge('next'), judge('retry')] }, [
      report(),
      report('FAILED', { session_id: 'other' }),
    ])
    const state = bench.store.rows.get(JSON.stringify(['acme', id]))?.last()?.head.state
    expect(state).toMatchObject({ phase: 'awaiting', plan: { cursor: 1 }, step: { failures: 1 }, commands: 3 })
    expect((await waitedFor(bench, id)).command).toMatchObject({
      type: 'continue',
      session_id: 'other',
      item_id: 'step_2',
    })
  })

  it('S2-05 R24 time-outs, retries and models are settings of the task, and commands are what it counts', async () => {
    const models = { evaluate: 'judge' }
    const settings = { max_steps: 1, models, report_timeout_s: 5 }
    const { bench, id, task } = await played({ plan: [steps('A')], evaluate: [judge('retry')] }, [], settings)
    const { created, deadline } = await waitedFor(bench, id)
    expect(deadline - created).toBe(5_000)
    expect(task.budget).toMatchObject({ unit: 'commands', used: 1, max: 1, remaining: 0 })
    // The limit check comes before each round (U12).
    const { task: after } = await answered(bench, id, report('FAILED'))
    expect([after.status, after.stop_reason]).toEqual(['paused', 'budget_exhausted:steps'])
    const more = await say(bench, id, 'continue', { rounds: 2, max_ms: 25_000 })
    expect([more.status, more.budget.max, more.budget.used]).toEqual(['waiting_external', 2, 2])
    expect(bench.requests.map(({ model }) => model)).toEqual([null, 'judge'])
  })
})

it('S2-24 several tasks go on at a time, each with its own commands and sessions', async () => {
  const { bench, task: one } = await orchestrated({
    plan: [steps('A'), steps('B')],
    evaluate: [judge('next', 'B is there'), judge('next', 'A is there')],
    summary: ['second', 'first'],
  })
  const two = await createTask(bench, {}, NONE, { mode: 'orchestrator' })
  await work(bench, one.id)
  await work(bench, two.id)
  const [first, second] = [await waitedFor(bench, one.id), await waitedFor(bench, two.id)]
  expect(new Set([first.id, second.id, first.command_id, second.command_id]).size).toBe(4)
  expect(await send(bench, one.id, first.seq, { report: report(), command_id: second.command_id })).toEqual({
    refused: 'wrong_command',
  })
  const { task: done } = await answered(bench, two.id, report('SUCCESS', { session_id: 'of two' }))
  expect([done.status, done.result?.text.split('\n')[0]]).toEqual(['completed', 'second'])
  expect((await seen(bench, one.id)).status).toBe('waiting_external')
  expect((await answered(bench, one.id, report())).task.status).toBe('completed')
})

describe('S2-15 S2-17 R17 failures', () => {
  it('S2-15 R17 a step that failed is tried again at most three times, continuing in the same session', async () => {
    const { task, commands } = await played({ plan: [steps('A')], evaluate: [...retries(3), judge('next')] }, [
      report('FAILED'),
      report('FAILED'),
      report('FAILED'),
      report(),
    ])
    expect(sessions(commands)).toEqual(['new auto', ...Array.from({ length: 3 }, () => 'continue session-1')])
    expect(commands.map((one) => /wrong \d/.exec(one.task)?.[0])).toEqual([undefined, 'wrong 1', 'wrong 2', 'wrong 3'])
    expect(task.status).toBe('completed')
  })

  it('S2-17 R17 the fourth failure asks a person: skip, abort or a new instruction', async () => {
    const { bench, id, task } = await played(
      { plan: [steps('A', 'B')], evaluate: retries(4) },
      Array.from({ length: 4 }, () => report('FAILED')),
    )
    expect([task.status, task.stop_reason, task.plan.items[0]?.status]).toEqual([
      'input_required',
      'question',
      'running',
    ])
    if (task.pending?.kind !== 'question') throw new Error('no question')
    expect(task.pending.prompt).toBe(
      'Please confirm: The step "A" has failed 4 times. Last: wrong 4 Reply "try again" (or "yes") to try it again as it is, "skip" to leave it out, "abort" to end the task, or with a new instruction for it.',
    )
    expect(task.pending).toMatchObject({ choices: ['try again', 'skip', 'abort'], other_answers: true })
    const guards = (await eventsOf(bench, id)).filter(({ type }) => type === 'loop_guard').map(({ payload }) => payload)
    expect(guards).toMatchObject([{ guard: 'max_retries_per_step', count: 4, evidence: 'A' }])
  })

  it.each([
    ['skip', 'Skip.', 'waiting_external', 'skipped'],
    ['跳过', '跳过', 'waiting_external', 'skipped'],
    ['skip with its quotes', '“跳过”', 'waiting_external', 'skipped'],
    ['abort', ' ABORT ', 'failed', 'failed'],
    ['终止', '终止。', 'failed', 'failed'],
    ['an instruction', 'Use the cached copy.', 'waiting_external', 'running'],
  ])('S2-17 R17 the answer may be: %s', async (_, answer, status, item) => {
    const { bench, id } = await played({ plan: [steps('A', 'B')], evaluate: retries(1) }, [report('FAILED')], {
      max_retries_per_step: 0,
    })
    const task = await say(bench, id, answer, { rounds: 2, max_ms: 25_000 })
    expect([task.status, task.plan.items[0]?.status]).toEqual([status, item])
    if (status === 'failed')
      expect([task.stop_reason, task.error?.detail]).toEqual(['aborted', 'It was aborted: wrong 1'])
  })

  it('S2-17 O2-04 a new instruction takes the place of the description, in the same session, and the step is counted anew', async () => {
    const { bench, id } = await played({ plan: [steps('A')], evaluate: retries(3) }, [report('FAILED')], {
      max_retries_per_step: 0,
    })
    await say(bench, id, 'Use the cached copy.')
    const { command } = await waitedFor(bench, id)
    expect([command.type, command.session_id]).toEqual(['continue', 'session-1'])
    expect(command.task).toContain('### New instruction\n\nUse the cached copy.')
    expect(command.task).not.toContain('Do A')
    const { task } = await answered(bench, id, report('FAILED'))
    expect(task.status).toBe('input_required')
    expect(context(bench.requests.at(-1)).instruction).toBe('Use the cached copy.')
  })

  it('R17 a step that is passed although its report says FAILED is shown as failed, never as done', async () => {
    const { task } = await played({ plan: [steps('A')], evaluate: [judge('next', 'good enough')] }, [report('FAILED')])
    expect([task.status, task.plan.items[0]?.status]).toEqual(['completed', 'failed'])
    expect(task.result?.text).toContain(
      '✗ 1. A (failed): Counted as failed, because its report says FAILED. good enough',
    )
  })

  it('R17 a step that was skipped is told in the result', async () => {
    const { bench, id } = await played(
      { plan: [steps('A', 'B')], evaluate: [judge('retry', 'no'), judge('next', 'yes')] },
      [report('FAILED')],
      { max_retries_per_step: 0 },
    )
    await say(bench, id, 'skip')
    const { task } = await answered(bench, id, report())
    expect(task.result?.text).toContain('Steps: 2 (1 completed, 0 failed, 1 skipped)')
    expect(task.result?.text).toContain('– 1. A (skipped): skip')
  })

  it('R25 a person is asked at most max_clarifications times; then the step fails, and the task', async () => {
    const settings = { max_retries_per_step: 0, max_clarifications: 1 }
    const { bench, id } = await played({ plan: [steps('A')], evaluate: retries(2) }, [report('FAILED')], settings)
    await say(bench, id, 'try harder')
    const { task } = await answered(bench, id, report('FAILED'))
    expect([task.status, task.stop_reason, task.plan.items[0]?.status]).toEqual(['failed', 'step_failed', 'failed'])
  })

  it('R17 abort ends the task as failed, with its reason', async () => {
    const { task } = await played(
      { plan: [steps('A', 'B')], evaluate: [judge('abort', 'There is no such project.')] },
      [report('FAILED')],
    )
    expect([task.status, task.stop_reason, task.error?.detail]).toEqual([
      'failed',
      'aborted',
      'It was aborted: There is no such project.',
    ])
    expect(task.plan.items.map(({ status }) => status)).toEqual(['failed', 'skipped'])
    expect(task.handover?.remaining).toEqual(['A', 'B'])
  })
})

describe('S2-18 time-outs', () => {
  it('S2-18 R17 F54 a report that does not come in time is a failed attempt, tried again without asking a model', async () => {
    const { bench, id } = await played({ plan: [steps('A')], evaluate: [judge('next')] }, [])
    const before = await waitedFor(bench, id)
    expect(before.deadline - before.created).toBe(3_600_000)
    const late = await overdue(bench, id)
    expect([late.status, phases(bench)]).toEqual(['running', ['plan']])
    expect(late.counters).toMatchObject({ actions: 1, successful_actions: 0, failed_actions: 1 })
    expect(await send(bench, id, before.seq, { report: report() })).toEqual({ refused: 'delegation_expired' })
    await work(bench, id)
    const { command } = await waitedFor(bench, id)
    // No session is known that could be continued (O2-06).
    expect([command.type, command.session_id]).toEqual(['new', 'auto'])
    expect(command.task).toContain('No report came before the deadline.')
  })

  it('S2-18 F54 where a session is known, the next attempt continues it', async () => {
    const { bench, id } = await played({ plan: [steps('A')], evaluate: [judge('retry')] }, [report('FAILED')])
    await overdue(bench, id)
    await work(bench, id)
    expect((await waitedFor(bench, id)).command).toMatchObject({ type: 'continue', session_id: 'session-1' })
  })

  it('R17 time-outs count as failures: the fourth asks a person', async () => {
    const { bench, id } = await played({ plan: [steps('A')] }, [])
    for (let attempt = 1; attempt < 4; attempt += 1) {
      await overdue(bench, id)
      await work(bench, id)
    }
    const task = await overdue(bench, id)
    expect([task.status, phases(bench)]).toEqual(['input_required', ['plan']])
    expect(task.pending).toMatchObject({
      question: expect.stringContaining('has failed 4 times. Last: No report came'),
    })
  })
})

describe('O2-03 S2-16 replanning', () => {
  it('S2-16 R17 a replan keeps what has ended and replaces the current step and all later ones; the new step begins anew', async () => {
    const { bench, id, task } = await played(
      { plan: [steps('A', 'B', 'C')], evaluate: [judge('next'), judge('replan', 'other ways', 'X', 'C')] },
      [report(), report('PARTIAL_SUCCESS')],
    )
    expect([titles(task), task.plan.cursor, task.plan.revision, task.plan.source]).toEqual([
      ['A', 'X', 'C'],
      1,
      2,
      'replan',
    ])
    // Of the same title is the same step (U18).
    expect(task.plan.items.map((item) => item.id)).toEqual(['step_1', 'step_4', 'step_3'])
    expect([task.counters.replans, task.status]).toEqual([1, 'waiting_external'])
    expect((await waitedFor(bench, id)).command).toMatchObject({ type: 'new', session_id: 'auto', item_id: 'step_4' })
  })

  it('S2-16 R17 an empty replan is a contract failure; two in a row fail the task', async () => {
    const { task } = await played(
      { plan: [steps('A')], evaluate: [judge('replan', 'somehow'), judge('replan', 'somehow')] },
      [report()],
    )
    expect([task.status, task.stop_reason]).toEqual(['failed', 'contract_failures'])
    expect(task.error?.detail).toContain('adjusted_steps: must not be empty when decision is replan')
  })

  it('R17 an unknown decision is a contract failure, never next; the model is told, and may do better', async () => {
    const { bench, task } = await played(
      { plan: [steps('A')], evaluate: [{ decision: 'continue', reason: 'x' }, judge('next')] },
      [report()],
    )
    expect(task.status).toBe('completed')
    expect(context(bench.requests[2]).correction).toEqual({
      your_reply: '{"decision":"continue","reason":"x"}',
      problem: expect.stringMatching(/^decision: /),
    })
  })

  it('R17 the plan is replaced at most max_replans times; then a person is asked', async () => {
    const { bench, id, task } = await played(
      { plan: [steps('A')], evaluate: [judge('replan', 'again', 'B'), judge('replan', 'and again', 'C')] },
      [report('PARTIAL_SUCCESS'), report('PARTIAL_SUCCESS')],
      { max_replans: 1 },
    )
    expect([task.status, titles(task)]).toEqual(['input_required', ['B']])
    expect(task.pending).toMatchObject({
      question: expect.stringContaining('The plan was replaced 1 time and may not be replaced again'),
    })
    const guards = (await eventsOf(bench, id))
      .filter(({ type }) => type === 'loop_guard')
      .map(({ payload }) => payload['guard'])
    expect(guards).toEqual(['max_replans'])
  })
})

describe('R17 the end of a session', () => {
  it.each<[string, Script, ReturnType<typeof report>[], number]>([
    ['completed', { plan: [steps('A')], evaluate: [judge('next')] }, [report()], 1],
    ['failed', { plan: [steps('A')], evaluate: [judge('abort')] }, [report()], 1],
    [
      'completed without a session that is known',
      { plan: [steps('A')], evaluate: [judge('next')] },
      [report('SUCCESS', { session_id: null })],
      0,
    ],
  ])(
    'R17 a task that has %s sends an end to the session it knows, and to no other',
    async (_, script, reports, ends) => {
      const { bench, id, task } = await played(script, reports)
      const events = await eventsOf(bench, id)
      const sent = events.filter(
        ({ type, payload }) => type === 'command_dispatched' && payload['command_type'] === 'end',
      )
      expect(sent.length).toBe(ends)
      // Nobody waits for it, and it is not counted (U13).
      expect(task.budget.used).toBe(1)
      expect(events.at(-1)?.type).toMatch(/^task_(?:completed|failed)$/)
    },
  )

  it('R17 a canceled task sends it too, and its report is kept and changes nothing', async () => {
    const { bench, id } = await played({ plan: [steps('A')], evaluate: [judge('retry')] }, [report('FAILED')])
    const open = await waitedFor(bench, id)
    await say(bench, id, '取消当前任务')
    const row = bench.store.rows.get(JSON.stringify(['acme', id]))?.last()?.seq ?? 0
    expect(await send(bench, id, open.seq, { report: report() })).toEqual({ refused: 'delegation_canceled' })
    const told = await send(bench, id, row, { report: report() })
    expect(told.delegation).toMatchObject({
      status: 'reported',
      command: { type: 'end', session_id: 'session-1', item_id: null },
    })
    expect((await seen(bench, id)).status).toBe('canceled')
    expect(await send(bench, id, row, { report: report() })).toMatchObject({ task: null })
  })

  it('a failed summary call does not fail the task: the totals are known without it', async () => {
    const { task } = await played(
      { plan: [steps('A')], evaluate: [judge('next', 'yes')], summary: [new Error('no model')] },
      [report()],
    )
    expect([task.status, task.result?.text]).toEqual([
      'completed',
      'it is SUCCESS\n\nSteps: 1 (1 completed, 0 failed, 0 skipped) · commands: 1 · failed attempts: 0 · replans: 0\n✓ 1. A: yes',
    ])
  })
})
