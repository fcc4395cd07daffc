/** The shares of a quota: whatever messages are lost, doubled or late, the parts never exceed the bound. */
import { expect, it } from 'vitest'
import {
  amountOf,
  growShare,
  handedOut,
  handOutSlots,
  keyAxesToCheck,
  leftOf,
  newerShare,
  NO_SHARE,
  settleShare,
  shareIn,
  shrunkShare,
  type Ledger,
  type LedgerEntry,
  type Share,
  type ToldShare,
} from '../../../src/core/workspace/shards/shares.ts'
import { randomOf } from '../../sim/random.ts'

function ledgerOf(used: { value: number } = { value: 0 }): Ledger {
  const entries = new Map<number, LedgerEntry>()
  return {
    find: (shard) => entries.get(shard) ?? null,
    save: (shard, entry) => void entries.set(shard, entry),
    all: () => [...entries].map(([shard, entry]) => ({ shard, entry })),
    used: () => used.value,
  }
}
const MAX = 40
const LACK = { axis: 'open', amount: 1, max: MAX } as const

it('SHARD-03 a chunk is large where much is left and small where little is, and nothing is handed out beyond the bound', () => {
  const ledger = ledgerOf()
  const chunks: number[] = []
  for (let before = 0; growShare(ledger, 1, { ...LACK, max: 1_000 }, 4); before = handedOut(ledger, 'open'))
    chunks.push(handedOut(ledger, 'open') - before)
  expect(chunks[0]).toBe(125)
  expect(chunks.at(-1)).toBe(1)
  expect(handedOut(ledger, 'open')).toBe(1_000)
})

it('SHARD-03 whatever message of a share is lost, doubled or late, all shards together never have more than the bound, and what is lost comes back', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = randomOf(seed)
    const first_used = { value: 0 }
    const ledger = ledgerOf(first_used)
    const shards = new Map([1, 2, 3].map((shard) => [shard, { share: NO_SHARE, used: 0 }]))
    const under_way: (() => void)[] = []
    const toldBy = (shard: number): ToldShare => ({ shard, waits: false, ...(shards.get(shard)?.share ?? NO_SHARE) })
    const take = (shard: number, share: Share) => {
      const own = shards.get(shard)
      if (own !== undefined) own.share = newerShare(own.share, share)
    }
    const ask = (shard: number, told: ToldShare) => {
      settleShare(ledger, told, 0)
      growShare(ledger, shard, LACK, 4)
      const share = shareIn(ledger, shard)
      under_way.push(() => take(shard, share))
    }
    for (let step = 0; step < 200; step++) {
      const shard = random.pick([1, 2, 3])
      const own = shards.get(shard) ?? { share: NO_SHARE, used: 0 }
      const action = random.pick(['use', 'use', 'free', 'ask', 'shrink', 'deliver', 'deliver', 'first'] as const)
      if (action === 'use' && own.used < amountOf(own.share.amounts, 'open')) own.used += 1
      else if (action === 'free') own.used = Math.max(0, own.used - 1)
      else if (action === 'first' && leftOf(ledger, 'open', MAX) > 0) first_used.value += 1
      else if (action === 'ask' || action === 'shrink') {
        if (action === 'shrink') own.share = shrunkShare(own.share, ['open'], () => own.used)
        const told = toldBy(shard)
        under_way.push(() => (action === 'ask' ? ask(shard, told) : settleShare(ledger, told, 0)))
      } else if (under_way.length > 0) {
        const at = random.below(under_way.length)
        const message = under_way[at]
        // A message may come again later.
        if (!random.chance(0.2)) under_way.splice(at, 1)
        if (!random.chance(0.2)) message?.()
      }
      const used = [...shards.values()].reduce((sum, one) => sum + one.used, first_used.value)
      if (used > MAX) expect.fail(`seed ${seed}: ${used} of ${MAX} are used`)
      for (const [number, { share, used: part }] of shards) {
        const [own_part, handed] = [share, shareIn(ledger, number)].map(({ amounts }) => amountOf(amounts, 'open'))
        if (part > (own_part ?? 0) || (own_part ?? 0) > (handed ?? 0))
          expect.fail(`seed ${seed}: shard ${number} uses ${part} of ${own_part}, and was handed ${handed}`)
      }
    }
    // Each shard says once more what it holds, after it gave back what it does not use.
    for (const [shard, own] of shards) {
      own.share = shrunkShare(own.share, ['open'], () => own.used)
      settleShare(ledger, toldBy(shard), 0)
      take(shard, shareIn(ledger, shard))
      own.share = shrunkShare(own.share, ['open'], () => own.used)
      settleShare(ledger, toldBy(shard), 0)
    }
    const used = [...shards.values()].reduce((sum, one) => sum + one.used, 0)
    expect(handedOut(ledger, 'open'), `seed ${seed}`).toBe(used)
  }
})

it('SHARD-03 a share forgets an axis of which nothing is left, and keeps its number where nothing changes', () => {
  const own: Share = { number: 4, amounts: { open: 3, 'open key_a': 2, bytes: 5 }, is_scarce: false }
  const shrunk = shrunkShare(own, ['open key_a', 'open'], (axis) => (axis === 'open' ? 2 : 0))
  expect(shrunk).toEqual({ number: 5, amounts: { open: 2, bytes: 5 }, is_scarce: false })
  expect(Object.keys(shrunk.amounts)).toEqual(['open', 'bytes'])
  expect(shrunkShare(shrunk, ['open key_a'], () => 0)).toBe(shrunk)
})

it('SHARD-03 of many keys each is looked at again and again, and of few none', () => {
  const shareOf = (keys: number, number: number): Share => {
    const of_keys = Array.from({ length: keys }, (_, n) => [`open key_${n}`, 1] as const)
    return { number, amounts: { open: 9, ...Object.fromEntries(of_keys) }, is_scarce: false }
  }
  expect(keyAxesToCheck(shareOf(16, 3))).toEqual([])
  expect(keyAxesToCheck(shareOf(18, 3))).toEqual(['open key_3', 'open key_4'])
  const seen = new Set(Array.from({ length: 100 }, (_, number) => keyAxesToCheck(shareOf(100, number))).flat())
  expect(seen.size).toBe(100)
})

it('SHARD-07 free run slots go one by one to the shards that wait, the one that has waited longest first', () => {
  const ledger = ledgerOf()
  const told = (shard: number): ToldShare => ({ shard, ...NO_SHARE, waits: true })
  settleShare(ledger, told(3), 10)
  settleShare(ledger, told(1), 20)
  settleShare(ledger, told(0), 30)
  settleShare(ledger, told(3), 40)
  let first = 0
  const given = handOutSlots(ledger, 2, 4, () => void (first += 1))
  expect(given).toEqual([3, 1])
  expect(first).toBe(0)
  expect(handOutSlots(ledger, 3, 4, () => void (first += 1))).toEqual([0])
  expect(first).toBe(1)
  expect(shareIn(ledger, 3)).toEqual({ number: 1, amounts: { slots: 1 }, is_scarce: false })
})
