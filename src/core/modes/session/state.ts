/** The state of a session (S4-16): phases, the plan of its latest run that made one, and the window of its conversation; texts by row. */
import * as z from 'zod'
import { Acting, NOT_ACTING } from '../conversation/acts.ts'
import { Conversation, NO_CONVERSATION } from '../conversation/window.ts'

const row = z.int().min(1)
const count = z.int().min(0)

export const SessionPlan = z.object({
  /** The reply that made it, and the row that says what its run was asked for. */
  row,
  asked: row,
  /** Which of settings.plan_templates its first steps are; null: the model declared them. */
  template: count.nullable(),
  revision: count,
  /** The number of its first step: those of all plans of a session go on (U18). */
  first_id: row,
  /** Once its list was edited by hand: the row of the latest edit, the number of each step, and the next one that is free. */
  edited: z.object({ row, ids: z.array(row), next_id: row }).optional(),
  /** [row that declared it, which of its declarations]; row 1 is the brief, whose declarations are those of the template; or an edit. */
  steps: z.array(z.tuple([row, count])),
  /** Of each completed step, in order: the row that completed it, its rounds, its last actions. The cursor is their number. */
  done: z.array(z.tuple([row, count, z.array(row)])),
  /** Earlier rounds in the current step since someone last said something (O4-05). */
  rounds: count,
  /** All of its rounds, and its last actions. */
  spent: count,
  recent: z.array(row),
  /** Whether it has only read so far (S4-26). */
  reading: z.boolean(),
  /** Replies with tool calls. */
  iterations: count,
})
export type SessionPlan = z.infer<typeof SessionPlan>

export const SessionState = z.object({
  phase: z.enum(['turning', 'acting', 'aside', 'ended']),
  /** The phase a side turn goes back to. */
  back: z.enum(['turning', 'acting']),
  /** The row that says what this run is asked for: the brief, or what was said to the completed session. */
  asked: row,
  /** The first reply of this run is still to come. */
  fresh: z.boolean(),
  ...Acting.shape,
  /** The current step was completed as this reply began: it completes no further one. */
  advanced: z.boolean(),
  /** The reply that ended the run, and the one that answered the latest side turn. */
  ending: row.nullable(),
  answer: row.nullable(),
  /** [row, iterations of the plan by then] of the latest times it was gone on with. */
  continued: z.array(z.tuple([row, count])),
  /** The latest action that failed. */
  failed: row.nullable(),
  /** Steps completed in all plans. */
  finished: count,
  plan: SessionPlan.nullable(),
  ...Conversation.shape,
})
export type SessionState = z.infer<typeof SessionState>

export const startState = (): SessionState => ({
  phase: 'turning',
  back: 'turning',
  asked: 1,
  fresh: true,
  ...NOT_ACTING,
  advanced: false,
  ending: null,
  answer: null,
  continued: [],
  failed: null,
  finished: 0,
  plan: null,
  ...NO_CONVERSATION,
})

/** The plan of this run; null before its first reply, whatever an earlier run has left. */
export const planOf = ({ plan, asked }: SessionState): SessionPlan | null => (plan?.asked === asked ? plan : null)

const idOf = ({ edited, first_id }: SessionPlan, index: number) => `step_${edited?.ids[index] ?? first_id + index}`

/** The number of the next new step. */
export const nextId = ({ edited, first_id, steps }: SessionPlan): number => edited?.next_id ?? first_id + steps.length

/** The id of the step at an index, null beyond the last. */
export const itemId = (plan: SessionPlan, index: number): string | null =>
  index < plan.steps.length ? idOf(plan, index) : null

export const cursorOf = (plan: SessionPlan): number => plan.done.length

/** The step that is worked on. */
export function currentId(state: SessionState): string | null {
  const plan = planOf(state)
  return plan === null ? null : itemId(plan, cursorOf(plan))
}
