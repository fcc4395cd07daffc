/** Whose workspace it is: an alarm has no caller who could say so. To be called in a transaction. */
import * as z from 'zod'
import { isResourceName } from '../../core/terms/values/resource-name.ts'
import { FIRST_SHARD } from '../../core/workspace/shards/layout.ts'

/** Made together when an alarm needs the first of them: most workspaces have none. */
export function makeAlarmTables(sql: SqlStorage): void {
  sql.exec(
    `CREATE TABLE IF NOT EXISTS reminded (id TEXT PRIMARY KEY, at INTEGER NOT NULL, until INTEGER) WITHOUT ROWID`,
  )
  sql.exec(`CREATE TABLE IF NOT EXISTS owner (tenant TEXT PRIMARY KEY) WITHOUT ROWID`)
}

const Name = z.union([
  z.tuple([z.string()]),
  z.tuple([z.string(), z.union([z.int().min(1), z.string().refine(isResourceName)])]),
])

/** The name of an object: `["tenant"]`, and `["tenant",3]` for a shard that is not the first (SHARD-01). */
export const workspaceName = (tenant: string, shard: number): string =>
  JSON.stringify(shard === FIRST_SHARD ? [tenant] : [tenant, shard])

/** The name of the object of a pool: `["tenant","gpu"]` (POOL-02). It is no shard. */
export const poolObjectName = (tenant: string, pool: string): string => JSON.stringify([tenant, pool])

function ownerInName(name: string | undefined): { tenant: string; shard: number; pool: string | null } | null {
  try {
    const [tenant, part = FIRST_SHARD] = Name.parse(JSON.parse(name ?? ''))
    return typeof part === 'string' ? { tenant, shard: FIRST_SHARD, pool: part } : { tenant, shard: part, pool: null }
  } catch {
    return null
  }
}

/** The tenant in the name of an object; null for one that is named otherwise. */
export const tenantIn = (name: string | undefined): string | null => ownerInName(name)?.tenant ?? null
export const shardIn = (name: string | undefined): number => ownerInName(name)?.shard ?? FIRST_SHARD
/** The pool whose object it is. null: it is a workspace. */
export const poolIn = (name: string | undefined): string | null => ownerInName(name)?.pool ?? null
/** The member of a job that names the pool; jobs of a workspace have none. */
export function poolOfJob(name: string | undefined): { pool?: string } {
  const pool = poolIn(name)
  return pool === null ? {} : { pool }
}
/** The member of a job that names the shard; jobs of the first shard have none. */
export function shardOfJob(name: string | undefined): { shard?: number } {
  const shard = shardIn(name)
  return shard === FIRST_SHARD ? {} : { shard }
}

export function keepOwner(sql: SqlStorage, tenant: string): void {
  makeAlarmTables(sql)
  sql.exec('INSERT OR IGNORE INTO owner (tenant) VALUES (?)', tenant)
}

export function ownerIn(sql: SqlStorage): string | null {
  makeAlarmTables(sql)
  return sql.exec<{ tenant: string }>('SELECT tenant FROM owner').toArray()[0]?.tenant ?? null
}
