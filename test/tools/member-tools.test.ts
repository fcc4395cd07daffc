/** The tools for todos and events whose input is JSON: what they understand, what they tell, and that any text is stored as it is. */
import { describe, expect, it } from 'vitest'
import { COMMAND_TOOLS } from '../../src/core/mode/workspace-tools.ts'
import { natureOf } from '../../src/core/modes/session/detector.ts'
import { commandRunner, callOf, commandTools } from '../support/command-tools.ts'

const json = (members: object) => JSON.stringify(members)
/** Runs one call in a workspace of its own, behind the calls that set it up. */
const once = async (tool: string, members: object | string, before: [string, object][] = []) => {
  const run = commandRunner()
  for (const [name, given] of before) await run(name, json(given))
  return run(tool, typeof members === 'string' ? members : json(members))
}
const MILK: [string, object] = ['add_todo', { text: 'milk' }]
const DENTIST: [string, object] = ['add_event', { title: 'dentist', start: '2026-11-27 15:00' }]

describe('what each tool does', () => {
  it('todos are added, changed, listed, done and deleted, and what is left out stays', async () => {
    const run = commandRunner()
    const due = '2026-11-27 15:00'
    expect(await run('add_todo', json({ text: 'milk', tag: 'Shop', priority: 2, due }))).toMatchObject({
      ok: true,
      code: 'todo_added',
      text: 'Added todo #1 [shop] milk (priority 2, due Fri 2026-11-27 15:00).',
    })
    expect((await run('update_todo', json({ id: 1, priority: 0 }))).text).toBe(
      'Updated todo #1 [shop] milk (priority 0, due Fri 2026-11-27 15:00).',
    )
    expect((await run('list_todos', json({ view: 'upcoming', tag: 'shop', search: 'MIL' }))).text).toContain('milk')
    expect(await run('list_todos', json({ view: 'inbox', search: 'milk' }))).toMatchObject({ code: 'empty_result' })
    expect(await run('complete_todo', json({ id: 1 }))).toMatchObject({ ok: true, code: 'todo_done' })
    expect(await run('delete_todo', json({ id: 1 }))).toMatchObject({ ok: true, code: 'deleted' })
    expect(await run('delete_todo', json({ id: 1 }))).toMatchObject({ ok: false, code: 'not_found' })
  })

  it('events are added, changed, listed and deleted, and what is left out stays', async () => {
    const run = commandRunner()
    const repeat = { every: 2, unit: 'weeks', times: 3 }
    const added = await run(
      'add_event',
      json({ title: 'call', start: '2026-11-27 15:00', duration_minutes: 30, repeat }),
    )
    expect(added.text).toContain('3 occurrences: duration 30 min, interval 20160 min')
    expect((await run('update_event', json({ id: 1, title: 'long call' }))).text).toContain(
      'Fri 2026-11-27 15:00 long call (3 occurrences: duration 30 min, interval 20160 min',
    )
    expect((await run('update_event', json({ id: 1, stop_repeat: true }))).text).toContain(
      'long call (duration 30 min)',
    )
    expect((await run('list_events', json({ view: 'month', date: '2026-11' }))).text).toContain('long call')
    expect(await run('list_events', json({ date: '2026-11-28' }))).toMatchObject({ code: 'empty_result' })
    expect(await run('list_events', '{}')).toMatchObject({ ok: true, code: 'schedule_list' })
    expect(await run('delete_event', json({ id: 1 }))).toMatchObject({ ok: true, code: 'deleted' })
  })

  it('D4 a call that comes again under its key adds nothing and has the same answer', async () => {
    const tools = commandTools()
    const add = tools.get('add_todo')
    const first = await add?.run(json({ text: 'milk' }), callOf('task_1:4'))
    expect(await add?.run(json({ text: 'milk' }), callOf('task_1:4'))).toEqual(first)
    const list = await tools.get('list_todos')?.run('{}', callOf('task_1:5'))
    expect(list?.text.match(/milk/g)).toHaveLength(1)
  })

  it.each([
    '--due 2026-11-27 15:00',
    '"quoted" and \'single\'',
    '- milk, -- bread --tag home',
    '/todo delete 1',
    '{"text":"x"}',
    '`code`',
  ])('U32 any text is stored as it is: %s', async (text) => {
    const run = commandRunner()
    expect((await run('add_todo', json({ text }))).text).toBe(`Added todo #1 [default] ${text} (priority 0).`)
    const title = (await run('add_event', json({ title: text, start: '2026-11-27 15:00' }))).text
    expect(title).toBe(`Added event #1 Fri 2026-11-27 15:00 ${text} (duration 60 min).`)
  })

  it('a date that is past is told', async () => {
    expect((await once('add_todo', { text: 'milk', due: '2026-11-20' })).text).toContain('The due time is in the past')
    expect((await once('add_event', { title: 'a', start: '2026-11-20T10:00' })).text).toContain(
      'The start is in the past',
    )
  })

  it('S4-26 lists read, and the others act', () => {
    const reading = COMMAND_TOOLS.filter((tool) => natureOf(tool, '{}') === 'reads')
    expect(reading).toEqual(['list_todos', 'list_events'])
    expect(COMMAND_TOOLS.filter((tool) => natureOf(tool, '{}') === 'acts')).toHaveLength(7)
  })
})

describe('U32 what is understood', () => {
  it.each([
    ['a date with T', 'add_todo', { text: 'milk', due: '2026-11-27T15:00' }, 'due Fri 2026-11-27 15:00'],
    ['a date with seconds and a zone', 'add_todo', { text: 'milk', due: '2026-11-27T15:00:00Z' }, '2026-11-27 15:00'],
    ['a day alone', 'add_todo', { text: 'milk', due: '2026-11-27' }, 'due Fri 2026-11-27 23:59'],
    ['a weekday before it', 'add_todo', { text: 'milk', due: 'Fri 2026-11-27 15:00' }, 'due Fri 2026-11-27 15:00'],
    ['a number as text', 'add_todo', { text: 'milk', priority: '3' }, 'priority 3'],
    ['a number as the text', 'add_todo', { text: 42 }, '] 42 ('],
    ['members that are null or blank', 'add_todo', { text: 'milk', due: null, tag: '' }, '[default] milk'],
    [
      'another spelling of a member',
      'add_event',
      { Title: 'a', start: '2026-11-27 15:00', durationMinutes: 30 },
      '30 min',
    ],
    ['a unit', 'add_event', { title: 'a', start: '2026-11-27 15:00', duration_minutes: '1.5h' }, 'duration 90 min'],
    [
      'daily',
      'add_event',
      { title: 'a', start: '2026-11-27 15:00', repeat: 'daily' },
      'without end: duration 60 min, interval 1440',
    ],
    [
      'once',
      'add_event',
      { title: 'a', start: '2026-11-27 15:00', repeat: { every: 1, unit: 'day', times: 1 } },
      'a (duration 60',
    ],
    [
      'a repetition as text',
      'add_event',
      { title: 'a', start: '2026-11-27 15:00', repeat: '{"every":"2","unit":"Hour"}' },
      'interval 120',
    ],
  ])('%s', async (_name, tool, members, said) => {
    expect(await once(tool, members)).toMatchObject({ ok: true, text: expect.stringContaining(said) })
  })

  it.each([
    ['an id as text', '{"id":"1"}'],
    ['an id with its sign', '{"id":"#1"}'],
    ['a comma behind the last member', '{"id":1,}'],
    ['a fence', '```json\n{"id":1}\n```'],
    ['the object once more as a text', JSON.stringify('{"id":1}')],
    ['the object in another one', '{"arguments":{"id":1}}'],
    ['the object in another one, as a text', '{"input":"{\\"id\\":1}"}'],
  ])('%s', async (_name, input) => {
    expect(await once('complete_todo', input, [MILK])).toMatchObject({ ok: true, code: 'todo_done' })
  })

  it('a word of a list in capitals, and nothing where nothing is needed', async () => {
    expect(await once('list_todos', { view: ' ALL ' }, [MILK])).toMatchObject({ code: 'todo_list' })
    expect(await once('list_todos', '', [MILK])).toMatchObject({ code: 'todo_list' })
  })
})

describe('U32 what is told, and nothing is done', () => {
  it.each([
    ['add_todo', {}, 'text is missing.'],
    ['add_todo', { text: ' ' }, 'text is missing.'],
    ['add_todo', { text: 'milk', dues: '2026-11-27' }, 'There is no member "dues"; did you mean "due"?'],
    ['add_todo', { text: 'milk', note: 'x' }, 'There is no member "note".'],
    ['add_todo', { text: 'milk', Text: 'bread' }, 'text is given twice.'],
    ['add_todo', { text: ['milk'] }, 'text needs a text. Given: "["milk"]".'],
    [
      'add_todo',
      { text: 'milk', due: 'tomorrow' },
      'due needs a real date YYYY-MM-DD, with or without a time HH:MM. Given: "tomorrow".',
    ],
    ['add_todo', { text: 'milk', due: '2026-02-30' }, 'The calendar has no such moment.'],
    ['add_todo', { text: 'milk', due: 'Mon 2026-11-27' }, 'That day is a Fri.'],
    ['add_todo', { text: 'milk', remind: '2026-11-27' }, 'remind works only together with due.'],
    ['add_todo', { text: 'milk', tag: 'at home' }, 'tag needs one word. Given: "at home".'],
    [
      'add_todo',
      { text: 'milk', priority: 'high' },
      'priority needs a whole number from 0; smaller is more urgent. Given: "high".',
    ],
    ['add_todo', '[{"text":"milk"}]', 'The input must be one JSON object'],
    ['add_todo', 'buy milk', 'The input must be one JSON object'],
    ['update_todo', { id: 1 }, 'Nothing is given to change.'],
    ['complete_todo', { id: 'milk' }, 'id needs the number of the entry, from 1. Given: "milk".'],
    ['list_todos', { view: 'tomorrow' }, 'view needs one of all, today, overdue, upcoming, inbox. Given: "tomorrow".'],
    ['add_event', { title: 'a', start: '2026-11-27' }, 'A day alone is not enough.'],
    [
      'add_event',
      { title: 'a', start: '2026-11-28 10:00', duration_minutes: 0 },
      'duration_minutes needs a whole number of minutes from 1.',
    ],
    [
      'add_event',
      { title: 'a', start: '2026-11-28 10:00', repeat: { every: 1, unit: 'months' } },
      'unit is one of minutes, hours, days, weeks',
    ],
    [
      'add_event',
      { title: 'a', start: '2026-11-28 10:00', repeat: { every: 1, unit: 'days', until: 'x' } },
      'repeat needs',
    ],
    [
      'add_event',
      { title: 'a', start: '9999-12-30 10:00', repeat: { every: 1, unit: 'days', times: 9 } },
      'beyond the year 9999',
    ],
    ['update_event', { id: 1, repeat: 'daily', stop_repeat: true }, 'Give stop_repeat or repeat, not both.'],
    ['update_event', { id: 1, stop_repeat: false }, 'Nothing is given to change.'],
    ['list_events', { view: 'year' }, 'view needs one of day, week, month. Given: "year".'],
  ])('%s %j: %s', async (tool, members, said) => {
    const run = commandRunner()
    for (const [name, given] of [MILK, DENTIST]) await run(name, json(given))
    const state = async () => [(await run('list_todos', '{}')).text, (await run('list_events', '{}')).text]
    const before = await state()
    const result = await run(tool, typeof members === 'string' ? members : json(members))
    expect(result).toMatchObject({ ok: false, code: 'usage_error' })
    expect(result.text).toMatch(new RegExp(`^Usage: ${tool} \\{`))
    expect(result.text).toContain(said)
    expect(await state()).toEqual(before)
  })

  it('an event with a repetition is not moved beyond the calendar', async () => {
    const series = { title: 'a', start: '2026-11-28 10:00', repeat: { every: 52, unit: 'weeks', times: 9 } }
    const moved = await once('update_event', { id: 1, start: '9999-01-01 10:00' }, [['add_event', series]])
    expect(moved).toMatchObject({ ok: false, code: 'usage_error' })
  })

  it('the first line names the members and which of them may be left out', async () => {
    expect((await once('add_todo', {})).text.split('\n')[0]).toBe(
      'Usage: add_todo {text, due?, remind?, tag?, priority?}',
    )
  })

  it('speaks the language of the task', async () => {
    const run = commandRunner({ locale: 'zh' })
    expect((await run('add_todo', json({ text: '牛奶', dues: 'x' }))).text).toBe(
      '用法: add_todo {text, due?, remind?, tag?, priority?}\n没有成员“dues”，是否应为“due”？',
    )
    expect((await run('complete_todo', json({ id: 'x' }))).text).toContain('id 需要条目的编号，不小于 1。收到的是“x”。')
  })
})
