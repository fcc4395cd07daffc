/** The store, in which the workspaces of some tenants are divided into shards. A tenant with one shard has the object that it always had. */
import { shardsOf, type ShardLayout } from '../../core/workspace/shards/layout.ts'
import type { TaskStore } from '../ports.ts'
import type * as Sharding from './sharded-workspace.ts'
import type * as Totals from './totals.ts'

interface ShardConfig {
  shardsOf: (tenant: string) => ShardLayout
  max_driven_tasks: number
  max_stored_bytes: number
}

type Loaded = typeof Sharding & typeof Totals
let loaded: Loaded | null = null

/** Loads once what a tenant with several shards takes. Most services have no such tenant, so their start does not read it (U28). */
export async function loadShards(): Promise<void> {
  if (loaded !== null) return
  const [sharding, totals] = await Promise.all([import('./sharded-workspace.ts'), import('./totals.ts')])
  loaded = { ...sharding, ...totals }
}

const known = (): Loaded => {
  if (loaded === null) throw new Error('the shards are not loaded: loadShards() comes first')
  return loaded
}

export function storeWithShards(store: TaskStore, config: ShardConfig, now_ms: () => number): TaskStore {
  const emptied = new Map<string, number>()
  const checks: Totals.TotalChecks = new Map()
  return {
    of: (tenant, id) => store.of(tenant, id),
    pool: (tenant, pool) => store.pool(tenant, pool),
    workspace(tenant, alone) {
      const layout = config.shardsOf(tenant)
      if (layout.count === 1) return store.workspace(tenant, alone)
      const place = {
        tenant,
        layout,
        shards: shardsOf(layout).length,
        slots_max: config.max_driven_tasks,
        bytes_max: config.max_stored_bytes,
        now_ms,
        open: (shard: number) => store.workspace(tenant, shard),
        isThere: async (task: string) => (await store.of(tenant, task).ask({ kind: 'view' })).ok,
      }
      const { shardedWorkspace, totalsCheck } = known()
      return shardedWorkspace({ ...place, emptied, checkTotals: totalsCheck(place, checks, tenant) }, alone)
    },
  }
}
