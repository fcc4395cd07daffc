/** The state of a plan_execute task: phases instead of flags (S0-41…S0-47). Texts are named by their rows. */
import * as z from 'zod'
import type { Recall } from '../../terms/effect.ts'
import { NOTHING_SEEN, RepeatGuard } from '../../mode/repeat-guard.ts'
import { editedText, type ItemSource, type ItemText } from '../plan/items.ts'
import { EMPTY_PLAN, Plan } from '../plan/plan.ts'
import { planOf, replanOf } from './replies.ts'

const row = z.int().min(1)

/** Why a reply is refused: it breaks its contract, too many actions have failed, or a guard against repetitions refuses it. */
export const Refusal = z.enum([
  'contract',
  'failed_actions',
  'repeated_question',
  'max_clarifications',
  'repeated_action',
])
export type Refusal = z.infer<typeof Refusal>

export const PlanExecuteState = z.object({
  phase: z.enum(['planning', 'thinking', 'acting', 'asking', 'replanning', 'ended']),
  plan: Plan,
  /** Whether a person has edited the list once. From then on items keep the texts that were written about them. */
  edited: z.boolean(),
  /** The item that was announced as started. */
  started: z.int().nullable(),
  /** Rows of the actions since an item has ended, newest last, bounded (O0-14). */
  observations: z.array(row),
  /** [row of the question, row of the answer]. */
  clarifications: z.array(z.tuple([row, row])),
  remarks: z.array(row),
  /** The thought that chose the pending action, or asked the open question. */
  by: row.nullable(),
  /** The thought whose conclusion the next replan gets (S0-64), or the replan that ended the task. */
  conclusion: row.nullable(),
  /** Failed actions in a row within this item (R10). */
  action_failures: z.int().min(0),
  /** Repeated questions in a row (O0-12). */
  repeats: z.int().min(0),
  /** Conclusions in a row on the empty item (R11). */
  idle: z.int().min(0),
  /** The warning for the next replan. */
  warning: z.enum(['idle', 'repeated_question', 'max_clarifications', 'repeated_action']).nullable(),
  /** The latest reply, if it was refused, and why. The next attempt is shown both (ruling 33). */
  refused: z.tuple([row, Refusal]).nullable(),
  /** The actions of this item, for the guard against repetitions. */
  seen: RepeatGuard,
  /** The user has said something that no replan has seen yet. With `calls: few` the end of the item then leads to a replan. */
  heard: z.boolean(),
  /** The user said something while an action was under way, so a replan follows the action. */
  remarked: z.boolean(),
  /** The row with the changes that the user wants, while the plan is made again (U15). */
  change: row.nullable(),
})
export type PlanExecuteState = z.infer<typeof PlanExecuteState>

export const startState = (): PlanExecuteState => ({
  phase: 'planning',
  plan: EMPTY_PLAN,
  edited: false,
  started: null,
  observations: [],
  clarifications: [],
  remarks: [],
  by: null,
  conclusion: null,
  action_failures: 0,
  repeats: 0,
  idle: 0,
  warning: null,
  refused: null,
  seen: NOTHING_SEEN,
  heard: false,
  remarked: false,
  change: null,
})

export const requestId = (question_row: number) => `question_${question_row}`

/** The text of an item, from the list that holds it. */
function textAt(row: number, index: number, recall: Recall): ItemText {
  const { effect, event } = recall(row)
  if (event.kind === 'plan_edited') return editedText(event.items[index])
  const list = effect?.phase === 'plan' ? planOf(recall, row).plan : replanOf(recall, row).plan
  return editedText({ title: list[index] ?? '' })
}
export const ITEMS: ItemSource = { prefix: 'step', textOf: ([, row, index], recall) => textAt(row, index, recall) }
