/** Lists that stay bounded, however long a task lives. */

/** Reads the newest rows that fit in `chars_max` characters together, and returns them with the oldest first. */
export function newestWithin<T>(
  rows: readonly number[],
  read: (row: number) => T,
  charsOf: (value: T) => number,
  chars_max: number,
): T[] {
  const values: T[] = []
  let sum = 0
  for (const row of rows.toReversed()) {
    const value = read(row)
    sum += charsOf(value)
    if (sum > chars_max) break
    values.unshift(value)
  }
  return values
}

/** Appends a value and drops the oldest values beyond `length_max`, so that the head stays small. */
export const pushBounded = <T>(list: readonly T[], value: T, length_max: number): T[] =>
  [...list, value].slice(-length_max)
