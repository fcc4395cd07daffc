/** The status, the counters and the cost of a task: the parts of its wire shape (view.ts) that are stored too. */
import * as z from 'zod'
import { OUTCOMES, STATUSES } from './plain/wire-names.ts'

export const Status = z.enum(STATUSES)
export type Status = z.infer<typeof Status>
export const ENDED_STATUSES: ReadonlySet<Status> = new Set<Status>(['completed', 'failed', 'canceled'])

/** What became of the goal of a task that has ended: all of it is reached, a part of it, or nothing. */
export const Outcome = z.enum(OUTCOMES)
export type Outcome = z.infer<typeof Outcome>

/** A task of any other status waits for a request or a time, so it needs no run slot. */
export const RUNNING_STATUSES: ReadonlySet<Status> = new Set<Status>(['queued', 'running'])

/** The state of a delivery to a callback. `failed`: the service gave up. `gone`: the receiver wants no more deliveries. */
export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed', 'gone'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** The unit of the native counter of a mode (R24). */
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

/** What one finished task cost, as the tenant's index stores it. */
export const Spend = z.object({
  steps: z.int().min(0),
  tokens: z.int().min(0),
  cost_usd: z.string(),
  seconds: z.int().min(0),
  items: z.int().min(0),
})
export type Spend = z.infer<typeof Spend>
