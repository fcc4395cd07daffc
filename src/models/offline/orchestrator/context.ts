/** The schema of the user message in mode orchestrator. Only the members that the rules use are read. */
import * as z from 'zod'
import { ReportStatus } from '../../../core/terms/delegation.ts'
import { Locale } from '../../../core/terms/locale.ts'

const text = z
  .string()
  .nullish()
  .transform((said) => said ?? '')
const texts = z.array(z.string()).default([])
const count = z.int().min(0).default(0)

/** A step of the past. */
const KnownStep = z.object({ title: z.string(), status: z.string().default('completed'), result: text })
const shared = { goal: z.string(), locale: Locale, remarks: texts, completed: z.array(KnownStep).default([]) }
const StepOutline = z.object({ title: z.string(), description: text, constraints: text, expected_output: text })
export type StepOutline = z.infer<typeof StepOutline>

/** `plan`: the plan that `requested_change` refers to. */
export const PlanContext = z.object({
  phase: z.literal('plan'),
  ...shared,
  plan: z.array(StepOutline).nullish(),
  requested_change: text,
})
export const EvaluateContext = z.object({
  phase: z.literal('evaluate'),
  ...shared,
  current_item: z.object({ title: z.string() }),
  retries_left: count,
  replans_left: count,
  report: z.object({ status: ReportStatus, results: text, pitfalls: text, next_steps: text, text }),
  /** The steps of the list. Not all of a long list have more than their title. */
  plan: z.array(StepOutline).default([]),
  /** The titles of the steps behind the current one. */
  remaining: texts,
})
export const SummaryContext = z.object({
  phase: z.literal('summary'),
  ...shared,
  totals: z
    .object({ commands: count, failed_attempts: count, replans: count })
    .default({ commands: 0, failed_attempts: 0, replans: 0 }),
})
export type PlanContext = z.infer<typeof PlanContext>
export type EvaluateContext = z.infer<typeof EvaluateContext>
export type SummaryContext = z.infer<typeof SummaryContext>
export const OrchestratorContext = z.discriminatedUnion('phase', [PlanContext, EvaluateContext, SummaryContext])
export type OrchestratorContext = z.infer<typeof OrchestratorContext>
