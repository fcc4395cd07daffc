/** The contracts of orchestrator (O2-01, O2-02). One schema validates a reply and gives the model its JSON schema. normalize.ts comes before it. */
import * as z from 'zod'
import { Choices } from '../../terms/schema/answer-form.ts'
import { normalizeEvaluation, normalizePlan } from './normalize.ts'

/** Bounds of a plan that a model may write (U24). */
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

const QUESTION_MAX = 4_000

/** What the judge says of the current step when it replaces the plan. */
const CurrentStep = z.enum(['done', 'failed', 'open'])

export const EvaluationReply = z.preprocess(
  normalizeEvaluation,
  z
    .strictObject({
      reason: z.string(),
      decision: z.enum(['next', 'retry', 'replan', 'ask', 'abort']),
      achieved: z
        .boolean()
        .nullable()
        .describe('with next: whether the step reached what it is for; false: it is over and has failed'),
      current_step: CurrentStep.nullable().describe('with replan: what became of the current step; else null'),
      adjusted_steps: z
        .array(StepReply)
        .max(ITEMS_MAX)
        .describe('with replan: all steps that are still to be done, anew; else []'),
      question: z.string().max(QUESTION_MAX).nullable().describe('with ask: one question to the user; else null'),
      choices: Choices.nullable().describe('with ask: a few answers to choose from; else null'),
    })
    .superRefine(({ decision, adjusted_steps, question }, issues) => {
      const report = (field: string, message: string) => issues.addIssue({ code: 'custom', path: [field], message })
      if (decision === 'replan' && adjusted_steps.length === 0)
        report('adjusted_steps', 'must not be empty when decision is replan')
      if (decision === 'ask' && question === null) report('question', 'required when decision is ask')
    }),
)
export type Evaluation = z.infer<typeof EvaluationReply>

/** The contracts by phase on the wire. The summary is free text. */
export const CONTRACTS = { plan: OrchestratorPlanReply, evaluate: EvaluationReply }
