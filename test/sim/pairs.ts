/** Runs the exhaustive part: all crash points of a script, and all pairs of them. */
import type { Coverage } from './coverage.ts'
import { playScript, type Manner, type Point } from './exhaustive.ts'
import type { Script } from './scripts.ts'

export interface Exhausted {
  script: string
  runs: number
  crashes: number
  violations: string[]
}

const WHENS = ['before', 'after'] as const
const VIOLATIONS_MAX = 5

/** All single points, and with `pairs` every second point after each of them. */
export async function exhaust(script: Script, manner: Manner, pairs: boolean, seen: Coverage): Promise<Exhausted> {
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
