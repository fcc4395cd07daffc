/** What became of the reminders of a workspace, in SQLite; and whose workspace it is, which its alarm has no caller to learn from. */
import * as z from 'zod'
import type { ReminderAttempts } from './due-reminders.ts'

/** Made where the first reminder is planned: most workspaces have none. */
function makeReminderTables(sql: SqlStorage): void {
  sql.exec(
    `CREATE TABLE IF NOT EXISTS reminded (id TEXT PRIMARY KEY, at INTEGER NOT NULL, until INTEGER) WITHOUT ROWID`,
  )
  sql.exec(`CREATE TABLE IF NOT EXISTS owner (tenant TEXT PRIMARY KEY) WITHOUT ROWID`)
}

/** `until` is null once delivered. */
type Kept = { id: string; until: number | null }

/** No reminder is called like that: the row says when the next one is planned for. */
const PLANNED = ''

export function sqlReminders(sql: SqlStorage): ReminderAttempts {
  makeReminderTables(sql)
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

const Name = z.tuple([z.string()])

/** The tenant in the name of an object, `["tenant"]`; null for one that is named otherwise. */
export function tenantIn(name: string | undefined): string | null {
  try {
    return Name.parse(JSON.parse(name ?? ''))[0]
  } catch {
    return null
  }
}

export function keepOwner(sql: SqlStorage, tenant: string): void {
  makeReminderTables(sql)
  sql.exec('INSERT OR IGNORE INTO owner (tenant) VALUES (?)', tenant)
}

export function ownerIn(sql: SqlStorage): string | null {
  makeReminderTables(sql)
  return sql.exec<{ tenant: string }>('SELECT tenant FROM owner').toArray()[0]?.tenant ?? null
}
