/**
 * The head of a task: its small, bounded state after one journal row. The head refers to a text by the seq of the row that
 * holds it. Every closed row has a head, and the head of the last row is the state of the task (P2).
 */
import * as z from 'zod'
import { Allowance, NO_ALLOWANCE } from './axes.ts'
import { Budget, openBudget, type Limits } from './budget.ts'
import { FIRST_FORM, ReplyForm } from './effect.ts'
import { CONTRACT_FAILURES, NO_STREAK, Streak } from './failure-streak.ts'
import { PauseReason, pauseReasonText } from './pause-reason.ts'
import { Counters, FailureCode, type StopReason } from './status.ts'

/** Rises with every change of what is stored. An older head is migrated when it is read (D6). */
export const SCHEMA_VERSION = 12

/**
 * What a person has to approve before the task goes on (U15). `row` is the row that asked. `given`: the action is approved,
 * and has not run yet.
 */
export const Approval = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plan'), row: z.int().min(1) }),
  z.object({
    kind: z.literal('action'),
    row: z.int().min(1),
    /** The row whose reply chose the action, and the index of the call in that reply. */
    by: z.int().min(1),
    call: z.int().min(0),
    given: z.boolean(),
  }),
])
export type Approval = z.infer<typeof Approval>

/** A call of a tool without a result: it asked a person, works on outside, or was lost and a person decides. */
export const HeldCall = z.object({
  kind: z.enum(['asked', 'outside', 'lost']),
  /** The row that holds the call. */
  row: z.int().min(1),
  /** The row whose reply chose the action, and the index of the call in that reply. */
  by: z.int().min(1),
  call: z.int().min(0),
  /** The row of the answer of a person. null: there is none. */
  answer: z.int().min(1).nullable(),
  /** When the call was held first, in ms since the epoch. */
  since: z.number(),
  /** How often in a row it was still at work. */
  looks: z.int().min(0),
  /** Its time is over, so it is given up. */
  expired: z.boolean(),
  /** Of a lost call that had gone on from a held one: the row of that one, and of the answer. Absent: it had begun anew. */
  from: z.object({ row: z.int().min(1), answer: z.int().min(1).nullable() }).optional(),
})
export type HeldCall = z.infer<typeof HeldCall>

/** How a task has ended, why, and in which row. */
const End = z.discriminatedUnion('status', [
  z.object({ status: z.literal('completed'), reason: z.literal('done'), row: z.int() }),
  z.object({ status: z.literal('failed'), reason: FailureCode, row: z.int() }),
  z.object({ status: z.literal('canceled'), reason: z.literal('canceled'), row: z.int() }),
])

export const Head = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  id: z.string(),
  tenant: z.string(),
  mode: z.string(),
  /** The state of the mode. Only the mode knows its shape. */
  state: z.object({ phase: z.string() }).loose(),
  /** Set while the task is paused. A pause does not change what the mode wants next. */
  pause_reason: PauseReason.nullable(),
  end: End.nullable(),
  budget: Budget,
  /** What is left of the part of the tenant's total that this task has reserved. */
  allowance: Allowance,
  counters: Counters,
  streak: Streak,
  /** The latest failed attempt, for the texts that explain a stop. */
  failed_row: z.int().nullable(),
  /** The next attempt is not made before this time, in ms since the epoch. */
  retry_at: z.number().nullable(),
  /** Since when the task waits for an answer, in ms since the epoch. null: it does not wait. A pause ends the wait. */
  asking_since: z.number().nullable(),
  /** Whether a reminder of the open question was sent to the callback. */
  reminded: z.boolean(),
  /** null: the task waits for no approval. */
  approval: Approval.nullable(),
  /** By the position of a source: the row of its list. null: it is not listed yet. `changed`: it has said that it has another list now. */
  lists: z.array(z.object({ row: z.int().min(1).nullable(), changed: z.boolean() })),
  held: HeldCall.nullable(),
  /** Pauses in a row because no model, or no list of tools, was available. Each makes a background task wait longer before its next try. */
  unavailable: z.int().min(0),
  /** The deadline of the report of the command in `row`, in ms since the epoch, as a claim has extended it. null: none was extended. */
  report_extended: z.object({ row: z.int().min(1), until: z.number() }).nullable(),
  /** The endpoints that were given up for the next names of a fallback list, until the task resumes. */
  given_up: z.array(z.string()),
  /** The reply form the endpoint last accepted (U7). */
  form: ReplyForm,
  thought_row: z.int().nullable(),
  /** The row of the latest change of what a client may change (U52). null: all is as it was created. */
  changed_row: z.int().min(1).nullable(),
  /** The row that named the present callback. null: the create did. */
  callback_row: z.int().min(1).nullable(),
  /**
   * The ending that is held until the closing call has brought the data (U54): later remarks, the latest refused reply, and how many were
   * refused. null: no ending is held.
   */
  closing: z
    .object({
      remarks: z.array(z.int().min(1)),
      refused: z.int().min(1).nullable(),
      refusals: z.int().min(0),
    })
    .nullable(),
  /** The reply with the data of the result. null: there is none. */
  data_row: z.int().min(1).nullable(),
  /** The ids of the observer events that this row caused. They have no gaps within a task (U4). */
  events: z.object({ first: z.int().min(1), count: z.int().min(0) }),
  created_at: z.number(),
  updated_at: z.number(),
})
export type Head = z.infer<typeof Head>

/** A JSON pointer to a member of a head, such as `/asking_since` or `/state/plan/left`. It includes everything below it. */
export type HeadPointer = `/${keyof Head}` | `/${keyof Head}/${string}`

/**
 * Whether a task ended because replies of its model broke their contract too often in a row. It can go on: nothing is wrong with its
 * work, and another attempt or another model may do better.
 */
export const hasFailedAttempts = ({ end }: Pick<Head, 'end'>): boolean =>
  end?.status === 'failed' && end.reason === CONTRACT_FAILURES

/** The stop reason of a task that has ended or is paused, as callers read it. null: the task goes on. */
export const stopReasonOf = ({ end, pause_reason }: Pick<Head, 'end' | 'pause_reason'>): StopReason | null =>
  end?.reason ?? (pause_reason === null ? null : pauseReasonText(pause_reason))

export function createHead(
  task: { id: string; tenant: string; mode: string; limits: Limits },
  state: Head['state'],
  now_ms: number,
): Head {
  return {
    schema_version: SCHEMA_VERSION,
    id: task.id,
    tenant: task.tenant,
    mode: task.mode,
    state,
    pause_reason: null,
    end: null,
    budget: openBudget(task.limits),
    allowance: NO_ALLOWANCE,
    counters: { model_calls: 0, actions: 0, successful_actions: 0, failed_actions: 0, replans: 0, iterations: 0 },
    streak: NO_STREAK,
    failed_row: null,
    retry_at: null,
    asking_since: null,
    reminded: false,
    approval: null,
    lists: [],
    held: null,
    unavailable: 0,
    report_extended: null,
    given_up: [],
    form: FIRST_FORM,
    thought_row: null,
    changed_row: null,
    callback_row: null,
    closing: null,
    data_row: null,
    events: { first: 1, count: 0 },
    created_at: now_ms,
    updated_at: now_ms,
  }
}
