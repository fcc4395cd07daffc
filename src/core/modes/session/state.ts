/** The state of a session (S4-16): phases, the plan of its latest run that made one, and the window of its conversation; texts by row. */
import * as z from 'zod'
import { Acting, NOT_ACTING } from '../conversation/call-loop.ts'
import { Conversation, NO_CONVERSATION } from '../conversation/window.ts'
import { Plan } from '../plan/plan.ts'

const row = z.int().min(1)
const count = z.int().min(0)

export const SessionPlan = Plan.extend({
  /** The reply that made it, and the row that says what its run was asked for. */
  created: row,
  asked: row,
  /** Which of settings.plan_templates its first steps are; null: the model declared them. */
  template: count.nullable(),
  /** Of each completed step: its rounds, and its last actions. */
  efforts: z.array(z.tuple([count, z.array(row)])),
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
  plan: null,
  ...NO_CONVERSATION,
})

/** The plan of this run; null before its first reply, whatever an earlier run has left. */
export const planOf = ({ plan, asked }: SessionState): SessionPlan | null => (plan?.asked === asked ? plan : null)

/** What is known of a step that has just started. */
export const NEW_STEP = { rounds: 0, spent: 0, recent: [], reading: true }
