/** Tools todo and schedule: slash commands under the effect key (O0-13, R10, D4), and the registry of built-in tools. */
import { describe, expect, it } from 'vitest'
import { BUILT_IN_TOOLS } from '../../src/core/mode/tools.ts'
import { callOf, commandRunner, commandTools } from '../support/command-tools.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { NO_RUNNERS, filesOver, FREE, UNBOUNDED } from '../support/scripted.ts'
import { builtInTools } from '../../src/tools/index.ts'
import { workspaceWith } from '../support/workspace-with.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 0)
const search = { name: 'none', search: () => Promise.resolve([]) }

describe('the registry', () => {
  it('every offered tool can be run, and no other', () => {
    expect([...commandTools().keys()].toSorted()).toEqual(BUILT_IN_TOOLS.map((tool) => tool.name).toSorted())
  })

  it('D4 every built-in tool is idempotent by effect key', () => {
    expect(BUILT_IN_TOOLS.filter((tool) => !tool.idempotent)).toEqual([])
  })
})

describe('a call of a workspace that is lost on the way', () => {
  const lost = Object.assign(new Error('the object was reset'), { retryable: true })
  /** Loses its first `times` calls after it has done them. */
  function losing(times: number, error: Error) {
    const store = memoryStore(() => ({ now_ms: NOW, boot: 'b', prices: FREE, daily: UNBOUNDED }))
    const { workspace } = store
    let left = times
    store.workspace = (tenant) =>
      workspaceWith(workspace(tenant), {
        async run_command(command) {
          const answer = await workspace(tenant).tell(command)
          if (left-- > 0) throw error
          return answer
        },
      })
    const todo = builtInTools(store, filesOver(store), search, 'UTC', NO_RUNNERS).get('todo')
    if (todo === undefined) throw new Error('no tool todo')
    return (input: string, key: string) => todo.run(input, callOf(key))
  }

  it('D4 is repeated once under the same key: the change is made once, and its first result is given', async () => {
    const run = losing(1, lost)
    expect(await run('/todo add milk', 'task:1')).toMatchObject({ ok: true, code: 'todo_added' })
    const list = await run('/todo list', 'task:2')
    expect(list.text.match(/milk/g)).toHaveLength(1)
  })

  it('is a failed action when the second try is lost too, or fails with another error', async () => {
    await expect(losing(2, lost)('/todo add milk', 'task:1')).rejects.toThrow('the object was reset')
    await expect(losing(1, new Error('ours'))('/todo add milk', 'task:1')).rejects.toThrow('ours')
  })
})

describe('todo and schedule', () => {
  it.each([
    ['O0-13 todo takes /todo', 'todo', '/todo add milk', true, 'todo_added'],
    ['O0-13 todo takes /view', 'todo', '/view list', true, 'view_names'],
    ['O0-13 todo takes nothing else', 'todo', '/schedule list', false, 'usage_error'],
    ['O0-13 todo takes no free text', 'todo', 'buy milk', false, 'usage_error'],
    ['O0-13 schedule takes /schedule', 'schedule', '/schedule add 2026-11-27 15:00 dentist', true, 'schedule_added'],
    ['O0-13 schedule takes nothing else', 'schedule', '/todo list', false, 'usage_error'],
    ['R10 a usage error is a failure', 'todo', '/todo add', false, 'usage_error'],
    ['R10 not_found is a failure', 'todo', '/todo done 9', false, 'not_found'],
    ['R10 no_repeat_rule is a failure', 'schedule', '/schedule repeat 9 on', false, 'no_repeat_rule'],
    ['an empty list is a success', 'todo', '/todo list', true, 'empty_result'],
  ])('%s', async (_name, tool, input, ok, code) => {
    expect(await commandRunner()(tool, input)).toMatchObject({ ok, code })
  })

  it('R10 remind_requires_due is a failure', async () => {
    const run = commandRunner()
    await run('todo', '/todo add milk')
    const result = await run('todo', '/todo update 1 milk --remind 2026-11-27 15:00')
    expect(result).toMatchObject({ ok: false, code: 'remind_requires_due' })
  })

  it('R10 a conflict is a failure and stores nothing', async () => {
    const run = commandRunner()
    await run('schedule', '/schedule add 2026-11-27 15:00 dentist')
    expect(await run('schedule', '/schedule add 2026-11-27 15:30 call')).toMatchObject({ ok: false, code: 'conflict' })
    expect((await run('schedule', '/schedule view day 2026-11-27')).text).not.toContain('call')
  })

  it('D4 a repeated call under its key answers as before and changes nothing', async () => {
    const tool = commandTools().get('todo')
    const first = await tool?.run('/todo add milk', callOf('task_1:4'))
    expect(await tool?.run('/todo add milk', callOf('task_1:4'))).toEqual(first)
    expect((await tool?.run('/todo list', callOf('task_1:5')))?.text.match(/milk/g)).toHaveLength(1)
  })

  it('U25 the tool converts from the time zone of the task', async () => {
    const run = commandRunner()
    const berlin = { timezone: 'Europe/Berlin' }
    await run('schedule', '/schedule add 2026-11-27 15:00 dentist', berlin)
    expect((await run('schedule', '/schedule get 1')).text).toContain('2026-11-27 14:00')
    expect((await run('schedule', '/schedule get 1', berlin)).text).toContain('2026-11-27 15:00')
  })

  it.each([
    ['en', 'Usage:'],
    ['zh', '用法:'],
  ] as const)('the refusal is in the language of the task (%s)', async (locale, token) => {
    expect((await commandRunner()('todo', 'milk', { locale })).text.startsWith(token)).toBe(true)
  })
})
