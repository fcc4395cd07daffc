/** The contracts of dynamic (S3-06, S3-19, R19). One schema validates a reply and gives the model its JSON schema; normalize.ts is what it forgives. */
import * as z from 'zod'
import { normalizeAction, normalizeDecision, normalizeMove, normalizePlan, normalizeThought } from './normalize.ts'

/** Bounds of a plan a model may write (U24). */
export const ITEMS_MAX = 100
export const NAME_MAX = 500
export const TEXT_MAX = 2_000

const filled = z.string().min(1)

const StepReply = z.strictObject({
  name: filled.max(NAME_MAX),
  description: z.string().max(TEXT_MAX),
  expected_output: z.string().max(TEXT_MAX),
})
export type StepReply = z.infer<typeof StepReply>

export const DynamicPlanReply = z.preprocess(
  normalizePlan,
  z.strictObject({ steps: z.array(StepReply).min(1).max(ITEMS_MAX) }),
)

export const DynamicThoughtReply = z.preprocess(normalizeThought, z.strictObject({ thought: filled }))

const decision = {
  is_complete: z.boolean(),
  reason: filled,
  add_steps: z.array(StepReply).max(ITEMS_MAX),
  remove_steps: z.array(z.string()).max(ITEMS_MAX),
}
const Decision = z.strictObject(decision)
export type Decision = z.infer<typeof Decision>
export const DecisionReply = z.preprocess(normalizeDecision, Decision)

const Action = z.strictObject({
  tool: filled,
  input: z.string(),
  save_as: z.string().nullable().describe('a name for the result, or null'),
})
export type Action = z.infer<typeof Action>
export const ActionReply = z.preprocess(normalizeAction, Action)

/** Thought, decision and action in one reply: with the setting merged_calls. */
export const MoveReply = z.preprocess(
  normalizeMove,
  z.strictObject({ thought: filled, ...decision, action: Action.nullable().describe('null only with is_complete') }),
)

/** Why a whole reply is refused that decides to go on and not how. */
export const NO_ACTION = 'action: required while is_complete is false'

/** By wire phase; `move` takes the place of three of them. */
export const CONTRACTS = {
  plan: DynamicPlanReply,
  think: DynamicThoughtReply,
  step_decision: DecisionReply,
  action: ActionReply,
  move: MoveReply,
}
