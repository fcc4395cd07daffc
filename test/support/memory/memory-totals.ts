/** The amounts that a tenant has spent and reserved of its limits for a UTC day, in memory. */
import type { AllowanceRefund } from '../../../src/core/terms/axes.ts'
import { ok, refuse } from '../../../src/core/terms/refusal.ts'
import {
  CHUNK_MS_MAX,
  chunkFor,
  dayOf,
  isExhausted,
  NO_SPEND,
  secondsUntilTomorrow,
  type DailySpend,
  type DailyLimits,
} from '../../../src/core/workspace/daily-totals.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'

export function memoryTotals(now: () => number) {
  const spent = new Map<string, DailySpend>()
  const chunks = new Map<string, number>()
  const spentOn = (day: string) => spent.get(day) ?? NO_SPEND
  const spend = ({ day, tokens, cost }: AllowanceRefund, sign: 1 | -1) => {
    const before = spentOn(day)
    spent.set(day, { tokens: before.tokens + sign * tokens, cost: before.cost + sign * cost })
  }
  const commands: MemoryCommands<'reserve' | 'give_back'> = {
    reserve({ want, daily }) {
      const day = dayOf(now())
      const chunk = chunkFor(want, spentOn(day), daily, day)
      if (chunk === null) return null
      spend(chunk, 1)
      if (want.task !== undefined) chunks.set(want.task, now())
      return chunk
    },
    give_back({ refund }) {
      spend(refund, -1)
      if (refund.task !== undefined) chunks.delete(refund.task)
    },
  }
  const isUsedUp = (daily: DailyLimits) => isExhausted(spentOn(dayOf(now())), daily)
  const queries: MemoryQueries<'may_come_back' | 'check_totals'> = {
    check_totals: ({ daily }) =>
      isUsedUp(daily) ? refuse({ code: 'tenant_budget_exceeded', reset_s: secondsUntilTomorrow(now()) }) : ok(null),
    may_come_back: ({ task }) => [...chunks].some(([id, at]) => id !== task && at > now() - CHUNK_MS_MAX),
  }
  return {
    commands,
    queries,
    forgetChunk: (task: string) => chunks.delete(task),
    isUsedUp,
  }
}
