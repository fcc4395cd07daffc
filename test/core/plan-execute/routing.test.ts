/** Where input goes: commands, the cancel phrase, free text; beside a waiting task or without one. */
import { describe, expect, it } from 'vitest'
import { Settings } from '../../../src/core/terms/settings.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  CALLER,
  createTask,
  journalOf,
  ONE,
  phases,
  planned,
  realBench,
  titles,
} from '../../support/scripted.ts'

describe('routing and accounting', () => {
  it('S0-60 slash input takes the deterministic path: no model call, no change of the task, the same answer each time', async () => {
    const answers = []
    for (const bench of [realBench({ plan: [planned('A')] }), realBench({ plan: [planned('A')] })]) {
      const task = await createTask(bench)
      const heard = await bench.service.inputTask(CALLER, task.id, '/todo add milk --tag home', null, ALL)
      expect(heard.ok && heard.value.task).toEqual({ ...task, slice: { advanced: false, rounds: 0, events: [] } })
      expect(phases(bench)).toEqual(['plan'])
      answers.push(heard.ok && heard.value.command)
    }
    expect(answers[0]).toMatchObject({ kind: 'todo_added', ok: true, data: { id: 1 } })
    expect(answers[1]).toEqual(answers[0])
  })

  it('S0-61 input without an active task makes a new task and plans it once; a waiting one is left alone', async () => {
    const bench = benchOf({ plan: [planned('A'), planned('B')], thought: [ask()] })
    const waiting = await createTask(bench, {}, ALL)
    const other = await createTask(bench)
    expect(other.id).not.toBe(waiting.id)
    expect([titles(waiting), titles(other)]).toEqual([['A'], ['B']])
    const still = await bench.service.getTask(CALLER, waiting.id)
    expect(still.ok && still.value.task).toEqual({ ...waiting, slice: null })
    bench.spent()
  })

  it.each([
    ['', 'empty_input'],
    ['  \n', 'empty_input'],
    ['/stop', 'no_active_task'],
    [' /help ', 'help'],
    ['buy milk', 'unknown_command'],
  ])('O0-02 2.1 after trimming: empty, the cancel phrase, a command, free text: %j is %s', async (command, kind) => {
    const bench = benchOf({}, { default_settings: Settings.parse({ cancel_phrase: '/stop' }) })
    const answer = await bench.service.runCommand(CALLER, command, null, 'en')
    expect(answer.ok && answer.value.result.kind).toBe(kind)
    bench.ports.model = null
    const without = await bench.service.runCommand(CALLER, command, null, 'en')
    expect(without.ok && without.value.result.kind).toBe(kind === 'unknown_command' ? 'llm_not_configured' : kind)
  })

  it('2.6 the whole trimmed cancel phrase drops the waiting task; without one there is none; with a full stop it is text', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const { id } = await createTask(bench, {}, ALL)
    const kindOf = async (command: string, task: string | null) => {
      const answer = await bench.service.runCommand(CALLER, command, task, 'zh')
      return answer.ok && answer.value.result.kind
    }
    expect(await kindOf('取消当前任务。', id)).toBe('unknown_command')
    expect(await kindOf(' 取消当前任务 ', null)).toBe('no_active_task')
    expect(await kindOf(' 取消当前任务 ', id)).toBe('canceled')
    expect(await kindOf('取消当前任务', id)).toBe('no_active_task')
    const after = await bench.service.getTask(CALLER, id)
    expect(after.ok && after.value.task.status).toBe('canceled')
  })
})

describe('what people read', () => {
  it.each([
    ['todo', '/todo add milk --tag home', 'todo_added'],
    ['todo', '/view today', 'empty_result'],
    ['schedule', '/schedule add 2026-11-27 15:00 dentist', 'schedule_added'],
  ])(
    'S0-91 %s: %s answers as ever, sent alone, beside a waiting task, or by a thought',
    async (tool, command, kind) => {
      const alone = realBench({})
      alone.ports.model = null
      const direct = await alone.service.runCommand(CALLER, command, null, 'en')
      if (!direct.ok) throw new Error('refused')
      expect(direct.value.result.kind).toBe(kind)
      const beside = realBench({ plan: [planned('A')], thought: [ask()] })
      const { id } = await createTask(beside, {}, ALL)
      const heard = await beside.service.inputTask(CALLER, id, command, null, ALL)
      expect(heard.ok && heard.value.command).toEqual(direct.value.result)
      const acting = realBench({ plan: [planned('A')], thought: [act(command, tool)] })
      const acted = await createTask(acting, {}, ONE)
      const reply = (await journalOf(acting, acted.id)).at(-1)?.reply
      expect(reply).toMatchObject({ code: kind, text: expect.any(String) })
      // The model is shown the weekday of each date.
      expect(JSON.stringify(reply).replaceAll(/[A-Z][a-z]{2} (?=\d{4}-)/g, '')).toContain(
        JSON.stringify(direct.value.result.text),
      )
    },
  )
})
