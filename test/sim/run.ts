/** Runs many seeds and reports figures, violations with their seeds, and events that never happened. */
import { runCase } from './case.ts'
import { counting, missing, type Counts } from './coverage.ts'
import { lawOf } from './violation.ts'

export interface Violation {
  seed: number
  law: string
  message: string
  /** The last calls before the violation. */
  trace: string[]
}
export interface Report {
  seeds: number
  cases: number
  crashes: number
  /** The calls of stores, models and tools: a worker may die at each, and those of a store are checked. */
  calls: number
  violations: Violation[]
  counts: Counts
  /** Counters that stayed at zero. */
  missing: string[]
  seconds: number
  cases_per_second: number
  calls_per_second: number
}

const TRACE_LINES = 60
/** The real time between two pauses, in which this process can do other work. */
const BREATH_MS = 200

export async function simulate(from: number, seeds: number, most_violations = 20): Promise<Report> {
  const counts: Counts = new Map()
  const violations: Violation[] = []
  const begun = performance.now()
  let [cases, crashes, calls, breath] = [0, 0, 0, begun]
  for (let seed = from; seed < from + seeds && violations.length < most_violations; seed++) {
    const { error, ...played } = await runCase(seed, counting(counts))
    cases += 1
    crashes += played.crashes
    calls += played.calls
    if (error !== null) violations.push(await explain(seed, error))
    if (performance.now() - breath > BREATH_MS) {
      // The timer runs between two cases, because within a case only the scheduler may run.
      await new Promise((resolve) => setTimeout(resolve, 0))
      breath = performance.now()
    }
  }
  return summed([{ seeds, cases, crashes, calls, violations, counts }], performance.now() - begun)
}

type Part = Pick<Report, 'seeds' | 'cases' | 'crashes' | 'calls' | 'violations' | 'counts'>

/** Joins the reports of runs that ran in parallel for `elapsed_ms`. */
export function summed(parts: Part[], elapsed_ms: number): Report {
  const counts: Counts = new Map()
  for (const part of parts) for (const [what, times] of part.counts) counts.set(what, (counts.get(what) ?? 0) + times)
  const sum = (name: 'seeds' | 'cases' | 'crashes' | 'calls') => parts.reduce((total, part) => total + part[name], 0)
  const [cases, calls] = [sum('cases'), sum('calls')]
  const seconds = Number((elapsed_ms / 1000).toFixed(1))
  const per_second = (amount: number) => Math.round(amount / Math.max(seconds, 0.1))
  return {
    seeds: sum('seeds'),
    cases,
    crashes: sum('crashes'),
    calls,
    violations: parts.flatMap((part) => part.violations),
    counts,
    missing: missing(counts),
    seconds,
    cases_per_second: per_second(cases),
    calls_per_second: per_second(calls),
  }
}

/** Runs the seed again with a trace; the same seed gives the same run. */
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
