/** The known name that was probably meant by a mistyped one. */

/** Longer names are not compared, because the time grows with the product of two lengths. */
const COMPARED_MAX = 40

/** ` Did you mean "…"?`, or nothing. */
export function hintOf(given: string, known: readonly string[]): string {
  const nearest = nearestName(given, known)
  return nearest === null ? '' : ` Did you mean "${nearest}"?`
}

/** The known name with the smallest distance, if at most a third of it differs; null: there is none. */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given.length > COMPARED_MAX) return null
  const near = known
    .map((name) => ({ name, distance: distanceOf(given, name) }))
    .filter(({ name, distance }) => distance <= Math.ceil(name.length / 3))
    .sort((one, other) => one.distance - other.distance)
  return near[0]?.name ?? null
}

/** How many letters have to be added, removed, changed or exchanged with the next one. */
function distanceOf(one: string, other: string): number {
  const letters = [...one]
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of letters.entries()) {
    const next = [index + 1]
    for (let at = 1; at <= other.length; at += 1) {
      const [left = 0, above = 0, across = 0] = [next[at - 1], row[at], row[at - 1]]
      const costs = [left + 1, above + 1, across + (letter === other[at - 1] ? 0 : 1)]
      const isExchanged = letter === other[at - 2] && letters[index - 1] === other[at - 1]
      if (isExchanged) costs.push((before[at - 2] ?? 0) + 1)
      next.push(Math.min(...costs))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
