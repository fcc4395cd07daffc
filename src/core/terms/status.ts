/** How far a task is and what it has cost: the parts of its wire shape (view.ts) that are stored as well. */
import * as z from 'zod'

export const Status = z.enum([
  'queued',
  'running',
  'input_required',
  'waiting_external',
  'paused',
  'completed',
  'failed',
  'canceled',
])
export type Status = z.infer<typeof Status>
export const ENDED: ReadonlySet<Status> = new Set<Status>(['completed', 'failed', 'canceled'])

/** A task of any other status does nothing until something is said to it, or a time has come: it needs no run slot. */
export const RUNS: ReadonlySet<Status> = new Set<Status>(['queued', 'running'])

/** What became of a notice to a callback: given up (`failed`), no longer wanted (`gone`), or sent again since. */
export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed', 'gone'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** What the native counter of a mode counts (R24). */
export const Unit = z.enum(['steps', 'iterations', 'actions', 'commands'])
export type Unit = z.infer<typeof Unit>

export const Counters = z.object({
  model_calls: z.int().min(0),
  actions: z.int().min(0),
  successful_actions: z.int().min(0),
  failed_actions: z.int().min(0),
  replans: z.int().min(0),
  iterations: z.int().min(0),
})
export type Counters = z.infer<typeof Counters>

/** What one finished task cost, kept in the tenant's index. */
export const Spend = z.object({
  steps: z.int().min(0),
  tokens: z.int().min(0),
  cost_usd: z.string(),
  seconds: z.int().min(0),
  items: z.int().min(0),
})
export type Spend = z.infer<typeof Spend>
