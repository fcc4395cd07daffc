/** Reads the rows that the state names, as the model and the handover see them. */
import type { Fact, Recall } from '../../terms/effect.ts'
import type { ImageRef } from '../../terms/files/images.ts'
import type { Locale } from '../../terms/locale.ts'
import { newestWithin } from '../../terms/values/bounded-list.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut } from '../../terms/text.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { correctionOf, type Correction } from '../../mode/correction.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { imagesAt, newestImages, placeOfImages } from '../files/shown-images.ts'
import { observeAction, type Observation } from '../plan/actions.ts'
import { itemId, titleOf } from '../plan/items.ts'
import { endedItems, FINISHED_MAX, type GoneItem } from '../plan/plan.ts'
import { resultAt } from './item-end.ts'
import { REFUSALS } from './prompt-words.ts'
import { planIn, replanIn, thoughtIn, thoughtOf } from './replies.ts'
import { ITEMS, type PlanExecuteState, type Refusal } from './state.ts'

/** Characters of all observations of one prompt. Without this bound, the two settings could ask for a hundred times what a message holds. */
export const OBSERVATIONS_CHARS_MAX = 1_000_000

/** What a prompt shows of the actions: their texts, and the images beside them. */
interface ShownObservations {
  observations: (Observation & { images?: string })[]
  images: ImageRef[]
}

/** The newest observations, oldest first, each cut to the configured length (O0-14). The newest images stand beside them. */
export function observationsOf(
  state: PlanExecuteState,
  recall: Recall,
  { settings, locale }: { settings: Settings; locale: Locale },
): ShownObservations {
  const readObservation = (row: number) => {
    const observation = observe(recall, row)
    return { row, observation: { ...observation, result: cut(observation.result, settings.observation_char_limit) } }
  }
  const rows = actionRows(state.observations, recall).slice(-settings.observation_history_limit)
  const shown = newestWithin(
    rows,
    readObservation,
    ({ observation: { result, input } }) => result.length + input.length,
    OBSERVATIONS_CHARS_MAX,
  )
  const images = newestImages(shown.map(({ row }) => imagesAt(recall, row)))
  const observations = shown.map(({ row, observation }) => {
    const place = placeOfImages(imagesAt(recall, row), images, locale)
    return place === null ? observation : { ...observation, images: place }
  })
  return { observations, images: [...images] }
}

/** The rows of actions. In a task of an earlier release a row may also be a reply that was refused. */
export const actionRows = (rows: readonly number[], recall: Recall): number[] =>
  rows.filter((row) => recall(row).event.kind !== 'model_replied')

/** One row as an observation. */
export function observe(recall: Recall, row: number): Observation {
  const action = observeAction(recall(row), (by) => thoughtOf(recall, by).next_action)
  if (action === null) throw unreadable(`row ${row} is no action`)
  return action
}

interface FinishedItem {
  id: string
  title: string
  status: GoneItem[3]
  result: string | null
}

/** Characters of one result, of those that are shown whole together, and of a result for which there is no more room. */
const RESULT_CHARS = 2_000
const WHOLE_RESULTS_CHARS = 40_000
const SHORT_RESULT_CHARS = 100
/** Characters of all results of a prompt. */
export const RESULTS_CHARS_MAX = WHOLE_RESULTS_CHARS + FINISHED_MAX * SHORT_RESULT_CHARS

/** The items that have ended with their results, oldest first. The newest results are shown whole, as far as there is room. */
export function finishedItems({ plan }: Pick<PlanExecuteState, 'plan'>, recall: Recall): FinishedItem[] {
  let room = WHOLE_RESULTS_CHARS
  const items = endedItems(plan).toReversed()
  const finished = items.map(([number, row, index, status, end]): FinishedItem => {
    const text = resultAt(recall, end)
    const result = text === null ? null : cut(text.trim(), RESULT_CHARS)
    room -= result?.length ?? 0
    const shown = result === null || room >= 0 ? result : cut(result, SHORT_RESULT_CHARS)
    return { id: itemId(ITEMS, number), title: titleOf(ITEMS, [number, row, index], recall), status, result: shown }
  })
  return finished.toReversed()
}

/** The latest reply of this phase, if it was refused, and what was wrong. null: nothing is to be corrected. */
export function correctionFor({ refused }: PlanExecuteState, phase: string, recall: Recall): Correction | null {
  if (refused === null) return null
  const [row, refusal] = refused
  const fact = recall(row)
  if (fact.effect?.phase !== phase) return null
  return correctionOf(expectEvent(fact, 'model_replied'), problemOf(fact, refusal, briefOf(recall).locale, recall))
}

function problemOf(fact: Fact, refusal: Refusal, locale: Locale, recall: Recall): string {
  if (refusal !== 'contract') return REFUSALS[refusal][locale]
  const brief = briefOf(recall)
  const phase = fact.effect?.phase
  const read = phase === 'plan' ? planIn : phase === 'replan' ? replanIn : thoughtIn
  const reply = read(expectEvent(fact, 'model_replied'), brief)
  return reply.ok ? '' : reply.reason
}

export function clarificationsOf(state: PlanExecuteState, recall: Recall): { question: string; answer: string }[] {
  return state.clarifications.map(([question_row, answer_row]) => {
    const { event } = recall(answer_row)
    return {
      question: thoughtOf(recall, question_row).question ?? '',
      answer: event.kind === 'user_answered' ? event.text : '',
    }
  })
}
