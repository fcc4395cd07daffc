/** The view of a plan: its items with their states, and its progress. */
import { briefOf, type ItemEnding, type Progress } from '../../mode/mode.ts'
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { oneLine } from '../../shown/line-text.ts'
import { cut } from '../../terms/text.ts'
import type { FinishedItem, ItemStatus, PlanItem, PlanView } from '../../terms/view.ts'
import { actionProgress, type Observation } from './actions.ts'
import { currentId, itemId, titleOf, type ItemSource } from './items.ts'
import { endedInList, endOf, finishedCount, FINISHED_MAX, isEdited, type ItemEnd, type Plan } from './plan.ts'

/** `running` is the position of the item that has started. `ended` says how the task has ended; null: it has not. */
export function itemStatus(plan: Plan, index: number, running: number | null, ended: ItemEnding | null): ItemStatus {
  const end = endOf(plan, index)
  if (end !== null) return end[0]
  if (ended !== null) return index === plan.cursor ? ended.current : ended.later
  return index === running ? 'running' : 'pending'
}

/** The phase of the model call that made the list. */
export const phaseOf = ({ row }: Plan, recall: Recall): string =>
  (row === null ? undefined : recall(row).effect?.phase) ?? 'plan'

/** What a mode says of the items of its plan. */
export interface ItemViews {
  /** The state of an item of the list. */
  stateOf(index: number): Pick<PlanItem, 'status' | 'result' | 'progress' | 'constraints'>
  /** The result of an item that has left the list, from its end. */
  goneResult(end: ItemEnd): string | null
  /** Where the texts of items that have left the list are read, if they are elsewhere than those of the list. */
  gone?: ItemSource
}

/** `made_by` names the source of the list if no person wrote it. */
export const planView = (
  source: ItemSource,
  plan: Plan,
  recall: Recall,
  made_by: string,
  views: ItemViews,
): PlanView => ({
  revision: plan.revision,
  cursor: plan.cursor,
  source: isEdited(plan, recall) ? 'edit' : made_by,
  items: plan.items.map((item, index) => ({
    id: itemId(source, item[0]),
    ...source.textOf(item, recall),
    ...views.stateOf(index),
  })),
  finished: finishedItems(source, plan, recall, views),
  finished_count: finishedCount(plan),
})

/** Characters of a result in the list of finished items, which may be long. The item of the plan shows more, and the journal all. */
const FINISHED_RESULT_CHARS = 1_000

/** The newest items that have ended, whether they still stand in the list or not. */
function finishedItems(
  source: ItemSource,
  plan: Plan,
  recall: Recall,
  { stateOf, goneResult, gone = source }: ItemViews,
): FinishedItem[] {
  const gone_items = plan.gone.map((item) => ({ item, from: gone, resultOf: () => goneResult([item[3], item[4]]) }))
  const listed_items = endedInList(plan).map(({ item, index }) => ({
    item,
    from: source,
    resultOf: () => stateOf(index).result,
  }))
  return [...gone_items, ...listed_items]
    .slice(-FINISHED_MAX)
    .map(({ item: [number, row, index, how], from, resultOf }) => {
      const result = resultOf()
      return {
        id: itemId(source, number),
        title: titleOf(from, [number, row, index], recall),
        status: how,
        result: result === null ? null : cut(result, FINISHED_RESULT_CHARS),
      }
    })
}

/** Characters of a result in a handover. */
const HANDOVER_RESULT_CHARS = 500

const ENDED_OTHERWISE: Record<Locale, Record<Exclude<ItemEnd[0], 'completed'>, string>> = {
  en: { failed: ' (failed)', skipped: ' (skipped)' },
  zh: { failed: '（失败）', skipped: '（已跳过）' },
}

/** The items for a handover: the completed ones with what came of them, the others with why they failed, and the open ones. */
export function planProgress(
  source: ItemSource,
  plan: Plan,
  recall: Recall,
  views: ItemViews,
): Pick<Progress, 'completed' | 'finished_count' | 'remaining' | 'open_count'> {
  const { locale } = briefOf(recall)
  const finished = finishedItems(source, plan, recall, views)
  const open = plan.items.filter((_, index) => endOf(plan, index) === null)
  // The reason of the stop says why the current item failed.
  const current = currentId(source, plan)
  const remaining = finished.flatMap(({ id, title, status, result }) => {
    if (status === 'completed') return []
    return [withResult(locale, `${title}${ENDED_OTHERWISE[locale][status]}`, id === current ? null : result)]
  })
  return {
    completed: finished.flatMap(({ title, status, result }) =>
      status === 'completed' ? [withResult(locale, title, result)] : [],
    ),
    finished_count: finishedCount(plan),
    remaining: [...remaining, ...open.map((item) => titleOf(source, item, recall))],
    open_count: open.length,
  }
}

/** An item with its result on one line. */
export function withResult(locale: Locale, title: string, result: string | null): string {
  const line = oneLine(result ?? '', HANDOVER_RESULT_CHARS)
  return line === '' ? title : `${title}${locale === 'en' ? ': ' : '：'}${line}`
}

/** The same for a mode whose actions are observations, with the newest actions and the latest obstacle (S0-33, O0-15). */
export function observedProgress(
  source: ItemSource,
  plan: Plan,
  recall: Recall,
  views: ItemViews,
  observations: { rows: readonly number[]; observe: (recall: Recall, row: number) => Observation },
): Progress {
  const progress = planProgress(source, plan, recall, views)
  const finished = finishedItems(source, plan, recall, views)
  const told_items = new Set(finished.flatMap(({ id, result }) => (result === null ? [] : [id])))
  const observe = (row: number) => observations.observe(recall, row)
  const { actions, failure } = actionProgress(plan, told_items, observations.rows, observe)
  return { ...progress, completed: [...progress.completed, ...actions], last_failure: failure }
}
