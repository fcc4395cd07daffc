/** What keeps things beside the objects, as it is bound. A part of the composition root. */
import type { Config } from './config.ts'
import type { Clock, Ports } from './shell/ports.ts'
import { randomId } from './shell/task-ids.ts'
import { r2Blobs } from './store/blobs.ts'
import type { ObjectFiles } from './store/readable-task.ts'

interface StorageBindings {
  FILES?: R2Bucket
  INDEX?: D1Database
  STORED_FILES?: Fetcher
}

type IndexDatabase = NonNullable<Ports['index_database']>

const wait = (ms: number) => scheduler.wait(ms)

/** Its statements are loaded by the first list or batch. One copy is kept, because it remembers whether the database is away. */
function lazyIndexDatabase(bound: D1Database, { now_ms }: Clock): IndexDatabase {
  let loaded: Promise<IndexDatabase> | null = null
  const load = async () =>
    (await import('./store/index-database/index-database.ts')).indexDatabase(bound, { now_ms, wait })
  const database = () => (loaded ??= load())
  return {
    write: async (...batch) => (await database()).write(...batch),
    find: async (...asked) => (await database()).find(...asked),
  }
}

export const storageOf = ({ FILES, INDEX }: StorageBindings, { max_stored_bytes, shardsOf }: Config, clock: Clock) => ({
  shard_count: (tenant: string) => shardsOf(tenant).count,
  blobs: FILES === undefined ? null : r2Blobs(FILES),
  index_database: INDEX === undefined ? null : lazyIndexDatabase(INDEX, clock),
  random_id: randomId,
  max_stored_bytes,
  clock,
})

/** As scripts/lib/stored-files.mjs answers. null: they are out of reach. */
export function filesOf({ STORED_FILES: files }: StorageBindings): ObjectFiles | null {
  if (files === undefined) return null
  return {
    setAside: async (object) => (await files.fetch('http://files/', { method: 'POST', body: object })).ok,
    isFull: async () => (await files.fetch('http://files/')).status === 507,
  }
}
