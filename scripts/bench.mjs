/**
 * `npm run bench [-- --quick] [--write] [--profile]`: what a step costs, held against floors that do the least (bench/, docs/contributing/performance.md).
 * `--write` keeps the figures in bench/results.json and the table in docs/contributing/performance.md; `--profile` shows where the time of a model step
 * goes instead. Exit 1 when an answer was not as it has to be; a missed aim is printed, since a busy machine misses it too.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { profile } from '../bench/profile.ts'
import { aimLines, report, withTable } from '../bench/report.ts'
import { bench, FULL, QUICK } from '../bench/run.ts'
import { BUNDLING } from './lib/build.mjs'
import { DIST } from './lib/dist.mjs'
import { bindingsOf } from './lib/environment.mjs'
import { ROOT } from './lib/node.mjs'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
})
// A signal that stops this script also stops the runtimes, so nothing is left behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
const scale = values.quick ? QUICK : FULL
const wanted = { scale, bundle: DIST, bundling: BUNDLING, bindingsOf, note: (text) => console.error(`bench: ${text}`) }

if (values.profile) {
  console.log((await profile(wanted)).join('\n'))
} else {
  const results = await bench(wanted)
  console.log([...report(results), '', ...aimLines(results)].join('\n'))
  if (values.write) write(results)
}

function write(results) {
  writeFileSync(join(ROOT, 'bench/results.json'), `${JSON.stringify(results, null, 1)}\n`)
  const page = join(ROOT, 'docs/contributing/performance.md')
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), results))
}
