/** The store, in which the workspaces of some tenants are divided into shards. A tenant with one shard has the object that it always had. */
import { shardsOf, type ShardLayout } from '../../core/workspace/shards/layout.ts'
import type { RemoteWorkspace } from '../../core/protocol/workspace-requests.ts'
import type { TaskStore } from '../ports.ts'
import type { TotalChecks } from './totals.ts'

interface ShardConfig {
  shardsOf: (tenant: string) => ShardLayout
  max_driven_tasks: number
  max_stored_bytes: number
}

export function storeWithShards(store: TaskStore, config: ShardConfig, now_ms: () => number): TaskStore {
  const memory = { emptied: new Map<string, number>(), tied: new Set<string>() }
  const checks: TotalChecks = new Map()
  return {
    of: (tenant, id) => store.of(tenant, id),
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
      return lazyWorkspace(async () => {
        const [{ shardedWorkspace }, { totalsCheck }] = await loadShards()
        return shardedWorkspace({ ...place, ...memory, checkTotals: totalsCheck(place, checks, tenant) }, alone)
      })
    },
  }
}

/** Most services have no tenant with several shards, so the first request of one loads what it takes. */
const loadShards = () => Promise.all([import('./sharded-workspace.ts'), import('./totals.ts')])

const lazyWorkspace = (load: () => Promise<RemoteWorkspace>): RemoteWorkspace => ({
  tell: async (command) => (await load()).tell(command),
  ask: async (query) => (await load()).ask(query),
  tellInShard: async (call) => (await load()).tellInShard(call),
  awaitDelegation: async (wait_ms) => (await load()).awaitDelegation(wait_ms),
})
