/** What `todo` and `schedule` make of the text of a model: what is plainly meant is run, what would become a part of the text is told. */
import { describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts'
import { commandRunner } from '../support/command-tools.ts'

const ADDED = 'Added todo #1 [default] buy milk (priority 0).'
const EVENT = '/schedule add 2026-11-27 15:00 dentist'

describe('U32 what is understood', () => {
  it.each([
    ['quotation marks', '"/todo add buy milk"'],
    ['single quotation marks', "'/todo add buy milk'"],
    ['smart quotation marks', '“/todo add buy milk”'],
    ['backticks', '`/todo add buy milk`'],
    ['a fence', '```\n/todo add buy milk\n```'],
    ['a fence that names a language', '```bash\n/todo add buy milk\n```'],
    ['an object with command', '{"command":"/todo add buy milk"}'],
    ['an object with input', '{"input":"/todo add buy milk"}'],
    ['an object with a comma too many', '{"command":"/todo add buy milk",}'],
    ['an object of another member', '{"query":"/todo add buy milk"}'],
    ['a fence with an object', '```json\n{"command":"`/todo add buy milk`"}\n```'],
    ['no slash', 'todo add buy milk'],
    ['no first word', 'add buy milk'],
    ['a slash before the second word', '/add buy milk'],
    ['capitals', '/Todo Add buy milk'],
    ['blanks', '  /todo   add   buy milk  '],
  ])('%s', async (_name, input) => {
    expect(await commandRunner()('todo', input)).toMatchObject({ ok: true, text: ADDED })
  })

  it.each([
    ['todo', 'view today', 'empty_result'],
    ['todo', 'list', 'empty_result'],
    ['schedule', 'view day', 'empty_result'],
    ['schedule', 'schedule list', 'empty_result'],
  ])('%s %j', async (tool, input, code) => {
    expect(await commandRunner()(tool, input)).toMatchObject({ ok: true, code })
  })

  it.each([
    ['done 1', 'Done'],
    ['todo done 1', 'Done'],
    ['delete 1', 'Deleted'],
  ])('a changing command without its slash: %s', async (input, said) => {
    const run = commandRunner()
    await run('todo', '/todo add buy milk')
    const { ok, text } = await run('todo', input)
    expect([ok, text.slice(0, said.length)]).toEqual([true, said])
  })

  it('an event is moved by a command without its first word', async () => {
    const run = commandRunner()
    await run('schedule', EVENT)
    expect(await run('schedule', 'update 1 2026-11-28 16:00 dentist')).toMatchObject({ ok: true })
  })

  it('marks within a text stay', async () => {
    const { text } = await commandRunner()('todo', '/todo add "buy milk"')
    expect(text).toContain('] "buy milk" (')
  })
})

describe('U32 what is told, and nothing is done', () => {
  it.each([
    [
      'todo',
      '/todo add milk --deu 2026-11-27',
      'There is no option --deu; did you mean --due? For a text with dashes use add_todo.',
    ],
    ['todo', '/todo add milk --view today', 'There is no option --view.'],
    ['todo', '/todo add milk\n/todo add bread', 'Give one command in each call of todo.'],
    [
      'schedule',
      `${EVENT} --duration 90min`,
      '--duration is a number of minutes without a unit: write --duration 90. Given: "90min".',
    ],
    ['schedule', `${EVENT} --duration 1h`, 'write --duration 60'],
    ['schedule', `${EVENT} --duration 1.5 hours`, 'write --duration 90'],
    ['schedule', `${EVENT} --interval 1 week --times 3`, 'write --interval 10080'],
    ['schedule', `${EVENT} --remnid 2026-11-27 14:00`, 'did you mean --remind?'],
  ])('%s %j: %s', async (tool, input, said) => {
    const run = commandRunner()
    const result = await run(tool, input)
    expect(result).toMatchObject({ ok: false, code: 'usage_error', text: expect.stringContaining(said) })
    expect(result.text.startsWith('Usage:')).toBe(true)
    expect(await run('todo', '/todo list')).toMatchObject({ code: 'empty_result' })
    expect(await run('schedule', '/schedule list')).toMatchObject({ code: 'empty_result' })
  })

  it.each(['update 1 slides', 'done with the shopping', 'delete the old list'])(
    'a sentence that begins like a changing command changes nothing: %s',
    async (input) => {
      const run = commandRunner()
      await run('todo', '/todo add buy milk')
      expect(await run('todo', input)).toMatchObject({ ok: false, code: 'usage_error' })
      expect((await run('todo', '/todo get 1')).text).toContain('buy milk')
    },
  )

  it('speaks the language of the task', async () => {
    const run = commandRunner({ locale: 'zh' })
    expect((await run('schedule', `${EVENT} --duration 1h`)).text).toContain(
      '--duration 为分钟数，不带单位，请写 --duration 60。收到的是“1h”。',
    )
    expect((await run('todo', '/todo add a --deu b')).text).toContain('没有选项 --deu，是否应为 --due？')
  })
})

it('U32 with strict_replies a text is read as people’s commands are', async () => {
  const run = commandRunner({ settings: { ...DEFAULT_SETTINGS, strict_replies: true } })
  expect(await run('todo', 'todo add buy milk')).toMatchObject({ ok: false, code: 'usage_error' })
  expect((await run('todo', '/todo add milk --deu soon')).text).toContain('] milk --deu soon (')
})
