/** What keeps things beside the objects, as it is bound. A part of the composition root. */
import type { Config } from './config.ts'
import type { Clock } from './shell/ports.ts'
import { randomId } from './shell/task-ids.ts'
import { r2Blobs } from './store/blobs.ts'
import { indexDatabase } from './store/index-database/index-database.ts'
import type { ObjectFiles } from './store/readable-task.ts'

interface StorageBindings {
  FILES?: R2Bucket
  INDEX?: D1Database
  STORED_FILES?: Fetcher
}

const wait = (ms: number) => scheduler.wait(ms)

export const storageOf = ({ FILES, INDEX }: StorageBindings, { max_stored_bytes, shardsOf }: Config, clock: Clock) => ({
  shard_count: (tenant: string) => shardsOf(tenant).count,
  blobs: FILES === undefined ? null : r2Blobs(FILES),
  index_database: INDEX === undefined ? null : indexDatabase(INDEX, { now_ms: clock.now_ms, wait }),
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
