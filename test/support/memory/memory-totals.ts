/** The amounts that a tenant has spent and reserved of its limits for a UTC day, in memory. */
import type { AllowanceRefund } from '../../../src/core/terms/axes.ts'
import {
  boundedTotals,
  CHUNK_MS_MAX,
  chunkFor,
  dayOf,
  fullAxis,
  monthOf,
  refuseSpent,
  type DailySpend,
  type SpendLimits,
} from '../../../src/core/workspace/daily-totals.ts'
import { ok, type Result } from '../../../src/core/terms/refusal.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'

const NOTHING: DailySpend = { tokens: 0, cost: 0 }

export function memoryTotals(now: () => number) {
  /** By the day, and by the key and the day. */
  const spent = new Map<string, DailySpend>()
  const chunks = new Map<string, number>()
  const rowOf = (key: string | null, day: string) => (key === null ? day : `${day} ${key}`)
  const spend = ({ day, tokens, cost }: AllowanceRefund, key: string | undefined, sign: 1 | -1) => {
    for (const row of key === undefined ? [rowOf(null, day)] : [rowOf(null, day), rowOf(key, day)]) {
      const before = spent.get(row) ?? NOTHING
      spent.set(row, { tokens: before.tokens + sign * tokens, cost: before.cost + sign * cost })
    }
  }
  const totalsOf = (limits: SpendLimits) =>
    boundedTotals(limits, (holder, period) => {
      const key = holder === 'key' ? (limits.key?.name ?? null) : null
      const today = dayOf(now())
      if (period === 'day') return spent.get(rowOf(key, today)) ?? NOTHING
      const days = Array.from({ length: 31 }, (_, index) => `${monthOf(today)}-${String(index + 1).padStart(2, '0')}`)
      const rows = days.map((day) => spent.get(rowOf(key, day)) ?? NOTHING)
      return rows.reduce((sum, row) => ({ tokens: sum.tokens + row.tokens, cost: sum.cost + row.cost }))
    })
  const commands: MemoryCommands<'reserve' | 'give_back'> = {
    reserve({ want, ...limits }) {
      const chunk = chunkFor(want, totalsOf(limits), dayOf(now()))
      if (chunk === null) return null
      spend(chunk, limits.key?.name, 1)
      if (want.task !== undefined) chunks.set(want.task, now())
      return chunk
    },
    give_back({ refund }) {
      spend(refund, refund.key, -1)
      if (refund.task !== undefined) chunks.delete(refund.task)
    },
  }
  const check = (limits: SpendLimits): Result<null> => {
    const full = fullAxis(totalsOf(limits))
    return full === null ? ok(null) : refuseSpent(full, now())
  }
  const queries: MemoryQueries<'may_come_back' | 'check_totals'> = {
    check_totals: check,
    may_come_back: ({ task }) => [...chunks].some(([id, at]) => id !== task && at > now() - CHUNK_MS_MAX),
  }
  return {
    commands,
    queries,
    forgetChunk: (task: string) => chunks.delete(task),
    totalsOf,
    check,
  }
}
