/** The state of a dynamic task: phases, a list of steps that changes on the way, and the step being worked on. Texts by the seq of the row that holds them. */
import * as z from 'zod'
import type { Settings } from '../../terms/settings.ts'

const row = z.int().min(1)
const count = z.int().min(0)

/** Why a step failed: its actions or its time were used up, or the same actions came again and again. */
const Cause = z.enum(['actions', 'time', 'loop'])
export type Cause = z.infer<typeof Cause>

/** Which step of the list: its number, never used twice; the row that wrote it, and where in its list. */
const DynamicItem = z.tuple([z.int().min(1), row, count])
export type DynamicItem = z.infer<typeof DynamicItem>

/** Fingerprints of the last three actions, and how many actions in a row were the same as the one 1, 2 and 3 before. */
const Repeat = z.object({ marks: z.array(z.string()).max(3), runs: z.tuple([count, count, count]) })
export type Repeat = z.infer<typeof Repeat>

const DynamicPlan = z.object({
  /** The row that made this list; null before the first one. */
  row: row.nullable(),
  revision: count,
  /** 0-based position of the step being worked on; = items.length when all have ended. */
  cursor: count,
  items: z.array(DynamicItem),
  /** For each step that has ended, in list order, the row of its last decision. */
  ends: z.array(row),
  failed: z.array(z.tuple([z.int(), Cause])),
  next_id: z.int().min(1),
  /** Decisions that have changed the list (S3-38). */
  adjustments: count,
  /** Completed steps that an edit of a very long list has left out. */
  left: count.default(0),
})
export type DynamicPlan = z.infer<typeof DynamicPlan>

/** What is known of the step under the cursor alone. */
const Current = z.object({
  /** Not while the plan waits for its approval. */
  begun: z.boolean().default(true),
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
export type Current = z.infer<typeof Current>

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
  change: row.nullable().default(null),
})
export type DynamicState = z.infer<typeof DynamicState>

export const REMARKS_MAX = 50
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
  plan: { row: null, revision: 0, cursor: 0, items: [], ends: [], failed: [], next_id: 1, adjustments: 0, left: 0 },
  step: freshStep(),
  by: null,
  observations: [],
  results: [],
  results_count: 0,
  decisions: [],
  remarks: [],
  change: null,
})

export const itemId = (id: number) => `step_${id}`
/** The step under the cursor; null before there is a plan and when all have ended. */
export const currentOf = ({ items, cursor }: DynamicPlan): DynamicItem | null => items[cursor] ?? null
export function currentId({ plan }: DynamicState): string | null {
  const item = currentOf(plan)
  return item === null ? null : itemId(item[0])
}

/** Where a round begins. */
export const roundPhase = ({ merged_calls }: Settings): DynamicState['phase'] => (merged_calls ? 'moving' : 'thinking')

/** What allows no further action in this step, so that the next decision is its last (R20); null: it may act. */
export function spentBy({ step }: DynamicState, settings: Settings): Exclude<Cause, 'loop'> | null {
  if (step.actions >= settings.max_actions_per_step) return 'actions'
  return step.worked_ms >= settings.step_timeout_s * 1000 ? 'time' : null
}
