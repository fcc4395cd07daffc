/** The state of a plan_execute task: phases instead of flags (S0-41…S0-47), texts by the seq of the row that holds them. */
import * as z from 'zod'
import type { Recall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { replyOf } from '../../mode/reply.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { editedText, type ItemSource, type ItemText } from '../plan/items.ts'
import { EMPTY_PLAN, Plan } from '../plan/plan.ts'
import { KeptThought, PlanReply, ReplanReply, type ThoughtReply } from './contract.ts'

const row = z.int().min(1)
export const PlanExecuteState = z.object({
  phase: z.enum(['planning', 'thinking', 'acting', 'asking', 'replanning', 'ended']),
  plan: Plan,
  /** Whether a person has edited the list once: since then items keep what was written about them. */
  edited: z.boolean(),
  /** The item announced as started. */
  started: z.int().nullable(),
  /** Rows of actions and of failed thoughts and replans, newest last, bounded (O0-14). */
  observations: z.array(row),
  /** [row of the question, row of the answer]. */
  clarifications: z.array(z.tuple([row, row])),
  remarks: z.array(row),
  /** [row of the list, index in it] of finished items, newest last, bounded. */
  finished: z.array(z.tuple([row, z.int()])),
  /** The thought that chose the pending action, or asked the open question. */
  by: row.nullable(),
  /** The thought whose conclusion the next replan is given (S0-64), or the replan that ended the task. */
  conclusion: row.nullable(),
  /** Failed actions in a row within this item (R10). */
  action_failures: z.int().min(0),
  /** Repeated questions in a row (O0-12). */
  repeats: z.int().min(0),
  /** Conclusions in a row on the empty item (R11). */
  idle: z.int().min(0),
  /** What the next replan is warned of. */
  warning: z.enum(['idle', 'repeated_question', 'max_clarifications']).nullable(),
  /** The user said something while an action was under way: look at the plan again after it. */
  remarked: z.boolean(),
  /** What the user wants changed about the plan, while it is made again (U15). */
  change: row.nullable(),
})
export type PlanExecuteState = z.infer<typeof PlanExecuteState>

export const FINISHED_MAX = 100

export const startState = (): PlanExecuteState => ({
  phase: 'planning',
  plan: EMPTY_PLAN,
  edited: false,
  started: null,
  observations: [],
  clarifications: [],
  remarks: [],
  finished: [],
  by: null,
  conclusion: null,
  action_failures: 0,
  repeats: 0,
  idle: 0,
  warning: null,
  remarked: false,
  change: null,
})

export const requestId = (asked: number) => `question_${asked}`

/** Accepted replies are parsed again when their text is needed: the journal keeps each text once. */
function reread<T>(contract: z.ZodType<T>, recall: Recall, seq: number): T {
  const read = replyOf(contract, expectEvent(recall(seq), 'model_replied'))
  if (!read.ok) throw unreadable(`row ${seq} no longer satisfies its contract: ${read.reason}`)
  return read.value
}

/** The text of an item, from the list that holds it. */
export function textAt(row: number, index: number, recall: Recall): ItemText {
  const { effect, event } = recall(row)
  if (event.kind === 'plan_edited') return editedText(event.items[index])
  const list = effect?.phase === 'plan' ? reread(PlanReply, recall, row).plan : reread(ReplanReply, recall, row).plan
  return editedText({ title: list[index] ?? '' })
}
export const ITEMS: ItemSource = { prefix: 'step', textOf: ([, row, index], recall) => textAt(row, index, recall) }

export const thoughtOf = (recall: Recall, row: number): ThoughtReply => reread(KeptThought, recall, row)
export const replanOf = (recall: Recall, row: number): ReplanReply => reread(ReplanReply, recall, row)
