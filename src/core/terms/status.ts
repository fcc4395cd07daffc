/** The status, the counters and the cost of a task: the parts of its wire shape (view.ts) that are stored too. */
import * as z from 'zod'
import { MODE_NAMES } from './mode-names.ts'
import {
  DECISIONS,
  FAILURE_CODES,
  GUARDS,
  OUTCOMES,
  PAUSE_TEXTS,
  STATUSES,
  THOUGHT_PHASES,
  WAIT_REASONS,
} from './plain/wire-names.ts'

export const Status = z.enum(STATUSES)
export type Status = z.infer<typeof Status>
export const ENDED_STATUSES: ReadonlySet<Status> = new Set<Status>(['completed', 'failed', 'canceled'])

/** What became of the goal of a task that has ended: all of it is reached, a part of it, or nothing. */
export const Outcome = z.enum(OUTCOMES)
export type Outcome = z.infer<typeof Outcome>

/** Why a task has failed. */
export const FailureCode = z.enum(FAILURE_CODES)
/** Why a task is paused. */
export const PauseText = z.enum(PAUSE_TEXTS)
/** Why a task waits, is paused or has ended. Some reasons pause a task, and end it by a setting. */
export const StopReason = z.enum([...new Set([...WAIT_REASONS, ...PAUSE_TEXTS, 'done', 'canceled', ...FAILURE_CODES])])
export type StopReason = z.infer<typeof StopReason>
/** What became of an effect. */
export const EffectOutcome = z.enum([
  'ok',
  'contract_error',
  'model_error',
  'tool_error',
  'orphaned',
  'outcome_unknown',
  'abandoned',
])
export type EffectOutcome = z.infer<typeof EffectOutcome>
export const Guard = z.enum(GUARDS)
export const Mode = z.enum(MODE_NAMES)
/** Who advances a task: requests of its client, or the service by itself (U20). */
export const Drive = z.enum(['manual', 'background'])
export type Drive = z.infer<typeof Drive>
export const ThoughtPhase = z.enum(THOUGHT_PHASES)
export const ThoughtDecision = z.enum(DECISIONS)

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
