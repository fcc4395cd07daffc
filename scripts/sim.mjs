/**
 * `npm run sim -- --seeds N [--seed S] [--points] [--pairs] [--bail]`: the simulation (test/sim): crashes, repeated and late calls,
 * racing workers, clock jumps, a hostile model; every store call checked. `--points`: also all crash points of the short scripts;
 * `--pairs`: those, and all pairs of them. `--seeds 0` leaves the seeds out; `--bail` ends at the first violation. Prints one JSON
 * line of figures each. Exit 1 when a promise was broken, fewer cases ran than were asked for, or something that must sometimes
 * happen never did. `--seed S --seeds 1` plays one seed and shows its trace.
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { loadModes } from '../src/core/modes/index.ts'
import { loadCommands } from '../src/core/workspace/commands/load-commands.ts'
import { loadValidator } from '../src/store/fits.ts'
import { exhaustAll, MANNERS } from '../test/sim/pairs.ts'
import { simulate, summed } from '../test/sim/run.ts'
import { SCRIPTS } from '../test/sim/scripts.ts'

/** With fewer seeds than this, rare events may be missing by chance. */
const SEEDS_FOR_COUNTERS = 2_000
/** The number of points in the short scripts, so that a run that skips points fails. */
const POINT_RUNS_AT_LEAST = 5_000
const TRACE_LINES_SHOWN = 40
const SEEDS_PER_THREAD_LEAST = 200
const VIOLATIONS_SHOWN = 20

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    points: { type: 'boolean', default: false },
    pairs: { type: 'boolean', default: false },
    bail: { type: 'boolean', default: false },
  },
})
const [seeds, seed] = [Number(values.seeds), Number(values.seed)]
const idle = seeds === 0 && !values.points && !values.pairs
if (!Number.isInteger(seeds) || seeds < 0 || !Number.isInteger(seed) || idle) {
  console.error('usage: npm run sim -- --seeds N [--seed S] [--points] [--pairs] [--bail]')
  process.exit(1)
}
await Promise.all([loadModes(), loadCommands(), loadValidator()])
const seeded = seeds === 0 || (await runSeeds())
const pointed = (!values.points && !values.pairs) || (await runPoints(MANNERS, false, POINT_RUNS_AT_LEAST))
const paired = !values.pairs || (await runPoints(MANNERS.slice(0, 1), true, POINT_RUNS_AT_LEAST))
process.exit(seeded && pointed && paired ? 0 : 1)

/** Returns whether no promise was broken. */
async function runSeeds() {
  const most = values.bail ? 1 : VIOLATIONS_SHOWN
  const { violations, counts, missing, ...figures } = await simulateInThreads(most)
  for (const { message, trace } of violations)
    console.error([...trace.slice(-TRACE_LINES_SHOWN), message, ''].join('\n'))
  const never = seeds < SEEDS_FOR_COUNTERS ? [] : missing
  const sometimes = Object.fromEntries([...counts].toSorted(([one], [other]) => one.localeCompare(other)))
  console.error(JSON.stringify(sometimes))
  for (const what of never) console.error(`never happened: ${what}`)
  console.log(JSON.stringify({ ...figures, violations: violations.length, never: never.length, seed }))
  return violations.length === 0 && never.length === 0 && figures.cases === seeds
}

/** Splits the seeds into equal shares, one for each thread; a few seeds are not worth a thread. */
async function simulateInThreads(most) {
  const threads = Math.min(availableParallelism(), Math.ceil(seeds / SEEDS_PER_THREAD_LEAST))
  if (threads < 2) return simulate(seed, seeds, most)
  const begun = performance.now()
  const share = Math.ceil(seeds / threads)
  const parts = Array.from({ length: threads }, async (_, index) => {
    const from = index * share
    const thread = new Worker(new URL('lib/sim-thread.mjs', import.meta.url), {
      workerData: { seed: seed + from, seeds: Math.min(share, seeds - from), most },
    })
    const [report] = await once(thread, 'message')
    return report
  })
  return summed(await Promise.all(parts), performance.now() - begun)
}

/** Every point in each of these manners; with `pairs` every second one behind it too. */
async function runPoints(manners, pairs, runs_at_least) {
  const { violations, ...figures } = await exhaustAll(SCRIPTS, manners, pairs, values.bail)
  for (const violation of violations) console.error(violation)
  const cases_per_second = Math.round(figures.runs / Math.max(0.1, figures.seconds))
  console.log(JSON.stringify({ ...figures, pairs, violations: violations.length, cases_per_second }))
  return violations.length === 0 && figures.runs >= runs_at_least
}
