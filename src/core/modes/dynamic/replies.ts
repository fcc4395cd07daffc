/** Accepted replies are parsed again when their text is needed, because the journal stores each text only once. */
import type * as z from 'zod'
import type { Brief, EditedItem, EventOf, Recall } from '../../terms/effect.ts'
import { properToolName, questionIn, type UserQuestion } from '../../mode/ask-user.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { withoutCall } from '../../mode/native-tools.ts'
import { removeThinking, type ReplyResult } from '../../mode/reply.ts'
import { unreadable } from '../../terms/unreadable.ts'
import {
  ActionReply,
  DecisionReply,
  DynamicPlanReply,
  DynamicThoughtReply,
  NO_ACTION,
  type Action,
  type Decision,
  type StepReply,
} from './contract.ts'
import type { ItemSource } from '../plan/items.ts'
import type { Item } from '../plan/plan.ts'
import {
  actionError,
  moveContractOf,
  moveError,
  readAccepted,
  readMove,
  readNew,
  type Move,
  type MoveAction,
} from './moves.ts'

/** A thought may be plain text. A reply that begins with a brace has to be an object. */
export function readThought(
  event: EventOf<'model_replied'>,
  settings: Brief['settings'],
  readJson = readNew,
): ReplyResult<string> {
  const reply = readJson(DynamicThoughtReply, event, settings)
  if (reply.ok) return { ok: true, value: reply.value.thought }
  const words = removeThinking(event.text).trim()
  const isPlainText = words !== '' && !words.startsWith('{') && event.finish !== 'length'
  return isPlainText ? { ok: true, value: words } : reply
}

/** A plan. A call beside it is not made, and a call in its place is told. */
export const readPlan = (
  event: EventOf<'model_replied'>,
  settings: Brief['settings'],
): ReplyResult<z.infer<typeof DynamicPlanReply>> =>
  withoutCall(readNew(DynamicPlanReply, event, settings), event, 'plan')

const replyAt = (recall: Recall, row: number) => expectEvent(recall(row), 'model_replied')

function valueOf<T>(reply: ReplyResult<T>, row: number): T {
  if (!reply.ok) throw unreadable(`row ${row} no longer satisfies its contract: ${reply.reason}`)
  return reply.value
}
const readAgain = <T>(contract: z.ZodType<T>, recall: Recall, row: number): T =>
  valueOf(readAccepted(contract, replyAt(recall, row), briefOf(recall).settings), row)

/** The move of a row. null: the row is no call that replaces three. */
function moveAt(recall: Recall, row: number): Move | null {
  const contract = moveContractOf(recall(row))
  return contract === null
    ? null
    : valueOf(readMove(replyAt(recall, row), contract, briefOf(recall), readAccepted), row)
}

export const thoughtOf = (recall: Recall, row: number): string =>
  moveAt(recall, row)?.thought ??
  valueOf(readThought(replyAt(recall, row), briefOf(recall).settings, readAccepted), row)

export const decisionOf = (recall: Recall, row: number): Decision =>
  moveAt(recall, row) ?? readAgain(DecisionReply, recall, row)

/** The action that a row chose, with the name of the tool as its client writes it. null: it chose none. */
export function actionOf(recall: Recall, row: number): MoveAction | null {
  const move = moveAt(recall, row)
  const action = move === null ? { ...readAgain(ActionReply, recall, row), ends_item: false } : move.action
  return action === null ? null : withProperName(action, briefOf(recall))
}

/** The result of a step from the row that ended it: the reason of a decision, or the text of an action. */
export function resultAt(recall: Recall, row: number): string {
  const { event } = recall(row)
  return event.kind === 'tool_returned' ? event.text : decisionOf(recall, row).reason
}

/** The question of a row that has asked the user. */
export function userQuestionAt(recall: Recall, row: number): UserQuestion {
  const question = questionIn(actionOf(recall, row)?.input ?? '')
  if (!question.ok) throw unreadable(`row ${row} asks no question: ${question.reason}`)
  return question.value
}

export const withProperName = <A extends Action>(action: A, { tools }: Pick<Brief, 'tools'>): A => ({
  ...action,
  tool: properToolName(tools, action.tool),
})

/** What is wrong with the reply of a row, in words for the model. */
export function contractErrorOf(recall: Recall, row: number, brief: Brief): string {
  const fact = recall(row)
  const event = expectEvent(fact, 'model_replied')
  const contract = moveContractOf(fact)
  if (contract !== null) {
    const move = readMove(event, contract, brief)
    return move.ok ? (moveError(move.value, brief) ?? NO_ACTION) : move.reason
  }
  switch (fact.effect?.phase) {
    case 'plan':
      return reasonOf(readPlan(event, brief.settings))
    case 'think':
      return reasonOf(readThought(event, brief.settings))
    case 'step_decision':
      return reasonOf(readNew(DecisionReply, event, brief.settings))
    default: {
      const action = readNew(ActionReply, event, brief.settings)
      return action.ok ? (actionError(action.value, brief) ?? '') : action.reason
    }
  }
}

const reasonOf = (reply: ReplyResult<unknown>): string => (reply.ok ? '' : reply.reason)

/** The text of a step: from a plan, from the decision that added it, or from an edit. */
export function stepOf(recall: Recall, [, row, index]: Item): StepReply {
  const step = stepsIn(recall, row)[index]
  if (step === undefined) throw unreadable(`row ${row} names no step ${index}`)
  return step
}

function stepsIn(recall: Recall, row: number): StepReply[] {
  const { effect, event } = recall(row)
  if (event.kind === 'plan_edited') return event.items.map(byHand)
  return effect?.phase === 'plan' ? readAgain(DynamicPlanReply, recall, row).steps : decisionOf(recall, row).add_steps
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
