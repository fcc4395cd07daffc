/** The contracts of dynamic (S3-06, S3-19, R19). One schema validates a reply and gives the model its JSON schema. normalize.ts comes before it. */
import * as z from 'zod'
import { ASK_USER } from '../../mode/ask-user.ts'
import { toolNameOr } from '../../mode/tool-name.ts'
import {
  normalizeAction,
  normalizeDecision,
  normalizeFewMove,
  normalizeMove,
  normalizePlan,
  normalizeThought,
} from './normalize.ts'

/** Bounds of a plan that a model may write (U24). */
export const ITEMS_MAX = 100
export const NAME_MAX = 500
export const TEXT_MAX = 2_000

const nonEmpty = z.string().min(1)

const StepReply = z.strictObject({
  name: nonEmpty.max(NAME_MAX),
  description: z.string().max(TEXT_MAX),
  expected_output: z.string().max(TEXT_MAX),
})
export type StepReply = z.infer<typeof StepReply>

export const DynamicPlanReply = z.preprocess(
  normalizePlan,
  z.strictObject({ steps: z.array(StepReply).min(1).max(ITEMS_MAX) }),
)

export const DynamicThoughtReply = z.preprocess(normalizeThought, z.strictObject({ thought: nonEmpty }))

/** The reason stands before the verdict, because a model writes its reply from the start. */
const decision = {
  reason: z.string(),
  is_complete: z.boolean(),
  achieved: z.boolean().nullable().describe('false: the step cannot be done'),
  answer: z.string().nullable().describe('when no step remains: the answer to the goal'),
  add_steps: z.array(StepReply).max(ITEMS_MAX),
  remove_steps: z.array(z.string()).max(ITEMS_MAX),
}
const Decision = z.strictObject(decision)
export type Decision = z.infer<typeof Decision>
export const DecisionReply = z.preprocess(normalizeDecision, Decision)

const action = {
  tool: toolNameOr(ASK_USER),
  input: z.string(),
  save_as: z.string().nullable().describe('a name for the result, or null'),
}
const Action = z.strictObject(action)
export type Action = z.infer<typeof Action>
export const ActionReply = z.preprocess(normalizeAction, Action)

const ACTION_IF_OPEN = 'null only with is_complete'

/** Thought, decision and action in one reply: with the setting merged_calls. */
export const MoveReply = z.preprocess(
  normalizeMove,
  z.strictObject({ thought: nonEmpty, ...decision, action: Action.nullable().describe(ACTION_IF_OPEN) }),
)

/** With `calls: few` an action may finish its step by its success. */
const FinishingAction = z.strictObject({ ...action, ends_item: z.boolean().nullable() })
export const FewMoveReply = z.preprocess(
  normalizeFewMove,
  z.strictObject({ thought: nonEmpty, ...decision, action: FinishingAction.nullable().describe(ACTION_IF_OPEN) }),
)

/** The error of a reply that decides to go on without an action. */
export const NO_ACTION = 'action: required while is_complete is false'

/** The error of a reply that gives a step up and acts for it. */
export const ACTION_OF_FAILED_STEP =
  'action: must be null when is_complete is true and achieved is false, because nothing more is done for the step; with an action left to try, is_complete is false'

/** The contracts by phase on the wire. `move` and `few` replace three of them. */
export const CONTRACTS = {
  plan: DynamicPlanReply,
  think: DynamicThoughtReply,
  step_decision: DecisionReply,
  action: ActionReply,
  move: MoveReply,
  few: FewMoveReply,
}
