/** The contracts of orchestrator (O2-01, O2-02). One schema validates a reply and gives the model its JSON schema; normalize.ts is what it forgives. */
import * as z from 'zod'
import { normalizeEvaluation, normalizePlan } from './normalize.ts'

/** Bounds of a plan a model may write (U24). */
export const ITEMS_MAX = 100
export const TITLE_MAX = 500
export const TEXT_MAX = 2_000

const StepReply = z.strictObject({
  title: z.string().min(1).max(TITLE_MAX),
  description: z.string().max(TEXT_MAX),
  constraints: z.string().max(TEXT_MAX),
  expected_output: z.string().max(TEXT_MAX),
})
export type StepReply = z.infer<typeof StepReply>

export const OrchestratorPlanReply = z.preprocess(
  normalizePlan,
  z.strictObject({ steps: z.array(StepReply).min(1).max(ITEMS_MAX) }),
)

export const EvaluationReply = z.preprocess(
  normalizeEvaluation,
  z
    .strictObject({
      decision: z.enum(['next', 'retry', 'replan', 'abort']),
      reason: z.string(),
      adjusted_steps: z
        .array(StepReply)
        .max(ITEMS_MAX)
        .describe('with replan: the current step and all later ones, anew; else []'),
    })
    .superRefine(({ decision, adjusted_steps }, issues) => {
      const missing = decision === 'replan' && adjusted_steps.length === 0
      if (missing)
        issues.addIssue({
          code: 'custom',
          path: ['adjusted_steps'],
          message: 'must not be empty when decision is replan',
        })
    }),
)
export type Evaluation = z.infer<typeof EvaluationReply>

/** By wire phase; the summary is free text. */
export const CONTRACTS = { plan: OrchestratorPlanReply, evaluate: EvaluationReply }
