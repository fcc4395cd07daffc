/** Lines that the desk builds, run through the commands themselves: what was entered is what is kept. */
import { describe, expect, it } from 'vitest'
import { memoryBook } from '../support/memory/memory-book.ts'
import { runCommand } from '../../src/core/workspace/commands/run.ts'
import type { Book } from '../../src/core/workspace/commands/book.ts'
import {
  eventAdd,
  eventDelete,
  eventGet,
  eventRepeat,
  eventUpdate,
  monthView,
  NO_EVENT,
  NO_TODO,
  TODAY,
  todoAdd,
  todoDelete,
  todoDone,
  todoList,
  todoSearch,
  todoUpdate,
  type EventDraft,
  type CommandText,
  type TodoDraft,
} from '../../src/console/views/workspace/commands.ts'

const CONTEXT = {
  reader: 'person',
  momentAt: () => '',
  now: '2030-01-10 09:00:00',
  locale: 'en',
  schedule_window_days: 31,
  conflict_preview_days: 31,
} as const
const lineOf = (line: CommandText) => {
  if (!line.ok) throw new Error(`no line: ${JSON.stringify(line.error)}`)
  return line.value
}
const ran = (line: CommandText | string, book: Book) =>
  runCommand(typeof line === 'string' ? line : lineOf(line), book, CONTEXT)
const todo = (draft: Partial<TodoDraft>) => ({ ...NO_TODO, ...draft })
const event = (draft: Partial<EventDraft>) => ({ ...NO_EVENT, title: 'x', start: '2030-01-10T10:00', ...draft })

const TEXTS = [
  'milk',
  'buy  two   things',
  `she said "it's fine" \`x\` $(rm) ; | & > \\`,
  'a -- b --tagged --tag-line --dues -t --- end--',
  '--unknown option',
  'first line\nsecond\tline\r\nthird\u2028fourth',
  '给妈妈打电话，带上“礼物”',
  '/todo delete 1',
  '12 2030-01-01 10:00 eggs',
  '<img src=x onerror=alert(1)> & {{x}}',
  '👨‍👩‍👧 ＂full＂　width',
]
const kept = (text: string) => text.replace(/\s+/g, ' ').trim()

describe.each(TEXTS)('the text %j', (text) => {
  it('is stored as the content of a todo, except for its white space, with every option', () => {
    const book = memoryBook()
    const draft = todo({
      content: text,
      tag: '#Home',
      priority: '3',
      due: '2030-02-01T08:30',
      remind: '2030-02-01T08:00',
    })
    expect(ran(todoAdd(draft), book)).toMatchObject({ kind: 'todo_added', ok: true })
    expect(book.todos()).toMatchObject([
      { content: kept(text), tag: 'home', priority: 3, due_at: '2030-02-01 08:30', remind_at: '2030-02-01 08:00' },
    ])
  })
  it('replaces the content of a todo, and an empty field changes nothing', () => {
    const book = memoryBook()
    ran(todoAdd(todo({ content: 'old', tag: 'work', priority: '7', due: '2030-02-01T08:30' })), book)
    expect(ran(todoUpdate(1, todo({ content: text })), book).kind).toBe('todo_updated')
    expect(book.todo(1)).toMatchObject({ content: kept(text), tag: 'work', priority: 7, due_at: '2030-02-01 08:30' })
  })
  it('is found by a search for it', () => {
    const book = memoryBook()
    ran(todoAdd(todo({ content: `before ${text} after`, tag: 'work' })), book)
    expect(ran(todoSearch(text, 'work'), book).rows).toHaveLength(1)
  })
  it('is stored as the title of an event, with every option', () => {
    const book = memoryBook()
    const draft = event({
      title: text,
      duration: '45',
      remind: '2030-01-10T09:30',
      unit: 'week',
      every: '2',
      times: '5',
      remind_start: '2030-01-10T09:45',
    })
    expect(ran(eventAdd(draft), book).kind).toBe('schedule_added')
    expect(book.event(1)).toMatchObject({
      title: kept(text),
      start: '2030-01-10 10:00',
      duration: 45,
      remind_at: '2030-01-10 09:30',
      rule: { interval: 20_160, times: 5, remind_start: '2030-01-10 09:45' },
    })
  })
  it('replaces the title of an event, and removes its repetition when none is chosen', () => {
    const book = memoryBook()
    ran(eventAdd(event({ unit: 'day' })), book)
    expect(book.event(1)?.rule).toMatchObject({ interval: 1440, times: -1 })
    expect(ran(eventUpdate(1, event({ title: text, start: '2030-03-01T10:00' })), book).kind).toBe('schedule_updated')
    expect(book.event(1)).toMatchObject({ title: kept(text), start: '2030-03-01 10:00', rule: null })
  })
})

describe('a text that the grammar would read as something else gives no command line', () => {
  it.each(['--tag', '--priority', '--due', '--remind'])('%s in the content of a todo', (option) => {
    for (const text of [`milk ${option} 3`, `${option}`, `milk\n${option} 2030-01-01 10:00`, `x ${option}, y`]) {
      const error = { field: 'content', about: 'option', option }
      expect(todoAdd(todo({ content: text }))).toEqual({ ok: false, error })
      expect(todoUpdate(1, todo({ content: text }))).toEqual({ ok: false, error })
    }
  })
  it.each(['--interval', '--duration', '--remind', '--times', '--remind-start'])('%s in a title', (option) => {
    const error = { field: 'title', about: 'option', option }
    expect(eventAdd(event({ title: `standup ${option} 5` }))).toEqual({ ok: false, error })
    expect(eventUpdate(1, event({ title: option }))).toEqual({ ok: false, error })
  })
  it('an option of events is plain text in a todo, and the other way round', () => {
    const book = memoryBook()
    ran(todoAdd(todo({ content: 'why --interval 5' })), book)
    ran(eventAdd(event({ title: 'why --tag x' })), book)
    expect([book.todo(1)?.content, book.event(1)?.title]).toEqual(['why --interval 5', 'why --tag x'])
  })
  it('--tag in a keyword', () => {
    expect(todoSearch('a --tag b', '').ok).toBe(false)
  })
  it.each(['two words', '--due', '#', 'a\nb'])('%j as a tag', (tag) => {
    const error = { field: 'tag', about: 'word', option: null }
    expect(todoAdd(todo({ content: 'x', tag }))).toEqual({ ok: false, error })
    expect(todoList(tag, null)).toEqual({ ok: false, error })
  })
  it.each<Partial<TodoDraft>>([{ priority: '-1' }, { priority: '1 2' }, { priority: '1e3' }, { due: 'tomorrow' }])(
    '%j of a todo',
    (draft) => {
      expect(todoAdd(todo({ content: 'x', ...draft })).ok).toBe(false)
    },
  )
  it.each<Partial<EventDraft>>([
    { start: '' },
    { title: ' \n ' },
    { duration: '0' },
    { unit: 'day', every: '' },
    { unit: 'day', every: '0' },
    { unit: 'day', times: '1' },
    { start: '12030-01-01T10:00' },
  ])('%j of an event', (draft) => {
    expect(eventAdd(event(draft)).ok).toBe(false)
  })
})

it('every other command line does what its name says', () => {
  const book = memoryBook()
  ran(todoAdd(todo({ content: 'milk', tag: 'home', due: '2030-01-10T18:00' })), book)
  ran(todoAdd(todo({ content: 'bread' })), book)
  ran(eventAdd(event({ unit: 'hour', every: '12' })), book)
  expect(ran(todoList('home', 'today'), book).rows).toMatchObject([{ content: 'milk' }])
  expect(ran(todoList('', null), book).rows).toHaveLength(2)
  expect(ran(todoDone(1), book).kind).toBe('todo_done')
  expect(ran(todoDelete(2), book).kind).toBe('deleted')
  expect(ran(eventGet(1), book).kind).toBe('schedule_detail')
  expect(ran(monthView('2030-01'), book).rows).toHaveLength(44)
  expect(ran(TODAY, book).rows).toHaveLength(2)
  expect(ran(eventRepeat(1, false), book).rows).toMatchObject([{ repeat: 'off' }])
  expect(ran(eventRepeat(1, true), book).rows).toMatchObject([{ repeat: 'on' }])
  expect(ran(eventDelete(1), book).kind).toBe('deleted')
  expect([book.todos(), book.events()]).toMatchObject([[{ id: 1, done: true }], []])
})
