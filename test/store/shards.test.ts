/** Several shards of one tenant, each an object of its own, as the requests of the service see them (SHARD-01 …). */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { homesOf, shardsOf, type ShardLayout } from '../../src/core/workspace/shards/layout.ts'
import { storeWithShards } from '../../src/shell/shards/store-with-shards.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { workspaceName } from '../../src/store/workspace/owner.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import { NO_TOTAL } from '../support/scripted.ts'

const GB = 1_073_741_824
const ANY = { status: null, mode: null, metadata: {}, q: null, outcome: null }

const entryOf = (id: string) => ({
  id,
  mode: 'plan_execute',
  status: 'running' as const,
  metadata: {},
  goal: `goal of ${id}`,
  slice: `s of ${id}`,
})

function tenantWith(layout: ShardLayout, limits: { slots?: number; bytes?: number } = {}) {
  const tenant = crypto.randomUUID()
  const stored = durableStore(env.TASKS, env.WORKSPACES)
  const at = { layout, now: Date.now() }
  const config = {
    shardsOf: () => at.layout,
    max_driven_tasks: limits.slots ?? 10,
    max_stored_bytes: limits.bytes ?? GB,
  }
  const store = storeWithShards(stored, config, () => at.now)
  const workspace = () => store.workspace(tenant)
  return {
    tenant,
    grow: (next: ShardLayout) => void (at.layout = next),
    later: (ms: number) => void (at.now += ms),
    workspace,
    shard: (number: number) => store.workspace(tenant, number),
    admit: (id: string, open_max = 1_000) =>
      workspace().tell({ kind: 'admit', entry: entryOf(id), open_max, daily: NO_TOTAL }),
    end: (id: string, version = 9) =>
      workspace().tell({ kind: 'set_status', id, status: 'completed', version, spend: null }),
    within: <T>(number: number, body: (sql: SqlStorage) => T) =>
      runInDurableObject(env.WORKSPACES.getByName(workspaceName(tenant, number)), (_: WorkspaceObject, state) =>
        body(state.storage.sql),
      ),
  }
}
const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `task_${(n + from).toString(16).padStart(32, 'f')}`)
const FOUR = { count: 4, since: 1 }

async function listed(tenant: ReturnType<typeof tenantWith>, limit = 7) {
  const found: string[] = []
  for (let before = 0; ;) {
    const page = await tenant.workspace().ask({ kind: 'list', filter: ANY, before, limit })
    found.push(...page.entries.map(({ id }) => id))
    if (page.next === null) return found
    before = page.next
  }
}
const openIn = (sql: SqlStorage) =>
  sql.exec<{ value: number }>("SELECT value FROM counters WHERE name = 'open_tasks'").one().value

describe('shards of a tenant', () => {
  it('SHARD-02 each task is entered in its shard, and a list shows all of them once, the newest first', async () => {
    const tenant = tenantWith(FOUR)
    const all = ids(40)
    for (const id of all) expect(await tenant.admit(id)).toEqual({ ok: true, value: null })
    const counts = await Promise.all(shardsOf(FOUR).map((number) => tenant.within(number, openIn)))
    expect(counts).toEqual(shardsOf(FOUR).map((number) => all.filter((id) => homesOf(id, FOUR)[0] === number).length))
    const shown = await listed(tenant)
    expect(shown.toSorted()).toEqual(all.toSorted())
    expect(new Set(shown).size).toBe(40)
  })

  it('SHARD-03 the shards together admit as many open tasks as the tenant may have, and not one more', async () => {
    const tenant = tenantWith(FOUR)
    const answers = []
    for (const id of ids(60)) answers.push(await tenant.admit(id, 25))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(25)
    expect(answers.at(-1)).toEqual({ ok: false, refusal: { code: 'quota_exceeded', open: 25, max: 25 } })
  })
})
