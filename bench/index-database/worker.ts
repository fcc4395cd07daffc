/** Fills an index database as workspaces do, and says what its pages cost. For scripts/bench-index-database.mjs. */
import type { FeedBatch } from '../../src/core/protocol/index/feed.ts'
import type { IndexFilter } from '../../src/core/protocol/workspace-records.ts'
import { findPage } from '../../src/store/index-database/find-page.ts'
import { indexDatabase } from '../../src/store/index-database/index-database.ts'

interface Asked {
  kind: 'fill' | 'find' | 'change' | 'size'
  tenant: string
  from: number
  to: number
  filter: IndexFilter
  times: number
}

const ANY: IndexFilter = { status: null, mode: null, metadata: {}, q: null, outcome: null }
const BEGUN = 1_764_000_000_000
const SPACING_MS = 30_000
const WORDS =
  'prepare move office compare three offers write report weekly sales customer data quarter review plan trip berlin shanghai budget check invoices summarize emails fix bug login page translate contract german english book flights search hotel list team meeting notes draft answer support ticket'.split(
    ' ',
  )

function entryOf(n: number, revision: number, status: string) {
  const words = Array.from({ length: 8 }, (_, at) => WORDS[(n * 7919 + at * 104_729 + ((n >> at) & 15)) % WORDS.length])
  const id = `task_${((n + 1) * 2_654_435_761).toString(36)}${((n + 7) * 40_503_017).toString(36)}abcdef`
  const goal = `${words.join(' ')} no ${n}`
  const common = {
    outcome: n % 3 === 0 ? 'done' : '',
    forked_from: n % 5000 === 1 ? 'task_parent' : '',
    agent: n % 4000 === 1 ? 'rare' : '',
  }
  return {
    ...common,
    position: BEGUN + n * SPACING_MS,
    revision,
    id,
    mode: n % 2 === 0 ? 'plan_execute' : 'session',
    status,
    metadata: { team: `t${n % 1000}` },
    goal,
  }
}

export default {
  async fetch(request: Request, env: { INDEX: D1Database }): Promise<Response> {
    const asked: Asked = await request.json()
    const { kind, tenant, from, to } = asked
    let meta = { rows_read: 0, rows_written: 0, size: 0 }
    const counted = {
      prepare: (query: string) => env.INDEX.prepare(query),
      async batch(statements: D1PreparedStatement[]) {
        const results = await env.INDEX.batch(statements)
        for (const one of results) {
          meta.rows_read += one.meta.rows_read
          meta.rows_written += one.meta.rows_written
          meta.size = one.meta.size_after
        }
        return results
      },
    } as D1Database // what the service uses of it
    const database = indexDatabase(counted, { now_ms: () => Date.now(), wait: () => new Promise(() => undefined) })
    if (kind === 'fill' || kind === 'change') {
      const status = (n: number) => (kind === 'fill' ? (n % 500 === 0 ? 'running' : 'completed') : 'failed')
      const revision = kind === 'fill' ? 1 : Date.now()
      const entries = Array.from({ length: to - from }, (_, n) => entryOf(from + n, revision, status(from + n)))
      const batch: FeedBatch = {
        epoch: 1,
        number: Date.now(),
        follows: null,
        complete_to: 1,
        entries,
        removals: [],
        copied: null,
        more: false,
      }
      await database.write({ tenant, shard: 0 }, batch)
      return Response.json(meta)
    }
    const begun = performance.now()
    for (let n = 0; n < asked.times; n++) {
      meta = { ...meta, rows_read: 0 }
      await findPage(counted, tenant, { ...ANY, ...asked.filter }, { before: null, limit: 20 })
    }
    return Response.json({ ...meta, wall_ms: (performance.now() - begun) / asked.times })
  },
}
