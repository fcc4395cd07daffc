/** The state of a model that drives itself (S1-26…S1-28): where its loop is, its own tasks, its thoughts; texts by row. */
import * as z from 'zod'
import { Acting, NOT_ACTING } from '../conversation/call-loop.ts'
import { Conversation, NO_CONVERSATION } from '../conversation/window.ts'
import { EMPTY_PLAN, Plan } from '../plan/plan.ts'
import type { Settings } from '../../terms/settings.ts'

const row = z.int().min(1)
const count = z.int().min(0)

export const AutonomousState = z.object({
  /** `exploring`: the staged variant looks at the data itself before it asks the model. */
  phase: z.enum(['exploring', 'turning', 'acting', 'ended']),
  /** Who decides what comes next: the model, or the program stage by stage (S1-63). */
  stage: z.enum(['free', 'plan', 'execute', 'report']),
  ...Acting.shape,
  plan: Plan,
  /** Turns of the model, whatever became of them. */
  turns: count,
  /** Of these, the ones in the current task of a staged run. */
  task_turns: count,
  /** Rows of the latest thoughts. */
  thoughts: z.array(row),
  /** Rows of what the user said on the way. */
  remarks: z.array(row),
  /** The latest action that failed; whether the latest one of the current task has; the look at the data of a staged run. */
  failed: row.nullable(),
  stuck: z.boolean(),
  explored: row.nullable(),
  /** The latest reply, where it neither called a tool nor ended the run. */
  idle: row.nullable(),
  /** The reply that holds the report, and what made it the last one (R15). */
  ending: z.object({ row, reason: z.enum(['marker', 'backup', 'stages']) }).nullable(),
  ...Conversation.shape,
})
export type AutonomousState = z.infer<typeof AutonomousState>

export function startState({ agent_mode }: Pick<Settings, 'agent_mode'>): AutonomousState {
  const staged = agent_mode === 'staged'
  return {
    phase: staged ? 'exploring' : 'turning',
    stage: staged ? 'plan' : 'free',
    ...NOT_ACTING,
    plan: EMPTY_PLAN,
    turns: 0,
    task_turns: 0,
    thoughts: [],
    remarks: [],
    failed: null,
    stuck: false,
    explored: null,
    idle: null,
    ending: null,
    ...NO_CONVERSATION,
  }
}

/** What is known of a task that has just started. */
export const NEW_TASK = { task_turns: 0, stuck: false }
