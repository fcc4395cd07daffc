import { describe, expect, it } from 'vitest'
import { containsKeyword, isInView } from '../../../src/core/workspace/commands/todo/todo-views.ts'
import { NOW, workspace } from './desk.ts'

const DUE = '2026-03-20 10:00'
const ROW = {
  id: 1,
  status: 'open',
  tag: 'default',
  priority: 0,
  content: 'milk',
  created_at: NOW,
  completed_at: null,
  due: null,
  remind: null,
}
const ids = (result: { rows: Record<string, unknown>[] }) => result.rows.map(({ id }) => id)

describe('2.3 add', () => {
  it('2.3 a todo has the default tag and priority 0 when nothing else is said', () =>
    expect(workspace().run('/todo add milk')).toEqual({
      kind: 'todo_added',
      ok: true,
      text: 'Added todo #1 [default] milk (priority 0).',
      rows: [ROW],
      data: { id: 1 },
    }))
  it('2.3 the reply carries id, tag, text, priority, due and remind', () => {
    const { text, rows } = workspace().run(
      `/todo add milk --tag home --priority 2 --due ${DUE} --remind 2026-03-20 09:00`,
    )
    for (const part of ['#1', 'home', 'milk', 'priority 2', DUE, '2026-03-20 09:00']) expect(text).toContain(part)
    expect(rows).toEqual([{ ...ROW, tag: 'home', priority: 2, due: DUE, remind: '2026-03-20 09:00' }])
  })
  it('2.3 the keys of a row are those of the wire, in the order of the columns', () =>
    expect(Object.keys(workspace().run('/todo add milk').rows[0] ?? {})).toEqual(Object.keys(ROW)))
  it('2.3 a reminder later than the due moment is allowed', () =>
    expect(workspace().run(`/todo add milk --due ${DUE} --remind 2027-01-01 00:00`).kind).toBe('todo_added'))
  it('2.3 a reminder without a due moment is a usage_error that names both options', () => {
    const result = workspace().run(`/todo add milk --remind ${DUE}`)
    expect(result.kind).toBe('usage_error')
    expect(result.text).toContain('--remind works only together with --due')
  })
  it('2.3 the text must not be empty after the options are removed', () =>
    expect(workspace().run('/todo add --tag home --priority 1').kind).toBe('usage_error'))
  it('2.1 ids are never reused', () => {
    const space = workspace()
    space.runAll('/todo add a', '/todo add b', '/todo delete 2')
    expect(space.run('/todo add c').data).toEqual({ id: 3 })
  })
  it.each(['__proto__', 'constructor', '买牛奶😀', 'a'.repeat(15_900)])(
    '2.3 any text is kept as it is: %.20s',
    (text) =>
      expect(workspace().run(`/todo add ${text} --tag __proto__`).rows[0]).toMatchObject({
        content: text,
        tag: '__proto__',
      }),
  )
})

describe('2.3 update', () => {
  it('2.3 tag, priority, due and remind change only when given', () => {
    const space = workspace()
    space.run(`/todo add milk --tag home --priority 2 --due ${DUE} --remind 2026-03-20 09:00`)
    const before = space.book.todo(1)
    expect(space.run('/todo update 1 oat milk')).toMatchObject({ kind: 'todo_updated', ok: true, data: { id: 1 } })
    expect(space.book.todo(1)).toEqual({ ...before, content: 'oat milk' })
    space.run('/todo update 1 tea --tag #Work --priority 0 --due 2026-04-01 00:00 --remind 2026-03-31 00:00')
    expect(space.book.todo(1)).toEqual({
      ...before,
      content: 'tea',
      tag: 'work',
      priority: 0,
      due_at: '2026-04-01 00:00',
      remind_at: '2026-03-31 00:00',
    })
  })
  it('2.3 the text is required', () => expect(workspace().run('/todo update 1 --tag home').kind).toBe('usage_error'))
  it('2.3 a reminder while neither command nor todo has a due moment is remind_requires_due', () => {
    const space = workspace()
    space.run('/todo add milk')
    const before = space.stored()
    expect(space.run(`/todo update 1 tea --remind ${DUE}`)).toMatchObject({ kind: 'remind_requires_due', ok: false })
    expect(space.stored()).toEqual(before)
    expect(space.run(`/todo update 1 tea --remind ${DUE} --due ${DUE}`).kind).toBe('todo_updated')
    expect(space.run('/todo update 1 tea --remind 2026-03-19 10:00').rows[0]).toMatchObject({
      due: DUE,
      remind: '2026-03-19 10:00',
    })
  })
  it('2.3 the order of the checks is syntax, existence, reminder rule', () => {
    const space = workspace()
    expect(space.run(`/todo update 9 tea --remind soon`).kind).toBe('usage_error')
    expect(space.run(`/todo update 9 tea --remind ${DUE}`).kind).toBe('not_found')
  })
  it('2.3 the done state is untouched', () => {
    const space = workspace()
    space.runAll('/todo add milk', '/todo done 1', '/todo update 1 tea')
    expect(space.book.todo(1)).toMatchObject({ content: 'tea', done: true, completed_at: NOW })
  })
})

describe('2.3 get, done, delete', () => {
  it('2.3 get shows every column, missing values as -', () => {
    const space = workspace()
    space.run('/todo add milk')
    expect(space.run('/todo get 1')).toEqual({
      kind: 'todo_detail',
      ok: true,
      text: [
        'Todo #1:',
        '| ID | Status | Tag | Priority | Content | Created | Completed | Due | Remind |',
        '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
        `| 1 | open | default | 0 | milk | ${NOW} | - | - | - |`,
      ].join('\n'),
      rows: [ROW],
      data: { id: 1 },
    })
  })
  it('2.3 done twice keeps the first completion time and still succeeds', () => {
    const space = workspace()
    space.run('/todo add milk')
    expect(space.run('/todo done 1')).toMatchObject({ kind: 'todo_done', ok: true, data: { id: 1 } })
    const again = space.run('/todo done 1', { now: '2026-03-19 08:00:00' })
    expect(again).toMatchObject({ kind: 'todo_done', ok: true, rows: [{ ...ROW, status: 'done', completed_at: NOW }] })
    expect(again.text).toContain(NOW)
  })
  it('2.3 delete removes the todo and answers its id', () => {
    const space = workspace()
    space.run('/todo add milk')
    expect(space.run('/todo delete 1')).toEqual({
      kind: 'deleted',
      ok: true,
      text: 'Deleted todo #1.',
      rows: [],
      data: { id: 1 },
    })
    expect(space.stored().todos).toEqual([])
  })
  it.each(['/todo get 5', '/todo done 5', '/todo delete 5', '/todo update 5 x'])(
    '2.3 a missing id is not_found: %s',
    (input) => {
      expect(workspace().run(input)).toMatchObject({ kind: 'not_found', ok: false, rows: [], data: {} })
    },
  )
})

describe('2.3 list', () => {
  const filled = () => {
    const space = workspace()
    space.runAll(
      '/todo add later --priority 5 --tag work',
      '/todo add soon --priority 1 --tag home',
      '/todo add now --tag work',
      '/todo add also soon --priority 1 --tag work',
      '/todo done 3',
    )
    return space
  }
  it('2.3 lists are ordered by priority ascending, then id, done todos included', () => {
    const result = filled().run('/todo list')
    expect(result).toMatchObject({ kind: 'todo_list', ok: true, data: {} })
    expect(ids(result)).toEqual([3, 2, 4, 1])
    expect(result.rows[0]).toMatchObject({ status: 'done', completed_at: NOW })
  })
  it.each([
    ['/todo list work', [3, 4, 1], 'Todos (tag work):'],
    ['/todo list --tag #WORK', [3, 4, 1], 'Todos (tag work):'],
    ['/todo list --view inbox', [2, 4, 1], 'Todos (view inbox):'],
    ['/todo list work --view inbox', [4, 1], 'Todos (view inbox, tag work):'],
    ['/view inbox --tag work', [4, 1], 'Todos (view inbox, tag work):'],
    ['/view all', [3, 2, 4, 1], 'Todos (view all):'],
  ])('2.3 the heading names tag and view when used: %s', (input, expected, heading) => {
    const result = filled().run(input)
    expect([result.kind, ids(result), result.text.split('\n')[0]]).toEqual(['todo_list', expected, heading])
  })
  it('2.3 the four empty texts differ, and an empty list is no failure', () => {
    const inputs = ['/todo list', '/todo list --view today', '/todo list home', '/todo list home --view today']
    const results = inputs.map((input) => workspace().run(input))
    expect(new Set(results.map(({ text }) => text)).size).toBe(4)
    for (const result of results) expect(result).toMatchObject({ kind: 'empty_result', ok: true, rows: [] })
  })
  it('2.3 bars in cells become full-width ones and line breaks spaces, in rows they stay', () => {
    const space = workspace()
    space.run('/todo add a|b --tag x|y')
    const todo = space.book.todo(1)
    if (todo !== null) space.book.saveTodo({ ...todo, content: 'a|b\r\nc\nd' })
    const result = space.run('/todo list')
    expect(result.text).toContain('| a｜b c d |')
    expect(result.text).toContain('| x｜y |')
    expect(result.rows[0]).toMatchObject({ content: 'a|b\r\nc\nd', tag: 'x|y' })
  })
  it('2.2 /view list names the views', () => {
    const result = workspace().run('/view list')
    expect(result).toMatchObject({ kind: 'view_names', ok: true })
    expect(result.data).toEqual({ views: ['all', 'today', 'overdue', 'upcoming', 'inbox'] })
    expect(result.text).toContain('all, today, overdue, upcoming, inbox')
  })
})

describe('2.3 search', () => {
  it.each([
    ['BUY milk', 'buy', true],
    ['buy milk', 'Y MI', true],
    ['100% sure', '0%', true],
    ['100 sure', '0%', false],
    ['a_b', 'A_B', true],
    ['axb', 'a_b', false],
    ['ÄPFEL', 'äpfel', false],
    ['Äpfel', 'ÄPFEL', true],
    ['买牛奶', '牛奶', true],
    ['a.c', 'a.c', true],
    ['abc', 'a.c', false],
  ])('2.3 search is an ASCII case-insensitive literal substring: %j contains %j is %s', (content, keyword, found) =>
    expect(containsKeyword(content, keyword)).toBe(found),
  )
  it('2.3 the keyword may contain spaces, done todos are included, --tag narrows', () => {
    const space = workspace()
    space.runAll('/todo add Buy oat milk --tag home', '/todo add sell OAT MILK', '/todo add oatmilk', '/todo done 2')
    expect(space.run('/todo search oat  milk')).toMatchObject({
      kind: 'todo_search',
      ok: true,
      rows: [{ id: 1 }, { id: 2, status: 'done' }],
    })
    expect(ids(space.run('/todo search --tag HOME oat milk'))).toEqual([1])
    expect(space.run('/todo search tea')).toMatchObject({ kind: 'empty_result', ok: true, rows: [] })
  })
})

describe('2.3 views (now = 2026-03-18 10:30)', () => {
  const now = 100 * 1440 + 630
  const minute = (day: number, inDay: number) => (100 + day) * 1440 + inDay
  it.each([
    ['due earlier today is in today and overdue', minute(0, 600), ['all', 'today', 'overdue']],
    ['due this very minute is not overdue', minute(0, 630), ['all', 'today']],
    ['due later today is in today only', minute(0, 1439), ['all', 'today']],
    ['due yesterday is overdue', minute(-1, 1439), ['all', 'overdue']],
    ['due at the first minute of tomorrow is upcoming', minute(1, 0), ['all', 'upcoming']],
    ['due in exactly 7 x 24 h is upcoming', minute(7, 630), ['all', 'upcoming']],
    ['due a minute later is not', minute(7, 631), ['all']],
    ['without a due moment it is in the inbox', null, ['all', 'inbox']],
  ])('2.3 a todo %s', (_, due, expected) => {
    const views = ['all', 'today', 'overdue', 'upcoming', 'inbox'] as const
    expect(views.filter((view) => isInView(view, false, due, now))).toEqual(expected)
    expect(views.filter((view) => isInView(view, true, due, now))).toEqual(['all'])
  })
  it('2.3 the same through the commands', () => {
    const space = workspace()
    space.runAll(
      '/todo add past --due 2026-03-18 10:29',
      '/todo add current --due 2026-03-18 10:30',
      '/todo add week --due 2026-03-25 10:30',
      '/todo add far --due 2026-03-25 10:31',
      '/todo add free',
    )
    const seen = ['today', 'overdue', 'upcoming', 'inbox', 'all'].map((view) => ids(space.run(`/view ${view}`)))
    expect(seen).toEqual([[1, 2], [1], [3], [5], [1, 2, 3, 4, 5]])
  })
})
