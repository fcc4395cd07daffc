/**
 * Model-based runs over real Durable Objects (reliability rules 2, 3, 12): drawn lists of requests, deaths of workers and
 * aborts of objects at every await; the checkers of the simulation read the rows from SQLite after each of them.
 */
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { counting, type Counts } from '../sim/coverage.ts'
import { PRICES } from '../sim/world.ts'
import { plan } from './model/moves.ts'
import { play, type Machine } from './model/play.ts'
import { quickImports } from './model/quick-imports.ts'
import { SOMETIMES } from './model/sometimes.ts'

const RUNS = 600
const ABORTS_AT_LEAST = 900
/** `MODEL_SEED=n npm test` draws other runs. */
const SEED = Number(env.MODEL_SEED ?? '') || 3
/** After a failure, to make the run it shows a short one. */
const SHRINKS_MAX = 60
const MINUTE_MS = 60_000

const machine = vi.hoisted((): Machine => ({
  clock: { now: 0 },
  boots: { object: 'boot1', apart: false },
  daily: { tokens: null, cost: null },
}))
// Objects and Workers of a test share their modules: the process they run in, and its configuration, are those of the run.
vi.mock('../../src/store/boot.ts', () => ({ bootId: () => machine.boots.object }))
vi.mock('../../src/config.ts', async (original) => {
  const real = await original<typeof import('../../src/config.ts')>()
  const configOf = (given: object) => ({ ...real.configOf(given), prices: PRICES, daily: machine.daily })
  return { ...real, configOf }
})
beforeEach(() => {
  quickImports()
  vi.spyOn(Date, 'now').mockImplementation(() => machine.clock.now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('model', () => {
  it(
    `${RUNS} random runs break no promise, whatever objects are aborted during them`,
    async () => {
      const counts: Counts = new Map()
      const tally = { runs: 0, aborts: 0, commands: 0 }
      const begun = performance.now()
      let failures = 0
      const property = fc.asyncProperty(plan, async (drawn) => {
        if (failures > SHRINKS_MAX) return
        try {
          await play(drawn, machine, tally, counting(counts))
        } catch (error) {
          failures += 1
          throw error
        }
      })
      const details = await fc.check(property, { seed: SEED, numRuns: RUNS })
      const seconds = Number(((performance.now() - begun) / 1000).toFixed(1))
      const missing = SOMETIMES.filter((what) => (counts.get(what) ?? 0) === 0)
      console.log(JSON.stringify({ ...tally, violations: failures, seconds }))
      expect(details.failed ? [fc.defaultReportMessage(details), String(details.errorInstance)] : []).toEqual([])
      expect(tally.runs).toBeGreaterThanOrEqual(RUNS)
      expect(tally.aborts).toBeGreaterThanOrEqual(ABORTS_AT_LEAST)
      expect(missing).toEqual([])
    },
    10 * MINUTE_MS,
  )
})
