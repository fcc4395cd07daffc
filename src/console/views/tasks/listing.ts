/** Reads from the address which tasks the list shows: filters, and the cursors of the pages before this one. */
import { queryText } from '../../api/request.ts'
import type { TaskEntry } from '../../api/wire.ts'
import type { PageRoute } from '../../route.ts'

export type ListQuery = Record<string, string>
const TASK_FILTERS = ['q', 'status', 'outcome', 'mode'] as const
export type TaskFilter = (typeof TASK_FILTERS)[number]

const PAGE = 20
const of = (list: ListQuery): Extract<PageRoute, { view: 'tasks' }> => ({ view: 'tasks', query: list })
/** Returns the cursors of the pages before this one. The first page has no cursor. */
const trailOf = ({ trail = '' }: ListQuery): string[] => trail.split('.').filter((cursor) => cursor !== '')
const filtersOf = (list: ListQuery): ListQuery =>
  Object.fromEntries(TASK_FILTERS.flatMap((name) => (list[name] === undefined ? [] : [[name, list[name]]])))

export const pathOf = (list: ListQuery): string =>
  `/tasks${queryText({ ...filtersOf(list), limit: PAGE, after: list['after'] ?? null })}`
/** More waiting tasks than these are not counted. */
const COUNT_MAX = 5
/** Reads the first tasks that wait for a person, and whether there are more. */
export const waitingPath = (status: 'input_required' | 'paused'): string =>
  `/tasks${queryText({ status, limit: COUNT_MAX })}`

const READ_AGAIN_MS = 4_000
/** A search reads many goals of the tenant each time, so it runs less often. */
const SEARCH_MS = 15_000
export const readAgainAfter = (list: ListQuery): number => (list['q'] === undefined ? READ_AGAIN_MS : SEARCH_MS)

/** Returns a text that changes when a task of the page begins or ceases to need a person. */
export const statusesOf = (tasks: readonly Pick<TaskEntry, 'id' | 'status'>[]): string =>
  tasks.map(({ id, status }) => `${id} ${status}`).join()

export const isFiltered = (list: ListQuery): boolean => Object.keys(filtersOf(list)).length > 0
export const isFirst = (list: ListQuery): boolean => (list['after'] ?? '') === ''
export const pageNumber = (list: ListQuery): number => (isFirst(list) ? 1 : trailOf(list).length + 2)

/** Changes the filters and goes to the first page. An empty value removes its filter. */
export function withFilters(list: ListQuery, change: Partial<Record<TaskFilter, string>>) {
  const filters = Object.entries({ ...filtersOf(list), ...change })
  return of(Object.fromEntries(filters.filter(([, value]) => value !== '')))
}

export function olderPage(list: ListQuery, cursor: string) {
  const trail = [...trailOf(list), ...(isFirst(list) ? [] : [list['after'] ?? ''])]
  return of({ ...filtersOf(list), after: cursor, ...(trail.length === 0 ? {} : { trail: trail.join('.') }) })
}

export function newerPage(list: ListQuery) {
  const trail = trailOf(list)
  const after = trail.pop()
  if (after === undefined) return of(filtersOf(list))
  return of({ ...filtersOf(list), after, ...(trail.length === 0 ? {} : { trail: trail.join('.') }) })
}
