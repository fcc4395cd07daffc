/** The axes of a budget, and amounts on them. */
import * as z from 'zod'

export const Axis = z.enum(['steps', 'tokens', 'cost_usd', 'seconds'])
export type Axis = z.infer<typeof Axis>

/** Amounts to add, in the units of the stored axes: steps, tokens, micro-dollars, ms. */
export const Grant = z.object({
  steps: z.int().min(1).optional(),
  tokens: z.int().min(1).optional(),
  cost: z.int().min(1).optional(),
  working_ms: z.int().min(1).optional(),
})
export type Grant = z.infer<typeof Grant>
