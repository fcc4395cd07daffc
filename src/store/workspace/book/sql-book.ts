/**
 * The book of a workspace in SQLite: one row per todo and per event, with fields as JSON that is validated on read. An id is never used
 * again: when the highest one is removed, an empty row keeps its place until the next id is given.
 */
import { type Book, ScheduleEvent, Todo } from '../../../core/workspace/commands/book.ts'
import type { CommandHandlers } from '../handlers.ts'
import { writeWithin } from '../quotas/sql-bytes.ts'
import { runInBook } from './run-in-book.ts'
import { effectKeys, requestKeys } from './sql-keys.ts'

export const BOOK_COMMANDS: CommandHandlers<'run_command'> = {
  run_command({ sql, bytes_max, after }, call) {
    const keys = call.request === null ? effectKeys(sql) : requestKeys(sql)
    const ran = writeWithin(sql, bytes_max, () => runInBook(sqlBook(sql), keys, call))
    if (ran.ok) after.planReminders(ran.value.result)
    return ran
  },
}

type Kept = { id: number; fields: string }
interface Table<T extends { id: number }> {
  all(): T[]
  count(): number
  one(id: number): T | null
  add(fields: Omit<T, 'id'>): T
  save(entry: T): void
  remove(id: number): boolean
}

function tableOf<T extends { id: number }>(
  sql: SqlStorage,
  name: string,
  schema: { parse(value: unknown): T },
): Table<T> {
  const read = (row: Kept): T => schema.parse({ ...JSON.parse(row.fields), id: row.id })
  const filled = `FROM ${name} WHERE fields <> ''`
  const one = (id: number) => sql.exec<Kept>(`SELECT id, fields ${filled} AND id = ?`, id).toArray()[0]
  const highest = `(SELECT max(id) FROM ${name})`
  return {
    all: () => sql.exec<Kept>(`SELECT id, fields ${filled}`).toArray().map(read),
    count: () => sql.exec<{ count: number }>(`SELECT count(*) AS count ${filled}`).one().count,
    one(id) {
      const row = one(id)
      return row === undefined ? null : read(row)
    },
    add(fields) {
      const text = JSON.stringify(fields)
      const above = `UPDATE ${name} SET id = id + 1, fields = ? WHERE id = ${highest} AND fields = '' RETURNING id, fields`
      const [moved] = sql.exec<Kept>(above, text).toArray()
      return read(moved ?? sql.exec<Kept>(`INSERT INTO ${name} (fields) VALUES (?) RETURNING id, fields`, text).one())
    },
    save({ id, ...fields }) {
      sql.exec(`UPDATE ${name} SET fields = ? WHERE id = ?`, JSON.stringify(fields), id)
    },
    remove(id) {
      if (one(id) === undefined) return false
      const deleted = sql.exec(`DELETE FROM ${name} WHERE id = ? AND id < ${highest} RETURNING 1`, id).toArray()
      if (deleted.length === 0) sql.exec(`UPDATE ${name} SET fields = '' WHERE id = ?`, id)
      return true
    },
  }
}

export function sqlBook(sql: SqlStorage): Book {
  const todos = tableOf(sql, 'todos', Todo)
  const events = tableOf(sql, 'events', ScheduleEvent)
  return {
    todos: todos.all,
    todoCount: todos.count,
    todo: todos.one,
    addTodo: todos.add,
    saveTodo: todos.save,
    deleteTodo: todos.remove,
    events: events.all,
    eventCount: events.count,
    event: events.one,
    addEvent: events.add,
    saveEvent: events.save,
    deleteEvent: events.remove,
  }
}
