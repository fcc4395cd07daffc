/**
 * `npm run chaos -- --kills N [--seed S] [--bundle DIR]`: runs the built bundle in a plain workerd under the load of sixteen clients (test/chaos),
 * kills it N times with SIGKILL and starts it again on the same storage. Then it compares everything that was acknowledged, written and
 * done. Prints one JSON line of figures. Exit 1 when a law was broken, fewer kills ran than requested, nothing was done, or
 * something that must sometimes happen never did.
 */
import { parseArgs } from 'node:util'
import { chaos } from '../test/chaos/run.ts'
import { journalLines } from '../test/chaos/story.ts'
import { missing } from '../test/chaos/tally.ts'
import { SINGLE_DIST } from './lib/dist.mjs'
import { bindingsOf } from './lib/environment.mjs'

/** The most violations that are printed for each law, because one bug often breaks the same law many times. */
const SHOWN_VIOLATIONS = 2

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string' },
    bundle: { type: 'string', default: SINGLE_DIST },
  },
})
const kills = Number(values.kills)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  console.error('usage: npm run chaos -- --kills N [--seed S] [--bundle DIR]')
  process.exit(1)
}
// A signal that stops this script also stops the runtime, so nothing is left behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
const { tally, stories, printed, figures, modes } = await chaos({ kills, seed, bundle: values.bundle, bindingsOf })
const { violations, counts } = tally
for (const { law, detail, task } of shown(violations)) {
  const story = stories.get(task)
  console.error(
    [`seed ${seed}: ${law}: ${detail}`, ...(story === undefined ? [] : [task, ...journalLines(story)])].join('\n'),
  )
}
if (violations.length > 0) console.error(printed.slice(-4_000))
const never = missing(tally, kills)
for (const what of never) console.error(`never happened: ${what}`)
console.error(JSON.stringify(Object.fromEntries([...counts].toSorted(([one], [other]) => one.localeCompare(other)))))
console.error(modes.map((mode) => JSON.stringify(mode)).join('\n'))
console.log(JSON.stringify(figures))
process.exit(violations.length > 0 || never.length > 0 || figures.kills < kills || figures.steps === 0 ? 1 : 0)

function shown(all) {
  const byLaw = Map.groupBy(all, ({ law }) => law)
  return [...byLaw.values()].flatMap((some) => some.slice(0, SHOWN_VIOLATIONS))
}
