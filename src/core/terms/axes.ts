/** The axes of a budget, and amounts on them. */
import * as z from 'zod'

export const Axis = z.enum(['steps', 'tokens', 'cost_usd', 'seconds'])
export type Axis = z.infer<typeof Axis>

/** What a task may spend of its tenant's daily total before it asks again (U16). Money is in micro-dollars. */
export const Allowance = z.object({ tokens: z.int().min(0), cost: z.int().min(0), day: z.string() })
export type Allowance = z.infer<typeof Allowance>
/** What was reserved of a tenant's total. `scarce`: so little is left that a task must give back what it does not use. */
export type AllowanceChunk = Allowance & { scarce?: true }
/**
 * What goes back to a tenant's total. A negative amount is what a call cost beyond its allowance. `task` names a task that
 * holds no allowance any more. `key` names the key whose totals the amount was counted in too.
 */
export type AllowanceRefund = { tokens: number; cost: number; day: string; task?: string; key?: string }
/**
 * What a task needs for its next call, and what it holds already. Only the difference is taken from the totals. `key` names the key that
 * made the task, whose totals bound it too.
 */
export type AllowanceRequest = { tokens: number; cost: number; held?: Allowance; task?: string; key?: string }
/** Whose limit it is. */
export type LimitHolder = 'tenant' | 'key'
/** What a total of a tenant or key counts: a UTC day, or a calendar month of UTC. */
export type SpendPeriod = 'day' | 'month'
/** The axis of a total on which there is no room. Money is in micro-dollars. */
export interface SpentAxis {
  holder: LimitHolder
  period: SpendPeriod
  axis: 'tokens' | 'cost'
  limit: number
}
export const NO_ALLOWANCE: Allowance = { tokens: 0, cost: 0, day: '' }

/** Amounts to add to a budget, in the units of the stored axes: steps or iterations, tokens, micro-dollars, ms. */
export const Grant = z.object({
  steps: z.int().min(1).optional(),
  /** Failures in a row that the task may have beyond its limit, until its next valid decision. */
  attempts: z.int().min(1).optional(),
  /** Replaces `steps` in a mode whose native counter counts iterations. */
  iterations: z.int().min(1).optional(),
  tokens: z.int().min(1).optional(),
  cost: z.int().min(1).optional(),
  working_ms: z.int().min(1).optional(),
})
export type Grant = z.infer<typeof Grant>
