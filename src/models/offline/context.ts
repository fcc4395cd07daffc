/** The schema of the user message, a JSON text. Only the members that the rules use are read. */
import * as z from 'zod'
import { Locale } from '../../core/terms/locale.ts'
import type { Moment } from './time/clock.ts'

/** The weekday may stand before the date. */
const Stamp = z
  .string()
  .regex(/^(?:\S+ )?\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/u)
  .transform((text) => text.slice(-'YYYY-MM-DD HH:MM'.length))
export const ItemObservation = z.object({
  item_id: z.string().nullable(),
  tool: z.string(),
  input: z.string(),
  ok: z.boolean(),
  result: z.string(),
})
export type ItemObservation = z.infer<typeof ItemObservation>

/** A step that has ended. Modes that do not say what came of it list its title. */
const FinishedStep = z
  .object({ title: z.string(), status: z.string(), result: z.string().nullable() })
  .or(z.string().transform((title) => ({ title, status: 'completed', result: null })))
export type FinishedStep = z.infer<typeof FinishedStep>

const shared = {
  goal: z.string(),
  locale: Locale,
  local_time: Stamp,
  clarifications: z.array(z.object({ question: z.string(), answer: z.string() })).default([]),
  remarks: z.array(z.string()).default([]),
}
const progress = {
  ...shared,
  completed: z.array(FinishedStep).default([]),
  plan: z.array(z.object({ id: z.string(), title: z.string(), status: z.string() })).default([]),
  cursor: z.int().min(0).default(0),
  observations: z.array(ItemObservation).default([]),
}

export const PlanContext = z.object({ phase: z.literal('plan'), ...shared })
export const ThoughtContext = z.object({
  phase: z.literal('thought'),
  ...progress,
  current_item: z.object({ id: z.string().nullable(), title: z.string() }),
  must_not_act: z.boolean().default(false),
  /** The last reply, if it was refused. */
  correction: z.object({ your_reply: z.string() }).optional(),
  /** Where no question may be asked, a missing detail gets its usual value or is left out. */
  may_ask: z.boolean().default(true),
})
export const ReplanContext = z.object({ phase: z.literal('replan'), ...progress })
export type PlanContext = z.infer<typeof PlanContext>
export type ThoughtContext = z.infer<typeof ThoughtContext>
export type ReplanContext = z.infer<typeof ReplanContext>
export const PlanExecuteContext = z.discriminatedUnion('phase', [PlanContext, ThoughtContext, ReplanContext])
export type PlanExecuteContext = z.infer<typeof PlanExecuteContext>

export const momentNow = (local_time: string): Moment => ({
  date: local_time.slice(0, 10),
  time: local_time.slice(11, 16),
})
