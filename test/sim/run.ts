/** Runs many seeds and sums up: figures, violations with their seeds, and what never happened. */
import { runCase } from './case.ts'
import { counting, missing, type Counts } from './coverage.ts'
import { lawOf } from './violation.ts'

export interface Violation {
  seed: number
  law: string
  message: string
  /** The last calls before it. */
  trace: string[]
}
export interface Report {
  seeds: number
  cases: number
  crashes: number
  violations: Violation[]
  counts: Counts
  /** Counters that stayed at zero. */
  missing: string[]
  seconds: number
  cases_per_second: number
}

const TRACE_LINES = 60
/** Real time between two breaths for whoever runs this process. */
const BREATH_MS = 200

export async function simulate(from: number, seeds: number, most_violations = 20): Promise<Report> {
  const counts: Counts = new Map()
  const violations: Violation[] = []
  const begun = performance.now()
  let [cases, crashes, breath] = [0, 0, begun]
  for (let seed = from; seed < from + seeds && violations.length < most_violations; seed++) {
    const { error, crashes: died } = await runCase(seed, counting(counts))
    cases += 1
    crashes += died
    if (error !== null) violations.push(await explain(seed, error))
    if (performance.now() - breath > BREATH_MS) {
      // A timer between two cases: within one nothing may run but the scheduler.
      await new Promise((resolve) => setTimeout(resolve, 0))
      breath = performance.now()
    }
  }
  const seconds = Number(((performance.now() - begun) / 1000).toFixed(1))
  const cases_per_second = Math.round(cases / Math.max(seconds, 0.1))
  return { seeds, cases, crashes, violations, counts, missing: missing(counts), seconds, cases_per_second }
}

/** Plays the seed again with a trace: the same seed is the same run. */
async function explain(seed: number, error: Error): Promise<Violation> {
  const { trace, error: again } = await runCase(seed, () => {}, true)
  const law = lawOf(error) ?? 'the simulation itself'
  const told =
    again?.message === error.message ? error.message : `${error.message} (and then ${again?.message ?? 'nothing'})`
  return {
    seed,
    law,
    message: `seed ${seed}: ${lawOf(error) === null ? (error.stack ?? told) : told}`,
    trace: trace.slice(-TRACE_LINES),
  }
}
