/** A time that is left, as coarse as a person needs it: the nearer, the finer. */

export interface Left {
  amount: number
  unit: 'day' | 'hour' | 'minute' | 'second'
}
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const SECONDS_STEP = 10

/** From two units on in that unit, rounded down; below two minutes in tens of seconds; what is over is 0 s. */
export function leftOf(ms: number): Left {
  for (const [unit, size] of UNITS) if (ms >= 2 * size) return { amount: Math.floor(ms / size), unit }
  return { amount: Math.max(0, Math.ceil(ms / 1_000 / SECONDS_STEP) * SECONDS_STEP), unit: 'second' }
}
