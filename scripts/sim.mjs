/**
 * `npm run sim -- --seeds N [--seed S] [--pairs]`: the simulation (test/sim): crashes, repeated and late calls, racing
 * workers, clock jumps, a hostile model; every store call checked. `--pairs`: also all crash points of the short scripts,
 * and all pairs of them. Prints one JSON line of figures each. Exit 1 when a promise was broken, fewer cases ran than were
 * asked for, or something that must sometimes happen never did. `--seed S --seeds 1` plays one seed and shows its trace.
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { exhaustAll, MANNERS } from '../test/sim/pairs.ts'
import { simulate, summed } from '../test/sim/run.ts'
import { SCRIPTS } from '../test/sim/scripts.ts'

/** Below this many seeds rare things may well not happen. */
const SEEDS_FOR_COUNTERS = 2_000
const TRACE_LINES_SHOWN = 40
const SEEDS_PER_THREAD_LEAST = 200

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
  const { violations, counts, missing, ...figures } = await simulateInThreads()
  for (const { message, trace } of violations)
    console.error([...trace.slice(-TRACE_LINES_SHOWN), message, ''].join('\n'))
  const never = seeds < SEEDS_FOR_COUNTERS ? [] : missing
  const sometimes = Object.fromEntries([...counts].toSorted(([one], [other]) => one.localeCompare(other)))
  console.error(JSON.stringify(sometimes))
  for (const what of never) console.error(`never happened: ${what}`)
  console.log(JSON.stringify({ ...figures, violations: violations.length, never: never.length, seed }))
  return violations.length === 0 && never.length === 0 && figures.cases === seeds
}

/** The seeds in equal shares, one after the other in each thread; a few of them are not worth a thread. */
async function simulateInThreads() {
  const threads = Math.min(availableParallelism(), Math.ceil(seeds / SEEDS_PER_THREAD_LEAST))
  if (threads < 2) return simulate(seed, seeds)
  const begun = performance.now()
  const share = Math.ceil(seeds / threads)
  const parts = Array.from({ length: threads }, async (_, index) => {
    const from = index * share
    const thread = new Worker(new URL('lib/sim-thread.mjs', import.meta.url), {
      workerData: { seed: seed + from, seeds: Math.min(share, seeds - from) },
    })
    const [report] = await once(thread, 'message')
    return report
  })
  return summed(await Promise.all(parts), performance.now() - begun)
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
