/** The state of a dynamic task: its phase, a list of steps that changes, and the current step. Texts are named by their rows. */
import * as z from 'zod'
import { NOTHING_SEEN, RepeatGuard } from '../../mode/repeat-guard.ts'
import { FileWaits, NO_FILE_WAITS } from '../files/waits.ts'
import { EMPTY_PLAN, Plan } from '../plan/plan.ts'
import type { Settings } from '../../terms/settings.ts'

const row = z.int().min(1)
const count = z.int().min(0)

/** Why a step failed: its actions or its time were used up, or it repeated the same actions. */
const Cause = z.enum(['actions', 'time', 'loop'])
export type Cause = z.infer<typeof Cause>

/** Fingerprints of the last three actions. `runs`: how many actions in a row were the same as the one 1, 2 and 3 places before. */
const Repeat = z.object({ marks: z.array(z.string()).max(3), runs: z.tuple([count, count, count]) })
export type Repeat = z.infer<typeof Repeat>

const DynamicPlan = Plan.extend({
  /** For each ended step, why it failed. null: it did not fail. */
  causes: z.array(Cause.nullable()),
  /** Decisions that have changed the list (S3-38). */
  adjustments: count,
})
export type DynamicPlan = z.infer<typeof DynamicPlan>

/** The state of the current step. */
const Current = z.object({
  /** false while the plan waits for its approval. */
  begun: z.boolean(),
  /** How many actions were run or refused. */
  actions: count,
  /** How many actions and questions in a row were refused. */
  refused: count,
  /** Working time of its effects, in ms (S3-14). */
  worked_ms: z.number().min(0),
  thought: row.nullable(),
  decision: row.nullable(),
  /** Whether its last decision has added steps (U19). */
  added: z.boolean(),
  repeat: Repeat,
  /** Its newest actions with their results. */
  seen: RepeatGuard,
})
type Current = z.infer<typeof Current>

/** What a decision asked for and did not get. */
const DECISION_HINTS = ['unknown_steps', 'plan_fixed', 'plan_full', 'no_answer'] as const
/** Why an action or a question was refused, or why only one of several calls was made. */
const ACTION_HINTS = ['repeated', 'same_result', 'repeated_question', 'max_clarifications', 'one_call'] as const

/** What the next prompts tell the model of the reply in `row`, until its next reply of that kind. */
const Hint = z.object({
  kind: z.enum([...DECISION_HINTS, ...ACTION_HINTS]),
  row,
  /** The positions of the names that the hint is about, in the list of the reply. */
  indexes: z.array(count),
})
export type Hint = z.infer<typeof Hint>
export type ActionHint = (typeof ACTION_HINTS)[number]

export const isActionHint = ({ kind }: Hint): boolean => ACTION_HINTS.some((one) => one === kind)

export const DynamicState = z.object({
  /** `waiting`: a file is missing. */
  phase: z.enum(['planning', 'thinking', 'deciding', 'choosing', 'moving', 'acting', 'asking', 'waiting', 'ended']),
  plan: DynamicPlan,
  step: Current,
  /** The row that chose the pending action, or asked the open question. */
  by: row.nullable(),
  /** Rows of actions that ran or that a person rejected, newest last, bounded (O0-14). */
  observations: z.array(row),
  /** Rows of actions whose result has a name, newest last, bounded. `results_count` counts all of them (S3-15). */
  results: z.array(row),
  results_count: count,
  /** [row of a decision, number of its step], newest last, bounded (S3-16). */
  decisions: z.array(z.tuple([row, z.int()])),
  remarks: z.array(row),
  /** [row of the question, row of the answer], newest last, bounded. `asked` counts all of them. */
  clarifications: z.array(z.tuple([row, row])),
  asked: count,
  hints: z.array(Hint),
  ...FileWaits.shape,
  /** The row with the changes that the user wants, while the plan is made again (U15). */
  change: row.nullable(),
})
export type DynamicState = z.infer<typeof DynamicState>

export const DECISIONS_MAX = 26
export const RESULTS_MAX = 100
/** At most this many answers of the user, and this many actions with their results, are remembered. */
export const CLARIFICATIONS_MAX = 15
export const SEEN_MAX = 5
/** At most this many ended steps stay in an edited list, so that a whole new list has room in the head. */
export const ENDED_MAX = 20

export const NO_REPEAT: Repeat = { marks: [], runs: [0, 0, 0] }

export const freshStep = (): Current => ({
  begun: true,
  actions: 0,
  refused: 0,
  worked_ms: 0,
  thought: null,
  decision: null,
  added: false,
  repeat: NO_REPEAT,
  seen: NOTHING_SEEN,
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
  clarifications: [],
  asked: 0,
  hints: [],
  ...NO_FILE_WAITS,
  change: null,
})

/** The phase in which a round begins. */
export const roundPhase = (settings: Settings): 'moving' | 'thinking' => (isMerged(settings) ? 'moving' : 'thinking')

/** Whether one call stands for thought, decision and action. */
export const isMerged = ({ merged_calls, calls }: Settings): boolean => merged_calls || calls === 'few'

/** A step that begins its guards anew, because a person has said something. */
export const withoutRepeats = <S extends { repeat: Repeat; seen: RepeatGuard; refused: number }>(step: S): S => ({
  ...step,
  repeat: NO_REPEAT,
  seen: NOTHING_SEEN,
  refused: 0,
})

/** Whether a task in this phase waits for its client, and goes on waiting whatever else happens. */
export const isWaiting = ({ phase }: Pick<DynamicState, 'phase'>): boolean => phase === 'asking' || phase === 'waiting'

/** The limit that the step has used up, so that the next decision is its last (R20). null: it may act. */
export function spentBy({ step }: DynamicState, settings: Settings): Exclude<Cause, 'loop'> | null {
  if (step.actions >= settings.max_actions_per_step) return 'actions'
  return step.worked_ms >= settings.step_timeout_s * 1000 ? 'time' : null
}
