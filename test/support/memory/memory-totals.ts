/** What a tenant has spent and reserved of its totals of a UTC day, in memory. */
import type { AllowanceRefund } from '../../../src/core/terms/axes.ts'
import {
  CHUNK_MS_MAX,
  chunkOf,
  dayOf,
  isExhausted,
  NOTHING_SPENT,
  type Spent,
} from '../../../src/core/workspace/daily-totals.ts'
import type { WorkspaceMethods } from '../../../src/core/protocol/workspace-methods.ts'
import type { Daily } from '../../../src/core/workspace/daily-totals.ts'

export function memoryTotals(now: () => number) {
  const spent = new Map<string, Spent>()
  const chunks = new Map<string, number>()
  const spentOn = (day: string) => spent.get(day) ?? NOTHING_SPENT
  const spend = ({ day, tokens, cost }: AllowanceRefund, sign: 1 | -1) => {
    const before = spentOn(day)
    spent.set(day, { tokens: before.tokens + sign * tokens, cost: before.cost + sign * cost })
  }
  const totals: Pick<WorkspaceMethods, 'reserve' | 'giveBack' | 'mayComeBack'> = {
    reserve(want, daily) {
      const day = dayOf(now())
      const chunk = chunkOf(want, spentOn(day), daily, day)
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
  return { ...totals, isUsedUp: (daily: Daily) => isExhausted(spentOn(dayOf(now())), daily) }
}
