/** Reads the rows that the state names: actions, finished steps and decisions as the model and the handover see them. */
import type { Recall } from '../../terms/effect.ts'
import type { ImageRef } from '../../terms/files/images.ts'
import type { Locale } from '../../terms/locale.ts'
import { imagesAt, newestImages, placeOfImages } from '../files/shown-images.ts'
import type { Settings } from '../../terms/settings.ts'
import { cut } from '../../terms/text.ts'
import { unreadable } from '../../terms/unreadable.ts'
import { observeAction, type Observation } from '../plan/actions.ts'
import { itemId } from '../plan/items.ts'
import { endedItems, type GoneItem } from '../plan/plan.ts'
import { nameByRow } from './data.ts'
import { actionOf, decisionOf, resultAt, STEPS, stepOf } from './replies.ts'
import type { DynamicState } from './state.ts'

/** Characters of the actions that are shown as a whole. */
export const ACTIONS_CHARS = 60_000
/** At most this many further results, whose actions are not shown any more, are shown in short. */
export const NAMES_SHOWN = 20
/** Characters of an input and of a result in short (S3-09). */
export const SUMMARY_CHARS = 200
export const PREVIEW_CHARS = 100
/** Characters of the results of finished steps together, and of one of them. */
export const COMPLETED_CHARS = 40_000
export const STEP_RESULT_CHARS = 2_000
/** Characters of a reason in the history of decisions. */
export const REASON_CHARS = 300
/** The number of newest decisions that are always shown. */
export const DECISIONS_SHOWN = 10

/**
 * The position of the first entry that is shown as a whole, so that the newest entries fit into `chars_max` together. When they
 * do not fit, so many become short that there is room for some time. Thus a prompt seldom differs in its beginning from the one before.
 */
export function wholeFrom(sizes: readonly number[], chars_max: number): number {
  let first = 0
  let sum = 0
  sizes.forEach((size, index) => {
    sum += size
    if (sum <= chars_max) return
    for (; first < index && sum > (2 * chars_max) / 3; first++) sum -= sizes[first] ?? 0
  })
  return first
}

/**
 * An action as a prompt shows it. A text that stands elsewhere is left out: an input that is its own result, and a result that is that of
 * the step. `partial`: its name stands for the whole text of its result.
 */
interface ShownAction extends Omit<Observation, 'input' | 'result'> {
  input?: string
  name?: string
  result?: string
  partial?: true
  /** Where the images of the result are: beside this text, or not in this request. */
  images?: string
}

/** What a prompt shows of the actions: their texts, and the images beside them. */
interface ShownActions {
  actions: ShownAction[]
  images: ImageRef[]
}
export const NO_ACTIONS: ShownActions = { actions: [], images: [] }

/**
 * The actions of the task, oldest first, each text once. The newest are shown as a whole, and the others in short (O0-14, S3-15). Images are
 * shown of those that are shown as a whole.
 */
export function actionsOf(
  state: DynamicState,
  recall: Recall,
  { settings, locale }: { settings: Settings; locale: Locale },
): ShownActions {
  const observed = state.observations.slice(-settings.observation_history_limit)
  const further = state.results.slice(-NAMES_SHOWN).filter((row) => !observed.includes(row) && isAction(recall, row))
  const told = rowsToldInFull(state, recall)
  const names = nameByRow(state, recall)
  const furtherActions = further.map((row) => {
    const action = observe(recall, row)
    const result = told.has(row) ? null : cut(action.result, PREVIEW_CHARS)
    return shownAction(action, result, names.get(row), SUMMARY_CHARS)
  })
  const actions = observed
    .filter((row) => isAction(recall, row))
    .map((row) => {
      const action = observe(recall, row)
      return { row, action, whole: cut(action.result, settings.observation_char_limit) }
    })
  const sizes = actions.map(({ action, whole }) => whole.length + action.input.length)
  const first = wholeFrom(sizes, ACTIONS_CHARS)
  const images = newestImages(actions.slice(first).map(({ row }) => imagesAt(recall, row)))
  const shown = actions.map(({ row, action, whole }, index) => {
    const isWhole = index >= first
    const result = told.has(row) ? null : isWhole ? whole : cut(action.result, PREVIEW_CHARS)
    const text = shownAction(action, result, names.get(row), isWhole ? Infinity : SUMMARY_CHARS)
    const place = placeOfImages(imagesAt(recall, row), images, locale)
    return place === null ? text : { ...text, images: place }
  })
  return { actions: [...furtherActions, ...shown], images: [...images] }
}

/** `result`: null if it stands as the result of its step. */
function shownAction(
  action: Observation,
  result: string | null,
  name: string | undefined,
  input_max: number,
): ShownAction {
  const { item_id, tool, input, ok } = action
  return {
    item_id,
    tool,
    ...(input === action.result ? {} : { input: cut(input, input_max) }),
    ok,
    ...(name === undefined ? {} : { name }),
    ...(result === null ? {} : { result }),
    ...(name !== undefined && result !== null && result !== action.result ? { partial: true } : {}),
  }
}

/** The rows whose whole text stands in `completed` as the result of a step. */
function rowsToldInFull(state: DynamicState, recall: Recall): ReadonlySet<number> {
  const completed = completedOf(state, recall)
  const rows = endedItems(state.plan).flatMap(([, , , , row], index) => {
    const event = row === null ? null : recall(row).event
    return event?.kind === 'tool_returned' && event.text === completed[index]?.result ? [row] : []
  })
  return new Set(rows.filter((row) => row !== null))
}

/** Whether a row is an action. In a task of an early release it may be a reply that was refused. */
export const isAction = (recall: Recall, row: number): boolean => {
  const { effect, event } = recall(row)
  return event.kind === 'approval_answered' || effect?.kind === 'run_tool'
}

export function observe(recall: Recall, row: number): Observation {
  const action = observeAction(recall(row), (by) => actionOf(recall, by))
  if (action === null) throw unreadable(`row ${row} is no action`)
  return action
}

/** The steps that have ended with their results, in the order of their ends. */
export function completedOf({ plan }: DynamicState, recall: Recall) {
  const steps = endedItems(plan).map((item) => ({ item, result: resultOfItem(item, recall) }))
  const first = wholeFrom(
    steps.map(({ result }) => Math.min(result.length, STEP_RESULT_CHARS)),
    COMPLETED_CHARS,
  )
  return steps.map(({ item: [number, row, index, status], result }, at) => ({
    id: itemId(STEPS, number),
    title: stepOf(recall, [number, row, index]).name,
    status,
    result: cut(result, at >= first ? STEP_RESULT_CHARS : SUMMARY_CHARS),
  }))
}

const resultOfItem = ([, , , , row]: GoneItem, recall: Recall): string => (row === null ? '' : resultAt(recall, row))

/** How many of the newest decisions are shown. The number grows to twice the least one and falls back, so that the list seldom loses its beginning. */
const decisionsShown = (count: number): number =>
  count <= 2 * DECISIONS_SHOWN ? count : DECISIONS_SHOWN + (count % DECISIONS_SHOWN)

/**
 * S3-16: the decisions about the current step with their reasons. What was decided about a step that has ended stands in its result; only
 * how it changed the plan is kept.
 */
export function decisionsOf({ decisions, plan }: DynamicState, recall: Recall) {
  const ended = new Set(endedItems(plan).map(([number]) => number))
  return decisions.slice(-decisionsShown(decisions.length)).flatMap(([row, id]) => {
    const { is_complete, reason, add_steps, remove_steps } = decisionOf(recall, row)
    const changes = {
      ...(add_steps.length === 0 ? {} : { add_steps: add_steps.map(({ name }) => cut(name, PREVIEW_CHARS)) }),
      ...(remove_steps.length === 0 ? {} : { remove_steps: remove_steps.map((name) => cut(name, PREVIEW_CHARS)) }),
    }
    const item_id = itemId(STEPS, id)
    if (!ended.has(id)) return [{ item_id, is_complete, reason: cut(reason, REASON_CHARS), ...changes }]
    return Object.keys(changes).length === 0 ? [] : [{ item_id, ...changes }]
  })
}
