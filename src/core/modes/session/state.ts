/** The state of a session (S4-16): its phase, its latest plan, and the window of its conversation. Texts are named by their rows. */
import * as z from 'zod'
import { Acting, NOT_ACTING } from '../conversation/call-loop.ts'
import { Conversation, NO_CONVERSATION } from '../conversation/window.ts'
import { FileWaits, NO_FILE_WAITS } from '../files/waits.ts'
import { Plan } from '../plan/plan.ts'

const row = z.int().min(1)
const count = z.int().min(0)

export const SessionPlan = Plan.extend({
  /** The reply that made the plan, and the row with the request of its run. */
  created: row,
  asked: row,
  /** The entry of settings.plan_templates with its first steps. null: the model declared them. */
  template: count.nullable(),
  /** For each completed step: its rounds and its last actions. */
  efforts: z.array(z.tuple([count, z.array(row)])),
  /** Rounds of the current step since the latest text of a person (O4-05). */
  rounds: count,
  /** All rounds of the current step, and its last actions. */
  spent: count,
  recent: z.array(row),
  /** Whether the current step has only read so far (S4-26). */
  reading: z.boolean(),
  /** Replies with tool calls. */
  iterations: count,
})
export type SessionPlan = z.infer<typeof SessionPlan>

export const SessionState = z.object({
  /** `waiting`: a file is missing. */
  phase: z.enum(['turning', 'acting', 'waiting', 'aside', 'ended']),
  /** The phase after a side turn. */
  back: z.enum(['turning', 'acting']),
  /** The row with the request of this run: the brief, or a text to the completed session. */
  asked: row,
  /** This run has no reply yet. */
  fresh: z.boolean(),
  ...Acting.shape,
  /** The step before was completed when this reply began, so the reply completes no other step. */
  advanced: z.boolean(),
  /** The reply that ended the run, and the one that answered the latest side turn. */
  ending: row.nullable(),
  answer: row.nullable(),
  /** The text of the user after a question that ended the run, which goes on with it. */
  answering: row.nullable(),
  /** The reply without a final mark that did not end the run, because steps were open. It is told once in a run. */
  kept: row.nullable(),
  /** How many replies in a row were told that they are no answer. */
  told: count,
  /** [row, iterations of the plan at that row] of the latest times that the session was continued. */
  continued: z.array(z.tuple([row, count])),
  /** The latest action, if it failed. */
  failed: row.nullable(),
  plan: SessionPlan.nullable(),
  ...FileWaits.shape,
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
  answering: null,
  kept: null,
  told: 0,
  continued: [],
  failed: null,
  plan: null,
  ...NO_FILE_WAITS,
  ...NO_CONVERSATION,
})

/** The plan of this run. null: this run has no plan yet, although an earlier run may have one. */
export const planOf = ({ plan, asked }: SessionState): SessionPlan | null => (plan?.asked === asked ? plan : null)

/** The members of the state for a step that has just started. */
export const NEW_STEP = { rounds: 0, spent: 0, recent: [], reading: true }
