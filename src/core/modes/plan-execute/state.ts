/** The state of a plan_execute task: phases instead of flags (S0-41…S0-47), texts by the seq of the row that holds them. */
import * as z from 'zod'
import type { Recall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { replyOf } from '../../mode/reply.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { KeptThought, PlanReply, ReplanReply, type ThoughtReply } from './contract.ts'

const row = z.int().min(1)
/** [row of a list, index in it]. */
const place = z.tuple([row, z.int()])
export type Place = z.infer<typeof place>

export const PlanExecuteState = z.object({
  phase: z.enum(['planning', 'thinking', 'acting', 'asking', 'replanning', 'ended']),
  plan: z.object({
    /** The row whose reply, or edit, is this list; null before the first one. */
    row: row.nullable(),
    revision: z.int().min(0),
    /** 0-based position of the item being worked on; = ids.length when all are done (S0-43). */
    cursor: z.int().min(0),
    /** Number of each item's id, in list order; never changed, never used twice (U18). */
    ids: z.array(z.int()),
    /** For each item before the cursor the row that finished it. */
    done: z.array(row),
    next_id: z.int().min(1),
    /** Where the text of each item stands, once items of several lists stand side by side: after an edit by hand. */
    places: z.array(place).optional(),
  }),
  /** The item announced as started. */
  started: z.int().nullable(),
  /** Rows of actions and of failed thoughts and replans, newest last, bounded (O0-14). */
  observations: z.array(row),
  /** [row of the question, row of the answer]. */
  clarifications: z.array(z.tuple([row, row])),
  remarks: z.array(row),
  /** [row of the list, index in it] of finished items, newest last, bounded. */
  finished: z.array(place),
  finished_count: z.int().min(0),
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
  change: row.nullable().default(null),
})
export type PlanExecuteState = z.infer<typeof PlanExecuteState>

export const REMARKS_MAX = 50
export const FINISHED_MAX = 100

export const startState = (): PlanExecuteState => ({
  phase: 'planning',
  plan: { row: null, revision: 0, cursor: 0, ids: [], done: [], next_id: 1 },
  started: null,
  observations: [],
  clarifications: [],
  remarks: [],
  finished: [],
  finished_count: 0,
  by: null,
  conclusion: null,
  action_failures: 0,
  repeats: 0,
  idle: 0,
  warning: null,
  remarked: false,
  change: null,
})

export const itemId = (id: number) => `step_${id}`
export const requestId = (asked: number) => `question_${asked}`

/** The item under the cursor; null for an empty plan or a cursor at the end (the empty item, R9, R11). */
export function currentId(plan: PlanExecuteState['plan']): number | null {
  return plan.ids[plan.cursor] ?? null
}

/** Accepted replies are parsed again when their text is needed: the journal keeps each text once. */
function reread<T>(contract: z.ZodType<T>, recall: Recall, seq: number): T {
  const read = replyOf(contract, expectEvent(recall(seq), 'model_replied'))
  if (!read.ok) throw unreadable(`row ${seq} no longer satisfies its contract: ${read.reason}`)
  return read.value
}

export interface ItemText {
  title: string
  description: string
  expected_output: string | null
}

/** The text of an item, from the list that holds it. */
export function itemAt(recall: Recall, [row, index]: Place): ItemText {
  const { effect, event } = recall(row)
  const bare = (title = ''): ItemText => ({ title, description: '', expected_output: null })
  if (event.kind === 'plan_edited') return event.items[index] ?? bare()
  const list = effect?.phase === 'plan' ? reread(PlanReply, recall, row).plan : reread(ReplanReply, recall, row).plan
  return bare(list[index])
}

/** Where the text of the item at `index` stands; null before there is a plan. */
export function placeOf({ row, places }: PlanExecuteState['plan'], index: number): Place | null {
  return places?.[index] ?? (row === null ? null : [row, index])
}

export function itemsOf(recall: Recall, plan: PlanExecuteState['plan']): ItemText[] {
  return plan.ids.flatMap((_, index) => {
    const place = placeOf(plan, index)
    return place === null ? [] : [itemAt(recall, place)]
  })
}

export const titlesOf = (recall: Recall, plan: PlanExecuteState['plan']): string[] =>
  itemsOf(recall, plan).map(({ title }) => title)

export const thoughtOf = (recall: Recall, row: number): ThoughtReply => reread(KeptThought, recall, row)
export const replanOf = (recall: Recall, row: number): ReplanReply => reread(ReplanReply, recall, row)

export const titleAt = (recall: Recall, place: Place): string => itemAt(recall, place).title
