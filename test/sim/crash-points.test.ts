/** All crash points of short scripts. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { exhaustAll, MANNERS } from './pairs.ts'
import { SCRIPTS } from './scripts.ts'

/** The number of points in the scripts below, so that a run that skips points fails. */
const RUNS_AT_LEAST = 4_000
const PAIR_RUNS_AT_LEAST = 3_000
/** The scripts that are short enough to run all pairs here; `npm run sim -- --pairs` runs the pairs of the others. */
const PAIRED = [
  'T9 spent while waiting',
  'T5 done at the limit',
  'a tool that cannot be repeated',
  'a remark during a tool',
  'S2 one command, one report',
  'S2 a report on the way of its command',
  'the endpoint is away, and another answers',
  'S3 a file that is put while the tool looks for it',
  'S4 a question',
  'S4 a file that is put when it is asked for',
  'S1 a dataset that is put when it is asked for',
]
const MINUTE_MS = 60_000

// A worker that dies while it settles a blob says so in the log, which is no failure here.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

describe('crash points', () => {
  it(
    'F1 F2 F3 F4 a task whose worker dies at any call of any script is charged exactly what the accounting says',
    async () => {
      expect(SCRIPTS.length).toBeGreaterThanOrEqual(50)
      // Each script dies in one manner here, and the manners take turns; `npm run sim -- --points` lets each die in all of them.
      const violations: string[] = []
      const figures = { runs: 0, crashes: 0 }
      for (const [turn, manner] of MANNERS.entries()) {
        const scripts = SCRIPTS.filter((_, index) => index % MANNERS.length === turn)
        const share = await exhaustAll(scripts, [manner], false)
        violations.push(...share.violations)
        figures.runs += share.runs
        figures.crashes += share.crashes
      }
      console.log(JSON.stringify({ ...figures, violations: violations.length }))
      expect(violations).toEqual([])
      expect(figures.runs).toBeGreaterThan(RUNS_AT_LEAST)
      expect(figures.crashes).toBeGreaterThan(RUNS_AT_LEAST)
    },
    5 * MINUTE_MS,
  )

  it(
    'F1 F2 F3 F4 a task whose workers die at any two calls is charged exactly what the accounting says',
    async () => {
      const scripts = SCRIPTS.filter(({ name }) => PAIRED.includes(name))
      expect(scripts).toHaveLength(PAIRED.length)
      const { violations, ...figures } = await exhaustAll(scripts, MANNERS.slice(0, 1), true)
      console.log(JSON.stringify({ ...figures, pairs: true, violations: violations.length }))
      expect(violations).toEqual([])
      expect(figures.runs).toBeGreaterThan(PAIR_RUNS_AT_LEAST)
    },
    5 * MINUTE_MS,
  )
})
