/**
 * `npm run sim -- --seeds N [--seed S]`: the seeded simulation (test/sim): crashes, repeated and late calls, racing workers,
 * clock jumps, a hostile model; every store call checked. Prints one JSON line of figures. Exit 1 when a promise was
 * broken, fewer cases ran than were asked for, or something that must sometimes happen never did. `--seed S --seeds 1`
 * plays one seed again and shows its trace.
 */
import { parseArgs } from 'node:util'
import { simulate } from '../test/sim/run.ts'

/** Below this many seeds rare things may well not happen. */
const SEEDS_FOR_COUNTERS = 1_000

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } } })
const [seeds, seed] = [Number(values.seeds), Number(values.seed)]
if (!Number.isInteger(seeds) || seeds < 1 || !Number.isInteger(seed)) {
  console.error('usage: npm run sim -- --seeds N [--seed S]')
  process.exit(1)
}
const { violations, counts, missing, ...figures } = await simulate(seed, seeds)
for (const { message, trace } of violations) console.error([...trace.slice(-25), message].join('\n'), '\n')
const sometimes = Object.fromEntries([...counts].toSorted(([one], [other]) => one.localeCompare(other)))
const never = seeds < SEEDS_FOR_COUNTERS ? [] : missing
console.error(JSON.stringify(sometimes))
for (const what of never) console.error(`never happened: ${what}`)
console.log(JSON.stringify({ ...figures, violations: violations.length, never: never.length, seed }))
process.exit(violations.length > 0 || never.length > 0 || figures.cases < seeds ? 1 : 0)
