/** Accepted replies, parsed again when their text is needed: the journal keeps each text once. */
import type * as z from 'zod'
import { contractOf, type Brief, type EditedItem, type EventOf, type Fact, type Recall } from '../../terms/effect.ts'
import { resolveToolName } from '../../terms/client-tools.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { replyOf, removeThinking, type ReplyResult } from '../../mode/reply.ts'
import { unreadable } from '../../terms/unreadable.ts'
import {
  ActionReply,
  DecisionReply,
  MoveReply,
  DynamicPlanReply,
  DynamicThoughtReply,
  type Action,
  type Decision,
  type StepReply,
} from './contract.ts'
import type { ItemSource } from '../plan/items.ts'
import type { Item } from '../plan/plan.ts'

/** The contract an effect asks for in place of think, step_decision and action. */
export const MOVE = 'move'

/** Whether a row is one call in place of three. */
const isMove = ({ effect }: Fact): boolean => effect?.kind === 'call_model' && contractOf(effect) === MOVE

/** A thought may be plain words; what begins as an object has to be one. */
export function readThought(event: EventOf<'model_replied'>): ReplyResult<string> {
  const words = removeThinking(event.text).trim()
  if (words !== '' && !words.startsWith('{')) return { ok: true, value: words }
  const read = replyOf(DynamicThoughtReply, event)
  return read.ok ? { ok: true, value: read.value.thought } : read
}

const replied = (recall: Recall, row: number) => expectEvent(recall(row), 'model_replied')

function accepted<T>(read: ReplyResult<T>, row: number): T {
  if (!read.ok) throw unreadable(`row ${row} no longer satisfies its contract: ${read.reason}`)
  return read.value
}
const reread = <T>(contract: z.ZodType<T>, recall: Recall, row: number): T =>
  accepted(replyOf(contract, replied(recall, row)), row)

export const thoughtOf = (recall: Recall, row: number): string =>
  isMove(recall(row)) ? reread(MoveReply, recall, row).thought : accepted(readThought(replied(recall, row)), row)

export const decisionOf = (recall: Recall, row: number): Decision =>
  isMove(recall(row)) ? reread(MoveReply, recall, row) : reread(DecisionReply, recall, row)

/** The action a row chose, with the tool as its client writes it; null where it chose none. */
export function actionOf(recall: Recall, row: number): Action | null {
  const action = isMove(recall(row)) ? reread(MoveReply, recall, row).action : reread(ActionReply, recall, row)
  return action === null ? null : withProperName(action, briefOf(recall))
}
export const withProperName = (action: Action, { tools }: Pick<Brief, 'tools'>): Action => ({
  ...action,
  tool: resolveToolName(tools, action.tool),
})

/** What was written of a step: in a plan, in the decision that added it, or by hand. */
export function stepOf(recall: Recall, [, row, index]: Item): StepReply {
  const step = stepsIn(recall, row)[index]
  if (step === undefined) throw unreadable(`row ${row} names no step ${index}`)
  return step
}

function stepsIn(recall: Recall, row: number): StepReply[] {
  const { effect, event } = recall(row)
  if (event.kind === 'plan_edited') return event.items.map(byHand)
  return effect?.phase === 'plan' ? reread(DynamicPlanReply, recall, row).steps : decisionOf(recall, row).add_steps
}
const byHand = ({ title, description, expected_output }: EditedItem): StepReply => ({
  name: title,
  description,
  expected_output: expected_output ?? '',
})

export const STEPS: ItemSource = {
  prefix: 'step',
  textOf(item, recall) {
    const { name, description, expected_output } = stepOf(recall, item)
    return { title: name, description, expected_output: expected_output === '' ? null : expected_output }
  },
}
