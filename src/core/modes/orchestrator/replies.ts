/** Accepted replies, read again when their text is needed: the journal keeps each text once. */
import type * as z from 'zod'
import type { EditedItem, EventOf, Recall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { readFencedJson, replyOf, removeThinking, type ReplyResult } from '../../mode/reply.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { EvaluationReply, OrchestratorPlanReply, type Evaluation, type StepReply } from './contract.ts'
import type { ItemSource } from '../plan/items.ts'
import type { Item } from '../plan/plan.ts'
import type { OrchestratorPlan } from './state.ts'

type Replied = EventOf<'model_replied'>
export const readPlan = (event: Replied) => replyOf(OrchestratorPlanReply, event, readFencedJson)
export const readEvaluation = (event: Replied) => replyOf(EvaluationReply, event, readFencedJson)

function accepted<T>(read: ReplyResult<T>, row: number): T {
  if (!read.ok) throw unreadable(`row ${row} no longer satisfies its contract: ${read.reason}`)
  return read.value
}

export const evaluationOf = (recall: Recall, row: number): Evaluation =>
  accepted(readEvaluation(expectEvent(recall(row), 'model_replied')), row)

/** What is wrong with a reply that was not accepted, for the model that has to do better. */
export function replyError(recall: Recall, row: number): string {
  const { effect, event } = recall(row)
  if (event.kind !== 'model_replied') return 'there was no reply'
  const read: ReplyResult<z.infer<typeof OrchestratorPlanReply> | Evaluation> =
    effect?.phase === 'plan' ? readPlan(event) : readEvaluation(event)
  return read.ok ? 'it was not allowed here' : read.reason
}

/** Steps as a row has written them: in a plan, in an evaluation that replanned, or by hand. */
export function stepsIn(recall: Recall, row: number): readonly StepReply[] {
  const { effect, event } = recall(row)
  if (event.kind === 'plan_edited') return event.items.map(byHand)
  const replied = expectEvent({ effect, event, at: 0 }, 'model_replied')
  return effect?.phase === 'plan' ? accepted(readPlan(replied), row).steps : evaluationOf(recall, row).adjusted_steps
}
const byHand = ({ title, description, expected_output }: EditedItem): StepReply => ({
  title,
  description,
  constraints: '',
  expected_output: expected_output ?? '',
})

function stepAt(recall: Recall, [, row, index]: Item): StepReply {
  const step = stepsIn(recall, row)[index]
  if (step === undefined) throw unreadable(`row ${row} names no step ${index}`)
  return step
}

export function stepOf(recall: Recall, { constraints }: OrchestratorPlan, item: Item): StepReply {
  const step = stepAt(recall, item)
  const place = constraints.find(([number]) => number === item[0])
  return place === undefined ? step : { ...step, constraints: stepAt(recall, place).constraints }
}

export const STEPS: ItemSource = {
  prefix: 'step',
  textOf(item, recall) {
    const { title, description, expected_output } = stepAt(recall, item)
    return { title, description, expected_output: expected_output === '' ? null : expected_output }
  },
}

export const reportAt = (recall: Recall, row: number) => expectEvent(recall(row), 'report_arrived').report

/** The words of a summary: the text as it is, or what a reply of JSON says in one of these members. */
export function summaryText(event: Replied): string {
  const words = removeThinking(event.text).trim()
  const read = readFencedJson(words)
  if (!read.ok || Array.isArray(read.value)) return words
  const members = new Map<string, unknown>(Object.entries(read.value))
  const said = ['summary', 'text', 'response'].map((name) => members.get(name)).find((one) => typeof one === 'string')
  return typeof said === 'string' ? said.trim() : words
}
