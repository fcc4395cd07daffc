/** Seeded runs of a tenant with one shard, with several, and with more of them from one moment to the next. */
import { describe, expect, it } from 'vitest'
import { playShards } from './shards.ts'

const RUNS = 60
const ONE = { count: 1, since: 1 }
const CASES = [
  ['one shard', [ONE]],
  ['four shards', [{ count: 4, since: 4 }]],
  ['a growth from one to four', [ONE, { count: 4, since: 1 }]],
  ['two growths, from one over two to eight', [ONE, { count: 2, since: 1 }, { count: 8, since: 1 }]],
] as const
/** What must have happened in some run for the silence of the checkers to mean anything. */
const SOMETIMES = [
  'create',
  'again',
  'end',
  'reopen',
  'delete',
  'restart',
  'slot held',
  'slot awaited',
  'funded',
  'not funded',
  'refused: quota_exceeded',
  'died at admit',
  'died at set_status',
  'died at drop',
  'died at acquire_slot',
]
const IN_SHARDS = ['died at settle_shares', 'died at give_share', 'died at shrink_share', 'died at reserve_in_shard']

describe('shards under faults', () => {
  it.each(CASES)(
    'SHARD-02 SHARD-03 SHARD-04 SHARD-07 with %s no quota is exceeded, no task is lost or counted twice, and whoever waits for a slot gets one',
    async (_, layouts) => {
      const total = new Map<string, number>()
      for (let seed = 1; seed <= RUNS; seed++) {
        const { violations, counts } = await playShards(seed, layouts)
        for (const [what, often] of counts) total.set(what, (total.get(what) ?? 0) + often)
        expect(violations.slice(0, 3), `seed ${seed}`).toEqual([])
      }
      const expected = layouts[0].count === 1 ? SOMETIMES : [...SOMETIMES, ...IN_SHARDS]
      expect(expected.filter((what) => !total.has(what))).toEqual([])
    },
    120_000,
  )
})
