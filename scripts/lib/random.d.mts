/** Types of random.mjs. */
export interface Choices {
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  /** Whether an event of this probability comes. */
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  bytes(count: number): Buffer
}
export function randomOf(seed: number): Choices
