import { describe, expect, it } from 'vitest'
import { ScheduleEvent, Todo } from '../../../src/core/workspace/commands/book.ts'
import { memoryBook } from '../../support/memory/memory-book.ts'

const TODO = {
  content: 'milk',
  tag: 'default',
  priority: 0,
  done: false,
  created_at: '2026-03-18 10:30:45',
  completed_at: null,
  due_at: null,
  remind_at: null,
}
const EVENT = {
  title: 'run',
  start: '2026-03-19 07:00',
  duration: 60,
  remind_at: null,
  created_at: '2026-03-18 10:30:45',
  rule: { interval: 1440, times: -1, remind_start: null, enabled: true },
}

describe('the book in memory', () => {
  it('2.1 ids count up from 1 per kind and are never reused', () => {
    const book = memoryBook()
    expect([book.addTodo(TODO).id, book.addTodo(TODO).id, book.addEvent(EVENT).id]).toEqual([1, 2, 1])
    expect([book.deleteTodo(2), book.deleteTodo(2)]).toEqual([true, false])
    expect([book.deleteEvent(1), book.deleteEvent(1)]).toEqual([true, false])
    expect([book.addTodo(TODO).id, book.addEvent(EVENT).id]).toEqual([3, 2])
    expect([book.todo(2), book.event(1)]).toEqual([null, null])
  })

  it('rows are copies: changing one changes nothing stored', () => {
    const book = memoryBook()
    book.addTodo(TODO).content = 'changed'
    const event = book.addEvent(EVENT)
    if (event.rule !== null) event.rule.interval = 1
    for (const todo of book.todos()) todo.content = 'changed'
    expect(book.todo(1)).toEqual({ ...TODO, id: 1 })
    expect(book.event(1)).toEqual({ ...EVENT, id: 1 })
  })

  it('save replaces the row of the same id, the rule with it', () => {
    const book = memoryBook()
    const todo = book.addTodo(TODO)
    const event = book.addEvent(EVENT)
    book.saveTodo({ ...todo, priority: 3 })
    book.saveEvent({ ...event, rule: null })
    expect(book.todos()).toEqual([{ ...TODO, id: 1, priority: 3 }])
    expect(book.events()).toEqual([{ ...EVENT, id: 1, rule: null }])
  })

  it.each([0, 1, -2])('2.4 times is -1 or from 2, a stored rule with times %i is refused by the schema', (times) => {
    expect(ScheduleEvent.safeParse({ ...EVENT, id: 1 }).success).toBe(true)
    expect(ScheduleEvent.safeParse({ ...EVENT, id: 1, rule: { ...EVENT.rule, times } }).success).toBe(false)
  })

  it('2.3 a stored todo has no negative priority and no unknown field', () => {
    expect(Todo.safeParse({ ...TODO, id: 1 }).success).toBe(true)
    expect(Todo.safeParse({ ...TODO, id: 1, priority: -1 }).success).toBe(false)
    expect(Todo.safeParse({ ...TODO, id: 1, owner: 'me' }).success).toBe(false)
  })
})
