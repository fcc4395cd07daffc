/** Which shard a task belongs to, under any layout that its tenant has had. */
import { expect, it } from 'vitest'
import { homesOf, isShardCount, ONE_SHARD, SHARDS_MAX, shardsOf } from '../../../src/core/workspace/shards/layout.ts'
import { cursorIn, mergePages } from '../../../src/core/workspace/shards/merge-pages.ts'
import { workspaceName, tenantIn, shardIn } from '../../../src/store/workspace/owner.ts'
import { randomOf } from '../../sim/random.ts'

const IDS = Array.from({ length: 4_096 }, (_, n) => `task_${(n * 2_654_435_761).toString(16).padStart(32, '0')}`)
const COUNTS = [1, 2, 4, 8, 16, 32, 64]

it('SHARD-01 one shard is the object that every tenant has, under its name', () => {
  expect(shardsOf(ONE_SHARD)).toEqual([0])
  for (const id of IDS.slice(0, 50)) expect(homesOf(id, ONE_SHARD)).toEqual([0])
  expect(workspaceName('acme', 0)).toBe('["acme"]')
  expect(workspaceName('acme', 3)).toBe('["acme",3]')
  expect([tenantIn('["acme",3]'), shardIn('["acme",3]')]).toEqual(['acme', 3])
  expect([tenantIn('["acme"]'), shardIn('["acme"]')]).toEqual(['acme', 0])
  for (const name of ['["acme",0]', '["acme",1.5]', 'x', undefined])
    expect([name, tenantIn(name), shardIn(name)]).toEqual([name, null, 0])
})

it('SHARD-02 the home of a task under fewer shards is among its homes under more, so that no growth loses it', () => {
  for (const id of IDS.slice(0, 100))
    for (const count of COUNTS)
      for (const earlier of COUNTS.filter((one) => one <= count)) {
        const [home] = homesOf(id, { count: earlier, since: earlier })
        expect(homesOf(id, { count, since: 1 })).toContain(home)
        expect(homesOf(id, { count, since: earlier })).toContain(home)
      }
})

it('SHARD-02 a task has one home where the number never changed, and at most one for each doubling', () => {
  const homes = (since: number) => IDS.map((id) => homesOf(id, { count: 64, since }).length)
  expect(Math.max(...homes(64))).toBe(1)
  expect(Math.max(...homes(1))).toBe(7)
})

it('SHARD-02 tasks are spread evenly', () => {
  for (const count of COUNTS) {
    const tally = new Map<number, number>()
    for (const id of IDS) {
      const [home] = homesOf(id, { count, since: count })
      tally.set(home, (tally.get(home) ?? 0) + 1)
    }
    const fair = IDS.length / count
    for (const number of shardsOf({ count, since: count }))
      expect(Math.abs((tally.get(number) ?? 0) - fair)).toBeLessThan(6 * Math.sqrt(fair) + 1)
  }
})

it('SHARD-08 a number of shards is a power of two up to 64', () => {
  expect(Array.from({ length: 130 }, (_, n) => n).filter(isShardCount)).toEqual(COUNTS)
  expect(SHARDS_MAX).toBe(64)
})

it('SHARD-06 merged pages show every entry once, the newest first, also where positions are equal and pages end early', () => {
  const random = randomOf(7)
  for (let round = 0; round < 200; round++) {
    const shards = random.pick([1, 2, 3, 8])
    // Positions of the first release are small.
    const first = random.pick([1, 1_790_000_000_000])
    const entries = Array.from({ length: random.between(0, 40) }, () => ({
      position: first + random.below(12),
      shard: random.below(shards),
    })).filter(
      ({ position, shard }, n, all) => all.findIndex((one) => one.position === position && one.shard === shard) === n,
    )
    const limit = random.between(1, 5)
    const pageOf = (shard: number, cursor: number) => {
      const before = cursorIn(cursor, shard)
      const below = entries
        .filter((one) => one.shard === shard && (before === 0 || one.position < before))
        .toSorted((a, b) => b.position - a.position)
      // A search looks at so many rows, and then says where it goes on.
      const looked = below.slice(0, random.between(1, limit))
      return { shard, entries: looked, next: looked.length < below.length ? (looked.at(-1)?.position ?? null) : null }
    }
    const shown: typeof entries = []
    for (let cursor = 0; ;) {
      const pages = Array.from({ length: shards }, (_, shard) => pageOf(shard, cursor))
      const { entries: page, next } = mergePages(pages, limit)
      expect(page.length).toBeLessThanOrEqual(limit)
      shown.push(...page.map(({ entry }) => entry))
      if (next === null) break
      cursor = next
    }
    expect(shown).toEqual(entries.toSorted((a, b) => b.position - a.position || b.shard - a.shard))
  }
})

it('SHARD-06 a cursor from before the growth goes on where it was', () => {
  for (const shard of [0, 1, 63]) expect(cursorIn(1_790_000_000_000, shard)).toBe(1_790_000_000_000)
})
