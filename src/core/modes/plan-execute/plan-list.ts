/** How a list of titles becomes the plan: ids, cursor, revision (R5, R11, U18). Pure functions of the plan alone. */
import type { Note } from '../../terms/effect.ts'
import { currentId, itemId, placeOf, type Place, type PlanExecuteState } from './state.ts'

type Plan = PlanExecuteState['plan']

/** The first list: every item gets a new id, the cursor is at 0. */
export function firstPlan(plan: Plan, row: number, titles: string[]): Plan {
  const ids = titles.map((_, index) => plan.next_id + index)
  return { row, revision: plan.revision + 1, cursor: 0, ids, done: [], next_id: plan.next_id + ids.length }
}

/**
 * R5: an identical list keeps cursor and revision; any other list starts at 0. Its items take the id of the first
 * unfinished item with the same title, else a new one; finished items leave (U18).
 */
export function replacePlan(plan: Plan, before: string[], row: number, titles: string[]): Plan {
  const identical = titles.length === before.length && titles.every((title, index) => title === before[index])
  if (identical) return { ...plan, cursor: Math.min(plan.cursor, titles.length) }
  const open = plan.ids
    .map((id, index) => ({ id, title: before[index], place: placeOf(plan, index) }))
    .slice(plan.cursor)
  let next_id = plan.next_id
  const items = titles.map((title, index) => {
    const match = open.findIndex((item) => item.title === title)
    return (match === -1 ? undefined : open.splice(match, 1)[0]) ?? { id: next_id++, place: [row, index] as Place }
  })
  const list = { row, revision: plan.revision + 1, cursor: 0, ids: items.map(({ id }) => id), done: [], next_id }
  if (plan.places === undefined) return list
  // What was written by hand about an item stays with it.
  return { ...list, places: items.map(({ place }, index): Place => place ?? [row, index]) }
}

export function listNote(type: 'plan_created' | 'plan_replanned', plan: Plan, titles: string[]): Note {
  const items = plan.ids.map((id, index) => ({ id: itemId(id), title: titles[index] ?? '' }))
  return { type, payload: { items, cursor: plan.cursor, revision: plan.revision } }
}

/** Announces the item under the cursor once. */
export function startItem(state: PlanExecuteState, titles: string[]): { state: PlanExecuteState; notes: Note[] } {
  const { plan } = state
  const id = currentId(plan)
  if (id === null || id === state.started) return { state, notes: [] }
  const payload = { item_id: itemId(id), title: titles[plan.cursor] ?? '', index: plan.cursor, total: plan.ids.length }
  return { state: { ...state, started: id }, notes: [{ type: 'item_started', payload }] }
}
