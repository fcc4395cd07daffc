/** What a command says, and in which session (S2-10, S2-12, O2-06). */
import { describe, expect, it } from 'vitest'
import { commandId, delegationId, parseDelegationId } from '../../../src/core/terms/delegation-id.ts'
import { say } from '../../support/scripted.ts'
import { answered, judge, orchestrated, report, steps, waitedFor, work } from './support.ts'

describe('S2-10 S2-12 the text of a command', () => {
  it('S2-10 S2-12 task, constraints and expected output are those of the step; who begins anew is told the goal', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')] }, {}, { goal: 'Raise the accuracy' })
    await work(bench, task.id)
    expect((await waitedFor(bench, task.id)).command).toEqual({
      type: 'new',
      session_id: 'auto',
      item_id: 'step_1',
      task: 'A\n\nDo A\n\n### Goal of the whole task\n\nRaise the accuracy',
      constraints: 'keep to A',
      expected_output: 'A is there',
    })
  })

  it('what a step does not say is said to be nothing, in the language of the task', async () => {
    const { bench, task } = await orchestrated({ plan: [['甲']] }, {}, { locale: 'zh', goal: '复现项目' })
    await work(bench, task.id)
    const { command } = await waitedFor(bench, task.id)
    expect([command.task, command.constraints, command.expected_output]).toEqual([
      '甲\n\n### 整个任务的目标\n\n复现项目',
      '无。',
      '无。',
    ])
  })

  it('S2-15 a retry says what was wrong, and what the user has added', async () => {
    const { bench, task } = await orchestrated({
      plan: [steps('A')],
      evaluate: [judge('retry', 'The figures are missing.')],
    })
    await work(bench, task.id)
    await say(bench, task.id, 'Use two decimals')
    const { task: after } = await answered(bench, task.id, report('FAILED'))
    const { command } = await waitedFor(bench, after.id)
    expect(command.task).toBe(
      'A\n\nDo A\n\n### What was wrong with the attempt before\n\nThe figures are missing.\n\n### What the user has added\n\n- Use two decimals',
    )
  })

  it('O2-06 a step whose worker named no session is begun anew, however often it is tried', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('retry')] })
    await work(bench, task.id)
    await answered(bench, task.id, report('FAILED', { session_id: null }))
    expect((await waitedFor(bench, task.id)).command).toMatchObject({ type: 'new', session_id: 'auto' })
  })

  it('S2-15 the session is the one that was named last', async () => {
    const { bench, task } = await orchestrated({ plan: [steps('A')], evaluate: [judge('retry'), judge('retry')] })
    await work(bench, task.id)
    await answered(bench, task.id, report('FAILED', { session_id: 'one' }))
    await answered(bench, task.id, report('FAILED', { session_id: 'two' }))
    expect((await waitedFor(bench, task.id)).command).toMatchObject({ type: 'continue', session_id: 'two' })
  })
})

describe('S2-12 names', () => {
  it('S2-12 the id of a command is task- and a UUID: another one for each row and task, always the same for one', () => {
    const ids = Array.from({ length: 200 }, (_, n) => [commandId('task_a', n + 1), commandId('task_b', n + 1)]).flat()
    expect(new Set(ids).size).toBe(400)
    for (const id of ids)
      expect(id).toMatch(/^task-[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(commandId('task_a', 1)).toBe(ids[0])
  })

  it.each([
    ['task_0123456789abcdef0123456789abcdef', 7],
    ['task_of-acme_key_1', 4_000_000_000],
  ])('a delegation leads to its task and row: %s %i', (task, seq) => {
    expect(parseDelegationId(delegationId(task, seq))).toEqual({ task, seq })
  })

  it.each([
    '',
    'delegation_',
    'delegation_x',
    'delegation_x_0',
    'delegation_x_01',
    'task_x_1',
    'delegation_x_1\n',
    'delegation_x/../y_1',
    'delegation_x_99999999999',
  ])('what is no such name leads nowhere: %j', (id) => {
    expect(parseDelegationId(id)).toBeNull()
  })
})
