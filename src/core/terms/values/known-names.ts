/** What a message about an unknown name says: the known names, and the one that was probably meant. */

/** How many names a message shows at most. */
const SHOWN_MAX = 20
export const nameList = (names: readonly string[]) =>
  names.length <= SHOWN_MAX ? names.join(', ') : `${names.slice(0, SHOWN_MAX).join(', ')}, …`

/** The end of a message: the known name that is nearest to what was given, or nothing. */
export function nameHint(given: string, known: readonly string[]): string {
  const nearest = nearestName(given, known)
  return nearest === null ? '' : `; did you mean "${nearest}"?`
}

/** Longer names are not compared, because the time grows with the product of two lengths. */
const COMPARED_MAX = 64

/** The known name with the smallest distance, if at most a third of it differs, or another `share`. null: there is none. */
export function nearestName(given: string, known: readonly string[], share = 3): string | null {
  if (given.length > COMPARED_MAX) return null
  const candidates = known
    .filter((name) => name.length <= COMPARED_MAX)
    .map((name) => ({ name, distance: distanceOf(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance < name.length && distance <= Math.ceil(name.length / share))
    .sort((a, b) => a.distance - b.distance)
  return candidates[0]?.name ?? null
}

/** How many letters have to be added, removed, changed or exchanged with the next one. */
function distanceOf(one: string, other: string): number {
  const letters = [...one]
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of letters.entries()) {
    const next = [index + 1]
    for (let at = 1; at <= other.length; at++) {
      const [left = 0, above = 0, across = 0] = [next[at - 1], row[at], row[at - 1]]
      const isExchanged = letter === other[at - 2] && letters[index - 1] === other[at - 1]
      const exchanged = isExchanged ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(left + 1, above + 1, across + (letter === other[at - 1] ? 0 : 1), exchanged))
    }
    ;[before, row] = [row, next]
  }
  return row[other.length] ?? 0
}
