/** Accepted replies are parsed again when their text is needed, because the journal stores each text only once. */
import type * as z from 'zod'
import type { EditedItem, EventOf, Recall } from '../../terms/effect.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { readVerdict } from '../../mode/json/yes-no.ts'
import { findObject } from '../../mode/json/json-object.ts'
import {
  acceptedReplyOf,
  jsonReader,
  readFencedJson,
  removeThinking,
  replyOf,
  type ReplyResult,
} from '../../mode/reply.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut } from '../../terms/text.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { EvaluationReply, OrchestratorPlanReply, type Evaluation, type StepReply } from './contract.ts'
import type { ItemSource } from '../plan/items.ts'
import type { Item, ItemEnd } from '../plan/plan.ts'
import type { OrchestratorPlan } from './state.ts'
import { NO_REASON, NO_REPORT, NOT_APPROVED, NOT_SENT, REPORTED_FAILED } from './words.ts'

type ReplyEvent = EventOf<'model_replied'>
export const readPlan = (event: ReplyEvent, settings: Settings) =>
  replyOf(OrchestratorPlanReply, event, jsonReader(settings))
export const readEvaluation = (event: ReplyEvent, settings: Settings) =>
  replyOf(EvaluationReply, event, jsonReader(settings))

function readAgain<T>(contract: z.ZodType<T>, recall: Recall, row: number): T {
  const event = expectEvent(recall(row), 'model_replied')
  const result = acceptedReplyOf(contract, event, jsonReader, briefOf(recall).settings)
  if (!result.ok) throw unreadable(`row ${row} no longer satisfies its contract: ${result.reason}`)
  return result.value
}

export const evaluationOf = (recall: Recall, row: number): Evaluation => readAgain(EvaluationReply, recall, row)

/** The error of a reply, as text for the model. */
export function replyError(recall: Recall, row: number): string {
  const { effect, event } = recall(row)
  const { settings } = briefOf(recall)
  if (event.kind !== 'model_replied') return 'there was no reply'
  const result: ReplyResult<z.infer<typeof OrchestratorPlanReply> | Evaluation> =
    effect?.phase === 'plan' ? readPlan(event, settings) : readEvaluation(event, settings)
  return result.ok ? 'it was not allowed here' : result.reason
}

/** The steps of a row: from a plan, from an evaluation with `replan`, or from an edit. */
export function stepsIn(recall: Recall, row: number): readonly StepReply[] {
  const { effect, event } = recall(row)
  if (event.kind === 'plan_edited') return event.items.map(byHand)
  return effect?.phase === 'plan'
    ? readAgain(OrchestratorPlanReply, recall, row).steps
    : evaluationOf(recall, row).adjusted_steps
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

interface Summary {
  text: string
  /** Whether the goal was reached. null: the summary does not say it. */
  achieved: boolean | null
}

const summaries = new WeakMap<ReplyEvent, Summary>()

/** The summary of a reply, which is read once while its event is in memory. */
export function summaryIn(event: ReplyEvent): Summary {
  const summary = summaries.get(event) ?? readSummary(removeThinking(event.text).trim())
  summaries.set(event, summary)
  return summary
}

/** A summary in plain words, or in a JSON object that may stand in a fence or in prose. */
function readSummary(words: string): Summary {
  const whole = readFencedJson(words)
  if (whole.ok && !Array.isArray(whole.value)) return summaryFrom(whole.value, words, SUMMARY_NAMES)
  // An object within prose may be a part of the summary, so it counts only if it names its summary.
  const found = findObject(words)
  return found.ok ? summaryFrom(found.value, words, ['summary']) : { text: words, achieved: null }
}

const SUMMARY_NAMES = ['summary', 'text', 'response']

/** The text is the first of these members that is one. */
function summaryFrom(value: object, words: string, names: readonly string[]): Summary {
  const members = new Map<string, unknown>(Object.entries(value))
  const summary = names.map((name) => members.get(name)).find((one) => typeof one === 'string')
  return typeof summary === 'string'
    ? { text: summary.trim(), achieved: readVerdict(members.get('achieved')) }
    : { text: words, achieved: null }
}

export const summaryText = (event: ReplyEvent): string => summaryIn(event).text

/** Characters of the reason of a step that has ended. */
const RESULT_CHARS = 2_000

/** The answer of a person, or the changes that a person wants of a command. */
export function instructionAt(recall: Recall, row: number): string {
  const fact = recall(row)
  return fact.event.kind === 'approval_answered' ? fact.event.text : expectEvent(fact, 'user_answered').text
}

/** Why the attempt failed that the row ended. */
export function reasonAt(recall: Recall, row: number): string {
  const { locale } = briefOf(recall)
  const { event } = recall(row)
  switch (event.kind) {
    case 'model_replied':
      return evaluationOf(recall, row).reason || NO_REASON[locale]
    case 'report_expired':
      return NO_REPORT[locale]
    case 'approval_answered':
      return NOT_APPROVED[locale]
    default:
      return NOT_SENT[locale]
  }
}

/** Why a step has ended, by the row that ended it. null: no row did. */
export function endText([how, row]: ItemEnd, recall: Recall): string | null {
  if (row === null) return null
  const text = recall(row).event.kind === 'user_answered' ? instructionAt(recall, row) : reasonAt(recall, row)
  const note = how === 'failed' && isPassed(recall, row) ? REPORTED_FAILED[briefOf(recall).locale] : ''
  return cut(`${note}${text}`, RESULT_CHARS)
}

/** Whether the judge calls the step done. It has failed nevertheless if its report says FAILED (R17). */
function isPassed(recall: Recall, row: number): boolean {
  if (recall(row).event.kind !== 'model_replied') return false
  const { decision, achieved, current_step } = evaluationOf(recall, row)
  return achieved !== false && (decision === 'next' || (decision === 'replan' && current_step !== 'failed'))
}
