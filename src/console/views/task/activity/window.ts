/** Which entries are drawn: of one sort, and the newest of them. */
import type { Entry } from './entry-of.ts'

export const FILTERS = ['all', 'thoughts', 'actions', 'plan'] as const
export type Filter = (typeof FILTERS)[number]
const SHOWN: Record<Exclude<Filter, 'all'>, readonly Entry['kind'][]> = {
  thoughts: ['thought'],
  actions: ['action'],
  plan: ['plan', 'item'],
}
/** More would make the page slow, and is seldom read. */
export const DRAWN_MAX = 200

export const filtered = (entries: readonly Entry[], filter: Filter) =>
  filter === 'all' ? entries : entries.filter(({ kind }) => SHOWN[filter].includes(kind))

/** The newest `most`; `held`: the seq of an entry that is being read and must not go, null: none. */
export function windowOf(entries: readonly Entry[], most: number, held: number | null) {
  const newest = Math.max(0, entries.length - most)
  const kept = held === null ? -1 : entries.findIndex(({ seq }) => seq >= held)
  // As many again may come while somebody reads.
  const first = kept === -1 ? newest : Math.min(newest, Math.max(kept, entries.length - 2 * most, 0))
  return { drawn: entries.slice(first), earlier: first }
}
