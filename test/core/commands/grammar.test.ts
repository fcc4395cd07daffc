import { describe, expect, it } from 'vitest'
import { toWorkspaceMoment } from '../../../src/core/workspace/commands/context.ts'
import { COMMAND_FORMS, syntaxOf } from '../../../src/core/workspace/commands/forms.ts'
import { acceptsInput, readCommand } from '../../../src/core/workspace/commands/grammar.ts'
import { CONTEXT, workspace } from './desk.ts'

const read = (input: string) => readCommand(input, (literal, time) => toWorkspaceMoment(literal, time, CONTEXT))
const todo = (fields: object) => ({
  content: 'milk',
  tag: null,
  priority: null,
  due_at: null,
  remind_at: null,
  ...fields,
})
const event = (fields: object) => ({
  title: 'gym',
  start: '2026-03-20 10:00',
  duration: null,
  remind_at: null,
  rule: null,
  ...fields,
})
const DUE = '2026-03-20 10:00'

describe('2.1 routing', () => {
  it.each(['', '   ', '\n\t'])('O0-02 blank input %j is empty_input', (input) =>
    expect(workspace().run(input)).toMatchObject({ kind: 'empty_input', ok: false }),
  )
  it.each([
    'buy milk',
    '/HELP',
    '/Todo add x',
    '/todo ADD x',
    '/helpx',
    '/todo',
    '/schedule',
    '/todo foo',
    '/todo  add milk',
    '/todo\tadd milk',
    '/todo listing',
    '/todo addmilk',
    '/schedule  list',
    '/viewtoday',
    '/',
    '//help',
    '/ help',
    '/__proto__',
    '/constructor',
    '/todo __proto__ 1',
  ])('2.1 command words are lower case with exactly one space between them: %j is unknown_command', (input) =>
    expect(workspace().run(input)).toMatchObject({ kind: 'unknown_command', ok: false, rows: [], data: {} }),
  )
  it.each([
    '/todo add',
    '/todo search',
    '/todo get',
    '/todo done',
    '/todo delete',
    '/todo update',
    '/view',
    '/schedule add',
    '/schedule view',
    '/schedule get',
    '/schedule update',
    '/schedule repeat',
    '/schedule delete',
    '/help me',
    '/view list today',
    '/schedule list today',
  ])('2.1 known words without a fitting remainder are a usage_error that names the form: %j', (input) => {
    const result = workspace().run(input)
    const form = COMMAND_FORMS.find(({ words }) => input.startsWith(words))
    expect(result).toMatchObject({ kind: 'usage_error', ok: false })
    expect(result.text).toContain(form === undefined ? 'no form' : syntaxOf(form))
  })
  it('2.1 input is trimmed, and so is what follows the command words', () => {
    expect(read('/todo add    milk')).toEqual({ ok: true, command: { kind: 'todo_add', entry: todo({}) } })
    expect(workspace().run('  \n/help  ').kind).toBe('help')
  })
})

describe('2.1 options', () => {
  it.each([
    ['at the end', `milk --tag work --priority 2 --due ${DUE} --remind 2026-03-20 09:00`],
    ['before the text', `--tag work --priority 2 --due ${DUE} --remind 2026-03-20 09:00 milk`],
    ['in any order', `--remind 2026-03-20 09:00 milk --due 2026-03-20   10:00 --priority 002 --tag  #WORK`],
  ])('2.1 options may stand %s of the remainder', (_, rest) =>
    expect(read(`/todo add ${rest}`)).toEqual({
      ok: true,
      command: {
        kind: 'todo_add',
        entry: todo({ tag: 'work', priority: 2, due_at: DUE, remind_at: '2026-03-20 09:00' }),
      },
    }),
  )
  it('2.1 the rest is collapsed to single spaces and becomes the text', () =>
    expect(read('/todo add  two \n pints --tag x  of\tmilk')).toMatchObject({
      command: { entry: { content: 'two pints of milk', tag: 'x' } },
    }))
  it('2.1 an option must be preceded by start or white space, otherwise it is text', () =>
    expect(read('/todo add milk--tag work')).toMatchObject({
      command: { entry: { content: 'milk--tag work', tag: null } },
    }))
  it.each(['--tagline big', '--foo', '--remind-start 2026-03-20 10:00', '--times 3', '-tag x', '--TAG x'])(
    '2.4 an unknown option %j stays in the text',
    (text) => expect(read(`/todo add milk ${text}`)).toMatchObject({ command: { entry: { content: `milk ${text}` } } }),
  )
  it.each([
    ['--tag', 'milk --tag'],
    ['--tag', '--tag'],
    ['--tag', 'milk --tag --priority 2'],
    ['--tag', 'milk --tag a --tag b'],
    ['--tag', 'milk --tag #'],
    ['--tag', 'milk --tag=work'],
    ['--priority', 'milk --priority abc'],
    ['--priority', 'milk --priority -1'],
    ['--priority', 'milk --priority 1.5'],
    ['--priority', 'milk --priority 3abc'],
    ['--priority', 'milk --priority ３'],
    ['--priority', 'milk --priority 9007199254740993'],
    ['--priority', 'milk --priority 1 --priority 2'],
    ['--due', 'milk --due tomorrow'],
    ['--due', 'milk --due 2026-02-30 10:00'],
    ['--due', 'milk --due 2026-03-20 10h'],
    ['--due', 'milk --due 2026-03-20T'],
    ['--due', 'milk --due 2026-03-20 10:00-11:00'],
    ['--due', 'milk --due Mon 2026-03-20 10:00'],
    ['--due', 'milk --due 2026-03-20 10:00pm'],
    ['--due', 'milk --due 2026-03-20 24:00'],
    ['--due', 'milk --due 0000-03-20 10:00'],
    ['--remind', `milk --due ${DUE} --remind soon`],
    ['--remind', `milk --remind ${DUE}`],
  ])('2.3 a bad option is a usage_error that names %s: %j', (option, rest) => {
    const space = workspace()
    const result = space.run(`/todo add ${rest}`)
    expect(result.kind).toBe('usage_error')
    expect(result.text.split('\n')[1]).toContain(option)
    expect(space.stored().todos).toEqual([])
  })
  it('2.1 a tag is trimmed, lower-cased and loses its leading #', () => {
    expect(read('/todo add milk --tag #HoMe')).toMatchObject({ command: { entry: { tag: 'home' } } })
    expect(read('/todo list #HoMe')).toEqual({ ok: true, command: { kind: 'todo_list', tag: 'home', view: null } })
  })
})

describe('2.2 the forms', () => {
  it.each([
    ['/help', { kind: 'help' }],
    ['/view list', { kind: 'view_names' }],
    ['/view today', { kind: 'todo_list', tag: null, view: 'today' }],
    ['/view  ToDay', { kind: 'todo_list', tag: null, view: 'today' }],
    ['/view inbox --tag Work', { kind: 'todo_list', tag: 'work', view: 'inbox' }],
    ['/todo list', { kind: 'todo_list', tag: null, view: null }],
    ['/todo list work', { kind: 'todo_list', tag: 'work', view: null }],
    ['/todo list work --view OVERDUE', { kind: 'todo_list', tag: 'work', view: 'overdue' }],
    ['/todo list --view upcoming --tag work', { kind: 'todo_list', tag: 'work', view: 'upcoming' }],
    ['/todo search two  words --tag a', { kind: 'todo_search', keyword: 'two words', tag: 'a' }],
    ['/todo get 7', { kind: 'todo_get', id: 7 }],
    ['/todo get 007', { kind: 'todo_get', id: 7 }],
    ['/todo done 7', { kind: 'todo_done', id: 7 }],
    ['/todo delete 7', { kind: 'todo_delete', id: 7 }],
    ['/todo update 7 milk', { kind: 'todo_update', id: 7, entry: todo({}) }],
    ['/todo update --tag a 7 milk', { kind: 'todo_update', id: 7, entry: todo({ tag: 'a' }) }],
    ['/schedule list', { kind: 'schedule_list' }],
    ['/schedule view DAY', { kind: 'schedule_view', span: 'day', anchor: null }],
    ['/schedule view day 1970-01-02', { kind: 'schedule_view', span: 'day', anchor: 1440 }],
    ['/schedule view week  1970-1-2', { kind: 'schedule_view', span: 'week', anchor: 1440 }],
    ['/schedule view month 1970-02', { kind: 'schedule_view', span: 'month', anchor: 31 * 1440 }],
    ['/schedule get 7', { kind: 'schedule_get', id: 7 }],
    ['/schedule delete 7', { kind: 'schedule_delete', id: 7 }],
    ['/schedule repeat 7 ON', { kind: 'schedule_repeat', id: 7, enabled: true }],
    ['/schedule repeat 7  off', { kind: 'schedule_repeat', id: 7, enabled: false }],
    ['/schedule add 2026-03-20   10:00 gym', { kind: 'schedule_add', entry: event({}) }],
    ['/schedule update 7 2026-03-20 10:00 gym', { kind: 'schedule_update', id: 7, entry: event({}) }],
    [
      '/schedule add --duration 5 2026-03-20 10:00 gym --foo',
      { kind: 'schedule_add', entry: event({ duration: 5, title: 'gym --foo' }) },
    ],
  ])('2.2 %j', (input, command) => expect(read(input)).toEqual({ ok: true, command }))

  it.each([
    '/view nowhere',
    '/view LIST',
    '/view today tomorrow',
    '/view today --tag',
    '/view --tag work',
    '/todo list two words',
    '/todo list work --tag home',
    '/todo list --tag a --tag b',
    '/todo list --view nowhere',
    '/todo list --view',
    '/todo list --view all --view today',
    '/todo list --foo',
    '/todo list #',
    '/todo search --tag a',
    '/todo search x --tag',
    '/todo get 0',
    '/todo get abc',
    '/todo get -1',
    '/todo get 1 2',
    '/todo get 1.0',
    '/todo get ７',
    '/todo get 99999999999999999999',
    '/todo done 0',
    '/todo delete x',
    '/todo update 7',
    '/todo update x milk',
    '/todo update 7 --tag a',
    '/schedule view year',
    '/schedule view day 2026-03',
    '/schedule view day 2026-02-30',
    '/schedule view week 2026-13-01',
    '/schedule view month 2026-03-01',
    '/schedule view month 0000-01',
    '/schedule view day 2026-03-01 2026-03-02',
    '/schedule repeat 7',
    '/schedule repeat 7 maybe',
    '/schedule repeat x on',
    '/schedule repeat 7 on now',
    '/schedule get 0',
    '/schedule delete 1e3',
    '/schedule add gym',
    '/schedule add 2026-03-20 10:00',
    '/schedule add 2026-03-20 gym',
    '/schedule add 2026-02-30 10:00 gym',
    '/schedule add 2026-03-20 10:00gym',
    '/schedule update 7 gym',
    '/schedule update 2026-03-20 10:00 gym',
  ])('2.2 %j is a usage_error', (input) => expect(workspace().run(input).kind).toBe('usage_error'))
})

describe('2.4 repeat combinations', () => {
  const ADD = '/schedule add 2026-03-20 10:00 gym '
  it.each([
    ['', null],
    ['--times 1', null],
    ['--interval 60', { interval: 60, times: -1, remind_start: null }],
    ['--interval 60 --times -1', { interval: 60, times: -1, remind_start: null }],
    ['--interval 60 --times 2', { interval: 60, times: 2, remind_start: null }],
    [
      '--times 3 --interval 1 --remind-start 2026-03-20 09:50',
      { interval: 1, times: 3, remind_start: '2026-03-20 09:50' },
    ],
  ])('2.4 %j gives the rule %j', (options, rule) =>
    expect(read(ADD + options)).toMatchObject({ ok: true, command: { entry: { title: 'gym', rule } } }),
  )
  it.each([
    ['--times', '--times 2'],
    ['--times', '--times 0'],
    ['--times', '--times -1'],
    ['--times', '--interval 60 --times 1'],
    ['--times', '--interval 60 --times 0'],
    ['--times', '--interval 60 --times -2'],
    ['--times', '--interval 60 --times many'],
    ['--times', '--interval 60 --times 99999999999999999999'],
    ['--times', '--interval 525600 --times 10000'],
    ['--interval', '--interval 0'],
    ['--interval', '--interval -5'],
    ['--interval', '--interval 1.5'],
    ['--interval', '--interval 9007199254740991'],
    ['--interval', '--interval 60 --interval 60'],
    ['--duration', '--duration 0'],
    ['--duration', '--duration -5'],
    ['--duration', '--duration 5 --duration 5'],
    ['--duration', '--duration 9007199254740992'],
    ['--duration', '--duration'],
    ['--remind', '--remind 2026-02-30 10:00'],
    ['--remind-start', '--remind-start 2026-03-20 09:50'],
    ['--remind-start', '--interval 60 --remind-start soon'],
  ])('2.4 a bad %s in %j is a usage_error that names it', (option, options) => {
    const space = workspace()
    const result = space.run(ADD + options)
    expect(result.kind).toBe('usage_error')
    expect(result.text.split('\n')[1]).toContain(option)
    expect(space.stored().events).toEqual([])
  })
})

describe('O0-13 which tool takes which input', () => {
  it.each([
    ['/todo add x', true, false],
    ['  /view today', true, false],
    ['/schedule list', false, true],
    ['/help', false, false],
    ['milk', false, false],
  ] as const)('O0-13 %j: todo %s, schedule %s', (input, todoTakes, scheduleTakes) =>
    expect([acceptsInput('todo', input), acceptsInput('schedule', input)]).toEqual([todoTakes, scheduleTakes]),
  )
})
