/** Why a task is paused (U9, U13, U14): data within the service, and one text on the wire. */
import * as z from 'zod'
import { Axis } from './axes.ts'
import type { PauseText } from './plain/wire-names.ts'

export const PauseReason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user') }),
  /** Its create wanted it not to begin before it is resumed (U52). */
  z.object({ kind: z.literal('held') }),
  /** The axis has no room for the next effect. `iterations` are the steps of a mode that counts them, `tenant` is the total of the day. */
  z.object({ kind: z.literal('budget'), axis: z.enum([...Axis.options, 'iterations', 'tenant']) }),
  z.object({ kind: z.literal('model_unavailable') }),
  /** A source of tools could not be listed. */
  z.object({ kind: z.literal('tools_unavailable') }),
  z.object({ kind: z.literal('model_not_allowed') }),
  z.object({ kind: z.literal('question_expired') }),
  z.object({ kind: z.literal('storage_full') }),
  /** No closing reply fits the output schema. */
  z.object({ kind: z.literal('result_unmet') }),
])
export type PauseReason = z.infer<typeof PauseReason>

/** Whether a task with this pause goes on by itself as soon as what it lacks is there again, if the service drives it. */
export const endsByItself = (reason: PauseReason | null): boolean =>
  reason?.kind === 'model_unavailable' || reason?.kind === 'tools_unavailable'

/** The stop reason that callers read. */
export function pauseReasonText(reason: PauseReason): PauseText {
  switch (reason.kind) {
    case 'user':
      return 'paused_by_user'
    case 'budget':
      return reason.axis === 'iterations' ? 'iteration_limit' : `budget_exhausted:${reason.axis}`
    default:
      return reason.kind
  }
}

/** The spent axis that has to be raised before the task goes on. null: the task is not paused by its budget. */
export function exhaustedAxis(reason: PauseReason | null): Axis | null {
  if (reason?.kind !== 'budget' || reason.axis === 'tenant') return null
  return reason.axis === 'iterations' ? 'steps' : reason.axis
}
