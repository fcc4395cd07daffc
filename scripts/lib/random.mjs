/** A seeded source of choices (mulberry32): the same seed gives the same run. */
export function randomOf(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** A whole number from 0 to below `end`. */
  const below = (end) => Math.floor(next() * end)
  return {
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)],
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  }
}
