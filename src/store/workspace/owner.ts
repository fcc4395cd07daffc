/** Whose workspace it is: an alarm has no caller who could say so. To be called in a transaction. */
import * as z from 'zod'

/** Made together when an alarm needs the first of them: most workspaces have none. */
export function makeAlarmTables(sql: SqlStorage): void {
  sql.exec(
    `CREATE TABLE IF NOT EXISTS reminded (id TEXT PRIMARY KEY, at INTEGER NOT NULL, until INTEGER) WITHOUT ROWID`,
  )
  sql.exec(`CREATE TABLE IF NOT EXISTS owner (tenant TEXT PRIMARY KEY) WITHOUT ROWID`)
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
  makeAlarmTables(sql)
  sql.exec('INSERT OR IGNORE INTO owner (tenant) VALUES (?)', tenant)
}

export function ownerIn(sql: SqlStorage): string | null {
  makeAlarmTables(sql)
  return sql.exec<{ tenant: string }>('SELECT tenant FROM owner').toArray()[0]?.tenant ?? null
}
