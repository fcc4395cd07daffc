/** Which tasks the list shows, as its address says it: filters, and the way of cursors that led to its page. */
import { query } from '../../api/request.ts'
import type { TaskEntry } from '../../api/wire.ts'
import type { Route } from '../../route.ts'

export type Asked = Record<string, string>
export const FILTERS = ['q', 'status', 'mode'] as const
export type Filter = (typeof FILTERS)[number]

const PAGE = 20
const of = (asked: Asked): Extract<Route, { view: 'tasks' }> => ({ view: 'tasks', query: asked })
/** Cursors of the pages before this one, but for the first, which has none. */
const trailOf = ({ trail = '' }: Asked): string[] => trail.split('.').filter((cursor) => cursor !== '')
const filtersOf = (asked: Asked): Asked =>
  Object.fromEntries(FILTERS.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])))

export const pathOf = (asked: Asked): string =>
  `/tasks${query({ ...filtersOf(asked), limit: PAGE, after: asked['after'] ?? null })}`
/** No more of them are counted than a reader cares for. */
const COUNTED = 5
/** How many wait for a person: the first of them, and whether there are more. */
export const waitingPath = (status: 'input_required' | 'paused'): string => `/tasks${query({ status, limit: COUNTED })}`

const LOOK_MS = 4_000
/** A search looks at many goals of the tenant each time. */
const SEARCH_MS = 15_000
export const lookAgainAfter = (asked: Asked): number => (asked['q'] === undefined ? LOOK_MS : SEARCH_MS)

/** What of a page says that somebody may be needed now, or not any more. */
export const statusesOf = (tasks: readonly Pick<TaskEntry, 'id' | 'status'>[]): string =>
  tasks.map(({ id, status }) => `${id} ${status}`).join()

export const isFiltered = (asked: Asked): boolean => Object.keys(filtersOf(asked)).length > 0
export const isFirst = (asked: Asked): boolean => (asked['after'] ?? '') === ''
export const pageNumber = (asked: Asked): number => (isFirst(asked) ? 1 : trailOf(asked).length + 2)

/** What is asked for changes, so its pages begin anew; an empty value takes the filter away. */
export function filtered(asked: Asked, change: Partial<Record<Filter, string>>) {
  const wanted = Object.entries({ ...filtersOf(asked), ...change })
  return of(Object.fromEntries(wanted.filter(([, value]) => value !== '')))
}

export function older(asked: Asked, cursor: string) {
  const trail = [...trailOf(asked), ...(isFirst(asked) ? [] : [asked['after'] ?? ''])]
  return of({ ...filtersOf(asked), after: cursor, ...(trail.length === 0 ? {} : { trail: trail.join('.') }) })
}

export function newer(asked: Asked) {
  const trail = trailOf(asked)
  const after = trail.pop()
  if (after === undefined) return of(filtersOf(asked))
  return of({ ...filtersOf(asked), after, ...(trail.length === 0 ? {} : { trail: trail.join('.') }) })
}
