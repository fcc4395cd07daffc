/** The schema of the user message of mode dynamic, a JSON text. Only the members that the rules use are read. */
import * as z from 'zod'
import { ItemObservation, PlanContext } from './context.ts'

/** The phases of a step: the thought about it, whether it is complete, the next action; `move`: all of them at once. */
const StepContext = PlanContext.extend({
  phase: z.enum(['think', 'step_decision', 'action', 'move']),
  completed: z.array(z.object({ title: z.string(), result: z.string() })).default([]),
  /** The steps that have not ended. The first is the current one. */
  plan: z.array(z.object({ title: z.string() })).default([]),
  actions: z.array(ItemObservation).default([]),
  current_item: z.object({ id: z.string().nullable(), title: z.string() }),
})
export type StepContext = z.infer<typeof StepContext>
export const DynamicContext = z.discriminatedUnion('phase', [PlanContext, StepContext])
export type DynamicContext = z.infer<typeof DynamicContext>
