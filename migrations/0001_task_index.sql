-- The tables of the index database (src/store/index-database/schema.ts, which a test compares with this file).
CREATE TABLE IF NOT EXISTS tenants (number INTEGER PRIMARY KEY CHECK (number < 32768), tenant TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS feeders (tenant TEXT NOT NULL, shard INTEGER NOT NULL, epoch INTEGER NOT NULL, number INTEGER NOT NULL, complete_to INTEGER NOT NULL, entered INTEGER NOT NULL, PRIMARY KEY (tenant, shard)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS listed (row INTEGER PRIMARY KEY, tenant TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, mode TEXT NOT NULL, status TEXT NOT NULL, outcome TEXT, forked_from TEXT, agent TEXT NOT NULL, metadata TEXT NOT NULL, goal TEXT NOT NULL, is_cut INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS listed_by_tenant ON listed (tenant);
CREATE INDEX IF NOT EXISTS listed_by_status ON listed (tenant, status);
CREATE INDEX IF NOT EXISTS listed_by_outcome ON listed (tenant, outcome) WHERE outcome IS NOT '';
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content = '', contentless_delete = 1, detail = 'none', tokenize = 'ascii');
CREATE TABLE IF NOT EXISTS gone (tenant TEXT NOT NULL, row INTEGER NOT NULL, revision INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tenant, row)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS gone_by_age ON gone (tenant, at);
CREATE TABLE IF NOT EXISTS spans (tenant TEXT NOT NULL, row INTEGER NOT NULL, shard INTEGER NOT NULL, PRIMARY KEY (tenant, row)) WITHOUT ROWID;
