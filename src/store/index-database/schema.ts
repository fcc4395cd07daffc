/**
 * The tables of the index database. They are made where they are missing, and stand in migrations/ for whoever prefers `wrangler d1 migrations
 * apply`. Everything in them can be made again from the workspaces.
 *
 * `row` orders the entries of a tenant: the position in the upper 42 bits, then the number of the tenant, and in the lowest ones the shard.
 * It has more bits than a number of JavaScript, so it is made and taken apart in SQL.
 */
import { SHARDS_MAX } from '../../core/workspace/shards/layout.ts'

/** All bits below the position: a row of SQLite has 63. */
export const PLACE_BITS = 21
export const SHARD_BITS = Math.log2(SHARDS_MAX)
/** Numbers of tenants begin at 1. A tenant that finds none left is listed by its workspace. */
const TENANTS_END = 2 ** (PLACE_BITS - SHARD_BITS)

/** Tombstones keep a late write from bringing back what is gone. No write is under way for so long. */
export const GONE_KEPT_MS = 24 * 3_600_000

/** A search divides the entries of a workspace into spans of about so many. */
export const SPAN_ENTRIES = 50_000

export const INDEX_SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS tenants (number INTEGER PRIMARY KEY CHECK (number < ${TENANTS_END}), tenant TEXT NOT NULL UNIQUE)`,
  `CREATE TABLE IF NOT EXISTS feeders (tenant TEXT NOT NULL, shard INTEGER NOT NULL, epoch INTEGER NOT NULL, number INTEGER NOT NULL, complete_to INTEGER NOT NULL, entered INTEGER NOT NULL, PRIMARY KEY (tenant, shard)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS listed (row INTEGER PRIMARY KEY, tenant TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, mode TEXT NOT NULL, status TEXT NOT NULL, outcome TEXT, forked_from TEXT, agent TEXT NOT NULL, metadata TEXT NOT NULL, goal TEXT NOT NULL, is_cut INTEGER NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS listed_by_tenant ON listed (tenant)`,
  `CREATE INDEX IF NOT EXISTS listed_by_status ON listed (tenant, status)`,
  `CREATE INDEX IF NOT EXISTS listed_by_outcome ON listed (tenant, outcome) WHERE outcome IS NOT ''`,
  `CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content = '', contentless_delete = 1, detail = 'none', tokenize = 'ascii')`,
  `CREATE TABLE IF NOT EXISTS gone (tenant TEXT NOT NULL, row INTEGER NOT NULL, revision INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tenant, row)) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS gone_by_age ON gone (tenant, at)`,
  `CREATE TABLE IF NOT EXISTS spans (tenant TEXT NOT NULL, row INTEGER NOT NULL, shard INTEGER NOT NULL, PRIMARY KEY (tenant, row)) WITHOUT ROWID`,
]
