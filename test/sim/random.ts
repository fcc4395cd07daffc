/** A seeded source of choices (mulberry32): the same seed gives the same run, on every machine. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => next() < share,
    pick(list) {
      const found = list[below(list.length)]
      if (found === undefined) throw new Error('nothing to pick from')
      return found
    },
  }
}
