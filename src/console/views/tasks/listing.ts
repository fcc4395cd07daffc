/** Which tasks the list shows, as its address says it: filters, and the way of cursors that led to its page. */
import { queryText } from '../../api/request.ts'
import type { TaskEntry } from '../../api/wire.ts'
import type { PageRoute } from '../../route.ts'

export type ListQuery = Record<string, string>
const TASK_FILTERS = ['q', 'status', 'mode'] as const
export type TaskFilter = (typeof TASK_FILTERS)[number]

const PAGE = 20
const of = (asked: ListQuery): Extract<PageRoute, { view: 'tasks' }> => ({ view: 'tasks', query: asked })
/** Cursors of the pages before this one, but for the first, which has none. */
const trailOf = ({ trail = '' }: ListQuery): string[] => trail.split('.').filter((cursor) => cursor !== '')
const filtersOf = (asked: ListQuery): ListQuery =>
  Object.fromEntries(TASK_FILTERS.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])))

export const pathOf = (asked: ListQuery): string =>
  `/tasks${queryText({ ...filtersOf(asked), limit: PAGE, after: asked['after'] ?? null })}`
/** No more of them are counted than a reader cares for. */
const COUNTED = 5
/** How many wait for a person: the first of them, and whether there are more. */
export const waitingPath = (status: 'input_required' | 'paused'): string =>
  `/tasks${queryText({ status, limit: COUNTED })}`

const LOOK_MS = 4_000
/** A search looks at many goals of the tenant each time. */
const SEARCH_MS = 15_000
export const lookAgainAfter = (asked: ListQuery): number => (asked['q'] === undefined ? LOOK_MS : SEARCH_MS)

/** What of a page says that somebody may be needed now, or not any more. */
export const statusesOf = (tasks: readonly Pick<TaskEntry, 'id' | 'status'>[]): string =>
  tasks.map(({ id, status }) => `${id} ${status}`).join()

export const isFiltered = (asked: ListQuery): boolean => Object.keys(filtersOf(asked)).length > 0
export const isFirst = (asked: ListQuery): boolean => (asked['after'] ?? '') === ''
export const pageNumber = (asked: ListQuery): number => (isFirst(asked) ? 1 : trailOf(asked).length + 2)

/** What is asked for changes, so its pages begin anew; an empty value takes the filter away. */
export function withFilters(asked: ListQuery, change: Partial<Record<TaskFilter, string>>) {
  const wanted = Object.entries({ ...filtersOf(asked), ...change })
  return of(Object.fromEntries(wanted.filter(([, value]) => value !== '')))
}

export function olderPage(asked: ListQuery, cursor: string) {
  const trail = [...trailOf(asked), ...(isFirst(asked) ? [] : [asked['after'] ?? ''])]
  return of({ ...filtersOf(asked), after: cursor, ...(trail.length === 0 ? {} : { trail: trail.join('.') }) })
}

export function newerPage(asked: ListQuery) {
  const trail = trailOf(asked)
  const after = trail.pop()
  if (after === undefined) return of(filtersOf(asked))
  return of({ ...filtersOf(asked), after, ...(trail.length === 0 ? {} : { trail: trail.join('.') }) })
}
