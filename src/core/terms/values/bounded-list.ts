/** Of what is remembered, the newest that fits together in so many characters, oldest first: prompts stay bounded, however long a task lives. */
export function newestWithin<T>(
  rows: readonly number[],
  read: (row: number) => T,
  chars: (one: T) => number,
  most: number,
): T[] {
  const shown: T[] = []
  let sum = 0
  for (const row of rows.toReversed()) {
    const one = read(row)
    sum += chars(one)
    if (sum > most) break
    shown.unshift(one)
  }
  return shown
}

/** Appends, forgetting the oldest beyond `most`: what the head refers to stays bounded. */
export const pushBounded = <T>(list: readonly T[], one: T, most: number): T[] => [...list, one].slice(-most)
