/** What a tenant is told by time, and what became of its reminders, in SQLite. */
import { calendarEntries } from '../../../core/workspace/calendar.ts'
import { sqlBook } from '../book/sql-book.ts'
import { sqlDelegations } from '../delegations/sql-delegations.ts'
import type { CommandHandlers, QueryHandlers } from '../handlers.ts'
import { makeAlarmTables } from '../owner.ts'
import { entriesOf, takeReminders, type ReminderAttempts } from './due-reminders.ts'

/** `until` is null for a delivered reminder. */
type Kept = { id: string; until: number | null }

/** No reminder has this id: its row holds the time that the next reminder is planned for. */
const PLANNED = ''

export const REMINDER_COMMANDS: CommandHandlers<'remind'> = {
  remind({ sql, now_ms }, call) {
    const sources = { book: sqlBook(sql), tried: sqlReminders(sql), commands: sqlDelegations(sql) }
    return takeReminders(sources, call, now_ms)
  },
}

export const CALENDAR_QUERIES: QueryHandlers<'entries'> = {
  entries: ({ sql }) => calendarEntries(entriesOf(sqlBook(sql))),
}

/** To be called in a transaction. */
export function sqlReminders(sql: SqlStorage): ReminderAttempts {
  makeAlarmTables(sql)
  const first = (query: string) => sql.exec<{ at: number | null }>(query, PLANNED).one().at
  return {
    all: () =>
      new Map(
        sql
          .exec<Kept>('SELECT id, until FROM reminded')
          .toArray()
          .map(({ id, until }) => [id, until]),
      ),
    keep: (id, at, until) =>
      void sql.exec('INSERT OR REPLACE INTO reminded (id, at, until) VALUES (?, ?, ?)', id, at, until),
    forget: (before) => void sql.exec('DELETE FROM reminded WHERE at < ? AND id <> ?', before, PLANNED),
    owedSince: () => first('SELECT min(at) AS at FROM reminded WHERE until IS NOT NULL AND id <> ?') ?? Infinity,
    planned: () => first('SELECT max(at) AS at FROM reminded WHERE id = ?'),
    plan(at) {
      if (at === null) return void sql.exec('DELETE FROM reminded WHERE id = ?', PLANNED)
      const query =
        'INSERT INTO reminded (id, at, until) VALUES (?, ?, NULL) ON CONFLICT (id) DO UPDATE SET at = excluded.at'
      sql.exec(`${query} WHERE at <> excluded.at`, PLANNED, at)
    },
  }
}
