/** The state of mode autonomous (S1-26…S1-28): its phase, its tasks and its thoughts. Texts are named by their rows. */
import * as z from 'zod'
import { Acting, NOT_ACTING } from '../conversation/call-loop.ts'
import { Conversation, NO_CONVERSATION } from '../conversation/window.ts'
import { FileWaits, NO_FILE_WAITS } from '../files/waits.ts'
import { NOTHING_SEEN } from '../../mode/repeat-guard.ts'
import { EMPTY_PLAN, Plan } from '../plan/plan.ts'
import type { Note } from '../../terms/effect.ts'
import type { Settings } from '../../terms/settings.ts'

const row = z.int().min(1)
const count = z.int().min(0)

export const AutonomousState = z.object({
  /** `exploring`: in a staged run the program looks at the data before it calls the model. `waiting`: a file is missing. */
  phase: z.enum(['exploring', 'turning', 'acting', 'waiting', 'ended']),
  /** Who decides what comes next: the model, or the program stage by stage (S1-63). */
  stage: z.enum(['free', 'plan', 'execute', 'report']),
  ...Acting.shape,
  plan: Plan,
  /** Turns of the model, also failed ones. */
  turns: count,
  /** Turns in the current task of a staged run. */
  task_turns: count,
  thoughts: z.array(row),
  /** Rows of the user's remarks. */
  remarks: z.array(row),
  /** The latest action, if it failed. */
  failed: row.nullable(),
  /** Whether the latest action of the current task failed. */
  stuck: z.boolean(),
  /** The row with the program's own look at the data. */
  explored: row.nullable(),
  /** The latest reply, if it neither called a tool nor ended the run. */
  idle: row.nullable(),
  /** The reply with a report that was not taken, because tasks were open. The model was told so, and the next time it may end. */
  kept: row.nullable(),
  ...FileWaits.shape,
  /** The reply with the report, and why it was the last one (R15). */
  ending: z.object({ row, reason: z.enum(['marker', 'backup', 'stages']) }).nullable(),
  ...Conversation.shape,
})
export type AutonomousState = z.infer<typeof AutonomousState>

/** In a staged run the program looks at the data first. */
export const EXPLORATION = {
  kind: 'run_tool',
  phase: 'explore',
  tool: 'read_dataset',
  input: '{}',
  by: 1,
  call: 0,
  item_id: null,
} as const

const { tool, input, item_id } = EXPLORATION
export const EXPLORATION_STARTED: Note = { type: 'action_started', payload: { item_id, tool, input } }

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
    kept: null,
    ...NO_FILE_WAITS,
    ending: null,
    ...NO_CONVERSATION,
  }
}

/** The members of the state for a task that has just started. */
export const NEW_TASK = { task_turns: 0, stuck: false, seen: NOTHING_SEEN }
