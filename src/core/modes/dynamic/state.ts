/** The state of a dynamic task: phases, a list of steps that changes on the way, and the step being worked on. Texts by the seq of the row that holds them. */
import * as z from 'zod'
import { EMPTY_PLAN, Plan } from '../plan/plan.ts'
import type { Settings } from '../../terms/settings.ts'

const row = z.int().min(1)
const count = z.int().min(0)

/** Why a step failed: its actions or its time were used up, or the same actions came again and again. */
const Cause = z.enum(['actions', 'time', 'loop'])
export type Cause = z.infer<typeof Cause>

/** Fingerprints of the last three actions, and how many actions in a row were the same as the one 1, 2 and 3 before. */
const Repeat = z.object({ marks: z.array(z.string()).max(3), runs: z.tuple([count, count, count]) })
export type Repeat = z.infer<typeof Repeat>

const DynamicPlan = Plan.extend({
  /** For each step that has ended, why it failed; null: it did not. */
  causes: z.array(Cause.nullable()),
  /** Decisions that have changed the list (S3-38). */
  adjustments: count,
})
export type DynamicPlan = z.infer<typeof DynamicPlan>

/** What is known of the step under the cursor alone. */
const Current = z.object({
  /** Not while the plan waits for its approval. */
  begun: z.boolean(),
  /** Actions executed or refused. */
  actions: count,
  /** How many of the newest observations are its own. */
  observed: count,
  /** Working time of its effects, in ms (S3-14). */
  worked_ms: z.number().min(0),
  thought: row.nullable(),
  decision: row.nullable(),
  /** Whether its last decision has added steps (U19). */
  added: z.boolean(),
  repeat: Repeat,
})
type Current = z.infer<typeof Current>

export const DynamicState = z.object({
  phase: z.enum(['planning', 'thinking', 'deciding', 'choosing', 'moving', 'acting', 'ended']),
  plan: DynamicPlan,
  step: Current,
  /** The row that chose the pending action. */
  by: row.nullable(),
  /** Rows of actions, of refused ones and of broken replies, newest last, bounded (O0-14). */
  observations: z.array(row),
  /** Rows of actions whose result can be named, newest last, bounded; and how many there were (S3-15). */
  results: z.array(row),
  results_count: count,
  /** [row of a decision, number of its step], newest last, bounded (S3-16). */
  decisions: z.array(z.tuple([row, z.int()])),
  remarks: z.array(row),
  /** What the user wants changed about the plan, while it is made again (U15). */
  change: row.nullable(),
})
export type DynamicState = z.infer<typeof DynamicState>

export const DECISIONS_MAX = 30
export const RESULTS_MAX = 100
/** Steps that have ended and stay in a list that is edited: beside a whole new list they have room in a head. */
export const ENDED_MAX = 20

export const NO_REPEAT: Repeat = { marks: [], runs: [0, 0, 0] }

export const freshStep = (): Current => ({
  begun: true,
  actions: 0,
  observed: 0,
  worked_ms: 0,
  thought: null,
  decision: null,
  added: false,
  repeat: NO_REPEAT,
})

export const startState = (): DynamicState => ({
  phase: 'planning',
  plan: { ...EMPTY_PLAN, causes: [], adjustments: 0 },
  step: freshStep(),
  by: null,
  observations: [],
  results: [],
  results_count: 0,
  decisions: [],
  remarks: [],
  change: null,
})

/** Where a round begins. */
export const roundPhase = ({ merged_calls }: Settings): DynamicState['phase'] => (merged_calls ? 'moving' : 'thinking')

/** What allows no further action in this step, so that the next decision is its last (R20); null: it may act. */
export function spentBy({ step }: DynamicState, settings: Settings): Exclude<Cause, 'loop'> | null {
  if (step.actions >= settings.max_actions_per_step) return 'actions'
  return step.worked_ms >= settings.step_timeout_s * 1000 ? 'time' : null
}
