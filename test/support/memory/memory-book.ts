/** A calendar and todo list in memory for tests and simulations; every other implementation has to behave like it. */
import type { Book, ScheduleEvent, Todo } from '../../../src/core/workspace/commands/book.ts'

/** Rows of one kind; copies go in and out, so that a caller that keeps a row cannot change the stored one. */
function shelf<Row extends { id: number }>(copy: (row: Row) => Row) {
  const rows = new Map<number, Row>()
  let last = 0
  return {
    all: () => [...rows.values()].map(copy),
    count: () => rows.size,
    one(id: number) {
      const row = rows.get(id)
      return row === undefined ? null : copy(row)
    },
    nextId: () => ++last,
    put(row: Row) {
      rows.set(row.id, copy(row))
      return copy(row)
    },
    remove: (id: number) => rows.delete(id),
  }
}

/** An empty calendar and todo list; ids count up from 1 for each kind and are never reused. */
export function memoryBook(): Book {
  const todos = shelf<Todo>((todo) => ({ ...todo }))
  const events = shelf<ScheduleEvent>((event) => ({ ...event, rule: event.rule === null ? null : { ...event.rule } }))
  return {
    todos: todos.all,
    todoCount: todos.count,
    todo: todos.one,
    addTodo: (fields) => todos.put({ ...fields, id: todos.nextId() }),
    saveTodo: (todo) => void todos.put(todo),
    deleteTodo: todos.remove,
    events: events.all,
    eventCount: events.count,
    event: events.one,
    addEvent: (fields) => events.put({ ...fields, id: events.nextId() }),
    saveEvent: (event) => void events.put(event),
    deleteEvent: events.remove,
  }
}
