import { describe, expect, it } from 'vitest'
import { COMMAND_FORMS, syntaxOf } from '../../../src/core/workspace/commands/forms.ts'
import {
  CommandKind,
  CommandResult,
  isChange,
  isFailure,
  resultOf,
} from '../../../src/core/workspace/commands/result.ts'
import { plainResult } from '../../../src/core/workspace/commands/run.ts'
import { EN } from '../../../src/core/workspace/commands/texts/texts-en.ts'
import { ZH } from '../../../src/core/workspace/commands/texts/texts-zh.ts'
import { workspace } from './desk.ts'

const kindsWhere = (test: (kind: CommandKind) => boolean) => CommandKind.options.filter(test)

describe('2.1 every result has a machine kind', () => {
  it('R10 usage, unknown, not_found, conflict, remind_requires_due, no_repeat_rule and refused input are failures', () =>
    expect(kindsWhere(isFailure)).toEqual([
      'usage_error',
      'unknown_command',
      'not_found',
      'conflict',
      'remind_requires_due',
      'no_repeat_rule',
      'no_active_task',
      'llm_not_configured',
      'empty_input',
    ]))
  it('R10 ok follows from the kind; an empty result is ok', () => {
    for (const kind of CommandKind.options) expect(resultOf(kind, '').ok).toBe(!isFailure(kind))
    expect(resultOf('empty_result', '').ok).toBe(true)
  })
  it('D4 what may have changed the book is known by its kind, and is never a failure', () => {
    const changes = kindsWhere(isChange)
    expect(changes).toEqual([
      'todo_added',
      'todo_updated',
      'todo_done',
      'deleted',
      'schedule_added',
      'schedule_updated',
      'repeat_toggled',
    ])
    expect(changes.filter(isFailure)).toEqual([])
  })
  it('D4 a kind that is no change has changed nothing', () => {
    const space = workspace()
    space.runAll(
      '/todo add a --due 2026-03-18 12:00',
      '/schedule add 2026-03-20 10:00 gym --interval 60 --times 3 --duration 5',
    )
    const before = space.stored()
    const results = space.runAll(
      '/help',
      '/view list',
      '/view today',
      '/todo list',
      '/todo get 1',
      '/todo search a',
      '/todo search b',
      '/schedule list',
      '/schedule view day 2026-03-20',
      '/schedule get 1',
      '/schedule add 2026-03-20 10:00 x',
      '/x',
      '',
    )
    expect(results.map(({ kind }) => isChange(kind))).toEqual(results.map(() => false))
    expect(space.stored()).toEqual(before)
  })
  it('2.1 the schema of the answer is strict', () => {
    expect(CommandResult.safeParse({ ...resultOf('help', ''), extra: 1 }).success).toBe(false)
    expect(CommandResult.safeParse({ ...resultOf('help', ''), kind: 'other' }).success).toBe(false)
  })
})

describe('2.6 cancel and help', () => {
  it.each(['en', 'zh'] as const)('2.6 /help lists every form with its options (%s)', (locale) => {
    const result = workspace().run('/help', { locale })
    const lines = result.text.split('\n')
    expect(result).toMatchObject({ kind: 'help', ok: true, rows: [] })
    for (const form of COMMAND_FORMS) expect(lines).toContain(`${syntaxOf(form)} - ${form.description[locale]}`)
  })
  it.each([
    '--tag',
    '--priority',
    '--due',
    '--remind',
    '--view',
    '--interval',
    '--duration',
    '--times',
    '--remind-start',
  ])('2.6 help names the option %s', (option) => expect(workspace().run('/help').text).toContain(`${option} <`))
  it.each([
    ['canceled', true],
    ['no_active_task', false],
    ['llm_not_configured', false],
    ['empty_input', false],
  ] as const)('O0-02 the plain result %s is ok: %s and has a text in both languages', (kind, ok) => {
    const [en, zh] = [plainResult(kind, 'en'), plainResult(kind, 'zh')]
    expect(en).toMatchObject({ kind, ok, rows: [], data: {} })
    expect(en.text).toMatch(/^[\x20-\x7e]+$/)
    expect(zh.text).toMatch(/[\u4e00-\u9fff]/)
  })
})

describe('2.1 texts', () => {
  it.each([
    ['zh', '/todo get x', /^用法: \/todo get <id>\n/],
    ['en', '/todo get x', /^Usage: \/todo get <id>\n/],
    ['zh', '/foo', /^未知命令/],
    ['en', '/foo', /^Unknown command: \/foo\nSee \/help\.$/],
    ['en', '/todoo', /^Unknown command: \/todoo\nDid you mean \/todo\? See \/help\.$/],
    ['zh', '/todoo add x', /您是否想输入 \/todo add？/],
  ] as const)('2.1 in %s the text of %j begins as it must', (locale, input, begin) =>
    expect(workspace().run(input, { locale }).text).toMatch(begin),
  )
  it('2.1 an unknown command is repeated on one line, cut, and never in half a character', () => {
    const { text } = workspace().run(`/a\nb|c${'😀'.repeat(500)}`)
    expect(text.split('\n')).toHaveLength(2)
    expect(text.isWellFormed()).toBe(true)
    expect([...(text.split('\n')[0] ?? '')]).toHaveLength('Unknown command: '.length + 80)
  })
  it('D7 the same commands in Chinese: kinds, rows and data do not depend on the language', () => {
    const session = [
      '/todo add 买牛奶 --tag 家 --due 2026-03-20 10:00 --remind 2026-03-20 09:00',
      '/todo list',
      '/todo list 家 --view upcoming',
      '/todo update 1 茶',
      '/todo done 1',
      '/todo get 1',
      '/todo search 茶',
      '/todo search 咖啡',
      '/todo delete 1',
      '/todo list',
      '/todo get 1',
      '/todo add 牛奶',
      '/todo update 2 茶 --remind 2026-03-20 09:00',
      '/view list',
      '/view foo',
      '/schedule add 2026-03-20 10:00 健身 --interval 1440 --times 40 --remind 2026-03-20 09:00 --remind-start 2026-03-20 09:30',
      '/schedule add 2026-03-19 00:00 冲突 --duration 100000',
      '/schedule list',
      '/schedule view week',
      '/schedule repeat 1 off',
      '/schedule update 1 2026-03-20 10:00 健身 --interval 60',
      '/schedule update 1 2026-03-20 10:00 健身',
      '/schedule get 1',
      '/schedule repeat 1 on',
      '/schedule delete 1',
      '/schedule delete 1',
      '/schedule view day',
      '/schedule list',
    ]
    const [en, zh] = [workspace(), workspace({ locale: 'zh' })]
    for (const input of session) {
      const [english, chinese] = [en.run(input), zh.run(input)]
      expect({ ...chinese, text: '' }).toEqual({ ...english, text: '' })
      expect(chinese.text).toMatch(/[\u4e00-\u9fff]/)
      expect(chinese.text).not.toBe(english.text)
    }
  })
  it('D7 every problem has its own words in both languages', () => {
    const problems = [
      ...(['form', 'text', 'id', 'view', 'anchor', 'span'] as const).map((about) => ({ about })),
      { about: 'start' as const, given: 'x' },
      ...(['tag', 'view', 'priority', 'due', 'interval', 'times', 'remind-start'] as const).map((option) => ({
        about: 'option' as const,
        option,
        given: 'x',
      })),
      { about: 'needs' as const, option: 'remind' as const, other: 'due' as const },
    ]
    for (const texts of [EN, ZH]) {
      const said = problems.map((problem) => texts.usage('/x', problem))
      expect(new Set(said).size).toBe(problems.length)
    }
  })
  it('2.3 Chinese tables have their own headings and states', () => {
    const space = workspace({ locale: 'zh' })
    space.run('/todo add 牛奶')
    expect(space.run('/todo list').text).toBe(
      [
        '待办列表：',
        '| ID | 状态 | 标签 | 优先级 | 内容 | 创建时间 | 完成时间 | 截止时间 | 提醒时间 |',
        '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
        '| 1 | 待办 | default | 0 | 牛奶 | 2026-03-18 10:30:45 | - | - | - |',
      ].join('\n'),
    )
  })
})
