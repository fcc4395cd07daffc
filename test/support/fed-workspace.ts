/** A real workspace of a tenant of its own that feeds an index database, and what lists find through either. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import type { Job } from '../../src/core/protocol/alarm-times.ts'
import type { IndexedTask, IndexEntry, IndexFilter } from '../../src/core/protocol/workspace-records.ts'
import type { RemoteWorkspace } from '../../src/core/protocol/workspace-requests.ts'
import { incarnationOf } from '../../src/core/workspace/incarnation.ts'
import { feedIndex } from '../../src/shell/listing/feed-index.ts'
import { findPage } from '../../src/shell/listing/find-page.ts'
import type { IndexDatabase } from '../../src/core/protocol/index/feed.ts'
import type { Ports } from '../../src/shell/ports.ts'
import { indexDatabase } from '../../src/store/index-database/index-database.ts'
import { workspaceName } from '../../src/store/workspace/owner.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'

export const ANY: IndexFilter = { status: null, mode: null, metadata: {}, q: null, outcome: null }
const NOTHING_SPENT = { tokens: null, cost: null }
const never = () => new Promise<never>(() => undefined)

/** The database as the service uses it; `over` is the binding that a test has put something in front of. */
export const databaseOf = (over: D1Database = env.INDEX_OF_TESTS): IndexDatabase =>
  indexDatabase(over, { now_ms: () => Date.now(), wait: never })

type Entry = Partial<Pick<IndexEntry, 'goal' | 'mode' | 'metadata' | 'agent' | 'forked_from'>>
const admissionOf = (id: string, more: Entry) => ({
  kind: 'admit' as const,
  entry: { id, mode: 'plan_execute', status: 'running' as const, metadata: {}, goal: '', slice: `s${id}`, ...more },
  open_max: 1e9,
  daily: NOTHING_SPENT,
})

export function fedWorkspace({ tenant = crypto.randomUUID(), database = databaseOf(), shard = 0 } = {}) {
  const stub = env.WORKSPACES.getByName(workspaceName(tenant, shard))
  const asked: Job[] = []
  const jobs = { send: async (job: Job) => void asked.push(job) }
  let bound: object = { ...env, INDEX: env.INDEX_OF_TESTS, JOBS: jobs }
  const within = <T>(body: (object: WorkspaceObject, state: DurableObjectState) => T | Promise<T>) =>
    runInDurableObject(stub, (object: WorkspaceObject, state) => {
      Object.defineProperty(object, 'env', { value: bound, configurable: true })
      return body(object, state)
    })
  const workspace: Pick<RemoteWorkspace, 'tell' | 'ask'> = {
    tell: (command) => within((object) => object.tell(command)) as never, // as the object answers
    ask: (query) => within((object) => object.ask(query)) as never,
  }
  const ports = {
    store: { workspace: () => workspace },
    index_database: database,
    shard_count: () => 1,
    clock: { now_ms: () => Date.now(), wall_ms: () => Date.now() },
  } as unknown as Ports // what listing and feeding use of them
  const idsOf = (entries: IndexedTask[]) => entries.map(({ id }) => id)
  return {
    tenant,
    asked,
    within,
    ports,
    workspace,
    ...workspace,
    /** The object is loaded again, with the database or without one. */
    async reload(is_bound: boolean) {
      await within(() => undefined)
      await evictDurableObject(stub)
      bound = { ...env, JOBS: jobs, ...(is_bound ? { INDEX: env.INDEX_OF_TESTS } : {}) }
    },
    admit: (id: string, more: Entry = {}) => workspace.tell(admissionOf(id, more)),
    /** In one call, the first one first. */
    admitMany: (ids: string[], more: (n: number) => Entry = () => ({})) =>
      within((object) => void ids.forEach((id, n) => object.tell(admissionOf(id, more(n))))),
    drop: (id: string) => workspace.tell({ kind: 'drop', id, admitted: [incarnationOf(`s${id}`)] }),
    feed: () => feedIndex(ports, tenant, shard),
    page: (filter: Partial<IndexFilter> = {}, { after = 0, limit = 20 } = {}) =>
      findPage(ports, tenant, { ...ANY, ...filter }, { after, limit }),
    /** All pages, as a client reads them. */
    async list(filter: Partial<IndexFilter> = {}, limit = 20): Promise<string[]> {
      const found: string[] = []
      for (let after: number | null = 0; after !== null;) {
        const page: Awaited<ReturnType<typeof findPage>> = await findPage(
          ports,
          tenant,
          { ...ANY, ...filter },
          { after, limit },
        )
        found.push(...idsOf(page.entries))
        after = page.next
      }
      return found
    },
    /** The same of the workspace alone. */
    async listPlainly(filter: Partial<IndexFilter> = {}, limit = 20): Promise<string[]> {
      const found: string[] = []
      for (let before: number | null = 0; before !== null;) {
        const page: Awaited<ReturnType<typeof findPage>> = {
          as_of: 0,
          ...(await workspace.ask({ kind: 'list', filter: { ...ANY, ...filter }, before, limit })),
        }
        found.push(...idsOf(page.entries))
        before = page.next
      }
      return found
    },
    /** What the database alone finds. */
    async find(filter: Partial<IndexFilter> = {}): Promise<number[]> {
      const page = await database.find(tenant, { ...ANY, ...filter }, { before: null, limit: 1_000 })
      return (page?.found ?? []).map(({ position }) => position)
    },
  }
}
