/** What a tenant has spent and reserved of its totals of a UTC day, in memory. */
import type { AllowanceRefund } from '../../../src/core/terms/axes.ts'
import {
  CHUNK_MS_MAX,
  chunkFor,
  dayOf,
  isExhausted,
  NO_SPEND,
  type DailySpend,
  type DailyLimits,
} from '../../../src/core/workspace/daily-totals.ts'
import type { WorkspaceMethods } from '../../../src/core/protocol/workspace-methods.ts'

export function memoryTotals(now: () => number) {
  const spent = new Map<string, DailySpend>()
  const chunks = new Map<string, number>()
  const spentOn = (day: string) => spent.get(day) ?? NO_SPEND
  const spend = ({ day, tokens, cost }: AllowanceRefund, sign: 1 | -1) => {
    const before = spentOn(day)
    spent.set(day, { tokens: before.tokens + sign * tokens, cost: before.cost + sign * cost })
  }
  const totals: Pick<WorkspaceMethods, 'reserve' | 'giveBack' | 'mayComeBack'> = {
    reserve(want, daily) {
      const day = dayOf(now())
      const chunk = chunkFor(want, spentOn(day), daily, day)
      if (chunk === null) return null
      spend(chunk, 1)
      if (want.task !== undefined) chunks.set(want.task, now())
      return chunk
    },
    giveBack(refund) {
      spend(refund, -1)
      if (refund.task !== undefined) chunks.delete(refund.task)
    },
    mayComeBack: (task) => [...chunks].some(([id, at]) => id !== task && at > now() - CHUNK_MS_MAX),
  }
  return { ...totals, isUsedUp: (daily: DailyLimits) => isExhausted(spentOn(dayOf(now())), daily) }
}
