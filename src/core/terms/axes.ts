/** The axes of a budget, and amounts on them. */
import * as z from 'zod'

export const Axis = z.enum(['steps', 'tokens', 'cost_usd', 'seconds'])
export type Axis = z.infer<typeof Axis>

/** What a task may take from its tenant's total of a day before it asks again (U16); money in micro-dollars. */
export const Allowance = z.object({ tokens: z.int().min(0), cost: z.int().min(0), day: z.string() })
export type Allowance = z.infer<typeof Allowance>
/** What was reserved of a tenant's total. `scarce`: so little is left that no task may hold a part of it that it does not use. */
export type Chunk = Allowance & { scarce?: true }
/** What goes back to a tenant's total; below zero: what a call cost beyond all that was held. `task`: it holds nothing any more. */
export type Refund = { tokens: number; cost: number; day: string; task?: string }
/** What a task wants for its next call, and what it holds already: only the difference is taken from the total. */
export type Want = { tokens: number; cost: number; held?: Allowance; task?: string }
export const NO_ALLOWANCE: Allowance = { tokens: 0, cost: 0, day: '' }

/** Amounts to add, in the units of the stored axes: steps or iterations, tokens, micro-dollars, ms. */
export const Grant = z.object({
  steps: z.int().min(1).optional(),
  /** Of a mode whose own counter counts these instead of steps. */
  iterations: z.int().min(1).optional(),
  tokens: z.int().min(1).optional(),
  cost: z.int().min(1).optional(),
  working_ms: z.int().min(1).optional(),
})
export type Grant = z.infer<typeof Grant>
