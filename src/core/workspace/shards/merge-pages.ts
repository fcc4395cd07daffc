/**
 * Pages of several shards as one page, newest first. Two shards may have entries at the same position, so a cursor of a merged page names a
 * position and a shard. It is a number above all positions, so that a cursor from before the growth goes on to work.
 */
import { FIRST_SHARD, SHARDS_MAX } from './layout.ts'

/** Above every position, which is a time in ms, or a small number in a workspace of the first release. Cursors stay exact numbers. */
const MERGED = 2 ** 52

interface Place {
  position: number
  shard: number
}
const isAfter = (a: Place, b: Place): boolean =>
  a.position > b.position || (a.position === b.position && a.shard >= b.shard)

export const cursorOf = ({ position, shard }: Place): number => MERGED + position * SHARDS_MAX + shard

/** The place that a cursor names. A position alone is that of the first shard, below which every shard goes on. */
export const placeOf = (cursor: number): Place =>
  cursor < MERGED
    ? { position: cursor, shard: FIRST_SHARD }
    : { position: Math.floor((cursor - MERGED) / SHARDS_MAX), shard: cursor % SHARDS_MAX }

/** The cursor for one shard: it gives the entries with a position below the answer. 0: from the newest on. */
export function cursorIn(cursor: number, shard: number): number {
  if (cursor < MERGED) return cursor
  const place = placeOf(cursor)
  // 0 would ask for the newest entries.
  return Math.max(1, shard < place.shard ? place.position + 1 : place.position)
}

/** The page of one shard. `next` is the lowest position that it has looked at; null: there is nothing below. */
export interface ShardPage<T> {
  shard: number
  entries: readonly T[]
  next: number | null
}

/** What every shard has looked at, merged. `cursor` is that of a page which goes on after the entry. `next` null: no shard has more. */
export function mergePages<T extends { position: number }>(
  pages: readonly ShardPage<T>[],
  limit: number,
): { entries: { entry: T; cursor: number }[]; next: number | null } {
  const ends = pages.flatMap(({ shard, next }) => (next === null ? [] : [{ position: next, shard }]))
  const end = ends.reduce<Place | null>((top, one) => (top === null || isAfter(one, top) ? one : top), null)
  const placed = pages.flatMap(({ shard, entries }) =>
    entries.map((entry) => ({ entry, place: { position: entry.position, shard } })),
  )
  const found = placed
    .filter(({ place }) => end === null || isAfter(place, end))
    .toSorted((a, b) => (isAfter(a.place, b.place) ? -1 : 1))
  const shown = found.slice(0, limit)
  const last = found.length > limit ? (shown.at(-1)?.place ?? null) : end
  const entries = shown.map(({ entry, place }) => ({ entry, cursor: cursorOf(place) }))
  return { entries, next: last === null ? null : cursorOf(last) }
}
