/** The index database finds for a list what the workspace of the tenant would find, whatever the filter, the page and what is fed by then. */
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { Outcome, Status } from '../../src/core/terms/status.ts'
import type { IndexFilter } from '../../src/core/protocol/workspace-records.ts'
import { findPage } from '../../src/shell/listing/find-page.ts'
import type { Ports } from '../../src/shell/ports.ts'
import { ANY, fedWorkspace } from '../support/fed-workspace.ts'

const GOALS = [
  'Prepare the move of the office',
  'Office 12: report',
  '准备搬办公室',
  '办公',
  'ÄRGER über Öl',
  'a',
  'x'.repeat(250) + ' tail of the goal',
  '',
]
const ids = ['task_a1', 'task_b2', 'task_c3', 'task_d4', 'task_e5', 'task_f6']
const id = fc.constantFrom(...ids)
const agent = fc.constantFrom('writer', 'reader')
const label = fc.dictionary(fc.constantFrom('team', 'a.b'), fc.constantFrom('red', 'blue'))
const Change = fc.oneof(
  fc.record({
    kind: fc.constant('admit' as const),
    id,
    goal: fc.constantFrom(...GOALS),
    mode: fc.constantFrom('plan_execute', 'session'),
    metadata: label,
    agent: fc.option(agent, { nil: undefined }),
    forked_from: fc.option(id, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant('status' as const),
    id,
    status: fc.constantFrom(...Status.options),
    outcome: fc.option(fc.constantFrom(...Outcome.options)),
    version: fc.integer({ min: 1, max: 9 }),
    metadata: fc.option(label, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('drop' as const), id }),
  fc.record({ kind: fc.constant('feed' as const) }),
)
const Filter: fc.Arbitrary<IndexFilter> = fc.record({
  status: fc.option(fc.constantFrom(...Status.options), { freq: 1 }),
  mode: fc.option(fc.constantFrom('plan_execute', 'session'), { freq: 1 }),
  outcome: fc.option(fc.constantFrom(...Outcome.options), { freq: 1 }),
  agent: fc.option(agent, { freq: 1 }),
  forked_from: fc.option(id, { freq: 1 }),
  metadata: fc.oneof(fc.constant({}), label),
  q: fc.option(
    fc.constantFrom(
      'office',
      'OFFICE',
      'o',
      'of',
      '办公',
      '公',
      '公室',
      '搬',
      'task_',
      'sk_b',
      'b2',
      '12: r',
      'über ö',
      'tail of',
      'nowhere',
      ' ',
    ),
    { freq: 1 },
  ),
})

describe('the index database', () => {
  it(
    'IDX-01 finds what the workspace finds, for random entries, changes, filters and pages',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(Change, { maxLength: 25 }),
          fc.array(Filter, { minLength: 6, maxLength: 6 }),
          fc.integer({ min: 1, max: 4 }),
          fc.boolean(),
          async (changes, filters, limit, is_drained) => {
            const one = fedWorkspace()
            for (const change of changes) {
              if (change.kind === 'feed') await one.feed()
              else if (change.kind === 'drop') await one.drop(change.id)
              else if (change.kind === 'admit') {
                const { goal, mode, metadata, agent: by, forked_from } = change
                await one.admit(change.id, {
                  goal,
                  mode,
                  metadata,
                  ...(by && { agent: by }),
                  ...(forked_from && { forked_from }),
                })
              } else {
                const { id: of, status, outcome, version, metadata } = change
                await one.tell({ kind: 'set_status', id: of, status, outcome, version, spend: null, metadata })
              }
            }
            // Of what is not fed the workspace itself finds what belongs to the page.
            if (is_drained) await one.feed()
            if (is_drained) expect(await one.ask({ kind: 'feed_batch' })).toBeNull()
            for (const filter of filters) {
              const plain = await one.listPlainly(filter, limit)
              const found = await one.list(filter, limit)
              // The rest of a long goal is compared by whoever lists it.
              expect(
                found.filter((name) => plain.includes(name)),
                JSON.stringify(filter),
              ).toEqual(plain)
              if (filter.q === null || filter.q === undefined) expect(found).toEqual(plain)
            }
          },
        ),
        { numRuns: 40 },
      )
    },
  )

  it('IDX-13 lists the tasks of all workspaces of a tenant in one order, and goes on where a page ended', async () => {
    const first = fedWorkspace()
    const workspaces = [0, 1, 2].map((shard) => (shard === 0 ? first : fedWorkspace({ tenant: first.tenant, shard })))
    const store = { workspace: (_: string, shard = 0) => workspaces[shard]?.workspace }
    const ports = { ...first.ports, store, shard_count: () => 3 } as unknown as Ports // what listing uses of them
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
    try {
      // Positions of the three are the same, or near.
      for (const [shard, one] of workspaces.entries())
        await one.admitMany(
          Array.from({ length: 9 }, (_, n) => `task_${shard}${n}`),
          (n) => ({ goal: n % 2 === 0 ? 'even office' : 'odd office', mode: n % 3 === 0 ? 'session' : 'dynamic' }),
        )
      const read = async (filter: Partial<IndexFilter>, limit: number) => {
        const found: string[] = []
        for (let after: number | null = 0; after !== null;) {
          const page: Awaited<ReturnType<typeof findPage>> = await findPage(
            ports,
            first.tenant,
            { ...ANY, ...filter },
            { after, limit },
          )
          found.push(...page.entries.map((entry) => entry.id))
          after = page.next
        }
        return found
      }
      const order = [8, 7, 6, 5, 4, 3, 2, 1, 0].flatMap((n) => [2, 1, 0].map((shard) => `task_${shard}${n}`))
      for (const one of workspaces) await one.feed()
      for (const limit of [1, 2, 4, 5, 100]) {
        expect(await read({}, limit)).toEqual(order)
        const even = order.filter((name) => Number(name.at(-1)) % 2 === 0)
        expect(await read({ q: 'even' }, limit)).toEqual(even)
        expect(await read({ status: 'running', mode: 'session' }, limit)).toEqual(
          order.filter((name) => Number(name.at(-1)) % 3 === 0),
        )
      }
      for (const one of workspaces.slice(1)) await one.admit('task_x9')
      expect((await read({}, 2)).length).toBe(29)
      await workspaces[2]?.drop('task_25')
      expect(await read({}, 3)).not.toContain('task_25')
    } finally {
      vi.useRealTimers()
    }
  })
})
