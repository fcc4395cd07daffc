/**
 * `npm run sim -- --seeds N [--seed S] [--pairs]`: the simulation (test/sim): crashes, repeated and late calls, racing
 * workers, clock jumps, a hostile model; every store call checked. `--pairs`: also all crash points of the short scripts,
 * and all pairs of them. Prints one JSON line of figures each. Exit 1 when a promise was broken, fewer cases ran than were
 * asked for, or something that must sometimes happen never did. `--seed S --seeds 1` plays one seed and shows its trace.
 */
import { parseArgs } from 'node:util'
import { exhaustAll, MANNERS } from '../test/sim/pairs.ts'
import { simulate } from '../test/sim/run.ts'
import { SCRIPTS } from '../test/sim/scripts.ts'

/** Below this many seeds rare things may well not happen. */
const SEEDS_FOR_COUNTERS = 2_000
const TRACE_LINES_SHOWN = 40

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    pairs: { type: 'boolean', default: false },
  },
})
const [seeds, seed] = [Number(values.seeds), Number(values.seed)]
if (!Number.isInteger(seeds) || seeds < 0 || !Number.isInteger(seed)) {
  console.error('usage: npm run sim -- --seeds N [--seed S] [--pairs]')
  process.exit(1)
}
const seeded = seeds === 0 || (await runSeeds())
const paired = !values.pairs || (await runPairs())
process.exit(seeded && paired ? 0 : 1)

/** Whether all is well. */
async function runSeeds() {
  const { violations, counts, missing, ...figures } = await simulate(seed, seeds)
  for (const { message, trace } of violations)
    console.error([...trace.slice(-TRACE_LINES_SHOWN), message, ''].join('\n'))
  const never = seeds < SEEDS_FOR_COUNTERS ? [] : missing
  const sometimes = Object.fromEntries([...counts].toSorted(([one], [other]) => one.localeCompare(other)))
  console.error(JSON.stringify(sometimes))
  for (const what of never) console.error(`never happened: ${what}`)
  console.log(JSON.stringify({ ...figures, violations: violations.length, never: never.length, seed }))
  return violations.length === 0 && never.length === 0 && figures.cases === seeds
}

/** Every point in every manner, every pair where the process dies. */
async function runPairs() {
  const points = await exhaustAll(SCRIPTS, MANNERS, false)
  const pairs = await exhaustAll(SCRIPTS, MANNERS.slice(0, 1), true)
  for (const { violations, ...figures } of [points, pairs]) {
    for (const violation of violations) console.error(violation)
    console.log(
      JSON.stringify({
        ...figures,
        violations: violations.length,
        cases_per_second: Math.round(figures.runs / Math.max(0.1, figures.seconds)),
      }),
    )
  }
  return points.violations.length + pairs.violations.length === 0
}
