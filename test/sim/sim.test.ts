/** The simulation with a few seeded cases; `npm run sim` runs more. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCase } from './case.ts'
import { simulate } from './run.ts'

const SEEDS = 2_000
const MINUTE_MS = 60_000

// A worker that dies while it settles a blob says so in the log, which is no failure here.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

describe('simulation', () => {
  it(
    `F1 F2 F3 F4 F5 F11 F12 F13 F14 F31 F34 F53 F54 F55 LIM-04 ${SEEDS} seeded cases break no promise, and everything that must sometimes happen did`,
    async () => {
      const { violations, missing, counts: _, ...figures } = await simulate(1, SEEDS)
      console.log(JSON.stringify({ ...figures, violations: violations.length }))
      expect(violations.map(({ message, trace }) => [message, ...trace.slice(-20)].join('\n'))).toEqual([])
      expect(figures.cases).toBe(SEEDS)
      expect(figures.crashes).toBeGreaterThan(SEEDS)
      expect(missing).toEqual([])
    },
    5 * MINUTE_MS,
  )

  it('the same seed makes the same calls when it is run again', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const [one, other] = [await runCase(seed, () => {}, true), await runCase(seed, () => {}, true)]
      expect(one.trace.length).toBeGreaterThan(5)
      expect(other).toEqual(one)
    }
  })
})
