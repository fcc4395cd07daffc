/** Runs the exhaustive part: all crash points of the scripts, and all pairs of them. */
import type { Coverage } from './coverage.ts'
import { playScript, type Manner, type Point } from './exhaustive.ts'
import type { Script } from './script.ts'

interface Exhausted {
  script: string
  runs: number
  crashes: number
  violations: string[]
}

const WHENS = ['before', 'after'] as const
const VIOLATIONS_MAX = 5

/** With its process or alone; with keys or by looking what became of it. */
export const MANNERS: readonly Manner[] = [
  { reboot: true, keyed: true },
  { reboot: false, keyed: true },
  { reboot: false, keyed: false },
]

export interface Sum {
  scripts: number
  runs: number
  crashes: number
  violations: string[]
  seconds: number
}

/** With `bail` a script with violations is the last one. */
export async function exhaustAll(
  scripts: readonly Script[],
  manners: readonly Manner[],
  pairs: boolean,
  bail = false,
): Promise<Sum> {
  const begun = performance.now()
  const sum: Sum = { scripts: scripts.length, runs: 0, crashes: 0, violations: [], seconds: 0 }
  for (const script of scripts) {
    for (const manner of manners) {
      if (bail && sum.violations.length > 0) continue
      const { runs, crashes, violations } = await exhaust(script, manner, pairs, () => {})
      sum.runs += runs
      sum.crashes += crashes
      sum.violations.push(...violations)
      // A breath for whoever runs this process; within a run nothing may move but the scheduler.
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
  }
  return { ...sum, seconds: Number(((performance.now() - begun) / 1000).toFixed(1)) }
}

/** All single points, and with `pairs` every second point after each of them. */
async function exhaust(script: Script, manner: Manner, pairs: boolean, seen: Coverage): Promise<Exhausted> {
  const sum: Exhausted = { script: script.name, runs: 0, crashes: 0, violations: [] }
  const run = async (points: Point[]): Promise<number> => {
    sum.runs += 1
    try {
      const { gates, crashes } = await playScript(script, points, manner, seen)
      sum.crashes += crashes
      return gates
    } catch (error) {
      const where = points.map(({ gate, when }) => `${when} call ${gate}`).join(' and ')
      sum.violations.push(`${script.name}, ${JSON.stringify(manner)}, dies ${where || 'never'}: ${String(error)}`)
      return 0
    }
  }
  const from = async (points: Point[], first: number, depth: number): Promise<void> => {
    const gates = await run(points)
    if (depth === 0) return
    for (let gate = first; gate < gates && sum.violations.length < VIOLATIONS_MAX; gate++) {
      for (const when of WHENS) await from([...points, { gate, when }], gate + 1, depth - 1)
    }
  }
  await from([], 0, pairs ? 2 : 1)
  return sum
}
